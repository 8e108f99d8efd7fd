#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh redis-py FOLDER: installs the peer there, unless it is up to date, for `FOLDER/venv/bin/python3 FOLDER/peer.py`.
# On failure one line says why.
set -euo pipefail
folder=$(realpath -m "$2")
project=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$project/../building.sh"

need python3 "Python"
begin "$folder" peer.py
python3 -m venv "$folder/venv" >"$folder/pip.log" 2>&1 || lacking "python3 -m venv does not work: is python3-venv installed?"
"$folder/venv/bin/python3" -m pip install --disable-pip-version-check -r "$project/requirements.txt" >>"$folder/pip.log" 2>&1 ||
    lacking "pip could not install redis-py: $(grep -m 1 -i error "$folder/pip.log" | cut -c 1-300)"
cp "$project/peer.py" "$folder"
