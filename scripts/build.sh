#!/usr/bin/env bash
# scripts/build.sh - configures (once) and builds. Every other script builds through this one.
# Usage: scripts/build.sh [build-dir] [cmake options...]      default build-dir: build
# Example: scripts/build.sh build-clang -DCMAKE_C_COMPILER=clang -DVFX_WERROR=ON
# Warnings are errors only where asked for, so that a compiler newer than ours does not stop anybody.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build=$root/build
if [[ $# -gt 0 && $1 != -* ]]; then
    build=$(realpath -m "$1")
    shift
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Silence is success: the log is shown when a step fails.
quietly() {
    "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        die "failed: $*"
    }
}

if [[ ! -f $build/build.ninja || $# -gt 0 ]]; then
    quietly cmake -S "$root" -B "$build" -G Ninja -DVFX_WERROR=OFF "$@"
fi
quietly cmake --build "$build"
