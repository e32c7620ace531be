"""scripts/vat_gltf.py - glTF 2.0 models and their poses in plain Python floats: the second opinion that vat_check.py
holds against the baker. It was written from the standard alone, before and without kernels/vat's C code, and must stay
so: nothing here may be changed to match the baker without a sentence of the standard that says so.

Vertices are merged in this order: nodes with a mesh, of the default scene, in ascending node index; their primitives in
order. A primitive without normals gets flat ones, which un-indexes it: three vertices for each triangle, in order.
Matrices are 12-tuples, row-major 3x4; quaternions (x, y, z, w).
"""
import base64
import bisect
import json
import math
import os
import struct
import urllib.parse

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TYPES = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", None), 5126: ("f", 0)}
IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)


# ------------------------------------------------------------------------------------------------------ small maths

def times(a, b):
    """Product of two 3x4 matrices."""
    return tuple(sum(a[4 * r + k] * b[4 * k + c] for k in range(3)) + (a[4 * r + 3] if c == 3 else 0.0)
                 for r in range(3) for c in range(4))


def from_columns(m):
    """The 16 numbers of a glTF matrix as a 12-tuple."""
    return tuple(float(m[4 * c + r]) for r in range(3) for c in range(4))


def from_trs(t, q, s):
    """T * R * S."""
    x, y, z, w = q
    rows = ((1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)),
            (2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)),
            (2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)))
    return tuple(v for r in range(3) for v in (*(rows[r][c] * s[c] for c in range(3)), t[r]))


def cofactors(m):
    """The 3x3 part's inverse transpose times |determinant|: what turns normals. None where there is no inverse."""
    a, b, c, _, d, e, f, _, g, h, i, _ = m
    n = (e * i - f * h, f * g - d * i, d * h - e * g, c * h - b * i, a * i - c * g, b * g - a * h, b * f - c * e,
         c * d - a * f, a * e - b * d)
    det = a * n[0] + b * n[1] + c * n[2]
    size = max(abs(v) for v in (a, b, c, d, e, f, g, h, i))
    if abs(det) <= 1e-12 * size * size * size:
        return None
    return n if det > 0 else tuple(-v for v in n)


def unit(v):
    """None for a vector without direction."""
    size = math.sqrt(sum(x * x for x in v))
    return tuple(x / size for x in v) if size > 0 else None


def slerp(a, b, u):
    """Between unit quaternions, the short way round. The angle by atan2 is good at any size."""
    if sum(x * y for x, y in zip(a, b)) < 0:
        b = tuple(-x for x in b)
    angle = 2 * math.atan2(math.dist(a, b), math.sqrt(sum((x + y) ** 2 for x, y in zip(a, b))))
    sine = math.sin(angle)
    if sine < 1e-9:
        return unit(tuple(x + (y - x) * u for x, y in zip(a, b)))
    p, q = math.sin((1 - u) * angle) / sine, math.sin(u * angle) / sine
    return unit(tuple(p * x + q * y for x, y in zip(a, b)))


def cross_of(a, b, c):
    """(b - a) x (c - a)."""
    u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


# ------------------------------------------------------------------------------------------------------- the file

