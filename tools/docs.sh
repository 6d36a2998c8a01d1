#!/usr/bin/env bash
# docs.sh [--look]: builds the site from the documents: build/docs/index.html, which opens from disk. Every scene that a
# page shows moving is run; a broken link or a run that fails, fails the build. With --look every page is then opened in
# Chromium (needs Node). Called by `make docs`, after `make build`.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh packages-docs.txt

environment=build/docs-environment
if [ ! -x "$environment/bin/python3" ]; then python3 -m venv "$environment"; fi
wanted=$(sha256sum docs/requirements.txt)
if [ "$(cat "$environment/requirements.sum" 2>/dev/null)" != "$wanted" ]; then
  "$environment/bin/python3" -m pip install --quiet --disable-pip-version-check -r docs/requirements.txt
  echo "$wanted" >"$environment/requirements.sum"
fi
rm -rf build/docs build/docs-cache  # a whole build takes seconds, and leaves no page of the one before
"$environment/bin/sphinx-build" --quiet --fail-on-warning --keep-going -j auto -c docs -d build/docs-cache . build/docs
if [ "${1:-}" = --look ]; then
  tools/setup.sh packages-web.txt
  (cd web && { [ -d node_modules/playwright-core ] || npm install --silent --no-save --no-audit --no-fund; })
  node web/site_check.mjs
fi
echo "docs: file://$PWD/build/docs/index.html"
