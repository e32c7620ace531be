#!/usr/bin/env bash
# scripts/run.sh - from a bare machine to numbers: installs what is missing, builds, then verifies and times the `ci`
# preset of every family on the best device: the GPU, or a software device when there is none.
# Usage: scripts/run.sh [options for verify and time, e.g. --device NAME]
# Results: results/<date-time>/verify.json and time.json, and build/report.html, a page made from both
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [[ ${1:-} == -h || ${1:-} == --help ]]; then
    sed -n '2,/^[^#]/ s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | grep -v '^shellcheck'
    exit
fi

"$root/scripts/setup.sh"
say "== build"
"$root/scripts/build.sh"
vfxbench=$(vfxbench_path "$root/build")

# A GPU is taken when there is one; this only permits the software device otherwise.
export VFXBENCH_ALLOW_CPU=${VFXBENCH_ALLOW_CPU:-1}

results=$root/results/$(date +%Y%m%d-%H%M%S)
mkdir -p "$results"
# Both are run, so that a failed check leaves a complete picture; the first failure is the exit code.
code=0
say "== verify (some minutes on a software device)"
"$vfxbench" verify '*/*/ci' --output "$results/verify.json" "$@" || code=$?
say "== time"
"$vfxbench" time '*/*/ci' --output "$results/time.json" "$@" || code=$((code ? code : $?))
say "Results: ${results#"$PWD"/}/verify.json and time.json"
# A verb that could not even start leaves no result.
files=()
for file in "$results/verify.json" "$results/time.json"; do
    [[ ! -f $file ]] || files+=("$file")
done
if [[ ${#files[@]} -gt 0 ]]; then
    say "== report"
    if "$vfxbench" report "${files[@]}" --output "$root/build/report.html" --quiet; then
        say "Report: $root/build/report.html"
    else
        code=$((code ? code : 5))
    fi
fi
exit "$code"
