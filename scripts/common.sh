# scripts/common.sh - what the other scripts share: the repository root, messages, where things are.
# Sourced, not run; the sourcing script has set `set -euo pipefail`.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export root

# Folder with SwiftShader's library and its manifest; scripts/setup.sh fills it.
swiftshader_dir=$root/.cache/swiftshader
swiftshader_icd=$swiftshader_dir/vk_swiftshader_icd.json

say() {
    printf '%s\n' "$*"
}

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Path of the built program below the build folder $1.
vfxbench_path() {
    local build=$1 file
    for file in "$build/vfxbench" "$build/bench/vfxbench"; do
        if [[ -x $file ]]; then
            say "$file"
            return
        fi
    done
    die "no vfxbench in $build; run scripts/build.sh first"
}

# All files of the tree that git does not ignore, relative to the root, one a line; below the paths given.
# shellcheck disable=SC2119,SC2120
tree_files() {
    local file
    git -C "$root" ls-files --cached --others --exclude-standard -- "$@" | while IFS= read -r file; do
        if [[ -f $root/$file ]]; then
            say "$file"
        fi
    done
}

# Copies those files into the folder $1.
# shellcheck disable=SC2119
copy_tree() {
    mkdir -p "$1"
    tree_files | tar -C "$root" -c -T - | tar -C "$1" -x
}

# Names of the kernel families: the folders of kernels/.
families() {
    local dir
    for dir in "$root"/kernels/*/; do
        [[ -d $dir ]] && basename "$dir"
    done
}

# Makes SwiftShader visible to the Vulkan loader next to the installed drivers. False if it is not there.
add_swiftshader() {
    [[ -f $swiftshader_icd ]] || return 1
    export VK_ADD_DRIVER_FILES=$swiftshader_icd
}
