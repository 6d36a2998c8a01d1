#!/usr/bin/env bash
# web.sh [--check]: builds the viewer, web/viewer.html, from its sources; with --check only tells whether the page in the
# repository is what they build, byte for byte, where there is a Node that can build it (20.19 or later; Debian 12's is
# older). Building Cardan needs none.
set -euo pipefail
cd "$(dirname "$0")/../web"

if ! command -v npm >/dev/null; then
  echo "web: npm is missing; the viewer's sources are not looked at" >&2
  [ "${1:-}" = --check ] && exit 0 || exit 1
fi
if ! node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'; then
  echo "web: expected Node 20.19 or later, found $(node --version)" >&2
  [ "${1:-}" = --check ] && exit 0 || exit 1
fi
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm install --silent --no-save --no-audit --no-fund  # npm ci wants the compilers of every other platform listed
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
