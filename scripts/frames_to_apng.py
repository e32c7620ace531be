#!/usr/bin/env python3
"""frames_to_apng.py - makes one picture of many PNG files of the same size and format: an animated PNG, whose frames
are the files' own compressed data in other chunks (nothing is encoded anew), or a contact sheet.

    frames_to_apng.py OUT.png FRAME.png...             animation, 30 frames a second
    frames_to_apng.py OUT.png FRAME.png... --fps 10
    frames_to_apng.py OUT.png FRAME.png... --sheet 4   contact sheet of 4 columns (8-bit RGB pictures only)
    frames_to_apng.py --self-test

For the frames of `vfxbench run CASE --image FILE.png --every K`. APNG: PNG Specification, Third Edition (W3C), 11.3.6.
"""
import argparse
import os
import struct
import sys
import tempfile
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_PIXELS = 1 << 28


class Problem(Exception):
    """What the user has to hear."""


# ------------------------------------------------------------------------------------------------------------ chunks


def chunk(kind, data):
    """A chunk's bytes."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def read_chunks(path):
    """The chunks of a PNG file as [(kind, data)], each with a right checksum."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Problem(f"cannot read {path}: {error.strerror}") from None
    if not data.startswith(SIGNATURE):
        raise Problem(f"{path} is no PNG file")
    chunks, at = [], len(SIGNATURE)
    while not chunks or chunks[-1][0] != b"IEND":
        if at + 12 > len(data):
            raise Problem(f"{path} is cut short")
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if at + 12 + length > len(data):
            raise Problem(f"{path} is cut short")
        if struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] != zlib.crc32(kind + body):
            raise Problem(f"{path} is damaged: wrong checksum of {kind.decode('latin-1')}")
        chunks.append((kind, body))
        at += 12 + length
    if chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        raise Problem(f"{path} is damaged: it does not begin with IHDR")
    return chunks


def data_of(chunks, kind):
    """The data of all chunks of this kind together."""
    return b"".join(data for name, data in chunks if name == kind)


def describe(header):
    """A header for people."""
    width, height, bits, colour = struct.unpack(">IIBB", header[:10])
    return f"{width} x {height}, {bits} bits, colour type {colour}"


def read_frames(paths):
    """The chunks of every file; all have the same header, and none is animated or has a palette of its own."""
    frames = [read_chunks(path) for path in paths]
    for path, chunks in zip(paths, frames):
        if not data_of(chunks, b"IDAT"):
            raise Problem(f"{path} has no picture in it")
        if any(kind == b"acTL" for kind, _ in chunks):
            raise Problem(f"{path} is an animation itself")
        if chunks[0][1] != frames[0][0][1]:
            raise Problem(f"{path} is {describe(chunks[0][1])}, but {paths[0]} is {describe(frames[0][0][1])}")
        for kind in (b"PLTE", b"tRNS"):
            if data_of(chunks, kind) != data_of(frames[0], kind):
                raise Problem(f"{path} has other colours in its {kind.decode()} than {paths[0]}")
    return frames


# --------------------------------------------------------------------------------------------------------- animation


