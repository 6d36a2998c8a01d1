#!/usr/bin/env bash
# Lists the project's own C++ files.
cd "$(dirname "$0")/.." && find cardan apps python tests benchmarks examples \( -name '*.cpp' -o -name '*.hpp' \) -print 2>/dev/null | sort
