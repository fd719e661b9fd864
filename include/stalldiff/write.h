/* Laying out a report. Writers print the model and compute nothing. */
#ifndef STALLDIFF_WRITE_H
#define STALLDIFF_WRITE_H

#include "compare.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a document goes. */
typedef struct stall_sink {
    void *ctx;
    /* Takes all `len` bytes or fails with STALL_EWRITE and a filled error. */
    stall_status (*write)(void *ctx, const void *data, size_t len, stall_error *reterr);
} stall_sink;

typedef enum stall_plot_format {
    STALL_PLOT_SVG,
    STALL_PLOT_PNG,
    STALL_PLOT_PDF,
    STALL_PLOT_NONE
} stall_plot_format;

typedef struct stall_terminal_options {
    bool color;
    bool utf8;
    int width;              /* columns; 0: 100 */
    const char *report_dir; /* shown as "report in ..."; NULL: none was written */
} stall_terminal_options;

typedef struct stall_folder_options {
    stall_plot_format plot;
    bool force; /* replace a folder that holds other files */
    const char *gnuplot; /* absolute path of gnuplot, or NULL: scripts only */
    bool html;           /* report.html too */
    bool (*stopped)(void); /* true: undo what is unfinished and fail; NULL: never */
} stall_folder_options;

/* Each prints one document. Errors: STALL_EWRITE from the sink, STALL_ENOMEM. */
stall_status stall_write_terminal(const stall_report *r, const stall_terminal_options *options,
                                  stall_sink *sink, stall_error *reterr);
stall_status stall_write_markdown(const stall_report *r, stall_sink *sink, stall_error *reterr);
/* One file without scripts that loads nothing; the figures are in it. */
stall_status stall_write_html(const stall_report *r, stall_sink *sink, stall_error *reterr);
stall_status stall_write_json(const stall_report *r, stall_sink *sink, stall_error *reterr);
stall_status stall_write_summary_csv(const stall_report *r, stall_sink *sink, stall_error *reterr);
stall_status stall_write_series_csv(const stall_report *r, stall_sink *sink, stall_error *reterr);
stall_status stall_write_gaps_csv(const stall_report *r, stall_sink *sink, stall_error *reterr);
stall_status stall_write_histogram_csv(const stall_report *r, stall_sink *sink,
                                       stall_error *reterr);
/* The archive form of one series, which the series reader reads back exactly. */
stall_status stall_write_series(const stall_series *s, stall_sink *sink, stall_error *reterr);

/* Writes the whole report folder: every document to a temporary name, then renamed. Errors:
 * STALL_EWRITE; STALL_EUSAGE when `dir` holds files that are no report and force is not set.
 * A gnuplot that is missing or fails is not an error: *ret_plots is false then; one that had no room
 * for its picture is: STALL_EWRITE. */
stall_status stall_write_folder(const stall_report *r, const char *dir,
                                const stall_folder_options *options, bool *ret_plots,
                                stall_error *reterr);

#ifdef __cplusplus
}
#endif
#endif
