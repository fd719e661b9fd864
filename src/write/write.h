/* What all writers share: a buffered output with a sticky error, escaping for every target, and
 * figures as people read them. Every text that came from an input goes through one of the
 * escaping functions here; everything else that a writer prints is its own literal text. */
#ifndef STALL_WRITE_H
#define STALL_WRITE_H

#include "base/base.h"
#include "stalldiff/write.h"

/* ---- out.c: buffered output ---- */

#define STALL_OUT_BUFFER 8192

/* Goes to a sink, or to a growable text in memory. After the first failure everything else is
 * ignored and the failure stays, so writers check once, at the end. */
typedef struct stall_out {
    stall_sink *sink; /* or NULL: `text` */
    stall_text *text;
    stall_error *reterr;
    stall_status status;
    size_t len;
    char buffer[STALL_OUT_BUFFER];
} stall_out;

void stall_out_open(stall_out *o, stall_sink *sink, stall_error *reterr);
/* Into memory: `text` is initialised and owned by the caller. */
void stall_out_open_text(stall_out *o, stall_text *text, stall_error *reterr);
/* Flushes. Returns STALL_OK, or the first failure: STALL_EWRITE of the sink, STALL_ENOMEM. */
stall_status stall_out_close(stall_out *o);
/* Records a failure that is already in *reterr; a later one changes nothing. */
void stall_out_fail(stall_out *o, stall_status status);

void stall_out_write(stall_out *o, const char *bytes, size_t len);
void stall_out_put(stall_out *o, const char *text); /* as it is: not for text of inputs */
void stall_out_char(stall_out *o, char c);
void stall_out_repeat(stall_out *o, char c, size_t n);
/* Not for doubles (the locale) and not for text of inputs. */
void stall_out_printf(stall_out *o, const char *fmt, ...) STALL_PRINTF(2, 3);
/* Nothing for STALL_UNKNOWN. */
void stall_out_int(stall_out *o, int64_t v);
void stall_out_uint(stall_out *o, uint64_t v);
/* The shortest decimal that reads back to the same double; nothing for NaN. */
void stall_out_double(stall_out *o, double v);
/* A fixed number of decimals, '.' in every locale; nothing for NaN. */
void stall_out_fixed(stall_out *o, double v, int decimals);

/* ---- escape.c: text of inputs, for each target. NULL counts as "" ---- */

/* Longest text of an input in a document for people, in bytes; the rest becomes "...". */
#define STALL_OUT_TEXT_MAX 160
/* Longest sentence of the model in a document for people, in bytes. */
#define STALL_OUT_SENTENCE_MAX 1000

/* Markdown prose, headings and table cells: nothing in it is markup, ends a line, mentions a user,
 * refers to an issue or becomes a link. At most `max` bytes of `text` are used. */
void stall_out_markdown(stall_out *o, const char *text, size_t max);
/* The same as a code span; `table`: inside a table cell, where a pipe needs its backslash. */
void stall_out_code_span(stall_out *o, const char *text, size_t max, bool table);
/* A CSV cell (RFC 4180). Never starts a formula: a text whose first visible character is one of
 * = + - @ gets an apostrophe before it; control bytes are made visible. */
void stall_out_csv_text(stall_out *o, const char *text);
/* Columns of a terminal; without `utf8` every character beyond ASCII becomes '?'. At most
 * `columns` columns are used, with "..." as the end of a longer text. Returns the columns used. */
size_t stall_out_terminal(stall_out *o, const char *text, size_t columns, bool utf8);
/* Columns that a text takes in stall_out_terminal, without a limit. */
size_t stall_terminal_width(const char *text, bool utf8);
/* The inside of a double-quoted label of a Mermaid chart. */
void stall_out_mermaid(stall_out *o, const char *text, size_t max);
/* A single-quoted gnuplot string with its quotes. Print it where `noenhanced` applies. */
void stall_out_gnuplot(stall_out *o, const char *text);
/* Valid UTF-8 for JSON: an invalid byte becomes \xNN, the rest stays (controls are escaped by the
 * JSON writer). Sets ret->failed when memory runs out. */
