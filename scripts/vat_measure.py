"""scripts/vat_measure.py - how vat_check.py measures: what a clip of a bake must show, distances, and the table of
stated and recomputed figures.
"""
import array
import itertools
import math

import vat_folder

SHARE = 0.01  # how far a recomputed figure may be from the stated one
TEMPORAL_RATE = 60


class Spread:
    """Worst and rms of values as they come."""

    def __init__(self):
        self.worst, self.squares, self.count, self.where = 0.0, 0.0, 0, None

    def add(self, squares, where=None):
        """Squared distances of one frame's vertices."""
        most = max(squares, default=0.0)
        if most > self.worst ** 2:
            self.worst, self.where = math.sqrt(most), where
        self.squares += math.fsum(squares)
        self.count += len(squares)

    def join(self, other):
        self.worst = max(self.worst, other.worst)
        self.squares += other.squares
        self.count += other.count

    def rms(self):
        return math.sqrt(self.squares / self.count) if self.count else 0.0


def distances(a, b):
    """Squared distances of two lists of points."""
    return [(x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2 for (x, y, z), (u, v, w) in zip(a, b)]


def angle(a, b):
    """Radians between two vectors, good for small ones."""
    return math.atan2(math.hypot(*vat_folder.cross(a, b)), sum(x * y for x, y in zip(a, b)))


def as_f32(rows):
    """The points as a baker stores them unquantised."""
    return list(zip(*[iter(array.array("f", itertools.chain.from_iterable(rows)))] * 3))


# ------------------------------------------------------------------------------------------------- what a clip shows

class Shown:
    """A clip of a bake as it must be: frames sampled from the model."""

    def __init__(self, model, manifest, entry, scale):
        self.model, self.entry, self.scale = model, entry, scale
        self.clip = model.clips[entry["source"]] if entry["source"] >= 0 else None
        self.duration = self.clip.duration if self.clip else 0.0
        self.count, self.fps, self.closed = entry["frames"], entry["fps"], manifest["sampling"] == "closed"
        if self.closed:
            n = max(1, self.count - 1)
            self.times = [k / n * self.duration for k in range(n)] + [self.duration] * (self.count > 1)
            if entry["loop"] and self.count > 1:
                self.times[n] = 0.0
        else:
            late = 1 if manifest["sampling"] == "source-late" else 0
            self.times = [min((k + late) / self.fps, self.duration) for k in range(self.count)]
        self.kept = {}

    def pose(self, t, normals=False):
        positions, turned = self.model.pose(self.clip, t, normals)
        s = self.scale
        return [(s * x, s * y, s * z) for x, y, z in positions] if s != 1 else positions, turned

    def frame(self, k):
        """(positions rounded to f32, normals) of a stored frame."""
        if k not in self.kept:
            positions, normals = self.pose(self.times[k], True)
            self.kept[k] = as_f32(positions), normals
        return self.kept[k]

    def lerped(self, t):
        """What a player shows at time t from unquantised frames."""
        f = t * self.fps
        i = math.floor(f)
        if self.closed:
            i = max(0, min(i, self.count - 2))
            j = min(i + 1, self.count - 1)
            w = f - i if self.count > 1 else 0.0
        else:
            w = f - i
            i, j = (i % self.count, (i + 1) % self.count) if self.entry["loop"] else (
                min(i, self.count - 1), min(i + 1, self.count - 1))
        return [(x + (u - x) * w, y + (v - y) * w, z + (q - z) * w)
                for (x, y, z), (u, v, q) in zip(self.frame(i)[0], self.frame(j)[0])]

    def temporal(self, every):
        ticks = [k / TEMPORAL_RATE for k in range(math.ceil(self.duration * TEMPORAL_RATE) + 1)]
        spread = Spread()
        for t in ([t for t in ticks if t < self.duration] + [self.duration])[::every]:
            spread.add(distances(self.pose(t)[0], self.lerped(t)), t)
        return spread

    def closure(self):
        """Worst distance between the ends."""
        if self.closed:
            ends = self.pose(self.duration)[0], self.pose(0.0)[0]
        else:
            ends = self.frame(self.count - 1)[0], self.frame(0)[0]
        return math.sqrt(max(distances(*ends), default=0.0))


def box_of(frames):
    """(smallest, largest) coordinates of lists of points."""
    columns = list(zip(*((*map(min, zip(*rows)), *map(max, zip(*rows))) for rows in frames)))
    return [min(c) for c in columns[:3]], [max(c) for c in columns[3:]]


# ------------------------------------------------------------------------------------------------------- the verdict

class Table:
    """Rows manifest / recomputed / difference, and how many are off."""

    def __init__(self):
        self.bad = 0
        print(f"{'figure':<34}{'manifest':>14}{'recomputed':>14}{'difference':>12}")

    def row(self, name, stated, found, floor, judged=True, share=None):
        difference, share = abs(stated - found), SHARE if share is None else share
        off = judged and not difference <= share * max(abs(stated), abs(found)) + floor
        self.line(name, stated, found, difference, off, "" if judged else "  (not judged)")

    def at_most(self, name, stated, found, floor):
        """Of part of the samples: may be less than what is stated, not more."""
        off = not found <= stated * (1 + SHARE) + floor
        self.line(name, stated, found, abs(stated - found), off, "  (of part of the samples)")

    def line(self, name, stated, found, difference, off, note):
        self.bad += off
        print(f"{name:<34}{stated:>14.6g}{found:>14.6g}{difference:>12.2g}{'  OFF' if off else note}")

    def fault(self, text):
        self.bad += 1
        print(f"OFF: {text}")
