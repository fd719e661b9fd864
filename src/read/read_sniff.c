/* Enters: the first bytes of an input that no reader takes. Leaves: what they look like. Must not
 * know: the formats that can be read. */
#include <string.h>

#include "read/read.h"

static const struct {
    size_t at, len;
    const char *bytes, *kind;
} magics[] = {
    {0, 4, "PK\x03\x04", "a ZIP archive (a PyTorch checkpoint, or a packed folder?)"},
    {0, 5, "%PDF-", "a PDF document"},
    {0, 8, "\x89PNG\r\n\x1a\n", "a PNG image"},
    {0, 4,
     "\x7f"
     "ELF",
     "an ELF program"},
    {0, 4, "PAR1", "a Parquet file"},
    {0, 8, "\x89HDF\r\n\x1a\n", "an HDF5 file"},
    {0, 6, "\x93NUMPY", "a NumPy array"},
    {0, 2, "\x1f\x8b", "gzip data inside the compressed data"},
    {0, 4, "\x28\xb5\x2f\xfd", "zstd data inside the compressed data"},
    {0, 3, "BZh", "bzip2 data"},
    {0, 6,
     "\xfd"
     "7zXZ\0",
     "xz data"},
    {257, 5, "ustar", "a tar archive"},
    {0, 2, "\xff\xfe", "UTF-16 text"},
    {0, 2, "\xfe\xff", "UTF-16 text"},
    {0, 2, "\x80\x02", "a Python pickle"},
    {0, 2, "\x80\x03", "a Python pickle"},
    {0, 2, "\x80\x04", "a Python pickle"},
    {0, 2, "\x80\x05", "a Python pickle"},
    {16, 13, "brain.Event:2", "a TensorBoard event file"},
};

static bool is_html(const unsigned char *p, size_t len, bool *ret_xml)
{
    static const char *const words[] = {"<!doctype html", "<html", "<head", "<body"};
    size_t i = 0, k, n;

    while (i < len && (p[i] == ' ' || (p[i] >= '\t' && p[i] <= '\r')))
        i++;
    *ret_xml = i < len && p[i] == '<';
    for (k = 0; k < sizeof words / sizeof words[0]; k++) {
        for (n = 0; words[k][n] && i + n < len; n++) {
            unsigned char c = p[i + n];
            if (c >= 'A' && c <= 'Z')
                c = (unsigned char)(c + 32);
            if (c != (unsigned char)words[k][n])
                break;
        }
        if (!words[k][n])
            return true;
    }
    return false;
}

/* A Perfetto trace is a sequence of packets: tag 0x0a, length, then a small field tag. */
static bool is_perfetto(const unsigned char *p, size_t len)
{
    size_t i = 1, n = 0, shift = 0;

    if (len < 8 || p[0] != 0x0a || p[1] == 0 || p[1] == '\n' || p[1] == '{' || p[1] == '[')
        return false;
    for (; i < 6 && i < len; i++, shift += 7) {
        n |= (size_t)(p[i] & 0x7f) << shift;
        if (!(p[i] & 0x80))
            break;
    }
    i++;
    if (n == 0 || i >= len || (p[i] & 7) > 2 || p[i] < 8)
        return false;
    return i + n < len ? p[i + n] == 0x0a : memchr(p, 0, len) != NULL;
}

const char *stall_sniff_kind(const unsigned char *head, size_t len)
{
    static const char lfs[] = "version https://git-lfs";
    bool xml;
    size_t i;

    for (i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (len >= magics[i].at + magics[i].len &&
            memcmp(head + magics[i].at, magics[i].bytes, magics[i].len) == 0)
            return magics[i].kind;
    if (len >= sizeof lfs - 1 && memcmp(head, lfs, sizeof lfs - 1) == 0)
        return "a Git LFS pointer, not the file itself: run `git lfs pull`";
    if (is_html(head, len, &xml))
        return "an HTML page (a download that needed a login?)";
    if (xml)
        return "XML text";
    if (is_perfetto(head, len))
        return "a Perfetto protobuf trace";
    return NULL;
}
