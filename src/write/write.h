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
/* A value of a metric by its unit ("ms", "share", "count", "steps"). */
const char *stall_metric_text(char buf[STALL_FIGURE_MAX], const char *unit, double v);
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
const char *stall_gate_name(stall_gate gate); /* NULL for none */
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
/* `analysis` of one run and `compare`, as members of `parent`. */
void stall_tree_analysis(stall_tree *t, struct cJSON *parent, const stall_run *run);
void stall_tree_compare(stall_tree *t, struct cJSON *parent, const stall_report *r);

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
/* Name of a run for prose and tables, with PARTIAL beside it. */
void stall_markdown_run_name(stall_out *o, const stall_run *run);

#endif
