/* One gnuplot script of a report.
 *
 * Enters: the model. Leaves: a script that holds its own data and draws one picture beside itself;
 * every text in it is a single-quoted string, which gnuplot neither evaluates nor marks up. It must
 * not know where the script goes. Here is the page: terminal, style, which runs are drawn, where
 * each panel stands, the common axis of waits. The bodies are in plot_*.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "write/write.h"

#define LEFT 100.0 /* of a panel with labels at its axis */
#define RIGHT 34.0 /* of the page */
#define BETWEEN 44.0
#define TITLE 46.0      /* of the page */
#define ABOVE 36.0      /* a panel: its title */
#define BELOW 30.0      /* a panel: its ticks */
#define XLABEL 24.0     /* below the lowest panels */
#define KEY_EDGE 8.0    /* around the key */
#define AXIS_LEAST 1e-6 /* ms; what is smaller is drawn as 0 */
#define AXIS_MOST 1e15  /* ms */

static const struct {
    const char *name, *title;
    stall_plot_body *body;
} plots[STALL_PLOT_COUNT] = {
    [STALL_PLOT_WAIT] = {"wait", "waits per step", stall_plot_wait},
    [STALL_PLOT_ECDF] = {"ecdf", "distribution of the waits", stall_plot_ecdf},
    [STALL_PLOT_GAPS] = {"gaps", "gaps between stalls", stall_plot_gaps},
    [STALL_PLOT_RECURRENCE] = {"recurrence", "recurrence of stalls", stall_plot_recurrence},
    [STALL_PLOT_SWEEP] = {"sweep", "gap and mean wait against num_workers", stall_plot_sweep},
};

/* Letters take the same part of the width everywhere; each terminal counts them in its own way. */
static const struct {
    const char *suffix, *terminal, *font, *title_font, *ylabel_offset;
    double unit; /* of the size, in page units */
} formats[STALL_PLOT_FORMATS] = {
    [STALL_PLOT_SVG] = {"svg", "svg dynamic", "sans-serif,13", ",15", "0.8,0", 1},
    [STALL_PLOT_PNG] = {"png", "pngcairo pointscale 1.4", "sans,9.5", ",12", "0,0", 1},
    [STALL_PLOT_PDF] = {"pdf", "pdfcairo fontscale 0.78 pointscale 0.85", "sans,9", ",11", "0,0",
                        0.01},
};

const char *stall_plot_name(stall_plot_kind kind)
{
    return plots[kind].name;
}

bool stall_plot_belongs(stall_plot_kind kind, const stall_report *r)
{
    return kind != STALL_PLOT_SWEEP || r->command == STALL_COMMAND_SWEEP;
}

const char *stall_plot_suffix(stall_plot_format format)
{
    return formats[format < STALL_PLOT_NONE ? format : STALL_PLOT_SVG].suffix;
}

/* ---- which runs, and where ---- */

static void choose_panels(const stall_report *r, stall_panels *ret)
{
    size_t used[2] = {0, 0};
    bool sides = r->command == STALL_COMMAND_COMPARE;

    memset(ret, 0, sizeof(*ret));
    for (size_t i = 0; i < r->runs_len; i++) {
        size_t column = sides ? r->runs[i].side == 1 : ret->len % 2;
        size_t row = sides ? used[column] : ret->len / 2;

        if (ret->len == STALL_PLOT_PANELS || (sides && used[column] == STALL_PLOT_SIDE)) {
            ret->left_out++;
            continue;
        }
        used[column]++;
        ret->runs[ret->len] = &r->runs[i];
        ret->row[ret->len] = row;
        ret->column[ret->len++] = column;
        ret->rows = row + 1 > ret->rows ? row + 1 : ret->rows;
        ret->columns = column + 1 > ret->columns ? column + 1 : ret->columns;
    }
}

static bool has_panel(const stall_panels *p, size_t row, size_t column)
{
    for (size_t i = 0; i < p->len; i++)
        if (p->row[i] == row && p->column[i] == column)
            return true;
    return false;
}

bool stall_plot_has_left(const stall_plot *p, size_t i)
{
    return p->panels.column[i] > 0 && has_panel(&p->panels, p->panels.row[i], 0);
}

/* ---- the axis of waits ---- */

static void stretch(stall_wait_axis *a, double ms)
{
    if (isnan(ms))
        return;
    if (ms < AXIS_LEAST) {
        a->zeros = true;
        return;
    }
    if (ms > AXIS_MOST)
        ms = AXIS_MOST;
    a->low = ms < a->low ? ms : a->low;
    a->high = ms > a->high ? ms : a->high;
}

