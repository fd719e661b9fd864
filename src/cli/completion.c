/* Completion scripts of shells, from the tables that the program itself parses with.
 *
 * Enters: the name of a shell. Leaves: a script on stdout. Nothing of the options is written down
 * here, so that the scripts cannot drift from the program. */
#include <string.h>

#include "cli/cli.h"

typedef enum kind { KIND_NONE, KIND_FILE, KIND_VALUES, KIND_FORMAT, KIND_TEXT } kind;

static kind argument_kind(const cli_option *o)
{
    if (o->arg == NULL) {
        return KIND_NONE;
    }
    if (strcmp(o->name, "format") == 0) {
        return KIND_FORMAT;
    }
    if (o->values != NULL) {
        return KIND_VALUES;
    }
    return strcmp(o->arg, "RUN") == 0 || strcmp(o->arg, "DIR") == 0 || strcmp(o->arg, "FILE") == 0
               ? KIND_FILE
               : KIND_TEXT;
}

/* The words that an argument may be, for those kinds that have them. */
static void put_values(const cli_option *o)
{
    if (argument_kind(o) == KIND_VALUES) {
        fputs(o->values, stdout);
    }
    for (size_t i = 0; argument_kind(o) == KIND_FORMAT && stall_readers[i] != NULL; i++) {
        printf("%s%s", i > 0 ? " " : "", stall_readers[i]->name);
    }
}

/* Names of the commands, with `between` between them: those that take the bits, or all others. */
static void put_commands(unsigned bits, bool taken, const char *between)
{
    unsigned bit;
    const char *name, *sep = "";

    for (size_t i = 0; (name = cli_command_name(i, &bit)) != NULL; i++) {
        if (((bits & bit) != 0) == taken) {
            printf("%s%s", sep, name);
            sep = between;
        }
    }
}

/* ---- bash ---- */

static void put_bash_arguments(void)
{
    for (const cli_option *o = cli_option_table; o->name != NULL; o++) {
        kind k = argument_kind(o);
        if (k == KIND_NONE) {
            continue;
        }
        printf("    --%s", o->name);
        if (o->letter) {
            printf("|-%c", o->letter);
        }
        if (k == KIND_FILE) {
            fputs(") COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", stdout);
        } else if (k == KIND_TEXT) {
            fputs(") return ;;\n", stdout);
        } else {
            fputs(") COMPREPLY=($(compgen -W \"", stdout);
            put_values(o);
            fputs("\" -- \"$cur\")); return ;;\n", stdout);
        }
    }
}

static void put_bash_options(void)
{
    unsigned bit;
    const char *name;

    for (size_t i = 0; (name = cli_command_name(i, &bit)) != NULL; i++) {
        printf("    %s) words=\"", name);
        for (const cli_option *o = cli_option_table; o->name != NULL; o++) {
            if (o->commands & bit) {
                printf(" --%s", o->name);
            }
        }
        fputs("\" ;;\n", stdout);
    }
}

static void put_bash(void)
{
    fputs("# bash completion for stalldiff\n"
          "_stalldiff() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=compare words=\n"
          "    COMPREPLY=()\n"
          "    if [[ $COMP_CWORD -gt 1 ]]; then\n"
          "        case ${COMP_WORDS[1]} in\n        ",
          stdout);
    put_commands(0, false, "|");
    fputs(") command=${COMP_WORDS[1]} ;;\n        esac\n    fi\n    case $prev in\n", stdout);
    put_bash_arguments();
    fputs("    esac\n    case $command in\n", stdout);
    put_bash_options();
    fputs("    esac\n"
          "    if [[ $cur == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    elif [[ $command == help ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$(stalldiff help | sed -n 's/^  \\([a-z0-9_]*\\) "
          ".*/\\1/p')\" "
          "-- \"$cur\"))\n"
          "    else\n"
          "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
          "        if [[ $COMP_CWORD -eq 1 ]]; then\n"
          "            COMPREPLY+=($(compgen -W \"",
          stdout);
    put_commands(0, false, " ");
    fputs("\" -- \"$cur\"))\n        fi\n    fi\n}\n"
          "complete -o filenames -F _stalldiff stalldiff\n",
          stdout);
}

