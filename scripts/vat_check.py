#!/usr/bin/env python3
"""scripts/vat_check.py - a second opinion on the vertex animation baker, in plain Python, from its own reading of glTF
(vat_gltf.py) and of a bake's folder (vat_folder.py).

    vat_check.py pose MODEL [--clip NAME] --time T...   all vertices' positions and normals at those times, as JSON
    vat_check.py poses MODEL --compare DIR [--fps R]    every stored frame of an f32 bake against the evaluated pose
    vat_check.py errors MODEL DIR                       the manifest's error figures against recomputed ones
    vat_check.py between DIR EXACT                      quantisation and normal error of a bake against an f32 bake of
                                                        the same model, clips and rate: needs no model
    vat_check.py random MODEL [--seed N]                writes a small random .gltf of many features
    vat_check.py self-test                              cases worked out by hand, broken folders

Exit code 1 if anything is off. How far figures may be apart: 1 % of the larger one, plus a floor for those near 0: for
shares of the extent 2e-7 (worst) or 2e-8 (rms) x max(1, largest coordinate / extent), the noise of f32 positions; for
normals 2e-4 degrees.
"""
import argparse
import json
import math
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import vat_folder  # noqa: E402
import vat_gltf  # noqa: E402
from vat_measure import Shown, Spread, Table, angle, box_of, distances  # noqa: E402

POSITION_LIMIT = 1e-6  # of the extent; rounding to f32 comes on top
NORMAL_LIMIT = 1e-4  # radians


def check_static(table, model, folder):
    """Parts, indices and uv against the model's. False: nothing else can be compared."""
    manifest = folder.manifest
    for fault in folder.faults:
        table.fault(fault)
    if folder.vertices != model.vertex_count:
        table.fault(f"{folder.vertices} vertices, the model has {model.vertex_count}")
        return False
    mine = [(part.first, len(part.positions)) for part in model.parts]
    stated = [(part["first_vertex"], part["vertex_count"]) for part in manifest["parts"]]
    if mine != stated:
        table.fault(f"parts: vertices {stated}, the model has {mine}")
    for part, entry in zip(model.parts, manifest["parts"]):
        if part.name and entry["name"] != part.name.encode()[:63].decode(errors="ignore"):
            table.fault(f"part '{entry['name']}' is node '{part.name}'")
    if list(folder.data["indices"]) != model.indices:
        table.fault("indices differ from the model's")
    uv = [int((x - math.floor(x)) * 65536) & 0xffff for part in model.parts for pair in part.uv for x in pair]
    gap = max((min((a - b) % 65536, (b - a) % 65536) for a, b in zip(uv, folder.data["uv"])), default=0)
    if gap > 1:
        table.fault(f"uv differ from the model's by up to {gap} codes")
    return True


def check_clip_times(table, shown, manifest):
    entry, name = shown.entry, shown.entry["name"]
    if shown.clip and shown.clip.name and name != shown.clip.name.encode()[:63].decode(errors="ignore"):
        table.fault(f"clip '{name}' is animation '{shown.clip.name}' of the model")
    if abs(entry["duration"] - shown.duration) > 1e-6 * shown.duration:
        table.fault(f"clip {name}: duration {entry['duration']}, the model's is {shown.duration}")
    if shown.closed and shown.count > 1 and abs(entry["fps"] * shown.duration - (shown.count - 1)) > 1e-6:
        table.fault(f"clip {name}: fps {entry['fps']} is not (frames - 1) / duration")
    if not shown.closed and shown.count != max(1, math.ceil(shown.duration * entry["fps"])):
        table.fault(f"clip {name}: {shown.count} frames, not ceil(duration x fps)")
    like_default = shown.closure() <= 0.01 * manifest["extent"]
    if shown.closed and like_default != entry["loop"]:
        print(f"note: clip {name}: loop is {entry['loop']}, by default it would be {like_default}")


# --------------------------------------------------------------------------------------------------------- commands

def scale_of(table, manifest, asked):
    """Factor on the model's positions."""
    stated = manifest.get("scale", 1.0)
    if asked is not None and asked != stated:
        table.fault(f"scale {stated}, it should be {asked}")
    return stated if asked is None else asked


def entries_of(folder, name):
    entries = [e for e in folder.manifest["clips"] if name is None or e["name"] == name]
    if not entries:
        sys.exit(f"vat_check.py: no clip '{name}'; there are {[e['name'] for e in folder.manifest['clips']]}")
    return entries


def run_pose(options):
    model = vat_gltf.Model(options.model)
    clips = [c for c in model.clips if options.clip in (None, c.name)]
    if options.clip is not None and not clips:
        sys.exit(f"vat_check.py: no clip '{options.clip}'; there are {[c.name for c in model.clips]}")
    clip = clips[0] if clips else None
    poses = []
    for t in options.time:
        positions, normals = model.pose(clip, t)
        poses.append({"time": t, "positions": positions, "normals": normals})
    json.dump({"clip": clip.name if clip else None, "vertices": model.vertex_count, "poses": poses}, sys.stdout)
    print()
    return 0


