/* The Markdown of our own documents as HTML, so that report.md and report.html cannot differ.
 *
 * Enters: what the writers of report.md print: headings, paragraphs, lists of two levels, tables,
 * code blocks, code spans, strong text, escapes. Leaves: HTML. Every byte that is not part of that
 * markup is escaped, so a mistake here shows as odd text and never as a tag. It must not know
 * reports. */
#include <string.h>

#include "write/write.h"

#define COLUMNS_MOST 64 /* of a table whose alignment is kept */

typedef enum block {
    NONE,
    PARAGRAPH,
    LIST,
    NESTED,
    TABLE,
    CODE,  /* indented */
    FENCE, /* between ``` and ``` */
    DROP,  /* a fence that is not shown */
} block;

typedef struct page {
    stall_out *o;
    const char *title;
    block open;
    size_t row; /* of the table */
    bool figures[COLUMNS_MOST];
} page;

/* ---- text inside a block ---- */

/* Prints an entity that stall_out_markdown makes. Returns its length, 0 when it is none. */
static size_t put_entity(stall_out *o, const char *s, size_t len)
{
    static const struct {
        const char *name, *html;
    } known[] = {
        {"&lt;", "&lt;"}, {"&gt;", "&gt;"}, {"&amp;", "&amp;"}, {"&#58;", ":"}, {"&#8203;", ""},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        size_t n = strlen(known[i].name);

        if (n <= len && memcmp(s, known[i].name, n) == 0) {
            stall_out_put(o, known[i].html);
            return n;
        }
    }
    return 0;
}

static void put_char(stall_out *o, char c)
{
    const char text[2] = {c, '\0'};

    stall_out_html(o, text);
}

/* A code span that begins at s. Returns its length, 0 when it does not end. */
static size_t put_code_span(stall_out *o, const char *s, size_t len, bool table)
{
    size_t fence = strspn(s, "`"), end, from = fence, to;

    for (end = fence; end < len; end++) {
        size_t run = 0;

        while (end + run < len && s[end + run] == '`')
            run++;
        if (run == fence)
            break;
        end += run > 0 ? run - 1 : 0;
    }
    if (end >= len)
        return 0;
    to = end;
    if (to - from >= 2 && s[from] == ' ' && s[to - 1] == ' ') {
        from++;
        to--;
    }
    stall_out_put(o, "<code>");
    for (size_t i = from; i < to; i++)
        if (!(table && s[i] == '\\' && i + 1 < to && s[i + 1] == '|'))
            put_char(o, s[i]);
    stall_out_put(o, "</code>");
    return end + fence;
}

static bool is_punctuation(char c)
{
    return c != '\0' && strchr("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", c) != NULL;
}

static void put_inline(stall_out *o, const char *s, size_t len, bool table)
{
    bool strong = false;

    for (size_t i = 0, n; i < len; i += n) {
        n = 0;
        if (s[i] == '\\' && i + 1 < len && is_punctuation(s[i + 1])) {
            put_char(o, s[i + 1]);
            n = 2;
        } else if (s[i] == '*' && i + 1 < len && s[i + 1] == '*') {
            stall_out_put(o, strong ? "</strong>" : "<strong>");
            strong = !strong;
            n = 2;
        } else if (s[i] == '`') {
            n = put_code_span(o, s + i, len - i, table);
        } else if (s[i] == '&') {
            n = put_entity(o, s + i, len - i);
        }
        if (n == 0) {
            put_char(o, s[i]);
            n = 1;
        }
    }
    if (strong)
        stall_out_put(o, "</strong>");
}

/* ---- blocks ---- */

static void close_block(page *g)
{
    static const char *const ends[] = {
        [NONE] = "",
        [PARAGRAPH] = "</p>\n",
        [LIST] = "</li>\n</ul>\n",
        [NESTED] = "</li>\n</ul>\n</li>\n</ul>\n",
        [TABLE] = "</tbody>\n</table>\n</div>\n",
        [CODE] = "</code></pre>\n",
        [FENCE] = "</code></pre>\n",
        [DROP] = "",
    };

    stall_out_put(g->o, ends[g->open]);
    g->open = NONE;
}

/* "|---|---:|": which columns hold figures. */
static void take_rule(page *g, const char *s, size_t len)
{
    size_t column = 0;

    for (size_t i = 1; i < len && column < COLUMNS_MOST; i++)
        if (s[i] == '|')
            g->figures[column++] = s[i - 1] == ':';
}

static void put_cell(page *g, const char *s, size_t len, size_t column)
{
    bool figures = column < COLUMNS_MOST && g->figures[column], head = g->row == 0;

    while (len > 0 && *s == ' ') {
        s++;
        len--;
    }
    while (len > 0 && s[len - 1] == ' ')
        len--;
    if (len == 0 || (!head && column > 0))
        stall_out_printf(g->o, "<td%s>", figures ? " class=\"n\"" : "");
    else
        stall_out_printf(g->o, "<th scope=\"%s\"%s>", head ? "col" : "row",
                         figures ? " class=\"n\"" : "");
    put_inline(g->o, s, len, true);
    stall_out_put(g->o, len == 0 || (!head && column > 0) ? "</td>" : "</th>");
}

