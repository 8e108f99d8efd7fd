#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# build.sh redisson-4|redisson-3 FOLDER: compiles the peers there, unless they are up to date, and writes FOLDER/java.args
# for `java @FOLDER/java.args lockscope.interop.Peer`. On failure one line says why.
set -euo pipefail
profile=$1 folder=$(realpath -m "$2")
project=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$project/../building.sh"

need javac "A Java compiler (javac)"
need mvn "Maven (mvn)"
begin "$folder" java.args
compile() { mvn -B -q "$@" -f "$project/pom.xml" -P "$profile" "-Doutput=$folder" compile >"$folder/maven.log" 2>&1; }
# What has been fetched once needs no network.
if ! compile -o && ! compile; then
    ! grep 'COMPILATION ERROR' "$folder/maven.log" || exit 1
    lacking "Maven could not build $profile: $(grep -m 1 ERROR "$folder/maven.log" | cut -c 1-300)"
fi
printf -- '-cp "%s:%s"\n' "$folder/classes" "$(cat "$folder/dependencies")" >"$folder/java.args"
