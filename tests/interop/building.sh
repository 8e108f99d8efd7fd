# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by java/build.sh, node/build.sh and python/build.sh, which are safe to be run by many at once.
# shellcheck shell=bash

# Without the tools the tests are skipped, but not where they have to run.
lacking() {
    echo "$*"
    [ "${REQUIRE_REDIS:-}" = 1 ] && exit 1 || exit 77
}

need() { command -v "$1" >/dev/null || lacking "$2 is not installed"; }

# begin FOLDER RESULT: waits for its turn; ends the script when RESULT, a file in FOLDER, is newer than the project.
begin() {
    mkdir -p "$1"
    exec 9>"$1/lock"
    flock 9
    if [ -e "$1/$2" ] && [ -z "$(find "$project" -newer "$1/$2" -type f -print -quit)" ]; then
        exit 0
    fi
}