static void find_axis(const stall_panels *p, stall_wait_axis *a)
{
    *a = (stall_wait_axis){.low = INFINITY, .high = 0};
    for (size_t k = 0; k < p->len; k++) {
        const stall_analysis *run = &p->runs[k]->analysis;

        for (size_t i = 0; i < run->points_len; i++)
            stretch(a, run->points[i].wait_ms);
        if (run->threshold.ms > 0)
            stretch(a, run->threshold.ms);
    }
    if (a->high <= 0) { /* nothing but zeros, or nothing at all */
        a->low = 0.001;
        a->high = 1;
    }
    a->low /= 1.8;
    a->high *= 1.8;
    if (floor(log10(a->high)) - ceil(log10(a->low)) < 1) { /* fewer than two ticks */
        a->low = pow(10, floor(log10(a->low)));
        a->high = pow(10, ceil(log10(a->high)));
    }
    a->zero = a->low / pow(a->high / a->low, 0.06);
    if (a->zeros)
        a->low = a->zero / pow(a->high / a->low, 0.05);
}

void stall_plot_choose(stall_plot *p, const stall_report *r)
{
    p->report = r;
    choose_panels(r, &p->panels);
    find_axis(&p->panels, &p->axis);
}

double stall_plot_wait_place(const stall_plot *p, double ms)
{
    if (isnan(ms))
        return ms;
    return ms < AXIS_LEAST ? p->axis.zero : ms > AXIS_MOST ? AXIS_MOST : ms;
}

void stall_plot_range(stall_plot *p, char axis, double low, double high)
{
    stall_out_printf(p->o, "set %crange [", axis);
    stall_out_double(p->o, low);
    stall_out_char(p->o, ':');
    stall_out_double(p->o, high);
    stall_out_put(p->o, "]\n");
}

void stall_plot_wait_axis(stall_plot *p, char axis, bool labels)
{
    const stall_wait_axis *a = &p->axis;
    double first = a->zeros ? a->zero * pow(a->high / a->zero, 0.05) : a->low;
    int low = (int)ceil(log10(first)), high = (int)floor(log10(a->high));
    int every = 1 + (high - low) / 11;
    const char *between = "";
    char figure[STALL_FIGURE_MAX];

    stall_out_printf(p->o, "set logscale %c\n", axis);
    stall_plot_range(p, axis, a->low, a->high);
    stall_out_printf(p->o, "set %ctics (", axis);
    if (a->zeros) {
        stall_out_put(p->o, labels ? "'0' " : "'' ");
        stall_out_double(p->o, a->zero);
        between = ", ";
    }
    for (int k = low < -6 ? -6 : low; k <= high; k++) {
        stall_out_put(p->o, between);
        if (labels && (k - low) % every == 0)
            stall_out_printf(p->o, "'%s'", stall_decade_text(figure, k));
        else
            stall_out_put(p->o, "''");
        stall_out_printf(p->o, " 1e%d", k);
        between = ", ";
    }
    stall_out_put(p->o, ")\n");
}

double stall_plot_whole_step(double low, double high)
{
    double rough = (high - low) / 6, step = rough > 1 ? pow(10, floor(log10(rough))) : 1;

    if (high >= 1e5) /* long numbers need room */
        rough *= 2;
    if (rough > 5 * step)
        step *= 10;
    else if (rough > 2 * step)
        step *= 5;
    else if (rough > step)
        step *= 2;
    return step;
}

void stall_plot_whole_ticks(stall_plot *p, char axis, double low, double high, bool labels)
{
    stall_out_printf(p->o, "set %ctics ", axis);
    stall_out_fixed(p->o, stall_plot_whole_step(low, high), 0);
    stall_out_printf(p->o, "\nset format %c %s\n", axis, labels ? "'%.0f'" : "''");
}

/* ---- the page ---- */

static size_t format_of(const stall_plot *p)
{
    return p->format < STALL_PLOT_NONE ? p->format : STALL_PLOT_SVG;
}

static void put_size(stall_plot *p)
{
    size_t f = format_of(p);
    double unit = formats[f].unit;
    int decimals = unit < 1 ? 2 : 0;

    stall_out_printf(p->o, "set terminal %s size ", formats[f].terminal);
    stall_out_fixed(p->o, STALL_PLOT_WIDTH * unit, decimals);
    stall_out_char(p->o, ',');
    stall_out_fixed(p->o, p->height * unit, decimals);
    stall_out_printf(p->o, " noenhanced font '%s' background '#ffffff'\n", formats[f].font);
}

