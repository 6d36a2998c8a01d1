"""Compares the distances of `cardan eval` with those of Coal on random pairs of shapes.

    python distances_against_coal.py build/bin/cardan [PAIRS]

Prints, for pairs apart and for overlapping ones, the median and the largest difference of the gaps. Coal works to about
1e-6; larger differences are listed with what the separation of planes of support along both normals says: the larger of
the two is nearer to the truth.
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import coal
import numpy as np

KINDS = ["sphere", "capsule", "box", "cylinder", "ellipsoid"]
STATES = 50


def make_shape(kind, r):
    """The shape for a scene, for Coal, and its support function."""
    a, b, c = (r.uniform(0.1, 1.0) for _ in range(3))
    if kind == "sphere":
        return f"sphere = {a!r}", coal.Sphere(a), lambda n: a
    if kind == "capsule":
        return (f"capsule = {{ radius = {a!r}, length = {b!r} }}", coal.Capsule(a, b),
                lambda n: a + 0.5 * b * abs(n[2]))
    if kind == "box":
        return (f"box = [{a!r}, {b!r}, {c!r}]", coal.Box(a, b, c),
                lambda n: 0.5 * (a * abs(n[0]) + b * abs(n[1]) + c * abs(n[2])))
    if kind == "cylinder":
        return (f"cylinder = {{ radius = {a!r}, length = {b!r} }}", coal.Cylinder(a, b),
                lambda n: a * np.hypot(n[0], n[1]) + 0.5 * b * abs(n[2]))
    return (f"ellipsoid = [{a!r}, {b!r}, {c!r}]", coal.Ellipsoid(a, b, c),
            lambda n: float(np.linalg.norm(np.array([a, b, c]) * n)))


def random_pose(r):
    quaternion = np.array([r.gauss(0, 1) for _ in range(4)])
    quaternion /= np.linalg.norm(quaternion)
    direction = np.array([r.gauss(0, 1) for _ in range(3)])
    return [*quaternion, *(r.uniform(0.0, 1.5) * direction / np.linalg.norm(direction))]


def rotation(q):
    w, x, y, z = q[:4]
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def our_distances(command, folder, shapes, states):
    scene = "cardan = 1\n"
    for name, shape in zip("ab", shapes):
        scene += (f'[[body]]\nname = "{name}"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n[body.joint]\n'
                  f'type = "free"\n[[body.shape]]\n{shape}\n')
    (folder / "scene.toml").write_text(scene)
    (folder / "states.json").write_text(json.dumps({"quantities": ["distances"], "states": [{"q": q} for q in states]}))
    out = subprocess.run([command, "eval", folder / "scene.toml", folder / "states.json"], check=True,
                         capture_output=True, text=True).stdout
    return [result["distances"][0] for result in json.loads(out)["results"]]


def main():
    command, pairs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    r = random.Random(20261101)
    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    differences = {"apart": [], "overlapping": []}
    worse = 0
    with tempfile.TemporaryDirectory() as name:
        for _ in range(-(-pairs // STATES)):
            kinds = [r.choice(KINDS), r.choice(KINDS)]
            (text_a, coal_a, h_a), (text_b, coal_b, h_b) = (make_shape(kind, r) for kind in kinds)
            states = [random_pose(r) + random_pose(r) for _ in range(STATES)]
            for q, ours in zip(states, our_distances(command, Path(name), [text_a, text_b], states)):
                R = [rotation(q[:7]), rotation(q[7:])]
                p = [np.array(q[4:7]), np.array(q[11:])]
                result = coal.DistanceResult()
                coal.distance(coal_a, coal.Transform3s(R[0], p[0]), coal_b, coal.Transform3s(R[1], p[1]), request, result)

                def separation(n):
                    return n @ (p[1] - p[0]) - h_a(R[0].T @ n) - h_b(R[1].T @ -n)

                gap = ours["gap"]
                differences["apart" if gap > 0 else "overlapping"].append(abs(gap - result.min_distance))
                if separation(np.array(result.normal)) > separation(np.array(ours["normal"])) + 1e-9:
                    worse += 1
                    print(f"Coal separates better: {kinds}, {gap:.9g} against {result.min_distance:.9g}")
    print(f"Coal {coal.__version__}, {pairs} pairs")
    for where, values in differences.items():
        print(f"{where:12} {len(values):6} pairs: difference median {statistics.median(values):.1e} m, "
              f"largest {max(values):.1e} m")
    print(f"{worse} where the separation along Coal's normal is larger than along ours")


if __name__ == "__main__":
    main()
