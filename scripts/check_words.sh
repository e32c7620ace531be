#!/usr/bin/env bash
# scripts/check_words.sh - what has no place in a finished tree: paths of somebody's machine, notes to self, trailing
# blanks, tabs in sources. Prints file:line of each.
# Usage: scripts/check_words.sh
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cd "$root"
mapfile -t files < <(tree_files . | grep -v -E '^scripts/check_words\.sh$|\.(png|glb|bin|npy|spv)$')
bad=0

# $1 what it is, $2 an extended regular expression
look_for() {
    local hits
    hits=$(grep -n -I -E -- "$2" "${files[@]}" || true)
    if [[ -n $hits ]]; then
        say "$1:"
        say "$hits"
        bad=1
    fi
}

look_for 'path of a machine' '(^|[^A-Za-z0-9_.$}/])/(work|root|home|Users)/'
look_for 'note to self' '\b(TODO|FIXME|XXX|HACK)\b'
look_for 'blank at the end of a line' '[[:blank:]]$'
say "words: ${#files[@]} files"
[[ $bad -eq 0 ]]
