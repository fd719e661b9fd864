/* The program's entry: parses options, calls the command, returns its status. Nothing else. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    cli_options o = {0};
    stall_error error = {0};
    int ret = CLI_EXIT_OK;

    if (cli_options_parse(argc, argv, &o, &error) != STALL_OK) {
        ret = cli_print_error(stderr, &error);
    } else if (o.want_help) {
        cli_print_usage(stdout);
    } else if (o.want_version) {
        printf("stalldiff %s\n", STALLDIFF_VERSION);
    } else if (o.command == CLI_SERIES) {
        ret = cli_run_series(&o);
    } else if (o.command == CLI_FORMATS) {
        ret = cli_run_formats();
    } else if (o.command == CLI_HELP) {
        ret = cli_run_help(&o);
    } else {
        ret = cli_run_report(&o);
    }
    cli_options_close(&o);
    if (fflush(stdout) != 0 && ret == CLI_EXIT_OK) {
        fputs("stalldiff: standard output: cannot be written\n", stderr);
        ret = CLI_EXIT_OUTPUT;
    }
    return ret;
}