void stall_json_text(stall_text *ret, const char *text);

/* ---- units.c: figures for people; NaN and STALL_UNKNOWN are "not measured" ---- */

#define STALL_FIGURE_MAX 48
#define STALL_NOT_MEASURED "not measured"

/* Milliseconds with three digits and a fitting unit: "4.71 s", "1.83 ms", "412 us", "19 ns". */
const char *stall_time_text(char buf[STALL_FIGURE_MAX], double ms);
/* A share of 1 as "87.3 %". */
const char *stall_share_text(char buf[STALL_FIGURE_MAX], double share);
/* Three significant digits without an exponent where that is readable; for p-values and the like.
 */
const char *stall_plain_text(char buf[STALL_FIGURE_MAX], double v);
/* 10^k ms without digits behind the point: "100 ms"; k from -6. */
const char *stall_decade_text(char buf[STALL_FIGURE_MAX], int k);
/* A value of a metric by its unit ("ms", "share", "count", "steps"). */
const char *stall_metric_text(char buf[STALL_FIGURE_MAX], const char *unit, double v);
/* A p95 (`percent` 95) or p99 of n waits: "*" follows where the interpolation runs towards the
 * maximum, which is so for p95 below 20 waits and p99 below 100. */
const char *stall_quantile_text(char buf[STALL_FIGURE_MAX], double ms, uint64_t n, int percent);
bool stall_quantile_is_edge(uint64_t n, int percent);
#define STALL_EDGE_WORDS "interpolated towards the maximum: too few steps for this quantile"
/* Value v of a metric that describes n waits, with that mark; a cadence of 1 is none. */
const char *stall_figure_text(char buf[STALL_FIGURE_MAX], const stall_metric *m, double v,
                              uint64_t n);
/* A difference of two such values: signed, shares in percentage points; "-" for NaN. */
const char *stall_change_text(char buf[STALL_FIGURE_MAX], const char *unit, double v);
/* "[low, high]" of such differences, or "-". */
const char *stall_interval_text(char buf[2 * STALL_FIGURE_MAX], const char *unit, double low,
                                double high);

/* ---- run_figures.c: the figures of one run, and small names ---- */

/* Fills ret[0..STALL_RUN_FIGURES-1] from the analysis of a run: ids, labels, units and `broken`. */
#define STALL_RUN_FIGURES 16
void stall_run_figures(const stall_analysis *a, stall_metric ret[STALL_RUN_FIGURES]);
/* "broken", "fixed", or NULL for no side. */
const char *stall_side_name(int side);
const char *stall_gate_name(stall_gate gate);            /* NULL for none */
const char *stall_control_name(stall_control_kind kind); /* "in_order", "prefetch_factor" */
/* True when the run lost something on the way in. */
bool stall_run_partial(const stall_run *run);
/* Has some run of this side (or any, for -1) lost something on the way in? */
bool stall_side_partial(const stall_report *r, int side);
/* The name that the user or the files give to a side, when it says more than its side; or NULL. */
const char *stall_side_label(const stall_report *r, int side);
/* Column at which a strip folds: a multiple of the period, at most `width`; never 0. */
size_t stall_strip_fold(int64_t period, size_t width);
/* The first period claimed by a run of the report, or STALL_UNKNOWN. */
int64_t stall_report_period(const stall_report *r);

/* Prints a strip in at most `rows` lines, folded at a multiple of the period, each with `indent`
 * before and a newline after it. A segment begins a line when all of it fits or a period is known.
 * Returns the number of characters of the strip that were left out. */
size_t stall_out_strip(stall_out *o, const char *strip, int64_t period, size_t width, size_t rows,
                       const char *indent);

/* ---- terminal_parts.c: lines and tables that fit a terminal ---- */

