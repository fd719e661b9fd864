/* The command line: one table of options gives parsing and help. Enters: argv. Leaves: a filled
 * cli_options. Must not know what the stages do with it. */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* ---- values ---- */

static stall_status usage(stall_error *reterr, const char *option, const char *arg,
                          const char *want)
{
    stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE, "--%s '%s': not %s", option, arg,
                    want);
    stall_error_hint(reterr, "see stalldiff --help");
    return STALL_EUSAGE;
}

static stall_status parse_whole(const char *option, const char *arg, int64_t *ret,
                                stall_error *reterr)
{
    size_t len = strlen(arg);

    if (len == 0 || strspn(arg, "0123456789") != len || !stall_decimal_parse(arg, len, 0, ret)) {
        return usage(reterr, option, arg, "a whole number");
    }
    return STALL_OK;
}

static stall_status set_stall_ms(cli_options *o, const char *arg, stall_error *reterr)
{
    double v;

    if (!stall_decimal_double(arg, strlen(arg), &v) || !(v >= 0) || isinf(v)) {
        return usage(reterr, "stall-ms", arg, "a time in milliseconds");
    }
    o->analyze.stall_ms = v;
    return STALL_OK;
}

static stall_status set_num_workers(cli_options *o, const char *arg, stall_error *reterr)
{
    return parse_whole("num-workers", arg, &o->analyze.num_workers, reterr);
}

static stall_status set_cpus(cli_options *o, const char *arg, stall_error *reterr)
{
    stall_status status = parse_whole("cpus", arg, &o->analyze.cpus, reterr);

    return status == STALL_OK && o->analyze.cpus == 0
               ? usage(reterr, "cpus", arg, "a number of CPUs")
               : status;
}

static stall_status set_steps_per_epoch(cli_options *o, const char *arg, stall_error *reterr)
{
    stall_status status = parse_whole("steps-per-epoch", arg, &o->analyze.steps_per_epoch, reterr);

    return status == STALL_OK && o->analyze.steps_per_epoch == 0
               ? usage(reterr, "steps-per-epoch", arg, "a number of steps")
               : status;
}

static stall_status set_warmup(cli_options *o, const char *arg, stall_error *reterr)
{
    return parse_whole("warmup", arg, &o->analyze.warmup, reterr);
}

static stall_status set_rank(cli_options *o, const char *arg, stall_error *reterr)
{
    if (strcmp(arg, "max") == 0) {
        o->analyze.rank = STALL_RANK_MAX;
        return STALL_OK;
    }
    return parse_whole("rank", arg, &o->analyze.rank, reterr);
}

static stall_status set_wait_name(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)reterr;
    o->read.wait_name = arg;
    return STALL_OK;
}

static stall_status set_wait_col(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)reterr;
    o->read.wait_col = arg;
    return STALL_OK;
}

static stall_status set_step_col(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)reterr;
    o->read.step_col = arg;
    return STALL_OK;
}

static stall_status set_dur_col(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)reterr;
    o->read.dur_col = arg;
    return STALL_OK;
}

static stall_status set_format(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)reterr;
    o->read.format = arg;
    return STALL_OK;
}

static stall_status set_labels(cli_options *o, const char *arg, stall_error *reterr)
{
    const char *comma = strchr(arg, ',');

    if (comma == NULL || comma == arg || comma[1] == '\0' || strchr(comma + 1, ',') != NULL) {
        return usage(reterr, "labels", arg, "two names with a comma between");
    }
    for (int i = 0; i < 2; i++) {
        stall_mem_free(o->labels[i]);
    }
    o->labels[0] = stall_mem_text(arg, (size_t)(comma - arg));
    o->labels[1] = stall_mem_text(comma + 1, strlen(comma + 1));
    return o->labels[0] && o->labels[1] ? STALL_OK : stall_error_memory(reterr);
}

static stall_status add_run(cli_options *o, const char *path, int side, stall_error *reterr)
{
    if (o->runs_len == CLI_RUNS_MAX) {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE, "more than %d runs",
                               CLI_RUNS_MAX);
    }
    if (!stall_mem_grow((void **)&o->runs, &o->runs_cap, o->runs_len + 1, sizeof *o->runs)) {
        return stall_error_memory(reterr);
    }
    o->runs[o->runs_len++] = (cli_run){.path = path, .side = side, .workers = STALL_UNKNOWN};
    return STALL_OK;
}

