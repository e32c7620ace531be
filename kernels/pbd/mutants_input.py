#!/usr/bin/env python3
"""mutants_input.py - writes mutants_input.npy: particles where rules meet their edges, for `scripts/mutants.py pbd`
(see mutants.txt). Most belong into a domain of 2 m with an obstacle: 0.25 m to a side and around (0, 0, 1) then.

    python3 kernels/pbd/mutants_input.py kernels/pbd/mutants_input.npy
"""
import struct
import sys

RADIUS = 0.06
rows = []


def add(x, y, z, velocity=(0.0, 0.0, 0.0), mass=1.0):
    rows.append((x, y, z, *velocity, mass, RADIUS))


# In the obstacle: its centre, the ring of the torus, near each face of the box.
add(0.0, 0.0, 1.0)
add(0.1875, 0.0, 1.0)
for side in (-1.0, 1.0):
    add(side * 0.22, 0.1 * side, 1.13)
    add(0.09 * side, side * 0.21, 1.0 - 0.12 * side)
    add(-0.1 * side, -0.02, 1.0 + side * 0.2)
# In the middle of a torus through which it does not fit, where the domain is 0.5 m high.
add(0.0, 0.0, 0.25)
# On a sampled box in a domain of 40 m: in the outermost cells of the field, near three faces and near an edge.
for at in ((-5.045, 0.0, 20.0), (0.0, -5.045, 20.0), (0.0, 0.0, 14.955), (4.95, 4.95, 20.3)):
    add(*at)
# Coincident: pairs, some with a third.
corners = [(x, y, z) for z in (0.2, 0.6) for y in (-0.8, -0.4, 0.4, 0.8) for x in (-0.8, -0.4, 0.4, 0.8)]
for number, (x, y, z) in enumerate(corners):
    for _ in range(3 if number % 5 == 0 else 2):
        add(x, y, z, mass=1.0 + 0.5 * (number % 2))
# A block that moves as one: contacts without slip.
for z in (1.5, 1.6, 1.7):
    for y in (-0.5, -0.4, -0.3):
        for x in (0.3, 0.39, 0.5):
            add(x, y, z, velocity=(0.0, 0.0, 0.5), mass=2.0)
# A little less and a little more than 1e-5 m apart.
for y, apart in ((0.0, 9e-6), (0.3, 1.1e-5), (0.6, 5e-4)):
    add(0.0, y - 0.6, 1.7)
    add(apart, y - 0.6, 1.7)
# Outside: a little, and so far that a cell is no integer any more.
for at in ((1.02, 0.0, 0.5), (-1.02, 0.2, 0.5), (0.3, 1.03, 0.5), (0.3, -1.03, 0.5),
           (0.5, 0.1, -0.01), (0.5, 0.2, 2.02),
           (1.07, 0.0, 0.5), (-1.07, 0.2, 0.5), (1e9, 1e9, 1e9), (-1e9, -1e9, -1e9), (1.2e8, -1.4e8, 3.0),
           (1.7e8, -5.0, 1.6e8), (1e9, 1e9, 1e9)):
    add(*at)

header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({len(rows)}, 8), }}"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for row in rows:
        file.write(struct.pack("<8f", *row))
print(f"{len(rows)} particles")