typedef struct stall_terminal {
    stall_out out;
    bool color, utf8;
    size_t width, strip_width;
} stall_terminal;
/* Sets a colour ("1;31"; "0" ends it) where colours are wanted. */
void stall_terminal_color(stall_terminal *t, const char *code);
/* Prints a text word by word in about `lines` lines after `first`, which the other lines are
 * indented by. A longer text ends with " ..." after the last sentence that fits. */
void stall_terminal_wrap(stall_terminal *t, const char *first, const char *text, size_t lines);

#define STALL_TABLE_ROWS 24
#define STALL_TABLE_COLUMNS 17
typedef struct stall_table {
    const char *head[STALL_TABLE_COLUMNS]; /* texts of inputs or of ours */
    char cells[STALL_TABLE_ROWS][STALL_TABLE_COLUMNS][2 * STALL_FIGURE_MAX];
    size_t rows, columns;
    bool hidden[STALL_TABLE_COLUMNS];
    bool tight; /* one blank between columns */
} stall_table;
/* Fills a cell, of our text or of an input's, of the row that is being made: row number `rows`. */
void stall_table_set(stall_table *tab, size_t column, const char *text);
size_t stall_table_width(const stall_terminal *t, const stall_table *tab);
/* Columns that still do not fit are left out from the right. */
void stall_table_put(stall_terminal *t, stall_table *tab);
/* write_terminal_sweep.c: the table of a sweep, the strips under each other, and what they tell. */
void stall_terminal_sweep(stall_terminal *t, const stall_report *r);

/* ---- sweep_cells.c: a row of a sweep as texts, for every table ---- */

typedef enum stall_sweep_cell {
    STALL_CELL_RUN, /* only the name; PARTIAL beside it is the writer's */
    STALL_CELL_REVISION,
    STALL_CELL_PASS,
    STALL_CELL_WORKERS,
    STALL_CELL_PREFETCH,
    STALL_CELL_ORDER,
    STALL_CELL_OVERTOOK,
    STALL_CELL_STEPS,
    STALL_CELL_MEAN,
    STALL_CELL_MEDIAN,
    STALL_CELL_P95,
    STALL_CELL_STALLS,
    STALL_CELL_GAP,
    STALL_CELL_PERIOD,
    STALL_CELL_P,
    STALL_CELL_FIT,
    STALL_CELL_FOLLOWS,
    STALL_SWEEP_CELLS
} stall_sweep_cell;
#define STALL_CELL_MAX 64 /* bytes of a cell */
/* Head of a column. */
const char *stall_sweep_head(char buf[STALL_CELL_MAX], stall_sweep_cell cell,
                             const stall_report *r);
const char *stall_sweep_text(char buf[STALL_CELL_MAX], stall_sweep_cell cell, const stall_report *r,
                             size_t i);
/* Is there nothing to see in a column: unknown everywhere, or a setting that all runs share? */
bool stall_sweep_blank(stall_sweep_cell cell, const stall_report *r);

/* ---- write_json_tree.c: a cJSON tree whose numbers read back exactly ---- */

struct cJSON;

/* Sticky: after a failed allocation every call is ignored and gives NULL. Keys are valid UTF-8;
 * with a NULL key the value becomes the next element of an array. */