def run_poses(options):
    model, folder = vat_gltf.Model(options.model), vat_folder.Folder(options.compare)
    if folder.format != "f32":
        sys.exit(f"vat_check.py: {options.compare} has the format {folder.format}; bake it with --format f32")
    table = Table()
    if not check_static(table, model, folder):
        return 1
    extent, scale = folder.manifest["extent"], scale_of(table, folder.manifest, options.scale)
    for entry in entries_of(folder, options.clip):
        shown = Shown(model, folder.manifest, entry, scale)
        check_clip_times(table, shown, folder.manifest)
        if options.fps and shown.closed and shown.duration > 0:
            frames = 1 + max(1, math.floor(shown.duration * options.fps + 0.5))
            table.row(f"{entry['name']}: frames", shown.count, frames, 0, share=0)
        far, turn, largest, undefined, lengths = Spread(), Spread(), 0.0, 0, 0.0
        for k in range(0, shown.count, options.every):
            positions, normals = shown.pose(shown.times[k], True)
            stored, turned = folder.frame(entry["first"] + k)
            far.add(distances(positions, stored), k)
            turn.add([angle(a, b) ** 2 for a, b in zip(normals, turned) if a], k)
            undefined += sum(n is None for n in normals)
            lengths = max(lengths, max(abs(math.hypot(*n) - 1) for n in turned))
            largest = max(largest, max(abs(x) for row in positions for x in row))
        limit = POSITION_LIMIT * extent + largest * 2 ** -23
        table.row(f"{entry['name']}: position, worst", 0, far.worst / extent if extent else far.worst,
                  limit / extent if extent else limit)
        table.row(f"{entry['name']}: normal, worst rad", 0, turn.worst, NORMAL_LIMIT)
        if not lengths <= 1e-6:
            table.fault(f"clip {entry['name']}: the length of a stored normal is {lengths:.3g} off 1")
        if far.worst > limit or turn.worst > NORMAL_LIMIT:
            print(f"      worst at frames {far.where} (position) and {turn.where} (normal) of the clip")
        if undefined:
            print(f"note: {undefined} normals without a direction were not compared")
        if shown.closed and entry["loop"] and shown.count > 1:
            ends = [folder.frame(entry["first"] + k) for k in (0, shown.count - 1)]
            if ends[0] != ends[1]:
                table.fault(f"clip {entry['name']} loops and its closing frame is not frame 0")
    return int(table.bad > 0)


def add_decoded(folder, k, positions, normals, distance, turn):
    """Adds what frame k's texels stand for against the exact ones."""
    stored, turned = folder.frame(k)
    distance.add(distances(positions, stored))
    turn.add([angle(a, b) ** 2 for a, b in zip(normals, turned) if a])


def run_errors(options):
    model, folder = vat_gltf.Model(options.model), vat_folder.Folder(options.folder)
    table, manifest = Table(), folder.manifest
    if not check_static(table, model, folder):
        return 1
    entries, scale = entries_of(folder, options.clip), scale_of(table, manifest, options.scale)
    whole = options.every == 1 and len(entries) == len(manifest["clips"])
    shown = [Shown(model, manifest, entry, scale) for entry in entries]
    distance, turn, temporal, boxes, closures = Spread(), Spread(), Spread(), [], []
    for clip in shown:
        for k in range(0, clip.count, options.every):
            add_decoded(folder, clip.entry["first"] + k, *clip.frame(k), distance, turn)
        boxes.append(box_of(clip.frame(k)[0] for k in range(0, clip.count, options.every)))
    low, high = [min(c) for c in zip(*(b[0] for b in boxes))], [max(c) for c in zip(*(b[1] for b in boxes))]
    extent = max(b - a for a, b in zip(low, high)) if whole else manifest["extent"]
    far = max(1.0, max(abs(x) for x in low + high) / extent)
    table.row("extent", manifest["extent"], extent, 0, whole, 1e-6)
    judge = table.row if options.every == 1 else table.at_most
    for clip, box in zip(shown, boxes):
        entry, name = clip.entry, clip.entry["name"]
        check_clip_times(table, clip, manifest)
        gap = max(abs(a - b) for a, b in zip(entry["box"]["min"] + entry["box"]["max"], box[0] + box[1]))
        table.row(f"{name}: box, largest gap", 0, gap / extent, 1e-6 * far, options.every == 1)
        spread = clip.temporal(options.every)
        judge(f"{name}: temporal worst", entry["temporal"]["worst"], spread.worst / extent, 2e-7 * far)
        table.row(f"{name}: temporal rms", entry["temporal"]["rms"], spread.rms() / extent, 2e-8 * far,
                  options.every == 1)
        table.row(f"{name}: loop closure", entry["loop_closure"], clip.closure() / extent, 2e-7 * far)
        temporal.join(spread)
        closures.append(clip.closure() / extent if entry["loop"] else 0.0)
    errors, share = manifest["errors"], whole or len(entries) == len(manifest["clips"])
    for name, key, spread, unit, floor in (("quantisation", "quantisation", distance, 1 / extent, 2e-7 * far),
                                           ("temporal", "temporal", temporal, 1 / extent, 2e-7 * far),
                                           ("normal, degrees", "normal", turn, math.degrees(1), 2e-4)):
        (judge if share else table.at_most)(f"{name}, worst", errors[key]["worst"], spread.worst * unit, floor)
        table.row(f"{name}, rms", errors[key]["rms"], spread.rms() * unit, floor / 10, whole)
    table.row("loop closure of looping clips", errors["loop_closure"], max(closures), 2e-7 * far, share)
    if options.max_error is not None and temporal.worst / extent > options.max_error / 100:
        table.fault(f"temporal error {100 * temporal.worst / extent:.3g} % is over {options.max_error} %")
    check_map(table, folder, low, high, extent)
    table.row("bytes", manifest["bytes"], folder.bytes(), 0, share=0)
    return int(table.bad > 0)


