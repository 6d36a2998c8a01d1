#!/usr/bin/env bash
# Draws every example with the viewer in Debian's Chromium: docs/gallery/*.jpg and docs/gallery.md. Called by `make gallery`.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh packages-web.txt
(cd web && { [ -d node_modules/playwright-core ] || npm install --silent --no-save --no-audit --no-fund; })
node web/gallery.mjs
