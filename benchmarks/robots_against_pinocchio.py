"""Checks that `cardan info` reads every URDF file of a folder that Pinocchio reads, with the same velocities and mass.

    python robots_against_pinocchio.py build/bin/cardan FOLDER

Prints a line for each file that one of the two refuses or in which they differ; ends with 1 if Cardan refuses or differs
where Pinocchio reads.
"""

import json
import subprocess
import sys
from pathlib import Path

import pinocchio


def by_pinocchio(path):
    """Velocities and mass of the moving part, or nothing where it cannot be read."""
    try:
        model = pinocchio.buildModelFromUrdf(str(path))
    except Exception:
        return None
    return model.nv, sum(inertia.mass for inertia in list(model.inertias)[1:])


def by_cardan(command, path):
    run = subprocess.run([command, "info", str(path), "--json"], capture_output=True, text=True)
    if run.returncode != 0:
        return None, run.stderr.strip()
    info = json.loads(run.stdout)
    return (info["nv"], info["mass"]), ""


def main():
    command, folder = sys.argv[1:3]
    files = sorted(Path(folder).rglob("*.urdf"))
    read = refused = differ = 0
    for path in files:
        expected, (found, complaint) = by_pinocchio(path), by_cardan(command, path)
        name = path.relative_to(folder)
        if expected is None:
            print(f"{name}: Pinocchio does not read it; Cardan {'does' if found else 'refuses: ' + complaint}")
            continue
        read += 1
        if found is None:
            refused += 1
            print(f"{name}: Cardan refuses: {complaint}")
        elif found[0] != expected[0] or abs(found[1] - expected[1]) > 1e-9 * (1.0 + abs(expected[1])):
            differ += 1
            print(f"{name}: velocities and mass {found}, by Pinocchio {expected}")
    print(f"{len(files)} files, {read} read by Pinocchio {pinocchio.__version__}: Cardan refuses {refused}, differs in {differ}")
    sys.exit(1 if refused or differ or read == 0 else 0)


if __name__ == "__main__":
    main()
