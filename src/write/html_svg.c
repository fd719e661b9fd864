/* One panel of a figure of report.html: axes, grid, lines and labels as SVG.
 *
 * Enters: limits and places in data units. Leaves: SVG whose classes take their colours from the
 * style of the page, so that it follows a dark or light screen. Numbers have one decimal, so that
 * every machine prints the same. It must not know runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define WIDTH 480.0
#define HEIGHT 250.0
#define LEFT 76.0
#define RIGHT 26.0
#define TOP 12.0
#define BOTTOM 44.0
#define TICKS_MOST 12 /* labelled ticks of an axis */

static double along(const stall_panel *c, int axis, double v)
{
    double low = c->low[axis], high = c->high[axis];

    if (c->log[axis]) {
        low = log10(low);
        high = log10(high);
        v = log10(v);
    }
    v = (v - low) / (high - low);
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

double stall_svg_x(const stall_panel *c, double v)
{
    return LEFT + along(c, 0, v) * (WIDTH - LEFT - RIGHT);
}

double stall_svg_y(const stall_panel *c, double v)
{
    return HEIGHT - BOTTOM - along(c, 1, v) * (HEIGHT - TOP - BOTTOM);
}

static void put_pair(stall_panel *c, double x, double y)
{
    stall_out_fixed(c->o, x, 1);
    stall_out_char(c->o, ' ');
    stall_out_fixed(c->o, y, 1);
}

void stall_svg_to(stall_panel *c, const char *command, double x, double y)
{
    stall_out_put(c->o, command);
    put_pair(c, stall_svg_x(c, x), stall_svg_y(c, y));
}

void stall_svg_open(stall_panel *c, const char *alt)
{
    stall_out_put(c->o, "<svg viewBox=\"0 0 ");
    put_pair(c, WIDTH, HEIGHT);
    stall_out_put(c->o, "\" role=\"img\"><title>");
    stall_out_html(c->o, alt);
    stall_out_put(c->o, "</title>\n");
}

/* `rotate`: around its own place, for the label of the y axis. */
static void put_text(stall_panel *c, double x, double y, const char *anchor, bool rotate,
                     const char *text)
{
    stall_out_put(c->o, "<text x=\"");
    stall_out_fixed(c->o, x, 1);
    stall_out_put(c->o, "\" y=\"");
    stall_out_fixed(c->o, y, 1);
    stall_out_printf(c->o, "\" text-anchor=\"%s\"", anchor);
    if (rotate) {
        stall_out_put(c->o, " transform=\"rotate(-90 ");
        put_pair(c, x, y);
        stall_out_put(c->o, ")\"");
    }
    stall_out_char(c->o, '>');
    stall_out_html(c->o, text);
    stall_out_put(c->o, "</text>\n");
}

void stall_svg_close(stall_panel *c, const char *xlabel, const char *ylabel)
{
    stall_out_put(c->o, "<path class=\"axis\" d=\"M");
    put_pair(c, LEFT, TOP);
    stall_out_put(c->o, "V");
    stall_out_fixed(c->o, HEIGHT - BOTTOM, 1);
    stall_out_put(c->o, "H");
    stall_out_fixed(c->o, WIDTH - RIGHT, 1);
    stall_out_put(c->o, "\"/>\n");
    put_text(c, (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle", false, xlabel);
    put_text(c, 13, (TOP + HEIGHT - BOTTOM) / 2, "middle", true, ylabel);
    stall_out_put(c->o, "</svg>\n");
}

void stall_svg_line(stall_panel *c, char axis, double at, const char *class_name)
{
    stall_out_printf(c->o, "<path class=\"%s\" d=\"M", class_name);
    if (axis == 'x') {
        put_pair(c, stall_svg_x(c, at), TOP);
        stall_out_put(c->o, "V");
        stall_out_fixed(c->o, HEIGHT - BOTTOM, 1);
    } else {
        put_pair(c, LEFT, stall_svg_y(c, at));
        stall_out_put(c->o, "H");
        stall_out_fixed(c->o, WIDTH - RIGHT, 1);
    }
    stall_out_put(c->o, "\"/>\n");
}

static void put_tick(stall_panel *c, char axis, double at, const char *label)
{
    stall_svg_line(c, axis, at, "grid");
    if (*label == '\0')
        return;
    if (axis == 'x')
        put_text(c, stall_svg_x(c, at), HEIGHT - BOTTOM + 16, "middle", false, label);
    else
        put_text(c, LEFT - 6, stall_svg_y(c, at) + 4, "end", false, label);
}

void stall_svg_wait_ticks(stall_panel *c, char axis)
{
    const stall_wait_axis *a = &c->p->axis;
    double first = a->zeros ? a->zero * pow(a->high / a->zero, 0.05) : a->low;
    int low = (int)ceil(log10(first)), high = (int)floor(log10(a->high));
    int every = 1 + (high - low) / 7;
    char figure[STALL_FIGURE_MAX];

    if (a->zeros)
        put_tick(c, axis, a->zero, "0");
    for (int k = low < -6 ? -6 : low; k <= high; k++)
        put_tick(c, axis, pow(10, k), (k - low) % every == 0 ? stall_decade_text(figure, k) : "");
}

void stall_svg_whole_ticks(stall_panel *c, char axis)
{
    int i = axis == 'y';
    double low = c->low[i], high = c->high[i], step = stall_plot_whole_step(low, high);
    char figure[64];

    if (c->log[i]) { /* whole decades from 1 */
        for (double v = 1; v <= high; v *= 10)
            put_tick(c, axis, v, stall_fixed_text(figure, v, 0));
        return;
    }
    for (double k = ceil(low / step); k <= floor(high / step) && k < ceil(low / step) + TICKS_MOST;
         k++)
        put_tick(c, axis, k * step, stall_fixed_text(figure, k * step, 0));
}

void stall_svg_share_ticks(stall_panel *c)
{
    static const char *const labels[] = {"0 %", "25 %", "50 %", "75 %", "100 %"};

    for (int k = 0; k < 5; k++)
        put_tick(c, 'y', k / 4.0, labels[k]);
}

void stall_svg_empty(stall_panel *c, const char *words)
{
    put_text(c, (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2, "middle", false, words);
}
