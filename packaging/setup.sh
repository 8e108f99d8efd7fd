# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by run.sh, test.sh and .ci/run (sourced): packages, then configure and build. Talks on stderr only.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

die() {
    say "$(basename "$0"): $*"
    exit 1
}

# step TITLE LOG COMMAND…: the output goes to the terminal if there is one, else to LOG, whose end is shown on failure.
step() {
    local title=$1 log=$2
    shift 2
    if [ -t 2 ]; then
        say "== $title"
        "$@" >&2 </dev/null || {
            say "$title failed"
            return 1
        }
        return
    fi
    mkdir -p "$(dirname "$log")"
    say "$title (log: ${log#"$root"/})"
    "$@" >"$log" 2>&1 </dev/null || {
        tail -n 40 "$log" >&2
        say "$title failed, see ${log#"$root"/}"
        return 1
    }
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

offered() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# The lines of packages.txt for these purposes of which no alternative is installed.
missing_packages() {
    local purpose=" $* " wanted entry command name
    while read -r wanted entry command; do
        [[ $wanted != '#'* && $purpose == *" $wanted "* ]] || continue
        [ -z "$command" ] || ! command -v "$command" >/dev/null || continue
        for name in ${entry//|/ }; do
            installed "$name" && continue 2
        done
        printf '%s\n' "$entry"
    done <"$root/packaging/packages.txt"
}

# The name by which this system offers each of these lines; what it does not offer is told.
offered_packages() {
    local entry name
    for entry in "$@"; do
        for name in ${entry//|/ }; do
            if offered "$name"; then
                printf '%s\n' "$name"
                continue 2
            fi
        done
        [[ $entry == *'|-' ]] || say "This system does not offer ${entry//|/ or }: Lockscope is made for Debian 12, Debian 13 and Ubuntu 24.04."
    done
}

# Debian starts a freshly installed Redis on port 6379. Nobody asked for that one: demo and tests start private servers.
without_services() {
    local sudo=$1 policy=/usr/sbin/policy-rc.d status=0
    shift
    if [ -e $policy ]; then
        "$@"
        return
    fi
    # Expanded now: the variables are gone when the trap runs.
    # shellcheck disable=SC2064
    trap "$sudo rm -f $policy" EXIT
    printf '#!/bin/sh\nexit 101\n' | $sudo tee $policy >/dev/null
    $sudo chmod 755 $policy
    "$@" || status=$?
    $sudo rm -f $policy
    trap - EXIT
    if [ -d /run/systemd/system ]; then
        $sudo systemctl disable --quiet redis-server || true
    fi
    return $status
}

apt_install() {
    local sudo=$1 guard=()
    shift
    [[ " $* " != *' redis-server '* ]] || guard=(without_services "$sudo")
    "${guard[@]}" $sudo env DEBIAN_FRONTEND=noninteractive \
        apt-get -y -q -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@"
}

# install_packages PURPOSE…: asks apt only for what is missing. What cannot be installed is told; CMake has the last word.
install_packages() {
    local missing names sudo='' required
    missing=$(missing_packages "$@")
    required=$(grep -v -e '|-$' <<<"$missing" || true)
    [ -n "$required" ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "Not a Debian or Ubuntu: install what these packages hold, if it is not there yet:" $required
        return 0
    fi
    if [ "$(id -u)" != 0 ]; then
        sudo=sudo
        if ! command -v sudo >/dev/null || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
            say "Not root and no sudo: trying without these packages:" $required
            return 0
        fi
    fi
    step "Updating the package lists" "$root/build/apt-update.log" $sudo apt-get -q update || say "Trying with the old lists"
    # Names have no spaces: the words of these texts are the names.
    names=$(offered_packages $missing)
    [ -z "$names" ] || step "Installing ${names//$'\n'/ }" "$root/build/apt.log" apt_install "$sudo" $names
}

# build_preset PRESET: configures when it has to, and builds. Sets `build` to the folder.
build_preset() {
    local preset=$1 generator=()
    build=$root/build/$preset
    command -v cmake >/dev/null || die "cmake is missing, and could not be installed"
    if [ ! "$build/configured" -nt "$root/CMakePresets.json" ]; then
        command -v ninja >/dev/null || generator=(-G "Unix Makefiles")
        step "Configuring $preset" "$build-configure.log" \
            cmake -S "$root" --preset "$preset" "${generator[@]}" || return 1
        touch "$build/configured"
    fi
    build_all "$preset" && return
    tool_crashed "$build-build.log" || return 1
    say "No error in the code is named there: building once more"
    build_all "$preset"
}

# From the tree's root: there the presets are, one of which builds only a part.
build_all() {
    (cd "$root" && step "Building $1" "$root/build/$1-build.log" cmake --build --preset "$1" --parallel "$(nproc)")
}

# A compiler that crashes or is killed names no place in the code; on a busy machine that happens.
tool_crashed() { [ ! -t 2 ] && ! grep -qE ':[0-9]+: (fatal )?error: ' "$1"; }

# What failed beside other tests on a machine shared with others gets one run to itself. That it needed it is told.
passes_alone() {
    local preset=$1 log=$root/build/$1/Testing/Temporary/LastTestsFailed.log failed
    failed=$(cut -d: -f2 "$log" 2>/dev/null) || return 1
    [ -n "$failed" ] && [ "$(wc -l <<<"$failed")" -le 6 ] || return 1
    echo "Once more, alone:" $failed
    (cd "$root" && ctest --preset "$preset" --rerun-failed) || return 1
    echo "  PASSED ONLY ALONE:" $failed
}

# run_tests PRESET [CTEST ARGUMENT…]: builds, runs, names what failed or was skipped, and prints the sum as one line.
# The sum is also in build/PRESET/counts. Fails when a test fails.
run_tests() {
    local preset=$1 each_core=5 counted status=0 passed failed skipped
    shift
    build_preset "$preset" || return 1
    rm -f "$build/junit.xml" "$build/counts"
    # Tests wait for servers and clocks: a tenth of their time is work, with sanitizers a third.
    [ "$preset" = ci ] || each_core=4
    (cd "$root" && ctest --preset "$preset" --parallel "$((each_core * $(nproc)))" --output-junit "$build/junit.xml" \
        --test-output-size-passed 100000000 --test-output-size-failed 100000000 "$@") || status=1
    [ -e "$build/junit.xml" ] || return $status
    counted=$(awk -f "$root/packaging/count_tests.awk" "$build/junit.xml")
    grep -v '^counts ' <<<"$counted" || true
    read -r _ passed failed skipped <<<"$(tail -n 1 <<<"$counted")"
    if [ $status != 0 ] && passes_alone "$preset"; then
        status=0 passed=$((passed + failed)) failed=0
    fi
    echo "counts $passed $failed $skipped" >"$build/counts"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $status = 0 ] && [ "$failed" = 0 ]
}
