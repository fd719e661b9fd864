/* What the readers of logs share: lines, names of columns, cells that become rows, JSON objects
 * that become facts. lines.c cuts the input, table_names.c knows names and units, table_columns.c
 * which column is which, table_rows.c what a row of cells means, json_row.c checks one JSON object,
 * series_header.c knows the `# key: value` lines of a series CSV. */
#ifndef STALL_TABLE_H
#define STALL_TABLE_H

#include "base/base.h"
#include "read/read.h"

/* Limits that the input controls. */
#define STALL_LINE_MAX (1u << 20)   /* bytes of a line, or of a row over several; STALL_ELIMIT */
#define STALL_ROW_LINES_MAX 16u     /* lines of a row with line breaks inside quotes */
#define STALL_COLUMNS_MAX 1024u     /* columns of a table; STALL_ELIMIT. Further keys: ignored */
#define STALL_COLUMN_NAME_MAX 1024u /* bytes of a column's name that are looked at */
#define STALL_UNNUMBERED_RANKS_MAX 65536u /* ranks of a log without step numbers; STALL_ELIMIT */

/* ---- lines.c ---- */

/* Cuts a source into lines that end with LF, CR or CR LF. */
typedef struct stall_lines {
    stall_source *src;
    stall_warnings *warnings;
    const unsigned char *chunk;
    size_t chunk_len, at;
    stall_text spill; /* a line that began in an earlier chunk */
    uint64_t number;  /* of the last line given, from 1 */
    bool after_cr, ended;
    bool cut; /* after the end: the transport lost bytes */
} stall_lines;

typedef struct stall_line {
    const char *text; /* NULL: no more lines; not NUL-terminated; valid until the next call */
    size_t len;
    uint64_t number;
    bool whole; /* a line end was seen */
} stall_line;

void stall_lines_open(stall_lines *l, stall_source *src, stall_warnings *warnings);
void stall_lines_close(stall_lines *l);
/* The next line, without its end and without a byte order mark. STALL_ELIMIT, STALL_ENOMEM, those
 * of the source, and with strict warnings STALL_EFORMAT. */
stall_status stall_lines_next(stall_lines *l, stall_line *ret, stall_error *reterr);
/* Warns of a line of a JSON-lines log that is no object. STALL_EFORMAT with strict warnings. */
stall_status stall_lines_broken(const stall_lines *l, const stall_line *line, stall_error *reterr);

/* ---- table_names.c ---- */

/* Text of one cell or name. len 0: empty. */
typedef struct stall_cell {
    const char *text;
    size_t len;
} stall_cell;

typedef enum stall_role {
    STALL_ROLE_NONE,    /* of no use */
    STALL_ROLE_COUNTER, /* a counter, if it holds a number */
    STALL_ROLE_STAMP,   /* a counter that does not tell what kind of row it stands in */
    STALL_ROLE_STEP,
    STALL_ROLE_EPOCH,
    STALL_ROLE_RANK,
    STALL_ROLE_WAIT,
    STALL_ROLE_STEP_TIME,
    STALL_ROLE_EXPOSED,
    STALL_ROLE_OTHER_WAIT,
    STALL_ROLE_FETCHES,
    STALL_ROLE_WORKER_ID,
    STALL_ROLE_WORKER_PIDS,
    STALL_ROLE_BATCH_RANK,
    STALL_ROLE_COUNT
} stall_role;

#define STALL_UNIT_NONE (-1)

/* Drops blanks (space, tab) at both ends. */
stall_cell stall_cell_trim(const char *text, size_t len);
bool stall_cell_is(stall_cell c, const char *text);
/* The decimal exponent that turns a unit ("s", "ms", "us", "ns") into nanoseconds. */
int stall_unit_exponent(stall_cell unit);
/* The same of a name that ends in a unit (_ms, _seconds, ...; not _per_s). *ret_base is the name
 * without it. */
int stall_name_unit(stall_cell name, stall_cell *ret_base);
/* What a column of this name is. *ret_exponent: unit of a time; *ret_order: of two columns for one
 * role the one with the smaller order is taken. `exact`: whole names only. */
stall_role stall_name_role(stall_cell name, bool exact, int *ret_exponent, unsigned *ret_order);
/* The name after its last '/' or " - ". */
stall_cell stall_name_tail(stall_cell name);

/* ---- table_columns.c ---- */

typedef struct stall_column {
    char *name;
    size_t len;
    stall_role role;
    int exponent;   /* of a time */
    unsigned order; /* how good a column it is for its role */
    size_t counter; /* index in the series, or SIZE_MAX: no number so far */
} stall_column;