typedef struct stall_tree {
    bool failed;
} stall_tree;
/* A new object as a member of `parent`; without parent and key a root. */
struct cJSON *stall_tree_object(stall_tree *t, struct cJSON *parent, const char *key);
struct cJSON *stall_tree_array(stall_tree *t, struct cJSON *parent, const char *key);
/* A new object as the next element of an array. */
struct cJSON *stall_tree_element(stall_tree *t, struct cJSON *array);
void stall_tree_null(stall_tree *t, struct cJSON *object, const char *key);
void stall_tree_bool(stall_tree *t, struct cJSON *object, const char *key, bool v);
/* Text of any kind; NULL is null. */
void stall_tree_text(stall_tree *t, struct cJSON *object, const char *key, const char *v);
/* Not finite is null, STALL_UNKNOWN is null. */
void stall_tree_double(stall_tree *t, struct cJSON *object, const char *key, double v);
void stall_tree_int(stall_tree *t, struct cJSON *object, const char *key, int64_t v);
void stall_tree_uint(stall_tree *t, struct cJSON *object, const char *key, uint64_t v);
/* Text that is a JSON value already: long lists, which would be large as a tree. Closes `v`. */
void stall_tree_raw(stall_tree *t, struct cJSON *object, const char *key, stall_text *v);
/* A JSON value that an input holds as text: kept when it is one, else printed as a string. */
void stall_tree_value(stall_tree *t, struct cJSON *object, const char *key, const char *v);
/* `analysis` of one run, `compare` and `sweep`, as members of `parent`. */
void stall_tree_analysis(stall_tree *t, struct cJSON *parent, const stall_run *run);
void stall_tree_compare(stall_tree *t, struct cJSON *parent, const stall_report *r);
void stall_tree_sweep(stall_tree *t, struct cJSON *parent, const stall_report *r);

/* Borders of a bin of the histogram, in ms; STALL_UNKNOWN is the underflow bin. */
void stall_bin_limits(int64_t bin, double *ret_low, double *ret_high);

/* ---- report.md in parts; it never passes STALL_MARKDOWN_MAX bytes ---- */

#define STALL_MARKDOWN_MAX 60000
#define STALL_MARKDOWN_ROWS 24     /* of any table */
#define STALL_MARKDOWN_RUNS 8      /* runs with a strip and a paragraph of their own */
#define STALL_MARKDOWN_COLUMNS 4   /* runs side by side in a table */
#define STALL_MARKDOWN_POINTS 100  /* of the chart, a run */
#define STALL_MARKDOWN_NAME_MAX 60 /* bytes of a name in a table */

/* One part of report.md; prints nothing when it has nothing to say. */
typedef void stall_markdown_part(const stall_report *r, stall_out *o);
/* write_markdown_tables.c: the headline table, or the table of runs */
stall_markdown_part stall_markdown_figures, stall_markdown_passes, stall_markdown_distribution,
    stall_markdown_ranks;
/* write_markdown_chart.c: strips and the Mermaid chart */
stall_markdown_part stall_markdown_strips, stall_markdown_chart;
/* write_markdown_details.c: the other folded parts */
stall_markdown_part stall_markdown_gaps, stall_markdown_counters, stall_markdown_pool,
    stall_markdown_notes, stall_markdown_reproduce;
/* write_markdown_sweep.c: what a sweep has in place of, and beside, those */
stall_markdown_part stall_markdown_sweep_head, stall_markdown_sweep_table, stall_markdown_reading,
    stall_markdown_sweep_strips, stall_markdown_sweep_chart;
/* write_markdown.c: title, verdict, amount, certainty and next step */
stall_markdown_part stall_markdown_head;
/* The sections in their order, ended by one without a title. */
typedef struct stall_markdown_section {
    const char *title;
    bool folded;
    const char *elsewhere; /* the file that has it all */
    stall_markdown_part *put;
} stall_markdown_section;
extern const stall_markdown_section stall_markdown_sections[];
/* Name of a run for prose and tables, with PARTIAL beside it. */
void stall_markdown_run_name(stall_out *o, const stall_run *run);

/* ---- gnuplot scripts: plots/NAME.gp, which draw plots/NAME.svg beside themselves ---- */

#define STALL_PLOT_PANELS 8    /* runs in one picture; the title says when there are more */
#define STALL_PLOT_SIDE 4      /* of them of one side of a comparison */
#define STALL_PLOT_POINTS 2000 /* data rows of a run in one picture; longer is an envelope */
#define STALL_PLOT_COLUMNS 300 /* columns of an envelope */
#define STALL_PLOT_BORDERS 64  /* segment borders that are drawn in a panel */
#define STALL_PLOT_NAME_MAX 52 /* bytes of a run's name in a picture */
#define STALL_PLOT_FORMATS 3   /* svg, png, pdf */