def check_map(table, folder, low, high, extent):
    """Whether the codes' range covers the box, and no more than it where it is the box."""
    if folder.format in ("f32", "bones"):
        return
    most = 255 if folder.format == "rgba8" else 65535
    for axis, (a, b) in enumerate(zip(low, high)):
        start, end = folder.manifest["map_min"][axis], folder.manifest["map_min"][axis]
        end += folder.manifest["map_step"][axis] * most
        slack = 1e-6 * max(extent, abs(a), abs(b))
        if start > a + slack or end < b - slack:
            table.fault(f"map of axis {axis} covers {start} .. {end}, the positions {a} .. {b}")


def run_between(options):
    folder, exact = vat_folder.Folder(options.folder), vat_folder.Folder(options.exact)
    table, m = Table(), folder.manifest
    for fault in folder.faults + exact.faults:
        table.fault(fault)
    if exact.format != "f32" or (folder.vertices, folder.frames) != (exact.vertices, exact.frames):
        sys.exit("vat_check.py: the second folder must be an f32 bake of as many vertices and frames")
    distance, turn, boxes = Spread(), Spread(), []
    for k in range(0, folder.frames, options.every):
        positions, normals = exact.frame(k)
        add_decoded(folder, k, positions, normals, distance, turn)
        boxes.append(box_of([positions]))
    low, high = [min(c) for c in zip(*(b[0] for b in boxes))], [max(c) for c in zip(*(b[1] for b in boxes))]
    extent = max(b - a for a, b in zip(low, high))
    whole = options.every == 1
    judge = table.row if whole else table.at_most
    table.row("extent", m["extent"], extent, 0, whole, 1e-6)
    table.row("extent of both", m["extent"], exact.manifest["extent"], 0, share=1e-6)
    for name, spread, unit, floor in (("quantisation", distance, 1 / extent, 2e-7),
                                      ("normal", turn, math.degrees(1), 2e-4)):
        judge(f"{name}, worst", m["errors"][name]["worst"], spread.worst * unit, floor)
        table.row(f"{name}, rms", m["errors"][name]["rms"], spread.rms() * unit, floor / 10, whole)
    for key in ("indices", "uv"):
        if folder.data[key] != exact.data[key]:
            table.fault(f"{key} of the two bakes differ")
    check_map(table, folder, low, high, extent)
    table.row("bytes", m["bytes"], folder.bytes(), 0, share=0)
    return int(table.bad > 0)


def run_random(options):
    import vat_models  # pylint: disable=import-outside-toplevel
    vat_models.RandomModel(options.seed).save(options.model)
    return 0


def run_self_test(_):
    import vat_selftest  # pylint: disable=import-outside-toplevel
    return vat_selftest.run()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--clip", help="only this clip")
    sampled = argparse.ArgumentParser(add_help=False)
    sampled.add_argument("--every", type=int, default=1, help="only every N-th frame and time: quicker; worst figures "
                         "may then only be smaller, and rms figures are not judged")
    scaled = argparse.ArgumentParser(add_help=False)
    scaled.add_argument("--scale", type=float, help="factor that the bake was asked for; without it the manifest's")
    pose = commands.add_parser("pose", parents=[shared])
    pose.add_argument("model")
    pose.add_argument("--time", type=float, nargs="+", required=True, help="s")
    poses = commands.add_parser("poses", parents=[shared, sampled, scaled])
    poses.add_argument("model")
    poses.add_argument("--compare", required=True, metavar="DIR")
    poses.add_argument("--fps", type=float, help="the rate that was asked for: checks the frame counts too")
    errors = commands.add_parser("errors", parents=[shared, sampled, scaled])
    errors.add_argument("model")
    errors.add_argument("folder")
    errors.add_argument("--max-error", type=float, metavar="PERCENT", help="the temporal error that was asked for")
    between = commands.add_parser("between", parents=[sampled])
    between.add_argument("folder")
    between.add_argument("exact")
    made = commands.add_parser("random")
    made.add_argument("model")
    made.add_argument("--seed", type=int, default=0)
    commands.add_parser("self-test")
    options = parser.parse_args()
    runs = {"pose": run_pose, "poses": run_poses, "errors": run_errors, "between": run_between,
            "random": run_random, "self-test": run_self_test}
    return runs[options.command](options)


if __name__ == "__main__":
    sys.exit(main())