void stall_plot_open(stall_plot *p, const char *title, double panel_height, double bottom)
{
    size_t rows = p->panels.rows > 0 ? p->panels.rows : 1;
    char text[160];

    p->panel_height = panel_height;
    p->key_height = bottom;
    p->panel_top = TITLE + (p->kind == STALL_PLOT_ECDF ? 0 : ABOVE);
    p->height = p->panel_top + (double)rows * (panel_height + BELOW) + (double)(rows - 1) * ABOVE +
                XLABEL + bottom;
    stall_out_printf(p->o,
                     "# stalldiff: %s. Draws %s.%s in the current folder: gnuplot %s.gp\n"
                     "reset\nset encoding utf8\n",
                     plots[p->kind].title, plots[p->kind].name, stall_plot_suffix(p->format),
                     plots[p->kind].name);
    put_size(p);
    stall_out_printf(p->o, "set output '%s.%s'\nset datafile missing '?'\n", plots[p->kind].name,
                     stall_plot_suffix(p->format));
    stall_out_put(p->o, "set border 3 lc rgb '#555555'\nset tics nomirror out scale 0.6\n"
                        "set grid xtics ytics lc rgb '#DDDDDD' lt 1 lw 0.6\n"
                        "set style fill solid 1.0 noborder\nset samples 2\n");
    if (p->panels.left_out > 0)
        snprintf(text, sizeof(text), "%s (%zu of %zu runs; all are in the tables)", title,
                 p->panels.len, p->report->runs_len);
    else
        snprintf(text, sizeof(text), "%s", title);
    stall_out_put(p->o, "set multiplot title ");
    stall_out_gnuplot(p->o, text);
    stall_out_printf(p->o, " font '%s'\n", formats[format_of(p)].title_font);
}

static void put_margin(stall_plot *p, const char *name, double at, double whole)
{
    stall_out_printf(p->o, "set %smargin at screen ", name);
    stall_out_fixed(p->o, at / whole, 5);
    stall_out_char(p->o, '\n');
}

void stall_plot_panel(stall_plot *p, size_t i, const char *xlabel, const char *ylabel)
{
    const stall_panels *a = &p->panels;
    size_t row = a->len > 0 ? a->row[i] : 0, column = a->len > 0 ? a->column[i] : 0;
    size_t columns = p->kind == STALL_PLOT_ECDF ? 1 : a->columns > 0 ? a->columns : 1;
    double inside = STALL_PLOT_WIDTH - LEFT - RIGHT - BETWEEN * (double)(columns - 1);
    double width = inside / (double)columns;
    double left = LEFT + (double)column * (width + BETWEEN);
    double top = p->panel_top + (double)row * (ABOVE + p->panel_height + BELOW);

    stall_out_put(p->o, "\nunset key\nunset arrow\nunset label\nunset logscale\nunset title\n"
                        "set format '%g'\nset xtics offset 0,0.4\n");
    put_margin(p, "l", left, STALL_PLOT_WIDTH);
    put_margin(p, "r", left + width, STALL_PLOT_WIDTH);
    put_margin(p, "t", p->height - top, p->height);
    put_margin(p, "b", p->height - top - p->panel_height, p->height);
    stall_out_put(p->o, "set xlabel ");
    stall_out_gnuplot(p->o, row + 1 < a->rows && has_panel(a, row + 1, column) ? "" : xlabel);
    stall_out_put(p->o, " offset 0,0.5\nset ylabel ");
    stall_out_gnuplot(p->o, ylabel);
    stall_out_printf(p->o, " offset %s\n", formats[format_of(p)].ylabel_offset);
}

void stall_plot_key(stall_plot *p, const char *order)
{
    stall_out_put(p->o, "\nunset arrow\nunset label\nunset logscale\nunset title\n"
                        "unset xlabel\nunset ylabel\nunset border\nunset tics\nunset grid\n"
                        "set xrange [0:1]\nset yrange [0:1]\n");
    put_margin(p, "l", KEY_EDGE, STALL_PLOT_WIDTH);
    put_margin(p, "r", STALL_PLOT_WIDTH - KEY_EDGE, STALL_PLOT_WIDTH);
    put_margin(p, "t", p->key_height, p->height);
    put_margin(p, "b", KEY_EDGE, p->height);
    stall_out_printf(p->o, "set key inside center center %s Left reverse samplen 2.5\nplot ",
                     order);
}

stall_status stall_write_gnuplot(const stall_report *r, stall_plot_kind kind,
                                 stall_plot_format format, stall_sink *sink, stall_error *reterr)
{
    stall_out o;
    stall_plot p = {.o = &o, .kind = kind, .format = format};

    stall_out_open(&o, sink, reterr);
    stall_plot_choose(&p, r);
    plots[kind].body(&p);
    stall_out_put(&o, "\nunset multiplot\nset output\n");
    return stall_out_close(&o);
}
