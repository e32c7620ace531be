#!/usr/bin/env bash
# ci/bare.sh - proves the two commands of README.md on a bare Debian 12: makes a minimal system in a folder with
# debootstrap, clones the repository into it and runs scripts/run.sh and scripts/test.sh there. Needs root.
# Usage: ci/bare.sh [--worktree] [folder]
#   --worktree  copy the working tree instead of cloning the last commit
#   folder      where the system goes, and stays; one that is there already is used as it is. Without it a temporary
#               folder is used.
# The package source is that of this machine.
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

worktree=false
if [[ ${1:-} == --worktree ]]; then
    worktree=true
    shift
fi
[[ $# -le 1 && ${1:-} != -* ]] || die "usage: ci/bare.sh [--worktree] [folder]"
[[ $(id -u) -eq 0 ]] || die "needs root for chroot"
command -v debootstrap >/dev/null || die "needs the package debootstrap"

temporary=
if [[ $# -gt 0 ]]; then
    system=$(realpath -m "$1")
else
    temporary=$(mktemp -d)
    system=$temporary
fi

# First address in this machine's package sources that serves the suite $1.
source_of() {
    # shellcheck disable=SC2016  # apt-get fills in these names, not the shell
    apt-get indextargets --format '$(SITE) $(RELEASE)' 2>/dev/null |
        awk -v suite="$1" '$2 == suite { print $1; exit }'
}

clean_up() {
    if mountpoint -q "$system/proc"; then
        umount "$system/proc"
    fi
    if [[ -n $temporary ]]; then
        rm -rf --one-file-system "$temporary"
    fi
}
trap clean_up EXIT

make_system() {
    local mirror security
    mirror=$(source_of bookworm)
    security=$(source_of bookworm-security)
    [[ -n $mirror ]] || die "this machine has no package source for Debian 12 (bookworm)"
    say "== debootstrap into $system"
    [[ -x $system/usr/bin/apt-get ]] ||
        debootstrap --variant=minbase bookworm "$system" "$mirror" >/dev/null || die "debootstrap failed"
    say "deb $mirror bookworm main" >"$system/etc/apt/sources.list"
    [[ -z $security ]] || say "deb $security bookworm-security main" >>"$system/etc/apt/sources.list"
    # How this machine reaches its package source (proxy, clock checks) holds inside too.
    apt-config dump | grep -E '^Acquire::(http|https|Check)' >"$system/etc/apt/apt.conf.d/99outside" || true
    cp -L /etc/resolv.conf "$system/etc/resolv.conf" 2>/dev/null || true
    mountpoint -q "$system/proc" || mount -t proc proc "$system/proc"
}

inside() {
    chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp TERM=dumb LANG=C.UTF-8 \
        bash -c "cd /vfxbench && $1"
}

make_system
rm -rf "$system/vfxbench"
if $worktree; then
    copy_tree "$system/vfxbench"
else
    git clone --quiet --no-hardlinks "file://$root" "$system/vfxbench"
fi

codes=()
for script in scripts/run.sh scripts/test.sh; do
    say "== $script in a bare Debian 12"
    SECONDS=0
    code=0
    inside "$script" || code=$?
    say "== $script: exit code $code, $SECONDS s"
    codes+=("$code")
done
say "bare: run.sh ${codes[0]}, test.sh ${codes[1]}"
[[ ${codes[*]} == '0 0' ]]
