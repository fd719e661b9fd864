/* Texts and tables on a terminal.
 *
 * Enters: sentences and cells. Leaves: lines that fit the width: long texts end after a sentence,
 * columns that do not fit are left out. It must not know the report. */
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define TERM_LONGEST 2 /* times the lines of a text that its first sentence may take */

/* ---- text ---- */

void stall_terminal_color(stall_terminal *t, const char *code)
{
    if (t->color)
        stall_out_printf(&t->out, "\033[%sm", code);
}

/* Bytes of the first sentences of a text up to and with the next sentence end after `from`. */
static size_t sentence_end(const char *text, size_t from)
{
    size_t i = from;

    for (; text[i] != '\0'; i++)
        if (text[i] == '.' && text[i + 1] == ' ' && text[i + 2] >= 'A' && text[i + 2] <= 'Z')
            return i + 1;
    return i;
}

/* The first `len` bytes of a text, word by word; `mark` says that something was left out. */
typedef struct wrap {
    const char *first; /* begins the first line; as many blanks begin the others */
    const char *text;
    size_t len;
    bool mark;
    size_t most; /* lines; the rest gives way to the mark, even inside a sentence */
} wrap;

/* Returns the lines, and prints them when `print`. */
static size_t lay_out(stall_terminal *t, const wrap *w, bool print)
{
    size_t indent = strlen(w->first), column = indent, room = t->width - indent, lines = 1;
    const char *s = w->text, *end = w->text + w->len;
    char part[256];

    stall_out_put(&t->out, print ? w->first : "");
    for (bool more = true; more;) {
        size_t columns, edge = lines == w->most ? 4 : 0, word;

        s += strspn(s, " \n");
        more = s < end;
        if (!more && !w->mark)
            break;
        word = more ? strcspn(s, " \n") : 0;
        while (more && s[word] == ' ' && s[word + 1] == '%') /* stays with its number */
            word += 1 + strcspn(s + word + 1, " \n");
        snprintf(part, sizeof(part), "%.*s", (int)(word > 255 ? 255 : word), s);
        if (!more)
            snprintf(part, sizeof(part), "...");
        columns = stall_terminal_width(part, t->utf8);
        if (column > indent && column + 1 + columns + edge > t->width) {
            if (lines == w->most) {
                stall_out_put(&t->out, print ? " ..." : "");
                break;
            }
            lines++;
            if (print) {
                stall_out_char(&t->out, '\n');
                stall_out_repeat(&t->out, ' ', indent);
            }
            column = indent;
        }
        stall_out_put(&t->out, print && column > indent ? " " : "");
        column += column > indent;
        if (print)
            stall_out_terminal(&t->out, part, room, t->utf8);
        column += columns < room ? columns : room;
        s += word;
    }
    stall_out_put(&t->out, print ? "\n" : "");
    return lines;
}

/* Prints a text word by word in about `lines` lines. A longer one ends with " ..." after the last
 * sentence that fits; the first sentence is always whole, up to TERM_LONGEST times the lines. */
void stall_terminal_wrap(stall_terminal *t, const char *first, const char *text, size_t lines)
{
    wrap w = {.first = first, .text = text, .most = SIZE_MAX}, next;
    size_t all;

    if (text == NULL || *text == '\0')
        return;
    all = strlen(text);
    w.len = all;
    if (lay_out(t, &w, false) > lines) {
        w.len = sentence_end(text, 0);
        w.mark = w.len < all;
        for (next = w; next.len < all; w = next) {
            next.len = sentence_end(text, w.len);
            next.mark = next.len < all;
            if (lay_out(t, &next, false) > lines)
                break;
        }
    }
    if (lay_out(t, &w, false) > lines * TERM_LONGEST)
        w.most = lines * TERM_LONGEST;
    lay_out(t, &w, true);
}

/* ---- table ---- */

static size_t column_width(const stall_terminal *t, const stall_table *tab, size_t c)
{
    size_t width = stall_terminal_width(tab->head[c], t->utf8), n;

    for (size_t r = 0; r < tab->rows; r++) {
        n = stall_terminal_width(tab->cells[r][c], t->utf8);
        if (n > width)
            width = n;
    }
    return width;
}

static size_t column_gap(const stall_terminal *t, const stall_table *tab)
{
    return t->width < 96 || tab->tight ? 1 : 2;
}

size_t stall_table_width(const stall_terminal *t, const stall_table *tab)
{
    size_t total = 0;

    for (size_t c = 0; c < tab->columns; c++)
        if (!tab->hidden[c])
            total += column_width(t, tab, c) + (c > 0 ? column_gap(t, tab) : 0);
    return total;
}

/* Columns that do not fit are left out from the right. */
void stall_table_put(stall_terminal *t, stall_table *tab)
{
    size_t gap = column_gap(t, tab), width[STALL_TABLE_COLUMNS], used, pad;
    bool edge = false;

    for (size_t c = tab->columns; c-- > 2 && stall_table_width(t, tab) > t->width;)
        tab->hidden[c] = true;
    for (size_t c = 0; c < tab->columns; c++)
        width[c] = column_width(t, tab, c);
    stall_terminal_color(t, "1");
    for (size_t c = 0; c < tab->columns; c++) {
        if (tab->hidden[c])
            continue;
        used = stall_terminal_width(tab->head[c], t->utf8);
        pad = (c > 0 ? gap : 0) + width[c] - (used < width[c] ? used : width[c]);
        stall_out_repeat(&t->out, ' ', c == 0 ? 0 : pad);
        stall_out_terminal(&t->out, tab->head[c], width[c], t->utf8);
        stall_out_repeat(&t->out, ' ', c == 0 ? pad : 0);
    }
    stall_terminal_color(t, "0");
    stall_out_char(&t->out, '\n');
    for (size_t r = 0; r < tab->rows; r++) {
        for (size_t c = 0; c < tab->columns; c++) {
            if (tab->hidden[c])
                continue;
            used = stall_terminal_width(tab->cells[r][c], t->utf8);
            pad = (c > 0 ? gap : 0) + width[c] - used;
            stall_out_repeat(&t->out, ' ', c == 0 ? 0 : pad);
            stall_out_terminal(&t->out, tab->cells[r][c], width[c], t->utf8);
            stall_out_repeat(&t->out, ' ', c == 0 ? pad : 0);
        }
        stall_out_char(&t->out, '\n');
    }
    for (size_t r = 0; r < tab->rows && !edge; r++)
        for (size_t c = 1; c < tab->columns; c++)
            edge |= !tab->hidden[c] && strchr(tab->cells[r][c], '*') != NULL;
    if (edge)
        stall_terminal_wrap(t, "* ", STALL_EDGE_WORDS, 2);
}

void stall_table_set(stall_table *tab, size_t c, const char *text)
{
    snprintf(tab->cells[tab->rows][c], sizeof(tab->cells[0][0]), "%s", text);
}
