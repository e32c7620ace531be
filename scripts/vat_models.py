"""scripts/vat_models.py - glTF files made by code, for vat_check.py: a builder for the hand-made cases of its
self-test, and random models that use what the standard allows, so that the baker can be checked without model files.
"""
import base64
import json
import math
import os
import random
import struct
import tempfile

import vat_gltf

MOST = {"b": 127, "B": 255, "h": 32767, "H": 65535}


class Builder:
    """A .gltf document put together accessor by accessor."""

    def __init__(self):
        self.bytes, self.json = b"", {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "meshes": [],
                                      "nodes": [], "skins": [], "animations": []}

    def view(self, form, values, components=0, gap=0):
        """A buffer view of numbers; gap: bytes left free after every `components` of them."""
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        row = struct.Struct(f"<{components or len(values)}{form}{gap}x")
        data = b"".join(row.pack(*values[i: i + components]) for i in range(0, len(values), components)) if gap else (
            struct.pack(f"<{len(values)}{form}", *values))
        entry = {"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)}
        self.json["bufferViews"].append(dict(entry, byteStride=row.size) if gap else entry)
        self.bytes += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, form, kind, values, gap=0, **more):
        component = {"b": 5120, "B": 5121, "h": 5122, "H": 5123, "I": 5125, "f": 5126}[form]
        view = self.view(form, values, vat_gltf.COMPONENTS[kind], gap)
        self.json["accessors"].append({"bufferView": view, "componentType": component, "type": kind,
                                       "count": len(values) // vat_gltf.COMPONENTS[kind], **more})
        return len(self.json["accessors"]) - 1

    def mesh(self, attributes, **more):
        self.json["meshes"].append({"primitives": [{"attributes": attributes, **more}]})
        return len(self.json["meshes"]) - 1

    def points(self, positions, normals):
        """A mesh of whole triangles with normals."""
        return self.mesh({"POSITION": self.accessor("f", "VEC3", positions),
                          "NORMAL": self.accessor("f", "VEC3", normals)})

    def animate(self, node, path, times, values, interpolation="LINEAR", form="f"):
        """An animation of one channel."""
        self.json["animations"].append({"name": path, "samplers": [], "channels": []})
        self.channel(node, path, times, values, interpolation, form)

    def channel(self, node, path, times, values, interpolation, form):
        """A channel of the last animation."""
        animation, kind = self.json["animations"][-1], {"rotation": "VEC4", "weights": "SCALAR"}.get(path, "VEC3")
        bounds = {"min": [times[0]], "max": [times[-1]]}
        more = {"normalized": True} if form != "f" else {}
        animation["channels"].append({"sampler": len(animation["samplers"]), "target": {"node": node, "path": path}})
        animation["samplers"].append({"input": self.accessor("f", "SCALAR", times, **bounds),
                                      "output": self.accessor(form, kind, values, **more),
                                      "interpolation": interpolation})

    def save(self, path):
        uri = "data:application/octet-stream;base64," + base64.b64encode(self.bytes).decode()
        self.json["buffers"] = [{"byteLength": len(self.bytes), "uri": uri}]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({key: value for key, value in self.json.items() if value or key == "scene"}, file)
        return path

    def model(self):
        with tempfile.TemporaryDirectory() as folder:
            return vat_gltf.Model(self.save(os.path.join(folder, "model.gltf")))


class RandomModel(Builder):
    """A small valid model, different for every seed."""

    def __init__(self, seed):
        super().__init__()
        self.random = random.Random(seed)
        self.weighted = {}
        self.add_nodes(self.random.randint(3, 9))
        for _ in range(self.random.randint(0, 2)):
            self.add_skin()
        for _ in range(self.random.randint(1, 3)):
            self.add_mesh_node()
        for i in range(self.random.randint(0, 3)):
            self.add_clip(i)

    def chance(self, share):
        return self.random.random() < share

    def floats(self, count, low=-1.0, high=1.0):
        return [self.random.uniform(low, high) for _ in range(count)]

    def direction(self, size):
        """A random unit vector."""
        values = [self.random.gauss(0, 1) for _ in range(size)]
        return [x / math.hypot(*values) for x in values]

    def trs(self):
        """Some of translation, rotation and scale; scales may be negative, and differ by axis."""
        parts = {"translation": self.floats(3), "rotation": self.direction(4),
                 "scale": [self.random.choice((-1, 1, 1)) * x for x in self.floats(3, 0.5, 1.5)]}
        return {key: value for key, value in parts.items() if self.chance(0.7)}

    def matrix(self):
        trs = self.trs()
        m = vat_gltf.from_trs(trs.get("translation", (0, 0, 0)), trs.get("rotation", (0, 0, 0, 1)),
                              trs.get("scale", (1, 1, 1)))
        return [x for c in range(4) for x in (m[c], m[4 + c], m[8 + c], 1.0 if c == 3 else 0.0)]

    def add_nodes(self, count):
        """A forest whose node numbers are in no order; most roots are in the scene."""
        numbers = list(range(count))
        self.random.shuffle(numbers)
        nodes = self.json["nodes"] = [{"name": f"node {i}"} for i in range(count)]
        roots = []
        for rank, i in enumerate(numbers):
            nodes[i].update({"matrix": self.matrix()} if self.chance(0.2) else self.trs())
            if rank == 0 or self.chance(0.15):
                roots.append(i)
            else:
                nodes[self.random.choice(numbers[:rank])].setdefault("children", []).append(i)
        kept = roots[:1] + [i for i in roots[1:] if self.chance(0.7)]
        self.json["scenes"] = [{"nodes": kept}] + [{"nodes": roots}] * self.chance(0.3)
        self.json["scene"], self.in_scene, stack = 0, [], list(kept)
        while stack:
            self.in_scene.append(stack.pop())
            stack += nodes[self.in_scene[-1]].get("children", [])

    def add_skin(self):
        joints = self.random.sample(self.in_scene, min(len(self.in_scene), self.random.randint(1, 5)))
        skin = {"joints": joints}
        if self.chance(0.8):
            skin["inverseBindMatrices"] = self.accessor("f", "MAT4", [x for _ in joints for x in self.matrix()])
        self.json["skins"].append(skin)

    def add_mesh_node(self):
        """Gives a node of the scene without a mesh one; no skinned mesh has fewer sets than its skin's joints need."""
        free = [i for i in self.in_scene if "mesh" not in self.json["nodes"][i]]
        if not free:
            return
        node = self.json["nodes"][self.random.choice(free)]
        skin = self.random.randrange(len(self.json["skins"])) if self.json["skins"] and self.chance(0.6) else None
        targets = self.random.choice((0, 0, 1, 2))
        joints = len(self.json["skins"][skin]["joints"]) if skin is not None else 0
        mesh = {"primitives": [self.primitive(joints, targets) for _ in range(self.random.randint(1, 3))]}
        if targets and self.chance(0.5):
            mesh["weights"] = self.floats(targets)
        if targets and self.chance(0.3):
            node["weights"] = self.floats(targets)
        node["mesh"] = len(self.json["meshes"])
        self.json["meshes"].append(mesh)
        if skin is not None:
            node["skin"] = skin
        if targets:
            self.weighted[self.json["nodes"].index(node)] = targets

    def vectors(self, count, make, need=False):
        """An accessor of three-vectors, sometimes with gaps, sometimes sparse."""
        values = [x for _ in range(count) for x in make()]
        more = {"min": [min(values[k::3]) for k in range(3)], "max": [max(values[k::3]) for k in range(3)]}
        if self.chance(0.25):
            places = sorted(self.random.sample(range(count), self.random.randint(1, count)))
            changed = [x for _ in places for x in make()]
            more = {"sparse": {"count": len(places),
                               "indices": {"bufferView": self.view("B", places), "componentType": 5121},
                               "values": {"bufferView": self.view("f", changed)}}}
        index = self.accessor("f", "VEC3", values, gap=self.random.choice((0, 0, 4, 12)), **more)
        if "sparse" in more and not need and self.chance(0.5):
            del self.json["accessors"][index]["bufferView"]
        return index

    def primitive(self, joints, targets):
        count = 3 * self.random.randint(2, 6)
        result = {"attributes": {"POSITION": self.vectors(count, lambda: self.floats(3), True)},
                  "mode": self.random.choice((4, 4, 5, 6))}
        if self.chance(0.6):
            result["attributes"]["NORMAL"] = self.vectors(count, lambda: self.direction(3), True)
        if self.chance(0.5):
            result["attributes"]["TEXCOORD_0"] = self.accessor("f", "VEC2", self.floats(2 * count, -2, 2))
        if self.chance(0.5):
            corners = [i for _ in range(self.random.randint(1, 6)) for i in self.random.sample(range(count), 3)]
            if result["mode"] != 4:
                corners = self.random.sample(range(count), self.random.randint(3, count))
            result["indices"] = self.accessor(self.random.choice("BHI"), "SCALAR", corners)
        if targets:
            result["targets"] = [self.target(count) for _ in range(targets)]
        if joints:
            self.add_influences(result["attributes"], count, joints)
        return result

    def target(self, count):
        keys = self.random.choice((("POSITION",), ("POSITION", "NORMAL"), ("NORMAL",)))
        return {key: self.vectors(count, lambda: self.floats(3, -0.5, 0.5)) for key in keys}

    def add_influences(self, attributes, count, joints):
        sets, form = self.random.randint(1, 2), self.random.choice("fBH")
        numbers, weights = [[] for _ in range(sets)], [[] for _ in range(sets)]
        for _ in range(count):
            used = self.random.sample(range(joints), min(joints, 4 * sets, self.random.randint(1, 6)))
            shares = self.floats(len(used), 0.1, 1)
            whole = sum(shares) * self.random.choice((1, 1, 0.9)) if form == "f" else sum(shares)
            pad = 4 * sets - len(used)
            used, shares = used + [0] * pad, [x / whole for x in shares] + [0] * pad
            if form != "f":
                shares = [round(x * MOST[form]) for x in shares]
            for s in range(sets):
                numbers[s] += used[4 * s: 4 * s + 4]
                weights[s] += shares[4 * s: 4 * s + 4]
        for s in range(sets):
            attributes[f"JOINTS_{s}"] = self.accessor(self.random.choice("BH"), "VEC4", numbers[s])
            more = {"normalized": True} if form != "f" else {}
            attributes[f"WEIGHTS_{s}"] = self.accessor(form, "VEC4", weights[s], **more)

    def add_clip(self, number):
        movable = [i for i, node in enumerate(self.json["nodes"]) if "matrix" not in node]
        channels = [(i, path) for i in movable for path in ("translation", "rotation", "scale")]
        channels += [(i, "weights") for i in self.weighted]
        if not channels:
            return
        self.json["animations"].append({"name": f"clip {number}", "samplers": [], "channels": []})
        even = self.chance(0.4)
        for node, path in self.random.sample(channels, self.random.randint(1, min(8, len(channels)))):
            self.add_channel(node, path, even)

    def add_channel(self, node, path, even):
        """Keys at uneven times, the first not always at 0, or at quarters of a second, as frames are. Whole numbers
        stand for fractions."""
        interpolation = self.random.choice(("LINEAR", "LINEAR", "STEP", "CUBICSPLINE"))
        count = self.random.randint(2, 6) if interpolation == "CUBICSPLINE" else self.random.randint(1, 6)
        times = [self.random.choice((0.0, 0.1))]
        while len(times) < count:
            times.append(times[-1] + self.random.choice((0.1, 0.25, self.random.uniform(0.05, 0.4))))
        if even:
            count, times = 5, [0.0, 0.25, 0.5, 0.75, 1.0]
        size = {"rotation": 4, "weights": self.weighted.get(node, 0)}.get(path, 3)
        fractions = path in ("rotation", "weights") and interpolation != "CUBICSPLINE"
        form = self.random.choice("fffbh") if fractions else "f"
        values = []
        for _ in times:
            value = self.direction(4) if path == "rotation" else self.floats(size)
            if path == "scale":
                value = [self.random.choice((-1, 1, 1, 1)) * x for x in self.floats(3, 0.5, 1.5)]
            if interpolation == "CUBICSPLINE":
                value = self.floats(size) + value + self.floats(size)
            values += value if form == "f" else [-MOST[form] - 1 if x < -0.95 else round(x * MOST[form]) for x in value]
        self.channel(node, path, times, values, interpolation, form)
