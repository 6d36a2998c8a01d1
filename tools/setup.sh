#!/usr/bin/env bash
# setup.sh [FILE]: installs the Debian packages listed in FILE (packages.txt) that are missing. Quick when none is.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t wanted < <(sed 's/#.*//' "${1:-packages.txt}" | tr -s ' \t' '\n\n' | sed '/^$/d')
if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system; please provide what these packages hold: ${wanted[*]}" >&2
  exit 0
fi

# dpkg-query fails when a name is unknown, which is no error here
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null || true)
missing=()
for package in "${wanted[@]}"; do
  grep -qx "installed $package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "setup: installing ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" </dev/null; }
install() { apt install -y --no-install-recommends "${missing[@]}" >/dev/null; }

# Package lists are fetched when there are none, or when those we have are too old to install from.
if ! compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null; then apt update; fi
install || { apt update && install; }