def make_animation(frames, fps):
    """Bytes of the APNG file."""
    header = frames[0][0][1]
    size = header[:8]
    out = [SIGNATURE, chunk(b"IHDR", header), chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    out += [chunk(kind, data) for kind, data in frames[0] if kind in (b"PLTE", b"tRNS", b"sRGB", b"gAMA", b"iCCP")]
    sequence = 0
    for index, chunks in enumerate(frames):
        control = size + struct.pack(">IIHHBB", 0, 0, 1000, round(fps * 1000), 0, 0)
        out.append(chunk(b"fcTL", struct.pack(">I", sequence) + control))
        sequence += 1
        for data in (data for kind, data in chunks if kind == b"IDAT"):
            if index == 0:
                out.append(chunk(b"IDAT", data))
            else:
                out.append(chunk(b"fdAT", struct.pack(">I", sequence) + data))
                sequence += 1
    return b"".join(out + [chunk(b"IEND", b"")])


# ------------------------------------------------------------------------------------------------------------- sheet


def paeth(left, up, corner):
    """The neighbour that is nearest to left + up - corner."""
    guess = left + up - corner
    off = (abs(guess - left), abs(guess - up), abs(guess - corner))
    return (left, up, corner)[off.index(min(off))]


def unfilter(kind, row, above, step):
    """Undoes the filter of a row in place. step: bytes of a pixel."""
    if kind == 0:
        return
    for i, value in enumerate(row):
        left = row[i - step] if i >= step else 0
        up = above[i]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            guess = paeth(left, up, above[i - step] if i >= step else 0)
        row[i] = (value + guess) & 255


def decode(path, chunks):
    """Rows of an 8-bit RGB picture, each a bytearray."""
    width, height, bits, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    if (bits, colour, interlace) != (8, 2, 0):
        raise Problem(f"{path} is {describe(chunks[0][1])}: a sheet takes 8-bit RGB without interlace")
    if width * height > MOST_PIXELS:
        raise Problem(f"{path} is too large")
    stride = 3 * width
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(data_of(chunks, b"IDAT"), (stride + 1) * height + 1)
    except zlib.error as error:
        raise Problem(f"{path} is damaged: {error}") from None
    if len(data) != (stride + 1) * height:
        raise Problem(f"{path} is damaged: {len(data)} bytes of pixels instead of {(stride + 1) * height}")
    rows, above = [], bytearray(stride)
    for y in range(height):
        kind = data[y * (stride + 1)]
        row = bytearray(data[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        if kind > 4:
            raise Problem(f"{path} is damaged: row {y} has the filter {kind}")
        unfilter(kind, row, above, 3)
        rows.append(row)
        above = row
    return rows


def encode(rows):
    """Bytes of an 8-bit RGB PNG file; every row but the first is stored as the difference to the one above."""
    data, above = bytearray(), bytes(len(rows[0]))
    for row in rows:
        data.append(2)
        data += bytes((value - up) & 255 for value, up in zip(row, above))
        above = row
    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(data), 9)) + chunk(b"IEND", b"")
    return SIGNATURE + body


def make_sheet(paths, frames, columns):
    """Bytes of the contact sheet; what is left of the last line is black."""
    pictures = [decode(path, chunks) for path, chunks in zip(paths, frames)]
    columns = min(columns, len(pictures))
    empty = [bytearray(len(pictures[0][0]))] * len(pictures[0])
    rows = []
    for first in range(0, len(pictures), columns):
        line = pictures[first : first + columns]
        line += [empty] * (columns - len(line))
        rows += [b"".join(picture[y] for picture in line) for y in range(len(empty))]
    return encode(rows)


# --------------------------------------------------------------------------------------------------------------- use


def write(path, data):
    """Under a temporary name first, so that a failure leaves nothing half-written."""
    folder = os.path.dirname(path) or "."
    try:
        number, temporary = tempfile.mkstemp(dir=folder, prefix=os.path.basename(path) + ".")
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except OSError:
            os.remove(temporary)
            raise
    except OSError as error:
        raise Problem(f"cannot write {path}: {error.strerror}") from None


def filtered(rows, kinds):
    """An 8-bit RGB PNG file whose row y has the filter kinds[y % len(kinds)]: for the self-test."""
    data, above = bytearray(), bytearray(len(rows[0]))
    for y, row in enumerate(rows):
        kind = kinds[y % len(kinds)]
        data.append(kind)
        for i, value in enumerate(row):
            left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            guess = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]
            data.append((value - guess) & 255)
        above = row
    packed = zlib.compress(bytes(data))
    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    halves = chunk(b"IDAT", packed[: len(packed) // 2]) + chunk(b"IDAT", packed[len(packed) // 2 :])
    return SIGNATURE + chunk(b"IHDR", header) + halves + chunk(b"IEND", b"")


def refuses(call, part):
    """Does the call raise a Problem that says `part`?"""
    try:
        call()
    except Problem as problem:
        return part in str(problem)
    return False


def self_test():
    """Round trips, and refusals of what is wrong."""
    rows = [bytearray((x * 37 + y * 91 + x * y * y * 5) & 255 for x in range(3 * 7)) for y in range(11)]
    other = [bytearray(255 - value for value in row) for row in rows]
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("a.png", "b.png", "c.png")]
        files = [filtered(rows, (0, 1, 2, 3, 4)), filtered(other, (4, 3, 2, 1)), encode(rows)]
        for path, data in zip(paths, files):
            write(path, data)
        frames = read_frames(paths)
        assert [decode(path, chunks) for path, chunks in zip(paths, frames)] == [rows, other, rows]
        out = os.path.join(folder, "out.png")
        write(out, make_animation(frames, 12.5))
        chunks = read_chunks(out)
        assert [kind for kind, _ in chunks[:4]] == [b"IHDR", b"acTL", b"fcTL", b"IDAT"]
        assert struct.unpack(">II", data_of(chunks, b"acTL")) == (3, 0)
        numbers = [struct.unpack(">I", data[:4])[0] for kind, data in chunks if kind in (b"fcTL", b"fdAT")]
        assert numbers == list(range(6))
        assert struct.unpack(">HH", next(data for kind, data in chunks if kind == b"fcTL")[20:24]) == (1000, 12500)
        assert decode(out, chunks) == rows  # what a viewer without animation shows
        moved = b"".join(data[4:] for kind, data in chunks if kind == b"fdAT")
        assert moved == data_of(frames[1], b"IDAT") + data_of(frames[2], b"IDAT")
        write(out, make_sheet(paths, frames, 2))
        sheet = decode(out, read_chunks(out))
        assert sheet[:11] == [a + b for a, b in zip(rows, other)]
        assert sheet[11:] == [a + bytearray(len(a)) for a in rows]
        write(paths[1], encode(rows[:5]))
        assert refuses(lambda: read_frames(paths), "b.png is 7 x 5")
        write(paths[1], files[1][:-20])
        assert refuses(lambda: read_frames(paths), "cut short")
        write(paths[1], files[1][:60] + bytes([files[1][60] ^ 1]) + files[1][61:])
        assert refuses(lambda: read_frames(paths), "wrong checksum")
        write(paths[1], b"GIF89a")
        assert refuses(lambda: read_frames(paths), "no PNG file")
        assert refuses(lambda: read_frames([os.path.join(folder, "none.png")]), "cannot read")
        assert refuses(lambda: write(os.path.join(folder, "none", "x.png"), b""), "cannot write")
    print("frames_to_apng: round trips and refusals are right")


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description="Joins PNG files to an animated PNG or a contact sheet.")
    parser.add_argument("out", nargs="?", metavar="OUT.png")
    parser.add_argument("frames", nargs="*", metavar="FRAME.png")
    parser.add_argument("--fps", type=float, default=30.0, help="frames a second, 0.1 to 60 (default 30)")
    parser.add_argument("--sheet", type=int, metavar="COLUMNS", help="a contact sheet instead of an animation")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        return
    if not arguments.frames:
        parser.error("name the file to write and the frames that it is made of")
    if not 0.1 <= arguments.fps <= 60:
        parser.error("--fps: not in 0.1 .. 60")
    if arguments.sheet is not None and arguments.sheet < 1:
        parser.error("--sheet: at least one column")
    try:
        frames = read_frames(arguments.frames)
        if arguments.sheet is None:
            data = make_animation(frames, arguments.fps)
        else:
            data = make_sheet(arguments.frames, frames, arguments.sheet)
        write(arguments.out, data)
    except Problem as problem:
        sys.exit(f"frames_to_apng: {problem}")


if __name__ == "__main__":
    main()
