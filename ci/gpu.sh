#!/usr/bin/env bash
# ci/gpu.sh - for a machine with a real GPU: verifies every family on it, then times the ladder of sizes. Software
# devices are never taken. Continuous integration does not call it.
# Usage: ci/gpu.sh [results folder]      default: results/gpu-<date-time>
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

results=$(realpath -m "${1:-$root/results/gpu-$(date +%Y%m%d-%H%M%S)}")
mkdir -p "$results"
cd "$root"
scripts/build.sh
vfxbench=$(vfxbench_path "$root/build")
export VFXBENCH_ALLOW_CPU=0 VFXBENCH_REQUIRE_DEVICE=1

failed=()
# $1 is the name of the result file, the rest the arguments; a failure does not keep the later ones from running.
record() {
    local name=$1
    shift
    say "== $name: vfxbench $*"
    "$vfxbench" "$@" --output "$results/$name.json" || failed+=("$name")
}

record info info
record verify verify '*/*/ci'
record repeat verify '*/*/ci' --mode repeat
record golden golden check
record time-ci time '*/*/ci'
record time-tentacle-100k time 'tentacle/*/100k'
record time-tentacle-150k time 'tentacle/ring*/150k' 'tentacle/fused/150k'
record time-grass-1m time 'grass/*/1m'
record time-vat-288k-packed time 'vat/*/288k' --set vertex_format=packed
record time-pbd time 'pbd/*/packed-*'
say "Results: $results"
[[ ${#failed[@]} -eq 0 ]] || die "failed: ${failed[*]}"
