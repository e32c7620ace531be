#!/usr/bin/env bash
# scripts/readme_commands.sh - runs the commands that README.md shows, so that they stay true: every ```sh block right
# after a line `<!-- ci -->`, in order, each in a shell of its own at the repository root.
# Usage: scripts/readme_commands.sh [--list] [file]
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

list=false
if [[ ${1:-} == --list ]]; then
    list=true
    shift
fi
readme=$(realpath "${1:-$root/README.md}")
cd "$root"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One file a block, named by the line in the README that it starts at.
awk -v folder="$scratch" '
    /^<!-- ci -->$/ { marked = 1; next }
    /^```sh$/ && marked { file = sprintf("%s/%05d", folder, FNR + 1); inside = 1; marked = 0; next }
    /^```$/ { inside = 0 }
    inside { print > file }
    { marked = 0 }
' "$readme"

count=0
for block in "$scratch"/*; do
    [[ -f $block ]] || die "$readme: no \`\`\`sh block after a line <!-- ci -->"
    count=$((count + 1))
    line=$((10#$(basename "$block")))
    say "-- ${readme##*/}:$line"
    sed 's/^/   /' "$block"
    $list || bash -euo pipefail "$block" </dev/null || die "${readme##*/}:$line failed"
done
say "readme: $count blocks"
