#!/usr/bin/env bash
# Tests the viewer in Debian's Chromium: pages of all examples and live pages. Called by `make web-test` and tools/ci.sh,
# after build/bin/cardan has been built. Skips, and says so, where there is no Node to drive the browser.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v npm >/dev/null; then
  echo "web-test: skipped: npm is missing" >&2
  exit 0
fi
tools/setup.sh packages-web.txt
(cd web && { [ -d node_modules/playwright-core ] || npm install --silent --no-save --no-audit --no-fund; })
node --test --test-concurrency=2 web/tests/*_test.mjs
