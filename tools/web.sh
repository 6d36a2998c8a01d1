#!/usr/bin/env bash
# web.sh [--check]: builds the viewer, web/viewer.html, from its sources; with --check only tells whether the page in the
# repository is what they build, byte for byte. Needs Node and npm (packages-ci.txt); building Cardan does not.
set -euo pipefail
cd "$(dirname "$0")/../web"

if ! command -v npm >/dev/null; then
  echo "web: npm is missing: apt-get install nodejs npm" >&2
  exit 1
fi
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm ci --silent --no-audit --no-fund
fi
npx --no-install tsc --noEmit
npx --no-install vite build --logLevel warn
if [ "${1:-}" = --check ]; then
  cmp dist/index.html viewer.html || { echo "web: web/viewer.html is not what its sources build: make web" >&2; exit 1; }
  echo "web: viewer.html is what its sources build, $(wc -c <viewer.html) bytes"
else
  cp dist/index.html viewer.html
  echo "wrote web/viewer.html, $(wc -c <viewer.html) bytes"
fi
