"""scripts/vat_folder.py - reads the folder of a vertex animation bake (manifest.json, PNG and .bin files) in plain
Python, apart from the C reader, for vat_check.py. Every fault found is a line in `faults`; what can be read, is.

V vertices, F frames of all clips; the vertex-frame `vertex` of `frame` has the flat index frame * V + vertex.
"""
import array
import json
import math
import os
import struct
import sys
import zlib

TEXEL_BYTES = {"u16oct8": 8, "rgba8": 8, "rgba16": 16, "f32": 32}
KINDS = {"u16oct8": {"texels"}, "rgba8": {"position", "normal"}, "rgba16": {"position", "normal"}, "f32": {"texels"},
         "bones": {"bones", "joints", "weights", "bind"}}
LAYOUT_SIDE = 16384  # most texels along a side


# ------------------------------------------------------------------------------------------------------------- PNG

def unfilter(kind, row, above, step):
    """Undoes one row's filter in place; `above` is the finished row over it, `step` the bytes of a pixel."""
    if kind == 1:
        for i in range(step, len(row)):
            row[i] = (row[i] + row[i - step]) & 255
    elif kind == 2:
        for i, up in enumerate(above):
            row[i] = (row[i] + up) & 255
    elif kind == 3:
        for i, up in enumerate(above):
            row[i] = (row[i] + ((row[i - step] if i >= step else 0) + up) // 2) & 255
    elif kind == 4:
        for i, up in enumerate(above):
            left, corner = (row[i - step], above[i - step]) if i >= step else (0, 0)
            guess = left + up - corner
            a, b, c = abs(guess - left), abs(guess - up), abs(guess - corner)
            row[i] = (row[i] + (left if a <= b and a <= c else up if b <= c else corner)) & 255
    elif kind != 0:
        raise ValueError(f"PNG filter {kind}")


def read_png(data):
    """(width, height, bits, samples as array of 8- or 16-bit numbers, four a pixel, names of the chunks)."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no PNG signature")
    at, packed, chunks, head = 8, b"", [], None
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8: at + 8 + size]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", data, at + 8 + size)[0]:
            raise ValueError(f"checksum of chunk {kind.decode()}")
        chunks.append(kind.decode())
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    width, height, bits, colour, _, _, interlace = head
    if colour != 6 or bits not in (8, 16) or interlace:
        raise ValueError(f"colour type {colour}, {bits} bits, interlace {interlace}; wanted 6, 8 or 16, 0")
    step, raw = bits // 2, zlib.decompress(packed)
    stride = width * step
    if len(raw) != (stride + 1) * height or chunks[-1] != "IEND":
        raise ValueError(f"{len(raw)} bytes of rows, last chunk {chunks[-1]}")
    out, above = bytearray(), bytearray(stride)
    for y in range(height):
        row = bytearray(raw[y * (stride + 1) + 1: (y + 1) * (stride + 1)])
        unfilter(raw[y * (stride + 1)], row, above, step)
        out += row
        above = row
    samples = array.array("B" if bits == 8 else "H", bytes(out))
    if bits == 16 and sys.byteorder == "little":
        samples.byteswap()
    return width, height, bits, samples, chunks


# ------------------------------------------------------------------------------------------------------------ codes

def signed(code, bits):
    """Value of a two's complement fraction in [-1, 1]."""
    half = 1 << (bits - 1)
    return max((code - 2 * half if code >= half else code) / (half - 1), -1.0)


def octahedral(x, y):
    """The unit vector that the point (x, y) of the unfolded octahedron stands for."""
    z = 1 - abs(x) - abs(y)
    if z < 0:
        x, y = (1 - abs(y)) * (-1 if x < 0 else 1), (1 - abs(x)) * (-1 if y < 0 else 1)
    return normalised((x, y, z))


def normalised(v):
    size = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return (v[0] / size, v[1] / size, v[2] / size) if size > 0 else v


def numbers(data, kind):
    """Little-endian numbers of a file."""
    result = array.array(kind, data)
    if sys.byteorder == "big":
        result.byteswap()
    return result


OCT8 = [octahedral(signed(code & 255, 8), signed(code >> 8, 8)) for code in range(65536)]


# ---------------------------------------------------------------------------------------------------------- folder

class Folder:
    """A bake's folder. frame(k) gives the positions and normals that the texels of frame k stand for."""

    def __init__(self, path):
        self.path, self.faults = path, []
        with open(os.path.join(path, "manifest.json"), encoding="utf-8") as file:
            self.manifest = json.load(file)
        m = self.manifest
        self.format, self.vertices, self.frames = m["format"], m["vertices"], m["frames"]
        self.data, self.layout = {}, "wrapped"
        for entry in m["files"]:
            self.read_file(entry)
        listed = {entry["name"] for entry in m["files"]} | {"manifest.json"}
        for name in sorted(set(os.listdir(path)) - listed):
            self.faults.append(f"{name} is not in the manifest")
        wanted = KINDS[self.format] | {"indices", "uv", "skin"}
        if wanted != set(self.data):
            self.faults.append(f"kinds of files: {sorted(self.data)}, wanted {sorted(wanted)}")
        self.check_shapes()

    def read_file(self, entry):
        name = entry["name"]
        with open(os.path.join(self.path, name), "rb") as file:
            data = file.read()
        if len(data) != entry["bytes"]:
            self.faults.append(f"{name}: {len(data)} bytes, the manifest says {entry['bytes']}")
        if f"{zlib.crc32(data):08x}" != entry["crc32"]:
            self.faults.append(f"{name}: crc32 {zlib.crc32(data):08x}, the manifest says {entry['crc32']}")
        if not name.endswith(".png"):
            kind = {"texels": "f", "bones": "f", "bind": "f", "indices": "I"}.get(entry["kind"], "H")
            self.data[entry["kind"]] = numbers(data, kind)
            return
        width, height, bits, samples, chunks = read_png(data)
        if (width, height, bits) != (entry["width"], entry["height"], entry["bits"]):
            self.faults.append(f"{name}: {width} x {height} of {bits} bits, not as the manifest says")
        if set(chunks) != {"IHDR", "IDAT", "IEND"}:
            self.faults.append(f"{name}: other chunks than data: {sorted(set(chunks))}")
        self.data[entry["kind"]] = samples
        if entry["kind"] != "skin":
            self.layout = entry["layout"]
            self.check_layout(entry, samples)

    def check_layout(self, entry, samples):
        count, width = self.vertices * self.frames, min(self.vertices * self.frames, 4096)
        if width and -(-count // width) > LAYOUT_SIDE:
            width = LAYOUT_SIDE
        by_frames = self.format == "rgba8" and max(self.vertices, self.frames) <= LAYOUT_SIDE
        wanted = ("frames-by-vertices", self.frames, self.vertices)
        if not by_frames:
            wanted = ("wrapped", width, -(-count // width))
        if (entry["layout"], entry["width"], entry["height"]) != wanted:
            self.faults.append(f"{entry['name']}: layout {entry['layout']} {entry['width']} x {entry['height']}, "
                               f"wanted {wanted}")
        if any(samples[4 * count:]):
            self.faults.append(f"{entry['name']}: the tail of the last row is not 0")
        if self.format in ("rgba8", "rgba16"):
            opaque = 255 if self.format == "rgba8" else 65535
            if any(a != opaque for a in samples[3: 4 * count: 4]):
                self.faults.append(f"{entry['name']}: alpha is not {opaque} everywhere")

    def check_shapes(self):
        m, v, f = self.manifest, self.vertices, self.frames
        bones, influences = (m["bones"]["count"], m["bones"]["influences"]) if self.format == "bones" else (0, 0)
        counts = {"indices": m["indices"], "uv": 2 * v, "bones": 12 * f * bones, "bind": 6 * v,
                  "joints": influences * v, "weights": influences * v}
        if self.format == "f32":
            counts["texels"] = 8 * v * f
        for kind, count in counts.items():
            if kind in self.data and len(self.data[kind]) != count:
                self.faults.append(f"{kind}: {len(self.data[kind])} numbers, wanted {count}")
        if any(i >= v for i in self.data.get("indices", ())):
            self.faults.append("an index is not below the vertex count")
        if self.format == "f32" and (any(self.data["texels"][3::4])):
            self.faults.append("the fourth numbers of position and normal are not 0")
        if self.format == "bones":
            weights = self.data["weights"]
            if any(sum(weights[i: i + influences]) != 65535 for i in range(0, len(weights), influences)):
                self.faults.append("weights of a vertex do not sum to 65535")
            if any(j >= bones for j in self.data["joints"]):
                self.faults.append("a joint is not below the bone count")
        first = 0
        for clip in m["clips"]:
            if clip["first"] != first:
                self.faults.append(f"clip {clip['name']}: starts at frame {clip['first']}, not {first}")
            first += clip["frames"]
        if first != f:
            self.faults.append(f"the clips have {first} frames, the manifest says {f}")

    def bytes(self):
        """What the manifest's `bytes` counts."""
        if self.format != "bones":
            return self.vertices * self.frames * TEXEL_BYTES[self.format]
        return sum(self.data[kind].itemsize * len(self.data[kind]) for kind in KINDS["bones"])

    def pixels(self, kind, frame):
        """The four samples of each vertex of a frame."""
        data, v = self.data[kind], self.vertices
        if self.layout == "wrapped":
            part = data[4 * frame * v: 4 * (frame + 1) * v]
            return zip(*[iter(part)] * 4)
        row = 4 * self.frames
        return zip(*(data[4 * frame + c:: row] for c in range(4)))

    def frame(self, k):
        """(positions, normals), decoded in double."""
        if self.format == "bones":
            return self.frame_of_bones(k)
        if self.format == "f32":
            rows = list(zip(*[iter(self.data["texels"][8 * k * self.vertices: 8 * (k + 1) * self.vertices])] * 8))
            return [row[0:3] for row in rows], [row[4:7] for row in rows]
        (ax, ay, az), (sx, sy, sz) = self.manifest["map_min"], self.manifest["map_step"]
        pixels = list(self.pixels("texels" if self.format == "u16oct8" else "position", k))
        positions = [(ax + sx * x, ay + sy * y, az + sz * z) for x, y, z, _ in pixels]
        if self.format == "u16oct8":
            return positions, [OCT8[w] for _, _, _, w in pixels]
        if self.format == "rgba8":
            return positions, [normalised([2 * n / 255 - 1 for n in pixel[:3]]) for pixel in self.pixels("normal", k)]
        return positions, [octahedral(signed(p[0], 16), signed(p[1], 16)) for p in self.pixels("normal", k)]

    def frame_of_bones(self, k):
        count, influences = self.manifest["bones"]["count"], self.manifest["bones"]["influences"]
        data, bind = self.data["bones"], self.data["bind"]
        matrices = [data[12 * i: 12 * i + 12] for i in range(k * count, (k + 1) * count)]
        positions, normals = [], []
        for v in range(self.vertices):
            m = [0.0] * 12
            for i in range(v * influences, (v + 1) * influences):
                weight = self.data["weights"][i] / 65535
                if weight:
                    m = [a + weight * b for a, b in zip(m, matrices[self.data["joints"][i]])]
            x, y, z, nx, ny, nz = bind[6 * v: 6 * v + 6]
            positions.append(tuple(m[r] * x + m[r + 1] * y + m[r + 2] * z + m[r + 3] for r in (0, 4, 8)))
            normals.append(turned(m, (nx, ny, nz)))
        return positions, normals


def turned(m, n):
    """A normal under the inverse transpose of a row-major 3x4 matrix: the rows of the cofactor matrix are the cross
    products of the other two rows, and the determinant's sign keeps mirrored normals outward."""
    rows = (m[0:3], m[4:7], m[8:11])
    crosses = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])]
    sign = -1 if sum(a * b for a, b in zip(rows[0], crosses[0])) < 0 else 1
    return normalised([sign * sum(a * b for a, b in zip(c, n)) for c in crosses])


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
