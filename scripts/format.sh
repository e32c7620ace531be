#!/usr/bin/env bash
# scripts/format.sh - clang-format over all C files, except the headers whose tables it would take apart.
# Usage: scripts/format.sh [--check]      --check changes nothing and fails if something would change
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd "$root"
mapfile -t files < <(tree_files '*.c' '*.h' | grep -v -E '^core/(shared|kernel)\.h$|_shared\.h$')
case ${1:-} in
'') clang-format -i "${files[@]}" ;;
--check)
    clang-format --dry-run -Werror "${files[@]}" || die "run scripts/format.sh"
    say "format: ${#files[@]} files"
    ;;
*) die "usage: scripts/format.sh [--check]" ;;
esac