typedef enum stall_plot_kind {
    STALL_PLOT_WAIT,
    STALL_PLOT_ECDF,
    STALL_PLOT_GAPS,
    STALL_PLOT_RECURRENCE,
    STALL_PLOT_SWEEP,
    STALL_PLOT_COUNT
} stall_plot_kind;

/* write_gnuplot.c. One script. STALL_PLOT_NONE writes what svg does. Errors: STALL_EWRITE from the
 * sink, STALL_ENOMEM. */
stall_status stall_write_gnuplot(const stall_report *r, stall_plot_kind kind,
                                 stall_plot_format format, stall_sink *sink, stall_error *reterr);
const char *stall_plot_name(stall_plot_kind kind); /* "wait" .. */
/* Does the picture belong to a report of this kind? */
bool stall_plot_belongs(stall_plot_kind kind, const stall_report *r);
const char *stall_plot_suffix(stall_plot_format format); /* "svg" .. */

/* The runs of a picture and where each stands: the sides of a comparison are columns. */
typedef struct stall_panels {
    const stall_run *runs[STALL_PLOT_PANELS];
    size_t row[STALL_PLOT_PANELS], column[STALL_PLOT_PANELS];
    size_t len, rows, columns;
    size_t left_out; /* runs that are not drawn */
} stall_panels;

/* A logarithmic axis of waits. A wait of 0 has its own place below the smallest other one. */
typedef struct stall_wait_axis {
    double low, high; /* ends, ms */
    double zero;      /* where 0 is drawn, ms */
    bool zeros;       /* some wait is 0 */
} stall_wait_axis;

/* plot_track.c. The steps of one run along an axis: each a point, or reduced to columns. */
typedef struct stall_track {
    const stall_analysis *a;
    size_t i;        /* of the panel */
    bool by_step;    /* x is the step label, else the index */
    bool columns;    /* reduced */
    size_t a_column; /* steps in one */
    size_t waits, stalls, unknown;
} stall_track;
/* `points`: steps above which it is reduced, to at most STALL_PLOT_COLUMNS columns. */
void stall_track_open(stall_track *t, const stall_run *run, size_t i, size_t points);
/* Where step k stands; one past the last gives a place too. */
double stall_track_place(const stall_track *t, size_t k);
/* Lowest and highest wait of the steps k to end-1: [0] of those that are no stalls, [1] of stalls.
 * high < low: there is none. */
void stall_track_span(const stall_track *t, size_t k, size_t end, double low[2], double high[2]);

/* The picture being written. */
typedef struct stall_plot {
    stall_out *o;
    const stall_report *report;
    stall_panels panels;
    stall_wait_axis axis;
    stall_plot_kind kind;
    stall_plot_format format;
    double height;       /* of the page; it is STALL_PLOT_WIDTH wide */
    double panel_height; /* of the inside of a panel */
    double panel_top;    /* of the first row, from the top of the page */
    double key_height;   /* below the panels */
} stall_plot;
#define STALL_PLOT_WIDTH 900.0
#define STALL_PLOT_KEY 54.0 /* height of a key of two rows */

/* Colours of Okabe and Ito, told apart by colour-blind people too. */
#define STALL_PLOT_BLUE "#0072B2"
#define STALL_PLOT_VERMILLION "#D55E00"
#define STALL_PLOT_GREEN "#009E73"
#define STALL_PLOT_PURPLE "#CC79A7"
#define STALL_PLOT_GREY "#7F7F7F"

