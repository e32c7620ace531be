#!/usr/bin/env bash
# scripts/vat_check.sh - does the baker agree with vat_check.py, which evaluates glTF and reads bakes on its own? Bakes
# the built-in model, random ones and, where they are (../shared/data/gltf), the test models; compares poses and every
# stated error; breaks a bake, which must be noticed.
# Usage: scripts/vat_check.sh BUILD_FOLDER [MODELS_FOLDER]
set -euo pipefail
# shellcheck source=scripts/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ $# -ge 1 ]] || die "usage: scripts/vat_check.sh BUILD_FOLDER [MODELS_FOLDER]"
vfxbench=$(vfxbench_path "$1")
models=${2:-$root/../shared/data/gltf}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

# Counts a case. $1 the exit code wanted, $2 what it is, then the command; its output is shown when it ends otherwise.
expect() {
    local wanted=$1 what=$2 code=0
    shift 2
    "$@" >"$scratch/log" 2>&1 || code=$?
    if [[ $code -eq $wanted ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        say "FAILED $what: exit code $code, wanted $wanted"
        tail -n 40 "$scratch/log"
    fi
}

vat_check() {
    python3 "$root/scripts/vat_check.py" "$@"
}

# Bakes into the folder $1 of the scratch folder; options and the model follow, no model means the built-in one.
bake() {
    local folder=$scratch/$1
    shift
    "$vfxbench" bake --quiet --out "$folder" "$@"
}

# Poses of an f32 bake. $1 model, $2: only every so many frames are compared; more options for the baker follow.
check_poses() {
    local model=$1 every=$2
    shift 2
    bake exact --format f32 --fps 30 "$@" "$model" &&
        vat_check poses "$model" --compare "$scratch/exact" --fps 30 --scale 1 --every "$every"
}

# All error figures of a bake. $1 model, $2 format, $3 rate, $4 scale; more options for the baker follow.
check_errors() {
    local model=$1 format=$2 rate=$3 scale=$4
    shift 4
    bake errors --format "$format" --fps "$rate" --scale "$scale" "$@" "$model" &&
        vat_check errors "$model" "$scratch/errors" --scale "$scale"
}

# --max-error must hold at 60 Hz. $1 model, $2 clip, $3 percent.
check_max_error() {
    bake errors --clip "$2" --max-error "$3" --fps 8 "$1" &&
        vat_check errors "$1" "$scratch/errors" --max-error "$3"
}

# A random model's poses, and the figures of one more format. $1 seed.
check_random() {
    local formats=(u16oct8 rgba16 rgba8) model=$scratch/random.gltf
    vat_check random "$model" --seed "$1" && check_poses "$model" 1 &&
        check_errors "$model" "${formats[$1 % 3]}" 9 0.01
}

# Quantised bakes of the built-in model against the exact one. $1 format.
check_tube() {
    bake "tube_$1" --format "$1" && vat_check between "$scratch/tube_$1" "$scratch/tube_f32"
}

# A copy of the tube's bake with something changed by the Python text $1 (manifest m, folder path d).
break_tube() {
    rm -rf "$scratch/broken"
    cp -r "$scratch/tube_u16oct8" "$scratch/broken"
    python3 - "$scratch/broken" "$1" <<'PYTHON'
import json
import sys
import zlib

d, change = sys.argv[1:]
m = json.load(open(d + "/manifest.json", encoding="utf-8"))


def texels(edit):
    """Edits the first row of the 16-bit image and makes all checksums right again."""
    data = open(d + "/texels.png", "rb").read()
    parts, at = [], 8
    while at < len(data):
        size = int.from_bytes(data[at:at + 4], "big")
        parts.append((data[at + 4:at + 8], data[at + 8:at + 8 + size]))
        at += 12 + size
    rows = bytearray(zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT")))
    edit(rows)
    out = data[:8]
    for kind, body in (parts[0], (b"IDAT", zlib.compress(bytes(rows))), (b"IEND", b"")):
        out += len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
    open(d + "/texels.png", "wb").write(out)
    for file in m["files"]:
        if file["name"] == "texels.png":
            file["bytes"], file["crc32"] = len(out), "%08x" % zlib.crc32(out)


exec(change)
json.dump(m, open(d + "/manifest.json", "w", encoding="utf-8"))
PYTHON
    vat_check between "$scratch/broken" "$scratch/tube_f32"
}

expect 0 "self-test" vat_check self-test
expect 0 "tube, f32" bake tube_f32 --format f32
for format in u16oct8 rgba8 rgba16 bones; do
    expect 0 "tube, $format" check_tube "$format"
done
expect 0 "unchanged" break_tube 'pass'
expect 1 "a wrong figure" break_tube 'm["errors"]["quantisation"]["worst"] *= 1.05'
expect 1 "a wrong byte count" break_tube 'm["bytes"] += 8'
# The third texel's x: its filter carries the change to the texels right of it and below; most of them are then wrong.
expect 1 "a flipped texel" break_tube 'texels(lambda rows: rows.__setitem__(17, rows[17] ^ 64))'
expect 1 "a file left over" break_tube 'open(d + "/old.png", "wb").close()'

for seed in {1..12}; do
    expect 0 "random model, seed $seed" check_random "$seed"
done

if [[ ! -d $models ]]; then
    say "skipped: everything with real models, for there is no $models"
else
    while IFS= read -r model; do
        expect 0 "poses of ${model#"$models/"}" check_poses "$model" 1
    done < <(find "$models/asset-generator" -name '*.gltf' | sort)
    expect 0 "poses of SimpleSkin" check_poses "$models/SimpleSkin.gltf" 1
    expect 0 "poses of RiggedSimple" check_poses "$models/rigged/RiggedSimple.gltf" 4
    expect 0 "poses of RiggedFigure" check_poses "$models/rigged/RiggedFigure.gltf" 8
    expect 0 "poses of MorphStressTest" check_poses "$models/MorphStressTest.gltf" 20
    expect 0 "poses of Fox" check_poses "$models/Fox.glb" 8
    expect 0 "poses of Knight" check_poses "$models/Knight.glb" 8 --clip 1H_Melee_Attack_Chop
    fox=$models/Fox.glb
    for rate in 8 15 30 60; do
        expect 0 "errors of Fox at $rate fps" check_errors "$fox" u16oct8 "$rate" 1 --clip Walk
    done
    expect 0 "errors of Fox, rgba8" check_errors "$fox" rgba8 8 0.01 --clip Walk
    expect 0 "errors of Fox, rgba8 over its box" check_errors "$fox" rgba8 8 1 --clip Walk --fit
    expect 0 "errors of Fox, rgba16" check_errors "$fox" rgba16 8 1 --clip Walk --loop none
    expect 0 "errors of Fox, bones" check_errors "$fox" bones 8 1 --clip Walk
    expect 0 "errors of Fox, source sampling" check_errors "$fox" u16oct8 8 1 --clip Walk --sampling source
    expect 0 "errors of Fox, late sampling" check_errors "$fox" u16oct8 8 1 --clip Walk --sampling source-late
    expect 0 "largest error of Fox" check_max_error "$fox" Walk 1
fi
say "vat_check: $passed passed, $failed failed"
[[ $failed -eq 0 ]]
