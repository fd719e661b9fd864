/* Text of inputs, made harmless for each target.
 *
 * Enters: any NUL-terminated bytes. Leaves: text that the target shows and never obeys. Control
 * bytes, bidirectional controls and bytes that are no UTF-8 become visible as \xNN everywhere. It
 * must not know what the texts mean. */
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "write/write.h"

/* One character of a text in its printable form: at most 4 units of \xNN. */
typedef struct unit {
    char text[20];
    size_t len;
} unit;

/* Takes the next character of *s. False at the end. */
static bool unit_next(const char **s, unit *ret)
{
    size_t left = strnlen(*s, 4);
    size_t n = stall_utf8_length((const unsigned char *)*s, left);

    if (left == 0)
        return false;
    if (n == 0)
        n = 1;
    ret->len = stall_text_printable(ret->text, sizeof(ret->text), *s, n);
    *s += n;
    return true;
}

/* Bytes of the printable form, counted up to just over `max`. */
static size_t printable_length(const char *text, size_t max)
{
    size_t total = 0;
    unit u;

    while (total <= max && unit_next(&text, &u))
        total += u.len;
    return total;
}

/* Calls `put` for every character of the first `max` bytes; an ellipsis ends a longer text. */
static void each_unit(stall_out *o, const char *text, size_t max,
                      void (*put)(stall_out *o, const unit *u, const char *start, const char *at))
{
    const char *s = text == NULL ? "" : text, *start = s, *at = s;
    bool whole = printable_length(s, max) <= max;
    size_t limit = whole || max < 3 ? max : max - 3, used = 0;
    unit u;

    while (unit_next(&s, &u) && used + u.len <= limit) {
        put(o, &u, start, at);
        at = s;
        used += u.len;
    }
    if (!whole)
        stall_out_put(o, "...");
}

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- Markdown ---- */

/* Would the character at `at` begin a list item or a rule, or make a www link? */
static bool markdown_start(const char *start, const char *at)
{
    if (strchr("-+=", *at) != NULL)
        return at == start;
    if (strchr(".)", *at) == NULL || at == start)
        return false;
    return strspn(start, "0123456789") == (size_t)(at - start) ||
           (*at == '.' && at - start >= 3 && strncasecmp(at - 3, "www", 3) == 0 &&
            (at - start == 3 || !is_word(at[-4])));
}

/* Is this '_' in a run of them between letters or digits? Those are literal. */
static bool inside_word(const char *start, const char *at)
{
    const char *before = at, *after = at;

    while (before > start && *before == '_')
        before--;
    while (*after == '_')
        after++;
    return is_word(*before) && is_word(*after);
}

/* A zero width space keeps hosts from turning @name and #1 into references; they look for those in
 * the rendered text, where a backslash is gone. */
static void put_markdown(stall_out *o, const unit *u, const char *start, const char *at)
{
    char last = at > start ? at[-1] : '\0';
    bool escape = false;

    switch (u->len == 1 ? *at : '\0') {
    case '<':
        stall_out_put(o, "&lt;");
        return;
    case '-': /* the arrow of the texts of the model, " -> " */
        if (at > start && last == ' ' && at[1] == '>' && at[2] == ' ') {
            stall_out_put(o, "→");
            return;
        }
        escape = markdown_start(start, at);
        break;
    case '>':
        if (at - start < 2 || last != '-' || at[-2] != ' ' || at[1] != ' ')
            stall_out_put(o, "&gt;");
        return;
    case '&':
        stall_out_put(o, "&amp;");
        return;
    case '@':
        stall_out_put(o, "@&#8203;");
        return;
    case '#':
        stall_out_put(o, is_digit(at[1]) ? "\\#&#8203;" : "\\#");
        return;
    case ':':
        stall_out_put(o, at[1] == '/' && at[2] == '/' ? "&#58;" : ":");
        return;
    case '_':
        escape = !inside_word(start, at);
        break;
    case '\0':
        break; /* a visible byte, or a character beyond ASCII */
    default:
        escape = strchr("`*[]|~$!{}\\", *at) != NULL || markdown_start(start, at);
    }
    for (size_t i = 0; i < u->len; i++) {
        if ((escape && i == 0) || u->text[i] == '\\')
            stall_out_char(o, '\\');
        stall_out_char(o, u->text[i]);
    }
}

void stall_out_markdown(stall_out *o, const char *text, size_t max)
{
    const char *s = text == NULL ? "" : text;

    while (*s == ' ') /* four blanks would begin a code block */
        s++;
    each_unit(o, s, max, put_markdown);
}

static void put_plain(stall_out *o, const unit *u, const char *start, const char *at)
{
    (void)start;
    (void)at;
    stall_out_write(o, u->text, u->len);
}

static void put_table_code(stall_out *o, const unit *u, const char *start, const char *at)
{
    if (u->text[0] == '|')
        stall_out_char(o, '\\');
    put_plain(o, u, start, at);
}

void stall_out_code_span(stall_out *o, const char *text, size_t max, bool table)
{
    const char *s = text == NULL ? "" : text;
    size_t fence = 0, run = 0, len = strlen(s);
    bool pad = len == 0 || s[0] == '`' || s[len - 1] == '`' || (s[0] == ' ' && s[len - 1] == ' ');

    for (const char *p = s; *p != '\0'; p++) {
        run = *p == '`' ? run + 1 : 0;
        if (run > fence)
            fence = run;
    }
    if (fence >= max) /* too long to fence: show the backticks as something else */
        fence = max;
    stall_out_repeat(o, '`', fence + 1);
    if (pad)
        stall_out_char(o, ' ');
    each_unit(o, s, max, table ? put_table_code : put_plain);
    if (pad)
        stall_out_char(o, ' ');
    stall_out_repeat(o, '`', fence + 1);
}

