#!/usr/bin/env bash
# scripts/check_layers.sh - includes go one way: bench -> kernels -> core -> system libraries. Prints file:line of
# every include that goes up or sideways, and fails if there is one.
#   core/          includes core/ only
#   kernels/F/     includes core/ and its own kernels/F/, never another family, never kernels/kernels.h
#   kernels/*.[ch] (the table of families) includes core/ and each kernels/F/F.h
#   bench/         includes all of the above
#   Vulkan headers, volk and core/vk.h are for the Vulkan files listed here, and so are the headers among these
# Usage: scripts/check_layers.sh [root of another tree]
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# The only files that may see Vulkan's types. core/gpu.h is not one of them: it is what the others see of a device.
vulkan_files='
core/vk.h core/vk*.c
core/gpu*.c
core/buffer.h core/buffer*.c
core/image_gpu.h core/image_gpu*.c
core/pipeline.h core/pipeline*.c
core/timer_gpu.h core/timer_gpu*.c
core/ceiling*.h core/ceiling*.c
core/run_internal.h core/run_setup.c core/run_input.c core/run_gpu*.c
'

tree=${1:-$root}
cd "$tree"

is_vulkan_file() {
    local pattern
    set -f
    for pattern in $vulkan_files; do
        # shellcheck disable=SC2053  # a pattern, on purpose
        if [[ $1 == $pattern ]]; then
            set +f
            return 0
        fi
    done
    set +f
    return 1
}

# Reason why file $1 may not include "$2"; nothing when it may.
reason() {
    local file=$1 target=$2 family
    # A Vulkan file's header shows Vulkan's types to whoever includes it.
    if [[ $target == vulkan/* || $target == volk.h || $target == volk/* ]] || is_vulkan_file "$target"; then
        is_vulkan_file "$file" || say "Vulkan is for core's Vulkan files only"
        return
    fi
    case $target in
    core/* | kernels/* | bench/*) ;;
    *) return ;; # a system header; the compiler finds it or not
    esac
    case $file in
    core/*) [[ $target == core/* ]] || say "core knows nothing above it" ;;
    kernels/*/*)
        family=${file#kernels/}
        family=${family%%/*}
        [[ $target == core/* || $target == kernels/$family/* ]] ||
            say "a family includes core/ and its own folder only"
        ;;
    kernels/*) [[ $target != bench/* ]] || say "kernels knows nothing of bench" ;;
    esac
}

files=$(find core kernels bench -type f \( -name '*.[ch]' -o -name '*.glsl' -o -name '*.comp' \) | sort)
count=0
bad=0
while IFS=$'\t' read -r file line target quote; do
    count=$((count + 1))
    why=$(reason "$file" "$target")
    if [[ -z $why && $quote == '"' && $target != */* && $target != volk.h ]]; then
        why='write the path from the repository root'
    fi
    if [[ -n $why ]]; then
        say "$file:$line: #include $target: $why"
        bad=$((bad + 1))
    fi
done < <(
    # shellcheck disable=SC2086  # file names of this tree have no spaces
    awk -v OFS='\t' '/^[ \t]*#[ \t]*include[ \t]*["<]/ {
        quote = ($0 ~ /"/) ? "\"" : "<"
        match($0, /["<][^">]*[">]/)
        print FILENAME, FNR, substr($0, RSTART + 1, RLENGTH - 2), quote
    }' $files
)
say "layers: $count includes, $bad wrong"
[[ $bad -eq 0 ]]
