#!/usr/bin/env bash
# scripts/test.sh - installs what is missing, builds, runs all tests. The last line says how many test cases passed,
# failed and were skipped; the exit code is 0 only if none failed.
# Usage: scripts/test.sh [ctest options, e.g. -L unit, -R compare]
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$root/scripts/setup.sh"
"$root/scripts/build.sh" || {
    say "0 passed, 1 failed"
    exit 1
}
export VFXBENCH_ALLOW_CPU=${VFXBENCH_ALLOW_CPU:-1}

junit=$(mktemp)
trap 'rm -f "$junit"' EXIT
code=0
# The output of passing tests is kept whole: the cases are counted in it.
ctest --test-dir "$root/build" --output-on-failure --no-tests=error --output-junit "$junit" \
    --test-output-size-passed 10000000 --test-output-size-failed 10000000 "$@" || code=$?
python3 "$root/scripts/count_tests.py" "$junit" "$code"
