#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and starts Lockscope: on its demo, unless told where. Arguments go to the program:
#   packaging/run.sh --url redis://server:6379
# Without a display: a live table in the terminal; without a terminal the table once, and a picture of the window.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

unix_socket_exists() { [ -S "$1" ] || grep -qs -- "@$1\$" /proc/net/unix; }

display_answers() {
    case ${QT_QPA_PLATFORM:-} in
    offscreen* | minimal*) return 1 ;;
    esac
    local wayland=${WAYLAND_DISPLAY:-} x11=${DISPLAY:-}
    if [ -n "$wayland" ] && unix_socket_exists "$([[ $wayland == /* ]] && echo "$wayland" || echo "${XDG_RUNTIME_DIR:-}/$wayland")"; then
        return 0
    fi
    [[ $x11 =~ ^(.*):([0-9]+)(\.[0-9]+)?$ ]] || return 1
    local host=${BASH_REMATCH[1]} number=${BASH_REMATCH[2]}
    if [[ -z $host || $host == unix ]]; then
        unix_socket_exists "/tmp/.X11-unix/X$number"
    else
        timeout 3 bash -c "exec 3<>/dev/tcp/\$1/\$2" - "$host" $((6000 + number)) 2>/dev/null
    fi
}

# Of the arguments those that say where to connect: lockctl takes these too. And whether a picture or a text is asked for.
read_arguments() {
    connection=()
    server_told=no
    picture_asked=no
    local previous='' argument
    for argument in "$@"; do
        case $previous in
        --url | --ca-file | --also) connection+=("$previous" "$argument") ;;
        esac
        case $argument in
        --url) server_told=yes ;;
        --demo | --url=*)
            server_told=yes
            connection+=("$argument")
            ;;
        --ca-file=* | --also=*) connection+=("$argument") ;;
        --screenshot | --screenshot=* | --help | -h | --version | -v) picture_asked=yes ;;
        esac
        previous=$argument
    done
}

read_arguments "$@"
if [ $server_told = no ]; then
    connection+=(--demo)
    set -- --demo "$@"
fi
install_packages run
build_preset run
bin=$build/bin

if display_answers; then
    exec "$bin/lockscope" "$@"
fi

# Without a session there is no runtime folder, and Qt complains.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
    export XDG_RUNTIME_DIR=$build/runtime
    install -d -m 700 "$XDG_RUNTIME_DIR"
fi
if [ $picture_asked = yes ]; then
    exec env QT_QPA_PLATFORM=offscreen "$bin/lockscope" "$@"
fi
if [ -t 0 ] && [ -t 1 ]; then
    say "No display: the same in the terminal, until Ctrl+C (lockctl ${connection[*]} watch)."
    exec "$bin/lockctl" "${connection[@]}" watch
fi
say "Neither a display nor a terminal: the table once, and a picture of the window."
"$bin/lockctl" "${connection[@]}" ls
picture=$build/lockscope.png
QT_QPA_PLATFORM=offscreen "$bin/lockscope" "$@" --screenshot "$picture" --after 8000
echo "Picture of the window: $picture"
