"""scripts/vat_selftest.py - is vat_check.py itself right? Poses and figures worked out by hand, and a tiny bake written
here in every format, whole and broken. `vat_check.py self-test` runs it.
"""
import argparse
import contextlib
import io
import json
import math
import os
import struct
import tempfile
import zlib

import vat_check
import vat_folder
import vat_gltf
import vat_measure
from vat_models import Builder

ROOT_HALF = math.sqrt(0.5)
TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 1, 0]
ROWS = [(x + frame, y, 0) for frame in (0, 1) for x, y in ((0, 0), (1, 0), (0, 1))]


class Report:
    """Counts the cases; says which failed."""

    def __init__(self):
        self.done, self.failed = 0, 0

    def check(self, what, good, detail=""):
        self.done += 1
        if not good:
            self.failed += 1
            print(f"FAILED {what} {detail}")

    def near(self, what, found, wanted, limit=1e-7):
        flat = [x for row in found for x in (row if isinstance(row, (tuple, list)) else (row,))]
        good = len(flat) == len(wanted) and all(abs(a - b) <= limit for a, b in zip(flat, wanted))
        self.check(what, good, f"is {flat}, should be {wanted}")


# ------------------------------------------------------------------------------------------------------ animation

def check_nodes(report):
    b = Builder()
    b.json["nodes"] = [{"mesh": b.points([1, 0, 0] * 3, [1, 1, 0] * 3), "translation": [1, 2, 3], "scale": [2, 1, 1],
                        "rotation": [0, 0, ROOT_HALF, ROOT_HALF], "children": [1]},
                       {"mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]}]
    positions, normals = b.model().pose(None, 0)
    report.near("T * R * S", positions[:1], [1, 4, 3])
    report.near("child by matrix", positions[3:4], [1, 2 + 2 * 4, 3])
    size = math.hypot(0.5, 1)
    report.near("inverse transpose", normals[:1], [-1 / size, 0.5 / size, 0])
    report.near("mirrored normal stays outward", normals[3:4], [-1 / size, -0.5 / size, 0])


def check_interpolation(report):
    b = Builder()
    b.json["nodes"] = [{"mesh": b.points([1, 0, 0] * 3, [0, 1, 0] * 3), "translation": [9, 9, 9]}]
    b.animate(0, "translation", [1, 2], [0, 0, 0, 4, 0, 0])
    b.animate(0, "translation", [0, 1, 2], [0, 0, 0, 4, 0, 0, 6, 0, 0], "STEP")
    b.animate(0, "translation", [0, 2], [0, 0, 0, 0, 0, 0, 1, 2, 3, 0, 0, 4, 1, 0, 0, 0, 0, 0], "CUBICSPLINE")
    b.animate(0, "rotation", [0, 3], [0, 0, 0, 1, 0, 0, -ROOT_HALF, -ROOT_HALF])
    b.animate(0, "rotation", [0, 1], [0, 0, 0, 127, 0, 0, 127, -128], form="b")
    b.animate(0, "translation", [0.5], [7, 0, 0])
    model = b.model()

    def at(clip, t):
        return model.pose(model.clips[clip], t)[0][:1]
    report.near("before the first key", at(0, 0.5), [1, 0, 0])
    report.near("linear", at(0, 1.25), [2, 0, 0])
    report.near("after the last key", at(0, 7), [5, 0, 0])
    report.near("step just before", at(1, 0.999999), [1, 0, 0])
    report.near("step at the key", at(1, 1), [5, 0, 0])
    # u = 1/4, span 2: x = h01 * 0 + 2 * h11 * 4; y: 2 * h10 * 2 with h10 = 9/64, h11 = -3/64; z: 2 * h10 * 3 + h01 * 1
    report.near("cubic: out-tangents of the first key, in-tangents of the second", at(2, 0.5),
                [1 + 2 * 9 / 64 * 1 + 10 / 64 * 1, 2 * 9 / 64 * 2, 2 * 9 / 64 * 3 + 2 * -3 / 64 * 4])
    report.near("slerp: the short way, even speed", at(3, 1), [9 + math.cos(math.pi / 6), 9.5, 9])
    report.near("normalised i8, renormalised", at(4, 1), [9, 8, 9])
    report.near("renormalised before the slerp", at(4, 0.5), [9 + ROOT_HALF, 9 - ROOT_HALF, 9])
    report.near("one key", at(5, 0) + at(5, 3), [8, 0, 0, 8, 0, 0])
    report.check("duration is the last key", [c.duration for c in model.clips] == [2, 2, 2, 3, 1, 0.5])


def check_skin(report):
    b = Builder()
    joints = b.accessor("B", "VEC4", [0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1])
    weights = b.accessor("f", "VEC4", [1, 0, 0, 0, 3, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
    mesh = b.mesh({"POSITION": b.accessor("f", "VEC3", [0, 2, 0] * 4), "JOINTS_0": joints, "WEIGHTS_0": weights,
                   "NORMAL": b.accessor("f", "VEC3", [1, 0, 0] * 4)}, indices=b.accessor("H", "SCALAR", [0, 1, 2]))
    b.json["nodes"] = [{"mesh": mesh, "skin": 0, "translation": [50, 0, 0]}, {"children": [2]},
                       {"translation": [0, 1, 0]}]
    binds = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] + [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1]
    b.json["skins"] = [{"joints": [1, 2], "inverseBindMatrices": b.accessor("f", "MAT4", binds), "skeleton": 1}]
    b.animate(2, "rotation", [0, 1], [0, 0, 0, 1, 0, 0, ROOT_HALF, ROOT_HALF])
    model = b.model()
    positions, normals = model.pose(model.clips[0], 1)
    report.near("two joints, the mesh node's own transform ignored", positions,
                [0, 2, 0, -0.5, 1.5, 0, -1, 1, 0, 0, 2, 0])
    report.near("normals", normals, [1, 0, 0, ROOT_HALF, ROOT_HALF, 0, 0, 1, 0, 1, 0, 0])
    report.check("indexed meshes keep their vertices", model.indices == [0, 1, 2] and model.parts[0].unweighted == 1)
    del b.json["skins"][0]["inverseBindMatrices"]
    report.near("no inverse bind matrices", b.model().pose(None, 0)[0][2:3], [0, 3, 0])


def check_meshes(report):
    b = Builder()
    strip = b.mesh({"POSITION": b.accessor("f", "VEC3", [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1])}, mode=5)
    b.json["nodes"] = [{"mesh": strip}]
    model = b.model()
    positions, normals = model.pose(None, 0)
    report.near("strip, un-indexed", positions, [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0])
    third = math.sqrt(1 / 3)
    report.near("flat normals", normals, [0, 0, 1] * 3 + [-third, -third, third] * 3)
    report.check("its indices", model.indices == [0, 1, 2, 3, 4, 5])

    b = Builder()
    sparse = {"count": 1, "indices": {"bufferView": b.view("H", [2]), "componentType": 5123},
              "values": {"bufferView": b.view("f", [0, 1, 0])}}
    b.json["accessors"].append({"componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse})
    plain = b.accessor("f", "VEC3", TRIANGLE, sparse=dict(sparse, values={"bufferView": b.view("f", [5, 6, 7])}))
    up = b.accessor("f", "VEC3", [0, 0, 1] * 3)
    mesh = b.mesh({"POSITION": plain, "NORMAL": up}, targets=[{"POSITION": 0}, {"NORMAL": up}])
    b.json["meshes"][mesh]["weights"] = [0.5, 0]
    b.json["nodes"] = [{"mesh": mesh}]
    b.animate(0, "weights", [0, 1], [0, 0, 65535, 0], form="H")
    model = b.model()
    report.near("sparse over data, sparse over nothing, default weights", model.pose(None, 0)[0],
                [0, 0, 0, 1, 0, 0, 5, 6.5, 7])
    report.near("normalised u16 weights", model.pose(model.clips[0], 0.25)[0][2:], [5, 6.25, 7])


# --------------------------------------------------------------------------------------------------- a bake's folder

def png(width, bits, samples, kinds=(0, 1, 2, 3, 4), extra=b""):
    """RGBA, its rows filtered in turn by `kinds`."""
    step, data = bits // 2, struct.pack(f">{len(samples)}{'B' if bits == 8 else 'H'}", *samples)
    stride, rows, above = width * step, b"", bytes(width * step)
    for y in range(len(data) // stride):
        row, kind = data[y * stride: (y + 1) * stride], kinds[y % len(kinds)]
        coded = []
        for i, x in enumerate(row):
            a, b, c = row[i - step] if i >= step else 0, above[i], above[i - step] if i >= step else 0
            nearest = min((a, b, c), key=lambda v: abs(a + b - c - v))
            coded.append((x - (0, a, b, (a + b) // 2, nearest)[kind]) & 255)
        rows, above = rows + bytes([kind]) + bytes(coded), row

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = struct.pack(">IIBBBBB", width, len(data) // stride, bits, 6, 0, 0, 0)
    parts = chunk(b"IHDR", head), extra, chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def check_codes(report):
    samples = [(x * x * 7 + x // 5) & 255 for x in range(4 * 6 * 10)]
    report.check("8-bit PNG, five filters", list(vat_folder.read_png(png(6, 8, samples))[3]) == samples)
    wide = [(x * 40503) & 65535 for x in range(4 * 5 * 10)]
    report.check("16-bit PNG, five filters", list(vat_folder.read_png(png(5, 16, wide))[3]) == wide)
    report.near("octahedral", [vat_folder.octahedral(*p) for p in ((0, 0), (-1, 0), (1, -1), (0.75, 0.5))],
                [0, 0, 1, -1, 0, 0, 0, 0, -1] + [x / math.hypot(2, 1, 1) for x in (2, 1, -1)])
    report.near("octahedral bytes, x low", [vat_folder.OCT8[0x7f], vat_folder.OCT8[0x8100]], [1, 0, 0, 0, -1, 0])
    report.near("two's complement", [vat_folder.signed(c, 8) for c in (127, 129, 128, 1)], [1, -1, -1, 1 / 127])


def jumping_triangle(folder):
    """A triangle that jumps by 1 along x in the middle of its second; ROWS are its two frames at 1 fps."""
    b = Builder()
    b.json["nodes"] = [{"name": "leaf", "mesh": b.mesh({"POSITION": b.accessor("f", "VEC3", TRIANGLE)})}]
    b.animate(0, "translation", [0, 0.5, 1], [0, 0, 0, 1, 0, 0, 1, 0, 0], "STEP")
    return b.save(os.path.join(folder, "model.gltf"))


def texel_files(form, rows):
    """{name: (kind, bytes, PNG fields)}, and step of the map. Codes are rounded half up."""
    if form == "f32":
        flat = [v for row in rows for v in (*row, 0, 0, 0, 1, 0)]
        return {"texels.bin": ("texels", struct.pack(f"<{len(flat)}f", *flat), {})}, [1, 1, 1]
    if form == "bones":
        moved = [v for frame in (0, 1) for v in (1, 0, 0, frame, 0, 1, 0, 0, 0, 0, 1, 0)]
        bind = [v for p in rows[:3] for v in (*p, 0, 0, 1)]
        return {"bones.bin": ("bones", struct.pack("<24f", *moved), {}),
                "joints.bin": ("joints", bytes(24), {}), "bind.bin": ("bind", struct.pack("<18f", *bind), {}),
                "weights.bin": ("weights", struct.pack("<12H", *[65535, 0, 0, 0] * 3), {})}, [1, 1, 1]
    most = 255 if form == "rgba8" else 65535
    codes = [(int(x / 2 * most + 0.5), int(y * most + 0.5), 0) for x, y, _ in rows]
    fields = {"layout": "wrapped", "width": 6, "height": 1, "bits": 16}
    if form == "u16oct8":
        files = {"texels.png": ("texels", [v for c in codes for v in (*c, 0)], fields)}
    elif form == "rgba16":
        files = {"position.png": ("position", [v for c in codes for v in (*c, most)], fields),
                 "normal.png": ("normal", [0, 0, 0, most] * 6, fields)}
    else:
        fields = {"layout": "frames-by-vertices", "width": 2, "height": 3, "bits": 8}
        codes = [codes[frame * 3 + vertex] for vertex in range(3) for frame in (0, 1)]
        files = {"position.png": ("position", [v for c in codes for v in (*c, most)], fields),
                 "normal.png": ("normal", [128, 128, 255, most] * 6, fields)}
    return ({name: (kind, png(f["width"], f["bits"], v), f) for name, (kind, v, f) in files.items()},
            [2 / most, 1 / most, 0])


def figures(form):
    """The errors of the jumping triangle, by hand. At k / 60 s it is k / 60 off before the jump and 1 - k / 60 after;
    the x = 1 of three of the six vertex-frames is half a step off in the middle of the codes."""
    squares = sum((k / 60) ** 2 for k in range(30)) + sum((1 - k / 60) ** 2 for k in range(30, 61))
    step = {"u16oct8": 2 / 65535, "rgba16": 2 / 65535, "rgba8": 2 / 255}.get(form, 0)
    off = math.degrees(math.atan(math.sqrt(2) / 255)) if form == "rgba8" else 0  # of the normal (1/255, 1/255, 1)
    return {"quantisation": {"worst": step / 2 / 2, "rms": step / 2 / 2 * ROOT_HALF},
            "temporal": {"worst": 0.25, "rms": math.sqrt(squares / 61) / 2},
            "normal": {"worst": off, "rms": off}, "loop_closure": 0}


def write_bake(folder, form, rows):
    """The folder as the baker writes it."""
    files, step = texel_files(form, rows)
    files["indices.bin"] = ("indices", struct.pack("<3I", 0, 1, 2), {})
    files["uv.bin"] = ("uv", bytes(12), {})
    files["skin_0.png"] = ("skin", png(1, 8, [255] * 4), {"layout": "wrapped", "width": 1, "height": 1, "bits": 8})
    box, errors = {"min": [0, 0, 0], "max": [2, 1, 0]}, figures(form)
    texel = {"f32": 32, "rgba16": 16}.get(form, 8)
    manifest = {"version": 1, "model": "model.gltf", "format": form, "sampling": "closed", "vertices": 3, "frames": 2,
                "indices": 3, "extent": 2, "box": box, "map_min": [0, 0, 0], "map_step": step, "errors": errors,
                "clips": [{"name": "translation", "source": 0, "first": 0, "frames": 2, "fps": 1, "duration": 1,
                           "loop": False, "box": box, "temporal": errors["temporal"], "loop_closure": 0.5}],
                "parts": [{"name": "leaf", "first_vertex": 0, "vertex_count": 3, "first_index": 0, "index_count": 3}],
                "bones": {"count": 1, "influences": 4}, "skins": {"width": 1, "height": 1, "layers": 1},
                "bytes": 2 * 48 + 3 * (16 + 24) if form == "bones" else 6 * texel,
                "files": [{"name": name, "kind": kind, **fields} for name, (kind, _, fields) in files.items()]}
    for name, (_, data, _) in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    seal(folder, manifest)


def seal(folder, manifest):
    """Writes the manifest with sizes and checksums of the files as they are."""
    for entry in manifest["files"]:
        with open(os.path.join(folder, entry["name"]), "rb") as file:
            data = file.read()
        entry["bytes"], entry["crc32"] = len(data), f"{zlib.crc32(data):08x}"
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file)


def judge(command, **options):
    """Exit code and what was printed."""
    values = {"clip": None, "every": 1, "scale": None, "fps": 1.0, "max_error": None, **options}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code = command(argparse.Namespace(**values))
    return code, printed.getvalue()


def change(folder, form, what):
    """Breaks one thing of a whole folder."""
    with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
        m = json.load(file)
    files, _ = texel_files(form, [(x * 0.99, y, z) for x, y, z in ROWS])
    name = "bind.bin" if form == "bones" else next(iter(files))
    data = files[name][1]
    errors, clip = m["errors"], m["clips"][0]
    edits = {"quantisation": lambda: errors["quantisation"].update(rms=errors["quantisation"]["rms"] * 1.03 + 1e-7),
             "temporal": lambda: clip["temporal"].update(worst=0.256),
             "total": lambda: errors["temporal"].update(rms=errors["temporal"]["rms"] * 0.98),
             "closure": lambda: clip.update(loop_closure=0.49),
             "normal": lambda: errors["normal"].update(worst=errors["normal"]["worst"] * 1.02 + 0.001),
             "bytes": lambda: m.update(bytes=m["bytes"] + 1), "extent": lambda: m.update(extent=2.0001),
             "box": lambda: clip["box"].update(min=[0, 0, -0.00001]), "name": lambda: m["parts"][0].update(name="x"),
             "fps": lambda: clip.update(fps=1.01)}
    if what in edits:
        edits[what]()
        seal(folder, m)
        return
    path = os.path.join(folder, {"index": "indices.bin", "stray": "left-over.png"}.get(what, name))
    if what == "bit":  # any byte of the file, checksum as before: only the checksum can tell
        with open(path, "rb") as file:
            data = bytearray(file.read())
        data[-20] ^= 1
    elif what == "index":
        data = struct.pack("<3I", 0, 2, 1)
    with open(path, "wb") as file:
        file.write(data)
    if what != "bit":
        seal(folder, m)


def check_folders(report):
    faults = ("quantisation", "temporal", "total", "closure", "normal", "bytes", "extent", "box", "name", "fps",
              "texels", "index", "stray", "bit")
    for form in ("u16oct8", "rgba8", "rgba16", "f32", "bones"):
        for fault in (None, *faults):
            with tempfile.TemporaryDirectory() as top:
                folder = os.path.join(top, "bake")
                os.mkdir(folder)
                path = jumping_triangle(top)
                write_bake(folder, form, ROWS)
                if fault:
                    change(folder, form, fault)
                vat_measure.SHARE = 0.01 if fault else 1e-9
                try:
                    code, text = judge(vat_check.run_errors, model=path, folder=folder)
                except (ValueError, zlib.error) as error:  # a broken PNG
                    code, text = 1, str(error)
                report.check(f"{form} folder, fault {fault}", code == int(fault is not None), text)
                if form == "f32":
                    code, text = judge(vat_check.run_poses, model=path, compare=folder)
                    seen = fault in ("name", "fps", "texels", "index", "stray", "bit")
                    report.check(f"poses of the f32 folder, fault {fault}", code == int(seen), text)


def run():
    report = Report()
    for case in (check_nodes, check_interpolation, check_skin, check_meshes, check_codes, check_folders):
        case(report)
    print(f"vat_check.py self-test: {report.done} cases, {report.failed} failed")
    return int(report.failed > 0)
