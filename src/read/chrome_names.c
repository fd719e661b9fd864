/* Enters: the name of an event. Leaves: what it is - a step marker, a wait of some tier, an
 * evaluation range, or anything else. Must not know: threads, times, other events.
 *
 * The names are matched by hand and not by regcomp: the result may not depend on the locale, and
 * every host event of a file passes through here. */
#include <string.h>

#include "read/read.h"

#define LABEL_MAX INT64_C(1000000000000000) /* a larger step number is nonsense */

static bool starts(const char *s, size_t len, const char *prefix)
{
    size_t n = strlen(prefix);
    return len >= n && memcmp(s, prefix, n) == 0;
}

static bool ends(const char *s, size_t len, const char *suffix)
{
    size_t n = strlen(suffix);
    return len >= n && memcmp(s + len - n, suffix, n) == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_word(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* ProfilerStep#\d+, or with blanks around the '#'. */
static bool marker(const char *s, size_t len, stall_chrome_name *ret)
{
    static const char prefix[] = "ProfilerStep";
    size_t i = sizeof prefix - 1, from;
    bool spaced = false;

    if (!starts(s, len, prefix))
        return false;
    for (; i < len && is_blank(s[i]); i++)
        spaced = true;
    if (i == len || s[i++] != '#')
        return false;
    for (; i < len && is_blank(s[i]); i++)
        spaced = true;
    from = i;
    while (i < len && is_digit(s[i]))
        i++;
    if (i == from || i != len)
        return false;
    ret->kind = spaced ? STALL_CHROME_SPACED : STALL_CHROME_MARKER;
    if (!stall_decimal_parse(s + from, len - from, 0, &ret->number) || ret->number > LABEL_MAX)
        ret->number = STALL_UNKNOWN;
    return true;
}

/* enumerate(DataLoader)#CLASS.__next__ of any class, or enumerate(DataPipe)#... */
static bool tier1(const char *s, size_t len, bool *ret_data_loader)
{
    static const char loader[] = "enumerate(DataLoader)#", next[] = ".__next__";

    *ret_data_loader =
        starts(s, len, loader) && len >= sizeof loader + sizeof next - 2 && ends(s, len, next);
    return *ret_data_loader || starts(s, len, "enumerate(DataPipe)#");
}

/* Lightning: [LOOP].train_dataloader_next, get_train_batch, [Strategy]...fetch_next_train. */
static bool tier2(const char *s, size_t len)
{
    static const char fetch[] = "fetch_next_train";
    size_t i;

    if (starts(s, len, "[pl][profile]")) {
        s += 13;
        len -= 13;
    }
    if (starts(s, len, "get_train_batch"))
        return true;
    if (starts(s, len, "[Strategy]"))
        for (i = 10; i + sizeof fetch - 1 <= len; i++)
            if (memcmp(s + i, fetch, sizeof fetch - 1) == 0)
                return true;
    if (len == 0 || s[0] != '[')
        return false;
    for (i = 1; i < len && is_word(s[i]) && !is_digit(s[i]); i++)
        ;
    return i > 1 && starts(s + i, len - i, "].train_dataloader_next");
}

/* Takes `word` off the end of s, then a path separator or the beginning. */
static bool chop(const char *s, size_t *len, const char *word, bool separator)
{
    if (!ends(s, *len, word))
        return false;
    *len -= strlen(word);
    if (!separator)
        return true;
    if (*len == 0 || (s[*len - 1] != '/' && s[*len - 1] != '\\'))
        return false;
    *len -= 1;
    return true;
}

/* [PATH/]torch/utils/data/dataloader.py(LINE): __next__ */
static bool tier3(const char *s, size_t len)
{
    size_t digits;

    if (!chop(s, &len, "): __next__", false))
        return false;
    digits = len;
    while (len && is_digit(s[len - 1]))
        len--;
    if (digits == len || !chop(s, &len, "dataloader.py(", true) || !chop(s, &len, "data", true) ||
        !chop(s, &len, "utils", true) || !chop(s, &len, "torch", false))
        return false;
    return len == 0 || s[len - 1] == '/' || s[len - 1] == '\\';
}

/* `word` in any case at s; returns its length or 0. */
static size_t word_at(const char *s, size_t len, const char *word)
{
    size_t n = strlen(word), i;

    for (i = 0; i < n; i++)
        if (i == len || lower(s[i]) != word[i])
            return 0;
    return n;
}

/* User ranges that by their name are the fetch; not to be trusted without a word of warning. */
static bool tier4(const char *s, size_t len)
{
    static const char *const pairs[][3] = {
        {"data", "-_ ", "load"},        {"data", "-_ ", "loading"}, {"data", "-_ ", "loader"},
        {"load", "-_ ", "data"},        {"load", "-_ ", "batch"},   {"data", "-_ ", "fetch"},
        {"fetch", "-_ ", "data"},       {"next", "-_ ", "batch"},   {"get", "-_ ", "batch"},
        {"dataloader", "-_. ", "next"},
    };
    size_t i, n, from = 0;

    if (len > 256)
        return false;
    while (from < len && s[from] == '#')
        from++;
    if (from)
        while (from < len && is_blank(s[from]))
            from++;
    if (from < len && is_digit(s[from])) {
        while (from < len && is_digit(s[from]))
            from++;
        if (from < len && strchr("-_ ", s[from]) && s[from])
            from++;
    }
    if (len > from && s[len - 1] == '#') {
        while (len > from && s[len - 1] == '#')
            len--;
        while (len > from && is_blank(s[len - 1]))
            len--;
    }
    for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        size_t at = from;
        n = word_at(s + at, len - at, pairs[i][0]);
        if (!n)
            continue;
        at += n;
        if (at < len && s[at] && strchr(pairs[i][1], s[at]))
            at++;
        n = word_at(s + at, len - at, pairs[i][2]);
        if (n && at + n == len)
            return true;
    }
    return false;
}

static bool may_be_tier4(char first)
{
    char c = lower(first);
    return c == '#' || is_digit(c) || c == 'd' || c == 'l' || c == 'f' || c == 'n' || c == 'g';
}

/* Lightning's evaluation: [_EvaluationLoop]..., ...val_next, ...evaluation_step_and_end. */
static bool evaluation(const char *s, size_t len)
{
    if (starts(s, len, "[pl][profile]")) {
        s += 13;
        len -= 13;
    }
    if (starts(s, len, "[_EvaluationLoop].") || ends(s, len, "evaluation_step_and_end"))
        return true;
    return ends(s, len, "val_next") && (len == 8 || !is_word(s[len - 9]));
}

stall_chrome_name stall_chrome_classify(const char *name, size_t len)
{
    stall_chrome_name ret = {STALL_CHROME_OTHER, 0, STALL_UNKNOWN, false};

    if (len < 7) /* the shortest name of any kind has seven bytes: getdata-like words have more */
        return ret;
    switch (name[0]) {
    case 'P':
        if (marker(name, len, &ret))
            return ret;
        break;
    case 'e':
        if (tier1(name, len, &ret.data_loader)) {
            ret.kind = STALL_CHROME_WAIT;
            ret.tier = 1;
            return ret;
        }
        break;
    case '[':
    case 'g':
        if (tier2(name, len)) {
            ret.kind = STALL_CHROME_WAIT;
            ret.tier = 2;
            return ret;
        }
        break;
    default:
        break;
    }
    if (name[len - 1] == '_' && tier3(name, len)) {
        ret.kind = STALL_CHROME_WAIT;
        ret.tier = 3;
    } else if ((name[0] == '[' || name[len - 1] == 't' || name[len - 1] == 'd') &&
               evaluation(name, len)) {
        ret.kind = STALL_CHROME_EVALUATION;
    } else if (may_be_tier4(name[0]) && tier4(name, len)) {
        ret.kind = STALL_CHROME_WAIT;
        ret.tier = 4;
    }
    return ret;
}

bool stall_chrome_vital(const char *name, size_t len)
{
    return starts(name, len, "ProfilerStep#") || starts(name, len, "enumerate(DataLoader)#") ||
           starts(name, len, "enumerate(DataPipe)#");
}
