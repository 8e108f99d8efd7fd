#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds with warnings as errors, and runs the whole test suite. Arguments go to ctest:
#   packaging/test.sh -L unit
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_packages run test interop
[ "${CI:-}" != true ] || export REQUIRE_REDIS=1
run_tests ci "$@"