class File:
    """A .gltf or .glb with its buffers."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        binary = None
        if data[:4] == b"glTF":
            chunks, at = {}, 12
            while at + 8 <= len(data):
                size, kind = struct.unpack_from("<I4s", data, at)
                chunks.setdefault(kind, data[at + 8: at + 8 + size])
                at += 8 + size
            data, binary = chunks[b"JSON"], chunks.get(b"BIN\0")
        self.json = json.loads(data)
        self.buffers = [self.buffer(b, binary, os.path.dirname(path)) for b in self.json.get("buffers", [])]

    @staticmethod
    def buffer(entry, binary, folder):
        uri = entry.get("uri")
        if uri is None:
            return binary
        if uri.startswith("data:"):
            return base64.b64decode(uri.split(",", 1)[1])
        with open(os.path.join(folder, urllib.parse.unquote(uri)), "rb") as file:
            return file.read()

    def raw(self, view, offset, kind, count, components):
        """Numbers of a buffer view, one tuple an element."""
        view = self.json["bufferViews"][view]
        form = "<%d%s" % (components, TYPES[kind][0])
        stride = view.get("byteStride") or struct.calcsize(form)
        start = view.get("byteOffset", 0) + offset
        return [struct.unpack_from(form, self.buffers[view["buffer"]], start + i * stride) for i in range(count)]

    def accessor(self, index, fraction=None):
        """Elements as tuples. fraction: integers stand for fractions; None: where the accessor says so."""
        entry = self.json["accessors"][index]
        kind, count, components = entry["componentType"], entry["count"], COMPONENTS[entry["type"]]
        if "bufferView" in entry:
            rows = self.raw(entry["bufferView"], entry.get("byteOffset", 0), kind, count, components)
        else:
            rows = [(0,) * components] * count
        if "sparse" in entry:
            sparse = entry["sparse"]
            where, what = sparse["indices"], sparse["values"]
            size = sparse["count"]
            places = self.raw(where["bufferView"], where.get("byteOffset", 0), where["componentType"], size, 1)
            values = self.raw(what["bufferView"], what.get("byteOffset", 0), kind, size, components)
            for (place,), value in zip(places, values):
                rows[place] = value
        most = TYPES[kind][1]
        if most and (entry.get("normalized") if fraction is None else fraction):
            return [tuple(max(x / most, -1.0) for x in row) for row in rows]
        return rows


# ------------------------------------------------------------------------------------------------------ animation

class Channel:
    """One animated property: value(t)."""

    def __init__(self, file, sampler, path, components):
        self.path = path
        self.interpolation = sampler.get("interpolation", "LINEAR")
        self.times = [row[0] for row in file.accessor(sampler["input"])]
        flat = [float(x) for row in file.accessor(sampler["output"], True) for x in row]
        rows = [tuple(flat[i: i + components]) for i in range(0, len(flat), components)]
        if self.interpolation == "CUBICSPLINE":
            self.incoming, self.outgoing, rows = rows[0::3], rows[2::3], rows[1::3]
        self.values = [unit(row) for row in rows] if path == "rotation" else rows

    def value(self, t):
        keys = self.times
        if t <= keys[0]:
            return self.values[0]
        if t >= keys[-1]:
            return self.values[-1]
        k = bisect.bisect_right(keys, t) - 1
        a, b = self.values[k], self.values[k + 1]
        span = keys[k + 1] - keys[k]
        u = (t - keys[k]) / span
        if self.interpolation == "STEP":
            return a
        if self.interpolation == "CUBICSPLINE":
            weights = (2 * u**3 - 3 * u**2 + 1, span * (u**3 - 2 * u**2 + u), 3 * u**2 - 2 * u**3, span * (u**3 - u**2))
            mixed = tuple(sum(w * x for w, x in zip(weights, four))
                          for four in zip(a, self.outgoing[k], b, self.incoming[k + 1]))
            return unit(mixed) if self.path == "rotation" else mixed
        if self.path == "rotation":
            return slerp(a, b, u)
        return tuple(x + (y - x) * u for x, y in zip(a, b))


class Clip:
    """An animation. channels: {(node, path): Channel}."""

    def __init__(self, file, index, target_counts):
        entry = file.json["animations"][index]
        self.name, self.channels = entry.get("name", ""), {}
        for channel in entry["channels"]:
            node, path = channel["target"].get("node"), channel["target"]["path"]
            if node is None or path not in ("translation", "rotation", "scale", "weights"):
                continue
            components = {"rotation": 4, "weights": target_counts.get(node, 0)}.get(path, 3)
            if components:
                sampler = entry["samplers"][channel["sampler"]]
                self.channels[(node, path)] = Channel(file, sampler, path, components)
        self.duration = max((c.times[-1] for c in self.channels.values()), default=0.0)


# ------------------------------------------------------------------------------------------------- meshes and poses

def triangles_of(primitive, indices):
    """Corner triples in order, with the winding that the standard gives strips and fans."""
    mode = primitive.get("mode", 4)
    if mode == 4:
        return [tuple(indices[i: i + 3]) for i in range(0, len(indices) - 2, 3)]
    if mode == 5:
        return [(indices[i], indices[i + 1 + i % 2], indices[i + 2 - i % 2]) for i in range(len(indices) - 2)]
    if mode == 6:
        return [(indices[i + 1], indices[i + 2], indices[0]) for i in range(len(indices) - 2)]
    raise ValueError(f"primitive mode {mode}")


class Part:
    """The vertices of one mesh node. groups: distinct sets of (joint, weight); group: which one each vertex has."""

    def __init__(self, file, node, first):
        entry = file.json["nodes"][node]
        self.node, self.name, self.first = node, entry.get("name", ""), first
        skin = file.json["skins"][entry["skin"]] if "skin" in entry else None
        self.joints = skin["joints"] if skin else None
        self.inverse_bind = [IDENTITY] * len(self.joints) if skin else []
        if skin and "inverseBindMatrices" in skin:
            self.inverse_bind = [from_columns(m) for m in file.accessor(skin["inverseBindMatrices"])]
        root = skin.get("skeleton") if skin else None
        self.root_joint = self.joints.index(root) if skin and root in self.joints else 0
        self.positions, self.normals, self.uv, self.indices, self.targets = [], [], [], [], []
        self.groups, self.group = [], []
        self.known, self.unweighted = {}, 0
        for primitive in file.json["meshes"][entry["mesh"]]["primitives"]:
            self.add(file, primitive)

    def add(self, file, primitive):
        attributes = primitive["attributes"]
        positions = file.accessor(attributes["POSITION"])
        indices = list(range(len(positions)))
        if "indices" in primitive:
            indices = [row[0] for row in file.accessor(primitive["indices"])]
        triangles = triangles_of(primitive, indices)
        groups = self.groups_of(file, attributes, len(positions))
        zeros, uv = [(0.0, 0.0, 0.0)] * len(positions), [(0.0, 0.0)] * len(positions)
        if "TEXCOORD_0" in attributes:
            uv = file.accessor(attributes["TEXCOORD_0"])
        targets = [tuple(file.accessor(t[key]) if key in t else zeros for key in ("POSITION", "NORMAL"))
                   for t in primitive.get("targets", [])]
        if "NORMAL" in attributes:
            normals = [unit(n) for n in file.accessor(attributes["NORMAL"])]
        else:
            uv = [uv[i] for triangle in triangles for i in triangle]
            positions, normals, groups, targets, triangles = flatten(positions, groups, targets, triangles)
        offset = len(self.positions)
        self.indices += [offset + i for triangle in triangles for i in triangle]
        self.positions += positions
        self.normals += normals
        self.uv += uv
        self.group += groups
        while len(self.targets) < len(targets):
            self.targets.append(([], []))
        for mine, new in zip(self.targets, targets):
            mine[0].extend(new[0])
            mine[1].extend(new[1])

    def groups_of(self, file, attributes, count):
        """Which set of influences each vertex has; weights of a vertex are divided by their sum."""
        pairs = [[] for _ in range(count)]
        for s in range(8):
            if self.joints is None or f"JOINTS_{s}" not in attributes or f"WEIGHTS_{s}" not in attributes:
                break
            joints, weights = file.accessor(attributes[f"JOINTS_{s}"]), file.accessor(attributes[f"WEIGHTS_{s}"], True)
            for mine, j4, w4 in zip(pairs, joints, weights):
                mine += [(j, w) for j, w in zip(j4, w4) if w != 0]
        result = []
        for mine in pairs:
            total = sum(w for _, w in mine)
            if self.joints is not None and total == 0:
                mine, total = [(self.root_joint, 1.0)], 1.0
                self.unweighted += 1
            key = tuple((j, w / total) for j, w in mine)
            if key not in self.known:
                self.known[key] = len(self.groups)
                self.groups.append(key)
            result.append(self.known[key])
        return result


def flatten(positions, groups, targets, triangles):
    """Three vertices a triangle with its flat normal; each morph target has its own flat normals, as differences."""
    order = [i for triangle in triangles for i in triangle]
    flat = [unit(cross_of(*(positions[i] for i in triangle))) for triangle in triangles]
    bent = []
    for deltas, _ in targets:
        moved = [tuple(a + b for a, b in zip(p, d)) for p, d in zip(positions, deltas)]
        own = [unit(cross_of(*(moved[i] for i in triangle))) for triangle in triangles]
        bent.append(([deltas[i] for i in order],
                     [tuple(b - a for a, b in zip(n or (0, 0, 0), m or n or (0, 0, 0))) for n, m in zip(flat, own)
                      for _ in range(3)]))
    return ([positions[i] for i in order], [n for n in flat for _ in range(3)], [groups[i] for i in order], bent,
            [(i, i + 1, i + 2) for i in range(0, len(order), 3)])


class Model:
    """A file's default scene: parts, clips, pose()."""

    def __init__(self, path):
        file = File(path)
        self.nodes = file.json["nodes"]
        self.parents = {child: i for i, node in enumerate(self.nodes) for child in node.get("children", [])}
        self.default_weights = {}
        for i, node in enumerate(self.nodes):
            if "mesh" in node:
                mesh = file.json["meshes"][node["mesh"]]
                count = len(mesh["primitives"][0].get("targets", []))
                self.default_weights[i] = node.get("weights") or mesh.get("weights") or [0.0] * count
        counts = {i: len(w) for i, w in self.default_weights.items()}
        self.clips = [Clip(file, i, counts) for i in range(len(file.json.get("animations", [])))]
        self.parts, first = [], 0
        for i in sorted(self.in_scene(file.json)):
            if "mesh" in self.nodes[i]:
                self.parts.append(Part(file, i, first))
                first += len(self.parts[-1].positions)
        self.vertex_count = first
        self.indices = [part.first + i for part in self.parts for i in part.indices]

    def in_scene(self, document):
        scenes = document.get("scenes", [])
        stack = [i for i in range(len(self.nodes)) if i not in self.parents]
        if scenes:
            stack = list(scenes[document.get("scene", 0)].get("nodes", []))
        found = set()
        while stack:
            i = stack.pop()
            found.add(i)
            stack += self.nodes[i].get("children", [])
        return found

    def local(self, node, clip, t):
        entry = self.nodes[node]
        if "matrix" in entry:
            return from_columns(entry["matrix"])
        trs = [entry.get("translation", (0, 0, 0)), entry.get("rotation", (0, 0, 0, 1)), entry.get("scale", (1, 1, 1))]
        for i, path in enumerate(("translation", "rotation", "scale")):
            if clip is not None and (node, path) in clip.channels:
                trs[i] = clip.channels[(node, path)].value(t)
        return from_trs(trs[0], unit(trs[1]), trs[2])

    def world(self, node, clip, t, cache):
        if node not in cache:
            own, parent = self.local(node, clip, t), self.parents.get(node)
            cache[node] = own if parent is None else times(self.world(parent, clip, t, cache), own)
        return cache[node]

    def bones(self, part, clip, t, cache):
        """Matrices of a part: of each joint of its skin, or its node's own."""
        if part.joints is None:
            return [self.world(part.node, clip, t, cache)]
        return [times(self.world(j, clip, t, cache), b) for j, b in zip(part.joints, part.inverse_bind)]

    def morphed(self, part, clip, t):
        if not part.targets:
            return part.positions, part.normals
        weights = self.default_weights[part.node]
        if clip is not None and (part.node, "weights") in clip.channels:
            weights = clip.channels[(part.node, "weights")].value(t)
        result = []
        for base, which in ((part.positions, 0), (part.normals, 1)):
            rows = [list(row) if row else [0.0, 0.0, 0.0] for row in base]
            for weight, target in zip(weights, part.targets):
                if weight != 0:
                    for row, delta in zip(rows, target[which]):
                        for k in range(3):
                            row[k] += weight * delta[k]
            result.append(rows)
        return result

    def pose(self, clip, t, normals=True):
        """(positions, normals) of all vertices at t s of a Clip (None: rest pose). A normal is None where there is
        none: a triangle without area, a matrix without inverse. normals=False: only positions, which is quicker."""
        cache, out, turned = {}, [], []
        for part in self.parts:
            bones = self.bones(part, clip, t, cache)
            if part.joints is None:
                matrices = bones
            else:
                matrices = [tuple(sum(w * bones[j][k] for j, w in group) for k in range(12)) for group in part.groups]
            bound, faces = self.morphed(part, clip, t)
            for (x, y, z), group in zip(bound, part.group):
                m = matrices[group]
                out.append((m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7],
                            m[8] * x + m[9] * y + m[10] * z + m[11]))
            if normals:
                turns = [cofactors(m) for m in matrices]
                for n, group in zip(faces, part.group):
                    c = turns[group]
                    turned.append(unit([c[3 * r] * n[0] + c[3 * r + 1] * n[1] + c[3 * r + 2] * n[2] for r in range(3)])
                                  if c and n else None)
        return out, turned if normals else None