/* plot_wait.c, plot_ecdf.c, plot_gaps.c, plot_recurrence.c, plot_sweep.c: the body of each */
typedef void stall_plot_body(stall_plot *p);
stall_plot_body stall_plot_wait, stall_plot_ecdf, stall_plot_gaps, stall_plot_recurrence,
    stall_plot_sweep;

/* Terminal, output, style and page title; `bottom` units are kept free below the panels. */
void stall_plot_open(stall_plot *p, const char *title, double panel_height, double bottom);
/* Place, title and border of panel i; what an earlier panel set is forgotten. */
void stall_plot_panel(stall_plot *p, size_t i, const char *xlabel, const char *ylabel);
/* Begins the key below the panels: a plot that takes key entries only and is to be ended by "NaN
 * notitle". `order` is "horizontal" or "vertical" with its limits. */
void stall_plot_key(stall_plot *p, const char *order);
/* Has panel i a neighbour on its left, whose axis serves it too? */
bool stall_plot_has_left(const stall_plot *p, size_t i);
/* Axis 'x' or 'y' from low to high; the wait axis with its ticks, bare without labels. */
void stall_plot_range(stall_plot *p, char axis, double low, double high);
void stall_plot_wait_axis(stall_plot *p, char axis, bool labels);
/* Ticks at whole numbers, a handful between low and high. */
void stall_plot_whole_ticks(stall_plot *p, char axis, double low, double high, bool labels);
/* Where a wait stands on the wait axis. */
double stall_plot_wait_place(const stall_plot *p, double ms);
/* "broken: label (pass 2) PARTIAL"; `more` (may be "") is added. Returns the length. */
#define STALL_PLOT_TEXT_MAX 256
size_t stall_plot_name_text(const stall_plot *p, size_t i, const char *more,
                            char ret[STALL_PLOT_TEXT_MAX]);
/* The same as a quoted string in the script. */
void stall_plot_run_name(stall_plot *p, size_t i, const char *more);
/* Chooses the runs of a picture, and the axis that holds all their waits. */
void stall_plot_choose(stall_plot *p, const stall_report *r);
/* Distance of about six ticks at whole numbers between low and high. */
double stall_plot_whole_step(double low, double high);
/* num_workers where gaps can be compared with it; the period that is drawn; or STALL_UNKNOWN. */
int64_t stall_run_workers(const stall_run *run);
int64_t stall_run_period(const stall_run *run);
/* The threshold, or num_workers, that all panels share; NaN, STALL_UNKNOWN when they differ. */
double stall_plot_threshold(const stall_plot *p);
int64_t stall_plot_workers(const stall_plot *p);
/* Words in the middle of a panel that has nothing to draw. */
void stall_plot_empty(stall_plot *p, const char *words);
/* Marks of the gap and recurrence plots: num_workers (`multiples` of it) and the period. */
void stall_plot_cadence_marks(stall_plot *p, const stall_run *run, int64_t limit, bool multiples);
/* The key entries of those marks. */
void stall_plot_cadence_key(stall_plot *p, bool multiples);
/* Title of such a panel: the name, with num_workers and the period where the panels differ. */
void stall_plot_cadence_title(stall_plot *p, size_t i);

/* ---- report.html in parts ---- */

/* html_markdown.c. The Markdown of our own documents as HTML; nothing in it becomes markup that
 * is not Markdown. Mermaid charts are left out. `title` (ours) names its tables. */
void stall_html_markdown(stall_out *o, const char *text, const char *title);
/* html_style.c */
extern const char *const stall_html_style[]; /* ended by NULL */
/* Text with the characters of HTML escaped; for text of inputs in their printable form. */
void stall_out_html(stall_out *o, const char *text);

