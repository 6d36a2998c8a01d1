#!/usr/bin/env python3
"""Writes random problems of ../shared/data/contact (numpy) as tests/solve/problem_file.hpp reads them.

  tools/contact_problems.py contact|mixed SEED COUNT FILE     COUNT problems of each family
  CARDAN_CONTACT_PROBLEMS=FILE build/tests/test_solve --gtest_filter=LawSolver.ProblemsOfAFile

Equality rows have b = 0: drift belongs to position projections."""
import pathlib
import struct
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "shared" / "data" / "contact"))
import mixed_problems as mixed_families
import problems as contact_families

KIND = {0: 2, 1: 0, 2: 1, 3: 3, 4: 3}  # blocks of the data as enum class Law


def write_integers(f, *values):
    f.write(struct.pack(f"<{len(values)}i", *values))


def write_numbers(f, values):
    f.write(np.ascontiguousarray(values, dtype="<f8").tobytes())


def write_problem(f, p, family):
    name = family.encode()
    write_integers(f, len(name))
    f.write(name)
    J, R = p["J"], p["R"]
    rows, nv = J.shape
    blocks = p.get("blocks") or [dict(type=0, off=3 * k, n=3, par=p["mu"][k], loads=[]) for k in range(rows // 3)]
    order = np.arange(rows)
    for q in blocks:
        if q["type"] == 0:  # normal first
            o = q["off"]
            order[o:o + 3] = [o + 2, o, o + 1]
    write_integers(f, nv, rows, len(blocks))
    for values in (p["M"], p["vf"], J[order], p["b"][order]):
        write_numbers(f, values)
    for q in blocks:
        write_integers(f, KIND[q["type"]], q["off"], q["n"], len(q["loads"]))
        write_numbers(f, [q["par"], R[q["off"]]])
        for factor, A, B, constant in q["loads"]:
            write_numbers(f, [factor])
            write_numbers(f, A[:, order])
            write_numbers(f, B)
            write_numbers(f, constant)


def contact_problems(seed, count):
    P = contact_families
    families = {
        "random": lambda r: P.randbodies(10, 15, r), "redundant": lambda r: P.randbodies(10, 40, r),
        "ratio1e3": lambda r: P.randbodies(10, 15, r, ratio=1e3),
        "ratio1e6": lambda r: P.randbodies(10, 15, r, ratio=1e6),
        "mu1.5": lambda r: P.randbodies(6, 18, r, mu=1.5),
        "table": lambda r: P.table(r, legs=int(r.integers(4, 9)), vel=r.choice([0.0, 0.5])),
        "stack10": lambda r: P.stack(10, 1.0, r, vel=0.3), "stack10 heavy": lambda r: P.stack(10, 1e3, r, vel=0.3),
        "stack20 8 points": lambda r: P.stack(20, 1.0, r, vel=0.3, npts=8),
        "pyramid": lambda r: P.pyramid(6, r, vel=0.3),
        "chain10": lambda r: P.chain(10, r), "chain30": lambda r: P.chain(30, r, tipmass=1e3)}
    for name, make in families.items():
        for i in range(count):
            yield name, make(np.random.default_rng([seed, sum(map(ord, name)), i]))


def mixed_problems(seed, count):
    for name, make in mixed_families.FAMILIES.items():
        for i in range(count):
            p = make(np.random.default_rng([seed, sum(map(ord, name)), i]))
            for q in p["blocks"]:
                if q["type"] == mixed_families.EQ:
                    p["b"][q["off"]:q["off"] + q["n"]] = 0.0
            if len(p["b"]):
                yield name, p


kind, seed, count, path = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
with open(path, "wb") as out:
    for family, problem in (contact_problems if kind == "contact" else mixed_problems)(seed, count):
        write_problem(out, problem, family)
