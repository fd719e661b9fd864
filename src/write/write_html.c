/* report.html: the whole report in one file that loads nothing and needs no script.
 *
 * Enters: the report model. Leaves: a page with the sections of report.md and four figures drawn
 * into it, well-formed as XML too. Its size is bounded: tables are cut as those of report.md, and
 * long series are drawn as an envelope. It computes nothing. */
#include <string.h>

#include "stalldiff/version.h"
#include "write/write.h"

#define TITLE_MAX 200 /* bytes of the title of the page */

static stall_html_figure *const figures[] = {stall_html_wait, stall_html_ecdf, stall_html_gaps,
                                             stall_html_recurrence};

/* Text of an input, printable and escaped. */
static void put_input(stall_out *o, const char *text)
{
    char buf[TITLE_MAX];

    stall_text_printable(buf, sizeof(buf), text, strlen(text));
    stall_out_html(o, buf);
}

static void put_title(const stall_report *r, stall_out *o)
{
    stall_out_put(o, "stalldiff: ");
    if (r->command == STALL_COMMAND_COMPARE)
        stall_out_printf(o, "%s: ", stall_verdict_term(r->compare.verdict)->words);
    for (size_t i = 0; i < r->runs_len && i < 2; i++) {
        stall_out_put(o, i > 0 ? ", " : "");
        put_input(o, r->runs[i].label);
    }
    if (r->runs_len > 2)
        stall_out_printf(o, " and %zu more", r->runs_len - 2);
    stall_out_put(o, r->partial ? " (PARTIAL)" : "");
}

static void put_page_head(const stall_report *r, stall_out *o)
{
    stall_out_put(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                     "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'\"/>\n<title>");
    put_title(r, o);
    stall_out_put(o, "</title>\n<style>\n");
    for (size_t i = 0; stall_html_style[i] != NULL; i++)
        stall_out_put(o, stall_html_style[i]);
    stall_out_put(o, "</style>\n</head>\n<body>\n<main>\n");
}

/* The Markdown of one part, as HTML. Returns false when it has nothing to say. */
static bool put_markdown(const stall_report *r, stall_markdown_part *part, const char *title,
                         stall_out *o)
{
    stall_text text;
    stall_out inner;
    bool some = false;

    stall_text_init(&text);
    stall_out_open_text(&inner, &text, o->reterr);
    part(r, &inner);
    if (stall_out_close(&inner) != STALL_OK)
        stall_out_fail(o, inner.status);
    else if (text.len > 0) {
        stall_html_markdown(o, text.data, title);
        some = true;
    }
    stall_text_close(&text);
    return some;
}

static void put_figures(const stall_report *r, stall_out *o)
{
    stall_plot p = {.o = o};

    stall_plot_choose(&p, r);
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
        figures[i](&p);
}

/* The heading is printed only when something follows it. */
static void put_section(const stall_report *r, const stall_markdown_section *s, stall_out *o)
{
    stall_text text;
    stall_out inner;
    bool chart = s->put == stall_markdown_chart; /* has a better picture here */

    stall_text_init(&text);
    stall_out_open_text(&inner, &text, o->reterr);
    if (chart && r->runs_len > 0)
        put_figures(r, &inner);
    else
        put_markdown(r, s->put, s->title, &inner);
    if (stall_out_close(&inner) != STALL_OK) {
        stall_out_fail(o, inner.status);
    } else if (text.len > 0) {
        stall_out_printf(
            o, s->folded ? "<details>\n<summary>%s</summary>\n" : "<section>\n<h2>%s</h2>\n",
            s->title);
        stall_out_write(o, text.data, text.len);
        stall_out_put(o, s->folded ? "</details>\n" : "</section>\n");
    }
    stall_text_close(&text);
}

stall_status stall_write_html(const stall_report *r, stall_sink *sink, stall_error *reterr)
{
    stall_out o;
    bool compare = r->command == STALL_COMMAND_COMPARE;

    stall_out_open(&o, sink, reterr);
    put_page_head(r, &o);
    stall_out_printf(&o, "<header class=\"%s\">\n",
                     compare ? stall_verdict_term(r->compare.verdict)->code : "alone");
    put_markdown(r, stall_markdown_head, "", &o);
    stall_out_put(&o, "</header>\n");
    for (const stall_markdown_section *s = stall_markdown_sections; s->title != NULL; s++)
        put_section(r, s, &o);
    stall_out_put(&o, "<footer>stalldiff " STALLDIFF_VERSION "</footer>\n"
                      "</main>\n</body>\n</html>\n");
    return stall_out_close(&o);
}