/* ---- CSV ---- */

void stall_out_csv_text(stall_out *o, const char *text)
{
    const char *s = text == NULL ? "" : text, *first = s + strspn(s, " ");
    bool formula = *first != '\0' && strchr("=+-@", *first) != NULL;
    bool quote = formula || strpbrk(s, ",\"") != NULL || *s == ' ' ||
                 (*s != '\0' && s[strlen(s) - 1] == ' ');
    unit u;

    if (quote)
        stall_out_char(o, '"');
    if (formula)
        stall_out_char(o, '\'');
    while (unit_next(&s, &u)) {
        if (u.text[0] == '"')
            stall_out_char(o, '"');
        stall_out_write(o, u.text, u.len);
    }
    if (quote)
        stall_out_char(o, '"');
}

/* ---- terminal ---- */

static uint32_t code_point(const unit *u)
{
    const unsigned char *t = (const unsigned char *)u->text;

    if (t[0] < 0x80)
        return t[0];
    if (t[0] < 0xe0)
        return (uint32_t)(t[0] & 0x1f) << 6 | (t[1] & 0x3f);
    if (t[0] < 0xf0)
        return (uint32_t)(t[0] & 0x0f) << 12 | (uint32_t)(t[1] & 0x3f) << 6 | (t[2] & 0x3f);
    return (uint32_t)(t[0] & 0x07) << 18 | (uint32_t)(t[1] & 0x3f) << 12 |
           (uint32_t)(t[2] & 0x3f) << 6 | (t[3] & 0x3f);
}

/* Columns of a character: combining marks take none, East Asian wide ones and emoji two. The main
 * blocks only, and no locale: a slip bends a table by a column. */
static size_t unit_columns(const unit *u, bool utf8)
{
    static const struct {
        uint32_t from, to;
    } wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf},   {0xac00, 0xd7a3},
                {0xf900, 0xfaff}, {0xfe30, 0xfe6f},   {0xff00, 0xff60},
                {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
    uint32_t c = code_point(u);

    if (c < 0x80)
        return u->len;
    if (!utf8)
        return 1;
    if ((c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200d) || (c >= 0xfe00 && c <= 0xfe0f))
        return 0;
    for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
        if (c >= wide[i].from && c <= wide[i].to)
            return 2;
    return 1;
}

size_t stall_terminal_width(const char *text, bool utf8)
{
    const char *s = text == NULL ? "" : text;
    size_t total = 0;
    unit u;

    while (unit_next(&s, &u))
        total += unit_columns(&u, utf8);
    return total;
}

size_t stall_out_terminal(stall_out *o, const char *text, size_t columns, bool utf8)
{
    const char *s = text == NULL ? "" : text;
    bool whole = stall_terminal_width(s, utf8) <= columns;
    size_t limit = whole ? columns : columns < 3 ? 0 : columns - 3, used = 0, n;
    unit u;

    while (unit_next(&s, &u)) {
        n = unit_columns(&u, utf8);
        if (used + n > limit)
            break;
        if ((unsigned char)u.text[0] >= 0x80 && !utf8)
            stall_out_char(o, '?');
        else
            stall_out_write(o, u.text, u.len);
        used += n;
    }
    if (!whole && columns >= 3) {
        stall_out_put(o, "...");
        used += 3;
    }
    return used;
}

/* ---- Mermaid, gnuplot, JSON ---- */

/* A label ends at a double quote; # and ; make entities, %% comments, braces directives. */
static void put_mermaid(stall_out *o, const unit *u, const char *start, const char *at)
{
    static const char from[] = "\"`#;<>{}[]%\\&|", to[] = "''  ()()()  + ";
    const char *found = strchr(from, u->text[0]);

    (void)start;
    (void)at;
    for (size_t i = 0; i < u->len; i++) {
        if (i == 0 && found != NULL)
            stall_out_char(o, to[found - from]);
        else
            stall_out_char(o, u->text[i] == '\\' ? ' ' : u->text[i]);
    }
}

void stall_out_mermaid(stall_out *o, const char *text, size_t max)
{
    each_unit(o, text, max, put_mermaid);
}

void stall_out_gnuplot(stall_out *o, const char *text)
{
    const char *s = text == NULL ? "" : text;
    unit u;

    stall_out_char(o, '\'');
    while (unit_next(&s, &u)) {
        if (u.text[0] == '\'')
            stall_out_char(o, '\'');
        stall_out_write(o, u.text, u.len);
    }
    stall_out_char(o, '\'');
}

void stall_json_text(stall_text *ret, const char *text)
{
    const char *s = text == NULL ? "" : text;
    size_t n;

    stall_text_add(ret, "", 0);
    for (; *s != '\0'; s += n) {
        n = stall_utf8_length((const unsigned char *)s, strnlen(s, 4));
        if (n > 0) {
            stall_text_add(ret, s, n);
            continue;
        }
        stall_text_printf(ret, "\\x%02X", (unsigned)(unsigned char)*s);
        n = 1;
    }
}