/* One row, from '|' to '|'. */
static void put_row(page *g, const char *s, size_t len)
{
    size_t column = 0, from = 1;

    stall_out_put(g->o, "<tr>");
    for (size_t i = 1; i < len; i++) {
        if (s[i] == '\\')
            i++;
        else if (s[i] == '|') {
            put_cell(g, s + from, i - from, column++);
            from = i + 1;
        }
    }
    stall_out_put(g->o, g->row++ == 0 ? "</tr>\n</thead>\n<tbody>\n" : "</tr>\n");
}

/* A table needs its second line before the first can be printed. `next` is that line. */
static void table_line(page *g, const char *s, size_t len, const char *next, size_t next_len)
{
    if (g->open != TABLE) {
        close_block(g);
        memset(g->figures, 0, sizeof(g->figures));
        take_rule(g, next, next_len);
        stall_out_put(g->o, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
        stall_out_html(g->o, g->title);
        stall_out_put(g->o, "\">\n<table>\n<thead>\n");
        g->open = TABLE;
        g->row = 0;
    } else if (len >= 4 && memcmp(s, "|---", 4) == 0) {
        return;
    }
    put_row(g, s, len);
}

static bool is_strip(const char *s, size_t len)
{
    return len > 0 && strspn(s, "S.?|") >= len;
}

static void code_line(page *g, const char *s, size_t len)
{
    if (g->open != CODE && g->open != FENCE) {
        close_block(g);
        stall_out_printf(g->o, "<pre%s tabindex=\"0\"><code>",
                         is_strip(s, len) ? " class=\"strip\"" : "");
        g->open = CODE;
    }
    for (size_t i = 0, n; i < len; i += n) {
        n = is_strip(s, len) && s[i] == 'S' ? strspn(s + i, "S") : 0;
        n = n > len - i ? len - i : n;
        if (n > 0) { /* stalls stand out */
            stall_out_put(g->o, "<b>");
            stall_out_write(g->o, s + i, n);
            stall_out_put(g->o, "</b>");
        } else {
            put_char(g->o, s[i]);
            n = 1;
        }
    }
    stall_out_char(g->o, '\n');
}

static void fence_line(page *g, const char *s, size_t len)
{
    if (g->open == FENCE || g->open == DROP) {
        close_block(g);
        return;
    }
    close_block(g);
    g->open = len >= 10 && memcmp(s, "```mermaid", 10) == 0 ? DROP : FENCE;
    stall_out_put(g->o, g->open == FENCE ? "<pre tabindex=\"0\"><code>" : "");
}

static void list_line(page *g, const char *s, size_t len, bool nested)
{
    if (nested) {
        stall_out_put(g->o, g->open == NESTED ? "</li>\n<li>" : "\n<ul>\n<li>");
        g->open = NESTED;
    } else if (g->open == LIST || g->open == NESTED) {
        stall_out_put(g->o, g->open == LIST ? "</li>\n<li>" : "</li>\n</ul>\n</li>\n<li>");
        g->open = LIST;
    } else {
        close_block(g);
        stall_out_put(g->o, "<ul>\n<li>");
        g->open = LIST;
    }
    put_inline(g->o, s, len, false);
}

static void text_line(page *g, const char *s, size_t len)
{
    size_t level = strspn(s, "#");

    if (level >= 2 && level <= 4 && level < len && s[level] == ' ') {
        close_block(g);
        stall_out_printf(g->o, "<h%zu>", level - 1); /* ## is the title of a comment */
        put_inline(g->o, s + level + 1, len - level - 1, false);
        stall_out_printf(g->o, "</h%zu>\n", level - 1);
    } else if (len >= 2 && memcmp(s, "> ", 2) == 0) {
        close_block(g);
        stall_out_put(g->o, "<p class=\"partial\">");
        put_inline(g->o, s + 2, len - 2, false);
        stall_out_put(g->o, "</p>\n");
    } else {
        if (g->open != PARAGRAPH)
            close_block(g);
        stall_out_put(g->o, g->open == PARAGRAPH ? "\n" : "<p>");
        g->open = PARAGRAPH;
        put_inline(g->o, s, len, false);
    }
}

static void put_line(page *g, const char *s, size_t len)
{
    bool listing = g->open == LIST || g->open == NESTED;
    const char *next = s + len + (s[len] == '\n');

    if (len >= 3 && memcmp(s, "```", 3) == 0)
        fence_line(g, s, len);
    else if (g->open == FENCE)
        code_line(g, s, len);
    else if (g->open == DROP)
        return;
    else if (len == 0)
        close_block(g);
    else if (*s == '|')
        table_line(g, s, len, next, strcspn(next, "\n"));
    else if (len >= 2 && memcmp(s, "- ", 2) == 0)
        list_line(g, s + 2, len - 2, false);
    else if (listing && len >= 4 && memcmp(s, "  - ", 4) == 0)
        list_line(g, s + 4, len - 4, true);
    else if (!listing && len >= 4 && memcmp(s, "    ", 4) == 0)
        code_line(g, s + 4, len - 4);
    else
        text_line(g, s, len);
}

void stall_html_markdown(stall_out *o, const char *text, const char *title)
{
    page g = {.o = o, .title = title};

    while (*text != '\0') {
        size_t len = strcspn(text, "\n");

        put_line(&g, text, len);
        text += len + (text[len] == '\n');
    }
    close_block(&g);
}