/* A run of a sweep: RUN, or W=RUN with its worker count. A file so named is given as ./W=RUN. */
static stall_status add_setting(cli_options *o, const char *arg, stall_error *reterr)
{
    size_t digits = strspn(arg, "0123456789");
    bool written = digits > 0 && arg[digits] == '=';
    stall_status status = add_run(o, written ? arg + digits + 1 : arg, -1, reterr);

    if (status != STALL_OK || !written) {
        return status;
    }
    if (arg[digits + 1] == '\0') {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                               "'%s': no run after the worker count", arg);
    }
    if (!stall_decimal_parse(arg, digits, 0, &o->runs[o->runs_len - 1].workers)) {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                               "'%.40s': the worker count is too large", arg);
    }
    return STALL_OK;
}

static stall_status set_broken(cli_options *o, const char *arg, stall_error *reterr)
{
    return add_run(o, arg, 0, reterr);
}

static stall_status set_fixed(cli_options *o, const char *arg, stall_error *reterr)
{
    return add_run(o, arg, 1, reterr);
}

static stall_status set_output(cli_options *o, const char *arg, stall_error *reterr)
{
    o->output = arg;
    return *arg ? STALL_OK : usage(reterr, "output", arg, "a name");
}

static stall_status set_force(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg, (void)reterr;
    o->force = true;
    return STALL_OK;
}

static stall_status set_html(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg, (void)reterr;
    o->html = true;
    return STALL_OK;
}

static stall_status set_document(cli_options *o, cli_document d, stall_error *reterr)
{
    if (o->document != CLI_DOC_NONE && o->document != d) {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                               "only one of --md, --json and --csv can be printed");
    }
    o->document = d;
    return STALL_OK;
}

static stall_status set_md(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg;
    return set_document(o, CLI_DOC_MARKDOWN, reterr);
}

static stall_status set_json(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg;
    return set_document(o, CLI_DOC_JSON, reterr);
}

static stall_status set_csv(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg;
    return set_document(o, CLI_DOC_CSV, reterr);
}

