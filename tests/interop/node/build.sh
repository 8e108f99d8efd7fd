#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh node-redisson FOLDER: installs the peer there, unless it is up to date, for `node FOLDER/peer.js`. On failure
# one line says why.
set -euo pipefail
folder=$(realpath -m "$2")
project=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$project/../building.sh"

need node "Node.js"
need npm "npm"
begin "$folder" peer.js
cp "$project"/package*.json "$folder"
(cd "$folder" && npm ci --omit=peer --prefer-offline --no-audit --no-fund) >"$folder/npm.log" 2>&1 ||
    lacking "npm could not install node-redisson: $(grep -m 1 -i 'npm err' "$folder/npm.log" | cut -c 1-300)"
cp "$project/peer.js" "$folder"