/* html_svg.c: one panel of a figure, drawn as SVG that takes its colours from the page */
typedef struct stall_panel {
    stall_out *o;
    const stall_plot *p;
    double low[2], high[2]; /* of the axes x and y */
    bool log[2];
} stall_panel;
#define STALL_SVG_POINTS 400 /* steps of a run drawn as points; longer is an envelope */
/* Opens a panel; `alt` says what is to be seen, for those who cannot. */
void stall_svg_open(stall_panel *c, const char *alt);
/* Closes it with the words below and beside the axes. */
void stall_svg_close(stall_panel *c, const char *xlabel, const char *ylabel);
double stall_svg_x(const stall_panel *c, double v); /* in units of the drawing */
double stall_svg_y(const stall_panel *c, double v);
/* A point of a path: `command` ("M", "L") with x and y. */
void stall_svg_to(stall_panel *c, const char *command, double x, double y);
/* A straight line across the panel at x or y, of a class. */
void stall_svg_line(stall_panel *c, char axis, double at, const char *class_name);
/* Ticks with labels and grid lines. */
void stall_svg_wait_ticks(stall_panel *c, char axis);
void stall_svg_whole_ticks(stall_panel *c, char axis);
void stall_svg_share_ticks(stall_panel *c);
/* Words in the middle of a panel that has nothing to draw. */
void stall_svg_empty(stall_panel *c, const char *words);

/* html_wait.c, html_cadence.c: figures with their captions and keys */
typedef void stall_html_figure(stall_plot *p);
stall_html_figure stall_html_wait, stall_html_ecdf, stall_html_gaps, stall_html_recurrence;
/* Opens a figure with its caption; `wide`: its panels stand below each other. */
void stall_html_figure_open(stall_plot *p, const char *caption, bool wide);
/* Ends the panels and begins the key; then an entry each: a mark of a class, and its words. */
void stall_html_key_open(stall_plot *p);
#define STALL_KEY_LINE "M2 6h20"
#define STALL_KEY_DOT "M12 6h0"
#define STALL_KEY_BAR "M12 1v10"
#define STALL_KEY_RISE "M12 2l4.5 8h-9z"
#define STALL_KEY_FALL "M12 11l6-10h-12z"
void stall_html_key(stall_plot *p, const char *mark, const char *class_name, const char *words);
void stall_html_figure_close(stall_plot *p);
/* Title above panel i: the name of its run and `more`. */
void stall_html_panel_title(stall_plot *p, size_t i, const char *more);

/* ---- the report folder ---- */

#define STALL_FOLDER_TEMP ".stalldiff-" /* how the names of unfinished files begin */
#define STALL_FOLDER_TEMP_MAX 64
#define STALL_GNUPLOT_SECONDS 60 /* a picture that takes longer is given up */

/* The folder and its plots/, open. */
typedef struct stall_folder {
    const char *path; /* as the caller named it */
    int fd, plots_fd; /* -1: not open */
    bool made, made_plots;
} stall_folder;

/* write_folder_check.c. Opens the folder, makes it when missing, and refuses one that is a link or
 * holds other files unless `force`. STALL_EUSAGE, STALL_EWRITE. Close it in any case. */
stall_status stall_folder_open(stall_folder *f, const char *path, bool force, stall_error *reterr);
/* Closes; `undo` removes what open made, as far as it is empty. */
void stall_folder_close(stall_folder *f, bool undo);
/* Removes unfinished files of an earlier run that was killed. */
void stall_folder_sweep(const stall_folder *f);
/* Removes everything in a folder of unfinished pictures, and the folder: `name` in `parent`. */
void stall_folder_drop(int parent, const char *name);
/* STALL_EWRITE for PATH/sub/name with the text of errno `code`. */
stall_status stall_folder_fail(const stall_folder *f, const char *sub, const char *name,
                               const char *what, int code, stall_error *reterr);

/* run_gnuplot.c. Runs `gnuplot` (an absolute path) on `script` inside the folder `fd`, quietly and
 * without a shell. True: it ended by itself within `limit` seconds and without an error. It is ended
 * when `stopped`, which may be NULL, says so. */
bool stall_gnuplot_run(const char *gnuplot, int fd, const char *script, int limit,
                       bool (*stopped)(void));

#endif