/* A column that an option names. */
typedef struct stall_column_choice {
    const char *option; /* as the user writes it */
    stall_cell full;    /* len 0: not chosen */
    stall_cell base;    /* `full` without its unit; len 0: it has none */
    int exponent;       /* of that unit */
} stall_column_choice;

typedef struct stall_table {
    stall_series *out;
    stall_column_choice wait, step, step_time;
    stall_column *columns;
    size_t len, cap;
    size_t next;                      /* where the next name is looked for first */
    size_t of_role[STALL_ROLE_COUNT]; /* index of the column, or SIZE_MAX */
    bool own;                         /* a series CSV: whole names, nothing is guessed */
    uint64_t rows;                    /* rows of steps so far */
    struct stall_rank_steps {
        int32_t rank;
        int64_t next;
    } * unnumbered; /* without a step column: rows of each rank */
    size_t unnumbered_len, unnumbered_cap;
    size_t run_start; /* row since which the step has not fallen */
    bool several_ranks;
} stall_table;

void stall_table_open(stall_table *t, const stall_read_options *options, stall_series *out);
void stall_table_close(stall_table *t);
/* Adds a column. One whose name is there already is of no use. STALL_ENOMEM, STALL_ELIMIT;
 * STALL_EUSAGE when an option names it without a unit. */
stall_status stall_table_add(stall_table *t, stall_cell name, stall_error *reterr);
/* Index of the column `name`, which is added when it is new; SIZE_MAX when there are too many. */
stall_status stall_table_find(stall_table *t, stall_cell name, size_t *ret, stall_error *reterr);
/* Checks that every chosen column and a wait are there. STALL_EUSAGE; STALL_ENODATA, listing the
 * columns found. */
stall_status stall_table_check(const stall_table *t, stall_error *reterr);

/* ---- table_export.c ---- */

/* Marks the series as sampled when the table is the export of an experiment tracker and its steps
 * are not all there. */
void stall_table_exported(const stall_table *t);

/* ---- table_rows.c ---- */

/* Turns the cells of a row, one a column, into a row of the series. A row that belongs to another
 * metric is skipped with a warning, unless `step` says that it is one of a step. STALL_ENOMEM,
 * STALL_ELIMIT; STALL_EFORMAT with strict warnings. */
stall_status stall_table_row(stall_table *t, const stall_cell *cells, size_t cells_len,
                             uint64_t line, bool step, stall_error *reterr);
/* A row that could not be read: it keeps its number where rows have none of their own. */
void stall_table_lost(stall_table *t);
/* A cell as a finite number, decimal or exponent form. */
bool stall_cell_double(stall_cell c, double *ret);

/* ---- json_row.c ---- */

/* Checks that `text` is one JSON object and nothing else, NaN and Infinity of Python allowed (they
 * become strings). *ret is the object, in `text` or in `fixed`, which the caller owns. False: no
 * such object, or (fixed->failed) no memory. */
bool stall_json_row(const char *text, size_t len, stall_text *fixed, stall_cell *ret);
/* Is this text one JSON value? */
bool stall_json_valid(const char *text, size_t len);
/* Adds the members of an object as facts, but "type". `keep`: facts that are there stay. */
stall_status stall_json_facts(stall_series *s, stall_cell object, bool keep, stall_error *reterr);
/* Adds one fact, whose value is a JSON value as written. STALL_ENOMEM. */
stall_status stall_json_fact(stall_series *s, stall_cell key, const char *value, size_t len,
                             stall_error *reterr);

/* ---- facts.c ---- */

/* Bits of the acting facts that are there. */
unsigned stall_facts_known(const stall_series *s);
/* Warns of acting facts that cannot be used, but those whose bits are in `checked`. STALL_EFORMAT
 * with strict warnings. */
stall_status stall_facts_check(stall_series *s, unsigned checked, stall_error *reterr);

/* ---- series_header.c ---- */

/* Takes one `# key: value` line of a series CSV. STALL_EFORMAT for another version, or with strict
 * warnings; STALL_ENOMEM. */
stall_status stall_series_header(stall_series *s, const char *text, size_t len, uint64_t line,
                                 stall_error *reterr);
/* The number of rows that such a line promises. False: it is another line. */
bool stall_series_promise(const char *text, size_t len, uint64_t *ret_rows);
/* Is this the first line of a series CSV? */
bool stall_series_magic(const char *text, size_t len);

#endif
