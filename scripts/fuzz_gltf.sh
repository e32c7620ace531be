#!/usr/bin/env bash
# scripts/fuzz_gltf.sh - reads changed glTF files under AddressSanitizer and UndefinedBehaviorSanitizer (fuzz_gltf.c).
# Starts from built-in models and, where ../shared/data/gltf exists, from the small ones there. Exit code 0: no finding.
# Usage: scripts/fuzz_gltf.sh [-b build folder] [-n inputs] [-t seconds] [-s seed] [-f first input]
#   -b  where the program is built, default build-fuzz-gltf; a finding's file goes there too, as finding.bin
#   -n, -t  stop after so many inputs or seconds, whichever comes first; default: 60 seconds
#   -s, -f  input f of seed s is the same in every run with the same models: a report says how to repeat it
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$root"

build=$root/build-fuzz-gltf
arguments=()
while getopts b:n:t:s:f: option; do
    case $option in
    b) build=$(realpath -m "$OPTARG") ;;
    '?') die "usage: scripts/fuzz_gltf.sh [-b build folder] [-n inputs] [-t seconds] [-s seed] [-f first input]" ;;
    *) arguments+=("-$option" "$OPTARG") ;;
    esac
done

compiler=${CC:-$(command -v clang || command -v gcc)} || die "needs clang or gcc"
mkdir -p "$build"
mapfile -t sources < <(compgen -G 'kernels/vat/gltf*.c' | grep -v _test)
# shellcheck disable=SC2046  # pkg-config gives several words
"$compiler" -std=c17 -O1 -g -fno-omit-frame-pointer -ffp-contract=off -fsanitize=address,undefined \
    -fno-sanitize-recover=all -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-missing-field-initializers -I. \
    -D_POSIX_C_SOURCE=200809L scripts/fuzz_gltf.c scripts/fuzz_gltf_change.c "${sources[@]}" kernels/vat/model.c \
    kernels/vat/pose.c core/status.c core/platform.c $(pkg-config --cflags --libs jansson) -lm -o "$build/fuzz_gltf"

seeds=()
if [[ -d ../shared/data/gltf ]]; then
    mapfile -t seeds < <(find ../shared/data/gltf -type f \( -name '*.gltf' -o -name '*.glb' \) -size -32k |
        LC_ALL=C sort)
fi
ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=16:hard_rss_limit_mb=1024} UBSAN_OPTIONS=print_stacktrace=1 \
    "$build/fuzz_gltf" -o "$build/finding.bin" ${arguments[@]+"${arguments[@]}"} -- ${seeds[@]+"${seeds[@]}"}
