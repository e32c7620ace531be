#!/usr/bin/env bash
# ci/run.sh - everything that must hold before a change is kept, in order, stopping at the first failure. Needs no GPU:
# the device steps run on the software devices lavapipe and SwiftShader, with validation.
# Usage: ci/run.sh [-k] [step...]     all steps without an argument; -k goes on after a failed step
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"
cd "$root"

steps=(setup format layers budgets words build_gcc build_clang spirv unit_tests device_tests verify golden repeat
    sanitize fuzz vat_check toy_family readme timing tests)
# Device names (part of them is enough) of the two software devices.
devices=(llvmpipe SwiftShader)
vfxbench=$root/build/vfxbench

# Runs a command on device $1, with validation, so that nothing can be skipped silently.
on_device() {
    local device=$1
    shift
    say "-- $device"
    VK_ADD_DRIVER_FILES=$swiftshader_icd VFXBENCH_DEVICE=$device VFXBENCH_VALIDATION=require \
        VFXBENCH_REQUIRE_DEVICE=1 "$@"
}

# On both at once: most of a check is the reference, which uses one core.
on_all_devices() {
    local device folder code=0 pids=() i
    folder=$(mktemp -d)
    for device in "${devices[@]}"; do
        on_device "$device" "$@" >"$folder/$device" 2>&1 &
        pids+=($!)
    done
    for i in "${!devices[@]}"; do
        wait "${pids[$i]}" || code=$?
        cat "$folder/${devices[$i]}"
    done
    rm -rf "$folder"
    return "$code"
}

step_setup() {
    scripts/setup.sh
    [[ -f $swiftshader_icd ]] || die "SwiftShader is missing: scripts/setup.sh could not fetch it"
}
step_format() { scripts/format.sh --check; }
step_layers() { scripts/check_layers.sh; }
step_budgets() { scripts/check_budgets.sh; }
step_words() { scripts/check_words.sh; }
step_build_gcc() { scripts/build.sh build -DVFX_WERROR=ON; }
step_build_clang() { scripts/build.sh build-clang -DCMAKE_C_COMPILER=clang -DVFX_WERROR=ON; }
step_spirv() { scripts/check_spirv.sh; }
step_unit_tests() { ctest --test-dir build -L unit --output-on-failure --no-tests=error; }
step_device_tests() { on_all_devices ctest --test-dir build -L device --output-on-failure --no-tests=error; }
# Preset `odd` has no parameter at its default; other workgroups than the rows' own must not matter. Then what neither
# preset has: full cells and lists, many blocks and parts, a pile that comes to rest.
step_verify() {
    on_all_devices "$vfxbench" verify '*/*/ci'
    on_device llvmpipe "$vfxbench" verify '*/*/odd' --workgroup 32 --frames 20
    on_device SwiftShader "$vfxbench" verify '*/*/odd' --no-sweeps --frames 6
    on_device llvmpipe "$vfxbench" verify pbd/cells-capped/ci --no-sweeps --frames 20 --set capacity=1
    on_device llvmpipe "$vfxbench" verify pbd/list/ci --no-sweeps --frames 20 --set list_capacity=4
    on_device llvmpipe "$vfxbench" verify pbd/list/ci --no-sweeps --frames 2 \
        --set particles=70000 --set size_x=8 --set size_y=8 --set size_z=8
    on_device llvmpipe "$vfxbench" verify pbd/list/pile --mode free-run --frames 150 \
        --set particles=5000 --set size_x=3 --set size_y=3
}
# Pictures of every view and variant; those of failures stay in build/golden-failures/<device>.
golden_check() { "$vfxbench" golden check --out "build/golden-failures/$VFXBENCH_DEVICE"; }
step_golden() {
    scripts/frames_to_apng.py --self-test
    on_all_devices golden_check
}

step_repeat() { on_all_devices "$vfxbench" verify '*/*/ci' --mode repeat; }

# The tests without a device: a Vulkan driver's own leaks are not ours to judge.
step_sanitize() {
    scripts/build.sh build-sanitize -DVFX_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1
    ctest --test-dir build-sanitize -L unit --output-on-failure --no-tests=error
}

# A minute of broken models through the glTF reader under sanitizers.
step_fuzz() { scripts/fuzz_gltf.sh -t 60; }

# Poses and printed errors of the baker against an evaluation of its own in Python.
step_vat_check() { scripts/vat_check.sh build; }

step_toy_family() { scripts/toy_family.sh; }
step_readme() { VFXBENCH_ALLOW_CPU=1 scripts/readme_commands.sh; }

# Printed, never judged; step verify has checked these cases.
step_timing() {
    VFXBENCH_DEVICE=llvmpipe "$vfxbench" time '*/*/ci' --unchecked --launches 1 --frames 10 --runs 3 --min-time 0 \
        --output build/time.json
}

# Last, so that the closing line is the test runner's own.
step_tests() { VFXBENCH_DEVICE=llvmpipe scripts/test.sh; }

keep_going=false
if [[ ${1:-} == -k ]]; then
    keep_going=true
    shift
fi
[[ $# -eq 0 ]] || steps=("$@")

failed=()
for step in "${steps[@]}"; do
    declare -F "step_$step" >/dev/null || die "no step '$step'; the steps are ${steps[*]}"
    say "== $step"
    SECONDS=0
    code=0
    # A shell of its own: in the condition of an `if` a function would not stop at its first failing command.
    (
        set -e
        "step_$step"
    ) &
    wait $! || code=$?
    [[ $step == tests ]] || say "== $step: ${SECONDS} s"
    if [[ $code -ne 0 ]]; then
        failed+=("$step")
        [[ $step == tests ]] || say "== $step FAILED (exit code $code)" >&2
        $keep_going || exit 1
    fi
done
[[ ${#failed[@]} -eq 0 ]]
