/* Enters: the first bytes of an input that no reader takes. Leaves: what they look like, and what
 * to give instead. Must not know: the formats that can be read. */
#include <string.h>

#include "read/read.h"

static const char unpack[] = "unpack it first",
                  columns[] = "write the step and the input wait of each step as CSV: step,wait_ms",
                  record[] =
                      "record with torch.profiler and give what export_chrome_trace() writes";

static const struct {
    size_t at, len;
    const char *bytes, *kind, *instead;
} magics[] = {
    {0, 4, "PK\x03\x04", "a ZIP archive (a PyTorch checkpoint, or a packed folder?)", unpack},
    {0, 5, "%PDF-", "a PDF document"},
    {0, 8, "\x89PNG\r\n\x1a\n", "a PNG image"},
    {0, 4,
     "\x7f"
     "ELF",
     "an ELF program"},
    {0, 4, "PAR1", "a Parquet file", columns},
    {0, 8, "\x89HDF\r\n\x1a\n", "an HDF5 file", columns},
    {0, 6, "\x93NUMPY", "a NumPy array", columns},
    {0, 2, "\x1f\x8b", "gzip data inside the compressed data", unpack},
    {0, 4, "\x28\xb5\x2f\xfd", "zstd data inside the compressed data", unpack},
    {0, 3, "BZh", "bzip2 data", unpack},
    {0, 6,
     "\xfd"
     "7zXZ\0",
     "xz data", unpack},
    {257, 5, "ustar", "a tar archive", unpack},
    {0, 2, "\xff\xfe", "UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"},
    {0, 2, "\xfe\xff", "UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8"},
    {0, 2, "\x80\x02", "a Python pickle", record},
    {0, 2, "\x80\x03", "a Python pickle", record},
    {0, 2, "\x80\x04", "a Python pickle", record},
    {0, 2, "\x80\x05", "a Python pickle", record},
    {16, 13, "brain.Event:2", "a TensorBoard event file",
     "export the scalar as CSV in TensorBoard and name its column: --wait-col Value:s"},
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

const char *stall_sniff_kind(const unsigned char *head, size_t len, const char **ret_instead)
{
    static const char lfs[] = "version https://git-lfs";
    bool xml;
    size_t i;

    *ret_instead = NULL;
    for (i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (len >= magics[i].at + magics[i].len &&
            memcmp(head + magics[i].at, magics[i].bytes, magics[i].len) == 0) {
            *ret_instead = magics[i].instead;
            return magics[i].kind;
        }
    if (len >= sizeof lfs - 1 && memcmp(head, lfs, sizeof lfs - 1) == 0) {
        *ret_instead = "fetch the file itself: git lfs pull";
        return "a Git LFS pointer";
    }
    if (is_html(head, len, &xml)) {
        *ret_instead = "download it again: pages like this stand for files that need a login";
        return "an HTML page";
    }
    if (xml)
        return "XML text";
    if (is_perfetto(head, len)) {
        *ret_instead = "convert it (traceconv json), or give what export_chrome_trace() writes";
        return "a Perfetto protobuf trace";
    }
    return NULL;
}

stall_input_kind stall_sniff_input(const unsigned char *head, size_t len)
{
    size_t i = len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, line, commas = 0;

    while (i < len && (head[i] == ' ' || (head[i] >= '\t' && head[i] <= '\r')))
        i++;
    if (memchr(head, 0, len) != NULL)
        return STALL_INPUT_BINARY;
    for (line = i; line < len && head[line] != '\n' && head[line] != '\r'; line++)
        commas += head[line] == ',' || head[line] == '\t' || head[line] == ';';
    if (i < len && (head[i] == '{' || head[i] == '[')) {
        while (line < len && (head[line] == '\n' || head[line] == '\r'))
            line++;
        return line < len && head[i] == '{' && head[line] == '{' ? STALL_INPUT_ROWS
                                                                 : STALL_INPUT_JSON;
    }
    return commas > 0 ? STALL_INPUT_TABLE : STALL_INPUT_TEXT;
}