/* Index of `arg` in a NULL-ended list of words, or -1. */
static int word(const char *arg, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(arg, words[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static stall_status set_gate(cli_options *o, const char *arg, stall_error *reterr)
{
    static const char *const words[] = {"no-regression", "improved", "fixed", NULL};
    int i = word(arg, words);

    if (i < 0) {
        return usage(reterr, "gate", arg, "no-regression, improved or fixed");
    }
    o->gate = (stall_gate)(STALL_GATE_NO_REGRESSION + i);
    return STALL_OK;
}

static stall_status set_allow_partial(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg, (void)reterr;
    o->allow_partial = true;
    return STALL_OK;
}

static stall_status set_plot(cli_options *o, const char *arg, stall_error *reterr)
{
    static const char *const words[] = {"svg", "png", "pdf", "none", NULL};
    int i = word(arg, words);

    if (i < 0) {
        return usage(reterr, "plot", arg, "svg, png, pdf or none");
    }
    o->plot = (stall_plot_format)(STALL_PLOT_SVG + i);
    return STALL_OK;
}

static stall_status set_color(cli_options *o, const char *arg, stall_error *reterr)
{
    static const char *const words[] = {"auto", "always", "never", NULL};
    int i = word(arg, words);

    if (i < 0) {
        return usage(reterr, "color", arg, "auto, always or never");
    }
    o->color = (cli_color)(CLI_COLOR_AUTO + i);
    return STALL_OK;
}

static stall_status set_quiet(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg, (void)reterr;
    o->quiet = true;
    return STALL_OK;
}

static stall_status set_strict(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg, (void)reterr;
    o->read.strict = true;
    return STALL_OK;
}

static stall_status set_jobs(cli_options *o, const char *arg, stall_error *reterr)
{
    int64_t n = 0;
    stall_status status = parse_whole("jobs", arg, &n, reterr);

    o->jobs = n > CLI_JOBS_MAX ? 0 : (int)n;
    return status != STALL_OK || o->jobs > 0 ? status : usage(reterr, "jobs", arg, "from 1 to 256");
}

static stall_status set_help(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg, (void)reterr;
    o->want_help = true;
    return STALL_OK;
}

static stall_status set_version(cli_options *o, const char *arg, stall_error *reterr)
{
    (void)arg, (void)reterr;
    o->want_version = true;
    return STALL_OK;
}

/* ---- the table ---- */

enum {
    REPORTS = CLI_COMPARE | CLI_SHOW | CLI_SWEEP,
    READS = REPORTS | CLI_SERIES,
    ALL = READS | CLI_FORMATS | CLI_HELP,
};

const cli_option cli_option_table[] = {
    {"broken", 0, CLI_COMPARE, "RUN", "a pass of the broken side; may be repeated", set_broken},
    {"fixed", 0, CLI_COMPARE, "RUN", "a pass of the fixed side; may be repeated", set_fixed},
    {"stall-ms", 0, REPORTS, "T", "stall threshold in ms (default: found from the waits)",
     set_stall_ms},
    {"num-workers", 0, CLI_COMPARE | CLI_SHOW, "W", "DataLoader workers, where the input does not say",
     set_num_workers},
    {"cpus", 0, REPORTS, "C", "logical CPUs of the host", set_cpus},
    {"steps-per-epoch", 0, REPORTS, "E", "steps in an epoch; each epoch is a segment",
     set_steps_per_epoch},
    {"warmup", 0, REPORTS, "N", "steps left out at the start of a segment (default 1)", set_warmup},
    {"rank", 0, READS, "R", "one rank, or max (default): per-step maximum over ranks", set_rank},
    {"wait-name", 0, READS, "REGEX", "user range of a trace that is the input wait", set_wait_name},
    {"wait-col", 0, READS, "NAME[:UNIT]", "column or key of the wait in a log; s, ms, us, ns",
     set_wait_col},
    {"step-col", 0, READS, "NAME", "column or key of the step number", set_step_col},
    {"dur-col", 0, READS, "NAME[:UNIT]", "column or key of the step time", set_dur_col},
    {"format", 0, READS, "NAME", "do not guess the format; see stalldiff formats", set_format},
    {"labels", 0, CLI_COMPARE, "A,B", "names of the two sides", set_labels},
    {"output", 'o', READS, "DIR", "report folder (default stalldiff-report); series: a file",
     set_output},
    {"force", 0, READS, NULL, "replace a folder that holds other files", set_force},
    {"md", 0, REPORTS, NULL, "print report.md and write no files", set_md},
    {"json", 0, REPORTS, NULL, "print report.json and write no files", set_json},
    {"csv", 0, REPORTS, NULL, "print summary.csv and write no files", set_csv},
    {"html", 0, REPORTS, NULL, "report.html too: one file with the figures in it", set_html},
    {"gate", 0, CLI_COMPARE, "NAME", "exit status for CI: no-regression, improved or fixed",
     set_gate, "no-regression improved fixed"},
    {"allow-partial", 0, CLI_COMPARE, NULL, "let a gate pass on damaged input", set_allow_partial},
    {"plot", 0, REPORTS, "FORMAT", "svg (default), png, pdf or none", set_plot,
     "svg png pdf none"},
    {"color", 0, REPORTS, "WHEN", "auto, always or never", set_color, "auto always never"},
    {"jobs", 'j', READS, "N", "threads that read at the same time (default: the CPUs)", set_jobs},
    {"strict", 0, READS, NULL, "damage in the input is an error, not a warning", set_strict},
    {"quiet", 'q', READS, NULL, "no progress, no report, no warnings but of PARTIAL input", set_quiet},
    {"help", 'h', ALL, NULL, "print this help", set_help},
    {"version", 'V', ALL, NULL, "print the version", set_version},
    {NULL, 0, 0, NULL, NULL, NULL},
};

#define TABLE_LEN (sizeof cli_option_table / sizeof *cli_option_table - 1)

/* ---- parsing ---- */

static const struct {
    const char *name;
    cli_command command;
} commands[] = {
    {"show", CLI_SHOW},       {"series", CLI_SERIES}, {"compare", CLI_COMPARE},
    {"formats", CLI_FORMATS}, {"help", CLI_HELP},     {"sweep", CLI_SWEEP},
};

const char *cli_command_name(size_t i, unsigned *ret_bit)
{
    if (i >= sizeof commands / sizeof *commands) {
        return NULL;
    }
    *ret_bit = (unsigned)commands[i].command;
    return commands[i].name;
}

/* A first word that names a command is the command; a file of that name is given as ./NAME. */
static cli_command take_command(int *argc, char ***argv)
{
    for (size_t i = 0; *argc > 1 && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp((*argv)[1], commands[i].name) == 0) {
            (*argv)++;
            (*argc)--;
            return commands[i].command;
        }
    }
    return CLI_COMPARE;
}

static stall_status set_option(cli_options *o, size_t index, stall_error *reterr)
{
    const cli_option *option = &cli_option_table[index];

    if (!(option->commands & (unsigned)o->command)) {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                               "--%s is not an option of this command", option->name);
    }
    return option->set(o, optarg, reterr);
}

static stall_status parse_all(int argc, char **argv, cli_options *o, stall_error *reterr)
{
    struct option longs[TABLE_LEN + 1] = {{0}};
    char shorts[2 * TABLE_LEN + 2] = ":";
    size_t s = 1;

    for (size_t i = 0; i < TABLE_LEN; i++) {
        const cli_option *t = &cli_option_table[i];
        longs[i] = (struct option){t->name, t->arg ? required_argument : no_argument, NULL,
                                   (int)(256 + i)};
        if (t->letter) {
            shorts[s++] = t->letter;
            if (t->arg) {
                shorts[s++] = ':';
            }
        }
    }
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
        size_t index = TABLE_LEN;
        if (c >= 256) {
            index = (size_t)(c - 256);
        } else if (c == ':' || c == '?') {
            return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                                   c == ':' ? "option '%s' needs a value"
                                            : "unknown or ambiguous option '%s'",
                                   argv[optind - 1]);
        } else {
            for (index = 0; cli_option_table[index].letter != c; index++) {
            }
        }
        stall_status status = set_option(o, index, reterr);
        if (status != STALL_OK) {
            return status;
        }
    }
    return STALL_OK;
}

