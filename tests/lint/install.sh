#!/bin/bash
# The installed tree is usable: each header alone in C and C++, a program built by pkg-config.
set -eu
build=$(readlink -f "$1") dest=$(mktemp -d)
trap 'rm -rf "$dest"' EXIT
DESTDIR=$dest meson install -C "$build" --quiet
inc=$dest/usr/local/include
for h in "$inc"/stalldiff/*.h; do
    printf "#include <stalldiff/%s>\nextern int used;\n" "$(basename "$h")" > "$dest/t.c"
    gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$inc" -c "$dest/t.c" -o "$dest/t.o"
    g++ -std=c++17 -Wall -Wextra -Werror -x c++ -I"$inc" -c "$dest/t.c" -o "$dest/t.o"
done
cat > "$dest/t.c" <<'C'
#include <stalldiff/stalldiff.h>
int main(void)
{
    stall_series s;
    stall_series_init(&s);
    stall_series_close(&s);
    return stall_warn_name(STALL_WARN_bom)[0] != 'b';
}
C
export PKG_CONFIG_SYSROOT_DIR=$dest
pc=$(dirname "$(find "$dest" -name stalldiff.pc)")
lib=$(dirname "$(find "$dest" -name libstalldiff.a)")
gcc $(PKG_CONFIG_PATH=$pc pkg-config --cflags stalldiff) "$dest/t.c" -o "$dest/t" -L"$lib" -lstalldiff
LD_LIBRARY_PATH=$lib "$dest/t"
test -x "$dest/usr/local/bin/stalldiff"
share=$dest/usr/local/share
for f in man/man1/stalldiff.1 stalldiff/report.schema.json bash-completion/completions/stalldiff \
    zsh/site-functions/_stalldiff fish/vendor_completions.d/stalldiff.fish; do
    test -s "$share/$f" || { echo "not installed: $f"; exit 1; }
done
python3 -m json.tool "$share/stalldiff/report.schema.json" > /dev/null
bash -n "$share/bash-completion/completions/stalldiff"
