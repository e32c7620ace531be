#!/usr/bin/env bash
# scripts/check_spirv.sh - all built SPIR-V is valid under the scalar layout, and where a shader's source says
# `precise`, every float operation of its module that a compiler could fuse or reorder is decorated NoContraction.
# `precise` does not pass through function calls, so one forgotten word leaves an operation free: this finds it. It
# looks at the module as compiled without optimisation: the optimiser would turn free multiply-adds into Fma, which then
# could not be told from the fma() calls of a source. Those are fused or not as the device likes, and meant to be.
# Usage: scripts/check_spirv.sh [build-dir]
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build=$(realpath -m "${1:-$root/build}")
cd "$root"
shopt -s nullglob
modules=("$build"/spirv/*.spv)
[[ ${#modules[@]} -gt 0 ]] || die "no SPIR-V in $build/spirv; run scripts/build.sh first"

# The shader $1 and the .glsl files of kernels/ that it includes, directly or not.
sources() {
    local include
    say "$1"
    while IFS= read -r include; do
        sources "$include"
    done < <(sed -n 's/^#include "\(kernels\/.*\.glsl\)".*/\1/p' "$1")
}

says_precise() {
    local -a files
    mapfile -t files < <(sources "$1")
    grep -qE '\bprecise (float|vec[234]|mat[234])' "${files[@]}"
}

# Prints "<float operations that could be contracted> <of these decorated>" and the lines of those that are not.
count_contractable() {
    spirv-dis --no-color --no-header "$1" | awk '
        $1 == "OpDecorate" && $3 == "NoContraction" { decorated[$2] = 1 }
        $3 ~ /^Op(FAdd|FSub|FMul|Dot|VectorTimesScalar|VectorTimesMatrix|MatrixTimes.*|OuterProduct)$/ {
            operations++
            if ($1 in decorated)
                held++
            else
                free = free "\n    " $0
        }
        END { printf "%d %d%s\n", operations, held, free }'
}

bad=0
promised=0
plain=$(mktemp)
trap 'rm -f "$plain"' EXIT
for module in "${modules[@]}"; do
    name=$(basename "$module" .spv)
    spirv-val --target-env vulkan1.2 --scalar-block-layout "$module" || {
        say "$module: not valid"
        bad=$((bad + 1))
    }
    shader=(kernels/*/"$name".comp)
    if [[ ${#shader[@]} -eq 1 ]] && says_precise "${shader[0]}"; then
        promised=$((promised + 1))
        glslc --target-env=vulkan1.2 -O0 -I. -c "${shader[0]}" -o "$plain"
        counts=$(count_contractable "$plain")
        read -r operations held <<<"${counts%%$'\n'*}"
        if [[ $operations -ne $held ]]; then
            say "${shader[0]}: says precise, but $((operations - held)) of $operations operations lack NoContraction:"
            sed -n '2,6p' <<<"$counts"
            bad=$((bad + 1))
        else
            say "$name: NoContraction on all $operations operations"
        fi
    fi
done
say "spirv: ${#modules[@]} modules, $promised of them precise, $bad wrong"
[[ $bad -eq 0 ]]
