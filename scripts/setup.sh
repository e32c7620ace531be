#!/usr/bin/env bash
# scripts/setup.sh - installs what ci/packages.txt lists and this machine lacks (Debian 12 and its relatives), and
# unpacks SwiftShader into .cache/swiftshader/. Does nothing, quickly and silently, when all is there.
# Usage: scripts/setup.sh
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

command -v dpkg-query >/dev/null || die "needs Debian's package tools; elsewhere install the list in ci/packages.txt"

# Names in ci/packages.txt: plain lines without an argument, `download` lines with it.
listed() {
    awk -v kind="${1:-}" '{ sub(/#.*/, "") } NF == 1 && kind == "" { print $1 } NF == 2 && $1 == kind { print $2 }' \
        "$root/ci/packages.txt"
}

# Of the names on stdin those that are not installed.
not_installed() {
    local installed
    # The output names alternatives that are known but not installed too, hence the status column.
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2>/dev/null | awk '$1 == "ii" { print $2 }')
    grep -vxF -f <(printf '%s\n' "$installed") || true
}

as_root() {
    if [[ $(id -u) -eq 0 ]]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "packages are missing and this is neither root nor is there sudo; as root, run: $*"
    fi
}

apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 -o APT::Keep-Downloaded-Packages=false \
        "$@"
}

updated=false
update_once() {
    $updated || apt update >/dev/null || die "apt-get update failed: is there a network and a package source?"
    updated=true
}

install_packages() {
    local missing
    mapfile -t missing < <(listed | not_installed)
    [[ ${#missing[@]} -gt 0 ]] || return 0
    say "setup: installing ${missing[*]}"
    update_once
    apt install --no-install-recommends "${missing[@]}" >/dev/null || die "apt-get install failed: ${missing[*]}"
}

# Fetches the package $1 and unpacks SwiftShader's two files from it. False when that cannot be done here.
unpack_swiftshader() (
    package=$1
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    cd "$scratch"
    apt-get -q download "$package" >/dev/null 2>&1 || return 1
    dpkg-deb --fsys-tarfile ./*.deb | tar -x --wildcards --transform='s#.*/##' '*/libvk_swiftshader.so' \
        '*/vk_swiftshader_icd.json' 2>/dev/null || return 1
    # The loader takes a path with a slash as relative to the manifest: the folder can be moved.
    sed -i 's#"library_path": *"[^"]*"#"library_path": "./libvk_swiftshader.so"#' vk_swiftshader_icd.json
    mkdir -p "$swiftshader_dir"
    mv libvk_swiftshader.so vk_swiftshader_icd.json "$swiftshader_dir/"
)

install_swiftshader() {
    local package
    [[ -f $swiftshader_icd && -f $swiftshader_dir/libvk_swiftshader.so ]] && return
    package=$(listed download)
    case $(dpkg --print-architecture) in
    amd64 | arm64) ;;
    *)
        say "setup: no SwiftShader for this architecture; going on without it (lavapipe is enough to run)"
        return
        ;;
    esac
    say "setup: unpacking SwiftShader from the package $package"
    unpack_swiftshader "$package" || { (update_once) && unpack_swiftshader "$package"; } ||
        say "setup: SwiftShader could not be fetched; going on without it (lavapipe is enough to run)"
}

install_packages
install_swiftshader
