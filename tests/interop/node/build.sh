#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh node-redisson FOLDER: installs the peer there, unless it is up to date, for `node FOLDER/peer.js`. On failure
# one line says why. Safe to be run by many at once.
set -euo pipefail
folder=$(realpath -m "$2")
project=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Without the tools the test is skipped, but not where it has to run.
lacking() {
    echo "$*"
    [ "${REQUIRE_REDIS:-}" = 1 ] && exit 1 || exit 77
}

command -v node >/dev/null || lacking "Node.js is not installed"
command -v npm >/dev/null || lacking "npm is not installed"
mkdir -p "$folder"
exec 9>"$folder/lock"
flock 9
installed=$folder/peer.js
if [ -e "$installed" ] && [ -z "$(find "$project" -newer "$installed" -type f -print -quit)" ]; then
    exit 0
fi
cp "$project"/package*.json "$folder"
(cd "$folder" && npm ci --omit=peer --prefer-offline --no-audit --no-fund) >"$folder/npm.log" 2>&1 ||
    lacking "npm could not install node-redisson: $(grep -m 1 -i 'npm err' "$folder/npm.log" | cut -c 1-300)"
cp "$project/peer.js" "$installed"