/* Hands the operands out: two sides, or runs of their own; then checks their number. */
static stall_status take_operands(int argc, char **argv, cli_options *o, stall_error *reterr)
{
    size_t named = o->runs_len;
    int operands = argc - optind;

    if (o->command == CLI_COMPARE &&
        ((named > 0 && operands > 0) || (named == 0 && operands != 2))) {
        stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                        "two runs are compared: give BROKEN FIXED, or --broken and --fixed");
        stall_error_hint(reterr, "see stalldiff --help; for one run: stalldiff show RUN");
        return STALL_EUSAGE;
    }
    if ((o->command == CLI_SHOW && operands < 1) || (o->command == CLI_SWEEP && operands < 1) ||
        (o->command == CLI_SERIES && operands != 1) ||
        (o->command == CLI_HELP && operands > 1) || (o->command == CLI_FORMATS && operands > 0)) {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE, "%s",
                               o->command == CLI_SHOW     ? "show needs a RUN"
                               : o->command == CLI_SWEEP  ? "sweep needs a RUN or W=RUN"
                               : o->command == CLI_SERIES ? "series needs one RUN"
                               : o->command == CLI_HELP   ? "help takes one TOPIC"
                                                          : "formats takes no argument");
    }
    for (int i = 0; i < operands; i++) {
        int side = o->command == CLI_COMPARE ? i : -1;
        stall_status status = o->command == CLI_SWEEP
                                  ? add_setting(o, argv[optind + i], reterr)
                                  : add_run(o, argv[optind + i], side, reterr);
        if (status != STALL_OK) {
            return status;
        }
    }
    bool sides[2] = {false, false}, stdin_seen = false;
    for (size_t i = 0; i < o->runs_len; i++) {
        bool is_stdin = strcmp(o->runs[i].path, "-") == 0;
        if (is_stdin && stdin_seen) {
            return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                                   "standard input can be read only once");
        }
        stdin_seen |= is_stdin;
        if (o->runs[i].side >= 0) {
            sides[o->runs[i].side] = true;
        }
    }
    if (o->command == CLI_COMPARE && !(sides[0] && sides[1])) {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE, "the %s side has no run",
                               sides[0] ? "fixed" : "broken");
    }
    return STALL_OK;
}

stall_status cli_options_parse(int argc, char **argv, cli_options *ret, stall_error *reterr)
{
    stall_status status;

    *ret = (cli_options){.plot = STALL_PLOT_SVG, .jobs = cli_cpus()};
    stall_analyze_options_init(&ret->analyze);
    ret->analyze.warmup = STALL_UNKNOWN;
    ret->read.tmp_dir = getenv("TMPDIR"); /* the library itself reads no environment */
    ret->command = take_command(&argc, &argv);
    status = parse_all(argc, argv, ret, reterr);
    if (status != STALL_OK || ret->want_help || ret->want_version) {
        return status;
    }
    if (ret->html && ret->document != CLI_DOC_NONE) {
        return stall_error_set(reterr, STALL_EUSAGE, STALL_OFFSET_NONE,
                               "--html is a file of the report folder: not with --md, --json or "
                               "--csv");
    }
    return take_operands(argc, argv, ret, reterr);
}

void cli_options_close(cli_options *o)
{
    stall_mem_free(o->runs);
    stall_mem_free(o->labels[0]);
    stall_mem_free(o->labels[1]);
    *o = (cli_options){0};
}
