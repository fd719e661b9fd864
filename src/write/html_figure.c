/* The frame of a figure of report.html: caption, panels side by side, key.
 *
 * Enters: the picture and our own words. Leaves: HTML around the panels. A panel of a comparison
 * stands in the column of its side, and on a narrow screen below the one before it. It must not
 * know what a panel shows. */
#include <stdio.h>

#include "write/write.h"

void stall_out_html(stall_out *o, const char *text)
{
    for (const char *s = text; *s != '\0'; s++)
        switch (*s) {
        case '<':
            stall_out_put(o, "&lt;");
            break;
        case '>':
            stall_out_put(o, "&gt;");
            break;
        case '&':
            stall_out_put(o, "&amp;");
            break;
        case '"':
            stall_out_put(o, "&quot;");
            break;
        case '\'':
            stall_out_put(o, "&#39;");
            break;
        default:
            stall_out_char(o, *s);
        }
}

void stall_html_figure_open(stall_plot *p, const char *caption, bool wide)
{
    bool one = wide || p->panels.columns < 2;

    stall_out_printf(p->o, "<figure>\n<figcaption>%s", caption);
    if (p->panels.left_out > 0)
        stall_out_printf(p->o, " (%zu of %zu runs; all are in the files of the report)",
                         p->panels.len, p->report->runs_len);
    stall_out_printf(p->o, "</figcaption>\n<div class=\"panels%s\">\n", one ? " one" : "");
}

void stall_html_panel_title(stall_plot *p, size_t i, const char *more)
{
    char name[STALL_PLOT_TEXT_MAX];

    stall_plot_name_text(p, i, more, name);
    stall_out_printf(p->o, "<div class=\"side%zu\"><p class=\"name\">", p->panels.column[i]);
    stall_out_html(p->o, name);
    stall_out_put(p->o, "</p>\n");
}

void stall_html_key_open(stall_plot *p)
{
    stall_out_put(p->o, "</div>\n<ul class=\"key\">\n");
}

void stall_html_key(stall_plot *p, const char *mark, const char *class_name, const char *words)
{
    stall_out_printf(p->o,
                     "<li><svg viewBox=\"0 0 24 12\" aria-hidden=\"true\"><path class=\"%s\" "
                     "d=\"%s\"/></svg>",
                     class_name, mark);
    stall_out_html(p->o, words);
    stall_out_put(p->o, "</li>\n");
}

void stall_html_figure_close(stall_plot *p)
{
    stall_out_put(p->o, "</ul>\n</figure>\n");
}
