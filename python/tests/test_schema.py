"""The JSON Schema of scene files by a validator: what it accepts, what it refuses, and that it never refuses a scene that
the reader takes."""

import collections
import copy
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib

import jsonschema
import pytest

import cardan
from cardan import toml

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
EXAMPLES = os.path.join(ROOT, "examples")

# The broken scenes of tests/io that a schema cannot see, by what they break, each with words of the reader's messages;
# the first that fits counts.
UNSEEN = {
    "files": (6, r"expected a file|URDF file|\.obj|\.dae|\.csv"),
    "names that must differ": (15, r"that differ|twice|another name|a name (of your own|that nothing)|is the fixed frame"),
    "names of what there is": (
        48,
        r"of this scene|that moves|unknown joint|body or a group|with shapes|pair \"a\|b\"|a column|record further up|that (equals|the"
        r" expression) uses|inputs and parameters|a record (of|that)|on both sides|same body|two bodies|to itself|that is free",
    ),
    "counts that follow from a joint": (15, r"expected \d+ (numbers?|expressions?|pairs?)|list of \d (numbers|expressions)|one coordinate"),
    "texts": (
        46,
        r"unknown (name|function|transform)|division by zero|opening bracket|found the end|operator|takes \d|uses \w|itself"
        r"|rigid motion|control char|found the text|text of t|not a finite number|one expression",
    ),
    "units of another kind": (6, r"a quantity in"),
    "numbers that are none": (5, r"finite number|1e400"),
    "relations of values": (
        40,
        r"lower (limit|end) first|minor|semidefinite|direction|quaternion|rises|must rise|above 1|equal end|least \d frames|3 m \+ 1|freedom"
        r"|thinner|side of a|roll on each other|with the inertia|coincide|two wraps|number of a point|there always"
        r"|lie across|points of rest|rigid tendon|excitation or activation|key \"(joint|rate)\"|holds something|group",
    ),
    "loops that do not close": (1, r"^$"),
    "coordinates that are no angles": (1, r"plain coordinates"),
}


@pytest.fixture(scope="module")
def schema():
    command = os.environ.get("CARDAN_COMMAND", os.path.join(ROOT, "build", "bin", "cardan"))
    out = json.loads(subprocess.run([command, "schema"], check=True, capture_output=True, text=True).stdout)
    jsonschema.Draft202012Validator.check_schema(out)
    return jsonschema.Draft202012Validator(out)


def scenes_of_documents():
    """Whole scenes of README.md and docs, each with the blocks that continue it."""
    for page in [os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "docs", "*.md")))]:
        scene = ""
        with open(page, encoding="utf-8") as lines:
            blocks = re.findall(r"(?:<!-- ([^>\n]*) -->\n)?```toml\n(.*?)```", lines.read(), re.DOTALL)
        for marker, block in blocks:
            if marker == "fragment" or marker.startswith("from "):
                continue
            scene = block if "cardan = 1" in block else scene + block
            yield f"{os.path.basename(page)}.toml", scene


def scenes_of_files():
    for folder in ("examples", "apps/templates", "tests/io/scenes"):
        for path in sorted(glob.glob(os.path.join(ROOT, folder, "*.toml"))):
            with open(path, encoding="utf-8") as text:
                yield path, text.read()


def complaint(text: str, name: str) -> str:
    """What the reader says of a scene; empty where it takes it."""
    try:
        cardan.Scene(text=text, name=name).model
    except cardan.Error as problem:
        return str(problem)
    return ""


def test_every_scene_is_accepted(schema):
    scenes = [*scenes_of_files(), *scenes_of_documents()]
    assert len(scenes) > 80
    for name, text in scenes:
        found = [f"{list(error.absolute_path)}: {error.message}" for error in schema.iter_errors(tomllib.loads(text))]
        assert not found, (name, found[:3])


def broken_scenes(folder):
    """The scenes of tests/io/broken_*.hpp, which are C++."""
    compiler = os.environ.get("CXX") or next(filter(None, map(shutil.which, ["clang++-14", "clang++", "g++"])))
    source, program = os.path.join(folder, "broken.cpp"), os.path.join(folder, "broken")
    with open(source, "w", encoding="utf-8") as out:
        out.write(
            '#include "tests/io/broken_scenes.hpp"\n#include <cstdio>\n'
            "int main() { for (const auto& broken : cardan::test::broken_scenes())"
            " std::fwrite(broken.text.c_str(), 1, broken.text.size() + 1, stdout); }\n"
        )
    subprocess.run([compiler, "-std=c++20", "-O0", "-I", ROOT, source, "-o", program], check=True)
    return subprocess.run([program], check=True, capture_output=True).stdout.decode().split("\0")[:-1]


def test_broken_scenes_are_refused(schema, tmp_path):
    """All that break keys, types, words and ranges; those that break something else are counted."""
    refused, unseen = 0, collections.Counter()
    for text in broken_scenes(tmp_path):
        try:
            tree = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            continue
        if not schema.is_valid(tree):
            refused += 1
            continue
        message = complaint(text, "dir/bench.toml")
        kind = next((kind for kind, (_, words) in UNSEEN.items() if re.search(words, message)), None)
        assert kind, f"the schema does not see: {message}"
        unseen[kind] += 1
    assert refused >= 222
    assert unseen == {kind: count for kind, (count, _) in UNSEEN.items()}


def test_the_checker_of_editors_agrees(schema, tmp_path):
    """taplo, which editors run, takes every scene and marks a wrong key in its line."""
    file = tmp_path / "scene.schema.json"
    file.write_text(json.dumps(schema.schema))

    def taplo(*paths):
        command = [os.path.join(os.path.dirname(sys.executable), "taplo"), "lint", "--schema", file.as_uri(), *paths]
        return subprocess.run(command, capture_output=True, text=True)

    done = taplo(*[path for path, _ in scenes_of_files()])
    assert done.returncode == 0, done.stderr
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('cardan = 1\n[[body]]\nname = "a"\n[body.joint]\ntype = "revolute"\npitch = 3\n')
    done = taplo(str(wrong))
    assert done.returncode != 0 and "'pitch' was unexpected" in done.stderr, done.stderr


WRONG = [True, 3, -1, 0, 2.5, "free", "1 +", [], [1, 2, 3], [0, 0, 0, 0, 0, 0, 1], ["a", "b"], {}, {"x": 1}, [{}]]
WRONG += [[[1, 2], [3, 4]], None]


def places(node, path=()):
    """Paths to all values; of long lists to the first entries."""
    for key in node if isinstance(node, dict) else range(min(len(node), 4)):
        yield path + (key,)
        if isinstance(node[key], (dict, list)):
            yield from places(node[key], path + (key,))


def changed(tree, path, value):
    out = copy.deepcopy(tree)
    node = out
    for key in path[:-1]:
        node = node[key]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return out


def test_the_schema_refuses_nothing_that_the_reader_takes(schema):
    """Puts wrong values in all places: whatever the schema refuses, the reader refuses as well."""
    chance = random.Random(20260)
    both, taken = 0, 0
    for path, text in scenes_of_files():
        if len(text) > 8000:
            continue
        tree = tomllib.loads(text)
        spots = [(place, value) for place in places(tree) for value in WRONG]
        for place, value in chance.sample(spots, min(60, len(spots))):
            mutant = changed(tree, place, value)
            message = complaint(toml.file(mutant), path)
            if schema.is_valid(mutant):
                taken += not message
            else:
                assert message, (path, place, value, next(schema.iter_errors(mutant)).message)
                both += 1
    assert both > 1500 and taken > 100, (both, taken)