/* ---- zsh ---- */

/* Text between brackets in single quotes: a bracket or colon would end it. */
static void put_zsh_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("[]:\\", *text) != NULL) {
            putchar('\\');
        }
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, stdout);
    }
}

static void put_zsh_option(const cli_option *o)
{
    kind k = argument_kind(o);

    fputs("        '", stdout);
    if (o->letter) {
        printf("(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
    } else {
        printf("%s--%s[", k == KIND_FILE ? "*" : "", o->name); /* a RUN may be repeated */
    }
    put_zsh_text(o->help);
    fputs("]", stdout);
    if (k != KIND_NONE) {
        putchar(':');
        put_zsh_text(o->arg);
        putchar(':');
    }
    if (k == KIND_FILE) {
        fputs("_files", stdout);
    } else if (k == KIND_VALUES || k == KIND_FORMAT) {
        putchar('(');
        put_values(o);
        putchar(')');
    }
    fputs("' \\\n", stdout);
}

static void put_zsh(void)
{
    unsigned bit;
    const char *name;

    fputs("#compdef stalldiff\n"
          "_stalldiff_first() {\n"
          "    _alternative 'commands:command:(",
          stdout);
    put_commands(0, false, " ");
    fputs(
        ")' 'files:run:_files'\n}\n"
        "_stalldiff_topic() {\n"
        "    compadd -- ${(f)\"$(stalldiff help | sed -n 's/^  \\([a-z0-9_]*\\) .*/\\1/p')\"}\n}\n"
        "_stalldiff() {\n    local command=compare\n    case ${words[2]} in\n    (",
        stdout);
    put_commands(0, false, "|");
    fputs(") command=${words[2]} ;;\n    esac\n    case $command in\n", stdout);
    for (size_t i = 0; (name = cli_command_name(i, &bit)) != NULL; i++) {
        printf("    (%s)\n        _arguments \\\n", name);
        for (const cli_option *o = cli_option_table; o->name != NULL; o++) {
            if (o->commands & bit) {
                put_zsh_option(o);
            }
        }
        printf("        '1: :_stalldiff_first' '*:%s' ;;\n",
               bit == CLI_HELP ? "topic:_stalldiff_topic" : "run:_files");
    }
    fputs("    esac\n}\n_stalldiff \"$@\"\n", stdout);
}

/* ---- fish ---- */

static void put_fish_text(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\') {
            putchar('\\');
        }
        putchar(*text);
    }
}

static void put_fish(void)
{
    fputs("# fish completion for stalldiff\ncomplete -c stalldiff -n __fish_use_subcommand -a '",
          stdout);
    put_commands(0, false, " ");
    fputs("'\ncomplete -c stalldiff -f -n '__fish_seen_subcommand_from help' -a "
          "'(stalldiff help | string match -rg \"^  ([a-z0-9_]+) \")'\n",
          stdout);
    for (const cli_option *o = cli_option_table; o->name != NULL; o++) {
        kind k = argument_kind(o);
        bool compare = (o->commands & CLI_COMPARE) != 0; /* it needs no word of its own */
        printf("complete -c stalldiff -n '%s__fish_seen_subcommand_from ", compare ? "not " : "");
        put_commands(o->commands, !compare, " ");
        printf("' -l %s", o->name);
        if (o->letter) {
            printf(" -s %c", o->letter);
        }
        if (k == KIND_FILE) {
            fputs(" -rF", stdout);
        } else if (k != KIND_NONE) {
            fputs(" -x", stdout);
        }
        if (k == KIND_VALUES || k == KIND_FORMAT) {
            fputs(" -a '", stdout);
            put_values(o);
            putchar('\'');
        }
        fputs(" -d '", stdout);
        put_fish_text(o->help);
        fputs("'\n", stdout);
    }
}

bool cli_print_completion(const char *shell)
{
    static const struct {
        const char *name;
        void (*put)(void);
    } shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};

    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shell, shells[i].name) == 0) {
            shells[i].put();
            return true;
        }
    }
    return false;
}
