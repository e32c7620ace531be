#!/usr/bin/env bash
# scripts/check_budgets.sh - small pieces: a file has at most 400 lines, a function 60, a shader 150. Tests and tables
# (*_test.c, *_shared.h) may have longer files; their functions may not be longer. Prints file:line of what is over.
# A function is counted from its opening brace in column 1 (clang-format puts it there) to its closing brace.
# Usage: scripts/check_budgets.sh [root of another tree]
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

tree=${1:-$root}
cd "$tree"
mapfile -t files < <(find CMakeLists.txt core kernels bench scripts ci -type f \( -name '*.[ch]' -o -name '*.glsl' \
    -o -name '*.comp' -o -name '*.sh' -o -name '*.py' -o -name CMakeLists.txt \) 2>/dev/null | sort)

awk '
function over(file, line, what, length_, most) {
    printf "%s:%d: %s has %d lines, at most %d allowed\n", file, line, what, length_, most
    bad++
}
function end_file() {
    if (previous == "" || previous ~ /_test\.c$/ || previous ~ /_shared\.h$/)
        return
    most = (previous ~ /\.(comp|glsl)$/) ? 150 : 400
    if (lines > most)
        over(previous, lines, "the file", lines, most)
}
FNR == 1 { end_file(); previous = FILENAME; start = 0; files++ }
{ lines = FNR }
FILENAME ~ /\.[ch]$/ && /^[A-Za-z_].*\(/ { head = $0; sub(/\(.*/, "", head); sub(/.*[ *]/, "", head) }
FILENAME ~ /\.[ch]$/ && /^[{]/ { start = FNR }
FILENAME ~ /\.[ch]$/ && /^[}]/ && start {
    functions++
    if (FNR - start + 1 > 60)
        over(FILENAME, start, head "()", FNR - start + 1, 60)
    start = 0
}
END {
    end_file()
    printf "budgets: %d files, %d functions, %d over\n", files, functions, bad
    exit bad > 0
}' "${files[@]}"
