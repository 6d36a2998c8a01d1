#!/usr/bin/env bash
# wheel_test.sh: makes the wheel, installs it into a fresh environment away from the project, and runs the tests there.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/wheel.sh
away=$(mktemp -d)
trap 'rm -rf "$away"' EXIT
python3 -m venv "$away/env"
grep -v '^nanobind' python/requirements.txt >"$away/requirements.txt"
"$away/env/bin/python3" -m pip install --quiet --disable-pip-version-check -r "$away/requirements.txt" build/dist/cardan-*.whl
mkdir "$away/python"
cp -r python/tests "$away/python/"
cp -r examples docs "$away/"
cd "$away"
env/bin/python3 -m cardan simulate examples/pendulum.toml --duration 0.1 --out run.csv
CARDAN_COMMAND=$away/env/bin/cardan env/bin/python3 -m pytest -q -p no:cacheprovider python/tests
