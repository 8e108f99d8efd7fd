#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a program under an X server of its own, with a window manager: frames, focus and maximised windows are real there.
#   under_window_manager.sh PROGRAM [ARGUMENTS]
set -euo pipefail
folder=$(mktemp -d)
server='' manager=''
cleanup() {
    [ -z "$manager" ] || kill "$manager" 2>/dev/null || true
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$folder"
}
trap cleanup EXIT
mkfifo "$folder/display"
Xvfb -displayfd 3 -screen 0 1366x768x24 -nolisten tcp 3>"$folder/display" 2>"$folder/server.log" &
server=$!
read -r -t 60 number <"$folder/display" || { cat "$folder/server.log" >&2; exit 1; }
export DISPLAY=":$number" QT_QPA_PLATFORM=xcb
openbox --startup "touch $folder/managed" 2>"$folder/manager.log" &
manager=$!
for _ in $(seq 600); do
    [ ! -e "$folder/managed" ] || break
    sleep 0.1
done
"$@"
