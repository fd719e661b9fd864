/* formats, help and --help: what the tables of the stages say of themselves. */
#include <string.h>

#include "cli/cli.h"

int cli_run_formats(void)
{
    puts("Read (found from the content; .gz and .zst of each too):");
    for (size_t i = 0; stall_readers[i] != NULL; i++) {
        printf("  %-15s %s\n", stall_readers[i]->name, stall_readers[i]->summary);
    }
    puts("Written:");
    puts("  report folder: report.md, report.json, summary.csv, series.csv, gaps.csv,");
    puts("                 histogram.csv, plots/*.gp with svg, png or pdf beside them,");
    puts("                 with --html report.html too");
    puts("  series CSV:    stalldiff series RUN; read back exactly");
    return CLI_EXIT_OK;
}

void cli_print_usage(FILE *out)
{
    fputs("usage: stalldiff [OPTIONS] BROKEN FIXED        compare two runs\n"
          "       stalldiff [OPTIONS] --broken A... --fixed B...   several passes a side\n"
          "       stalldiff show [OPTIONS] RUN...         one run, or each of several, alone\n"
          "       stalldiff sweep [OPTIONS] [W=]RUN...    runs with W workers each, and controls\n"
          "       stalldiff series [OPTIONS] RUN          the per-step series as CSV\n"
          "       stalldiff formats | help [TOPIC]\n"
          "RUN is a file, a folder of one run, or - for standard input; gzip and zstd are found by\n"
          "content.\n"
          "W is the worker count of a run, where its metadata do not say.\n\n"
          "options:\n",
          out);
    for (const cli_option *o = cli_option_table; o->name != NULL; o++) {
        char left[64];
        snprintf(left, sizeof left, "%c%c%c --%s%s%s", o->letter ? '-' : ' ',
                 o->letter ? o->letter : ' ', o->letter ? ',' : ' ', o->name, o->arg ? " " : "",
                 o->arg ? o->arg : "");
        fprintf(out, "  %-28s %s\n", left, o->help);
    }
    fputs("\nexit status: 0 report made, gate met; 1 gate not met; 2 usage, or input without\n"
          "usable steps; 3 gate asked and not decidable; 4 output could not be written\n",
          out);
}

typedef struct vocabulary {
    const char *title;
    const stall_term *(*at)(size_t i); /* NULL past the end */
} vocabulary;

static const stall_term *shape_at(size_t i)
{
    return i <= STALL_SHAPE_INCONCLUSIVE ? stall_shape_term((stall_shape)i) : NULL;
}

static const stall_term *sweep_at(size_t i)
{
    return i <= STALL_SWEEP_PARTLY ? stall_sweep_term((stall_sweep_verdict)i) : NULL;
}

static const stall_term *control_at(size_t i)
{
    return i <= STALL_CONTROL_UNDECIDED ? stall_control_term((stall_control_outcome)i) : NULL;
}

static const stall_term *note_at(size_t i)
{
    return i < STALL_NOTE_COUNT ? stall_note_term((stall_note)i) : NULL;
}

static const stall_term *verdict_at(size_t i)
{
    return i <= STALL_VERDICT_INCONCLUSIVE ? stall_verdict_term((stall_verdict)i) : NULL;
}

static const stall_term *why_at(size_t i)
{
    return i < STALL_WHY_COUNT ? stall_why_term((stall_why)i) : NULL;
}

static const stall_term *warning_at(size_t i)
{
    return i < STALL_WARN_COUNT ? stall_warn_term((stall_warn_code)i) : NULL;
}

static const stall_term *caveat_at(size_t i)
{
    return stall_caveat_terms[i].code ? &stall_caveat_terms[i] : NULL;
}

static const stall_term *advice_at(size_t i)
{
    return stall_advice_terms[i].code ? &stall_advice_terms[i] : NULL;
}

static const vocabulary vocabularies[] = {
    {"shapes of the waiting", shape_at},
    {"verdicts of a comparison", verdict_at},
    {"reasons of a verdict", why_at},
    {"verdicts of a sweep", sweep_at},
    {"outcomes of a control", control_at},
    {"notes of an analysis", note_at},
    {"caveats", caveat_at},
    {"next experiments", advice_at},
    {"warnings about the input", warning_at},
};

#define VOCABULARIES (sizeof vocabularies / sizeof *vocabularies)

/* Prints a paragraph, broken at blanks before column 78. */
static void print_wrapped(const char *text)
{
    size_t column = 0;

    while (*text != '\0') {
        size_t len = strcspn(text, " ");
        if (column > 0 && column + 1 + len > 78) {
            putchar('\n');
            column = 0;
        }
        printf("%s%.*s", column > 0 ? " " : "  ", (int)len, text);
        column += (column > 0 ? 1 : 2) + len;
        text += len;
        text += strspn(text, " ");
    }
    putchar('\n');
}

static int print_topics(void)
{
    puts("stalldiff help TOPIC explains a word of a report. Topics:");
    for (size_t v = 0; v < VOCABULARIES; v++) {
        printf("\n%s\n", vocabularies[v].title);
        const stall_term *term;
        for (size_t i = 0; (term = vocabularies[v].at(i)) != NULL; i++) {
            printf("  %-28s %s\n", term->code, term->words);
        }
    }
    return CLI_EXIT_OK;
}

int cli_run_help(const cli_options *o)
{
    bool found = false;
    const stall_term *term;

    if (o->runs_len == 0) {
        return print_topics();
    }
    /* "completion-bash" and the like are for packagers, not for readers of reports */
    if (strncmp(o->runs[0].path, "completion-", 11) == 0 &&
        cli_print_completion(o->runs[0].path + 11)) {
        return CLI_EXIT_OK;
    }
    for (size_t v = 0; v < VOCABULARIES; v++) {
        for (size_t i = 0; (term = vocabularies[v].at(i)) != NULL; i++) {
            if (strcmp(term->code, o->runs[0].path) == 0) {
                printf("%s%s: %s (%s)\n", found ? "\n" : "", term->code, term->words,
                       vocabularies[v].title);
                print_wrapped(term->help);
                found = true;
            }
        }
    }
    if (!found) {
        stall_error error = {0};
        stall_error_set(&error, STALL_EUSAGE, STALL_OFFSET_NONE, "no help topic '%.60s'",
                        o->runs[0].path);
        stall_error_hint(&error, "stalldiff help lists them");
        return cli_print_error(stderr, &error);
    }
    return CLI_EXIT_OK;
}
