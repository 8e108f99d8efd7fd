# SPDX-License-Identifier: GPL-3.0-or-later
# Reads ctest's JUnit file. A Qt test counts by its facts (ctest calls a program that skips everything passed), any other
# test as one. Names the failed and the skipped, and ends with `counts PASSED FAILED SKIPPED`.
function tell(what, text) {
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&apos;/, "'", text)
    gsub(/&amp;/, "\\&", text)
    printf "  %s: %s\n", what, text
}
function attribute(name) { return match($0, name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3) : "" }

/<testcase / {
    test = attribute("name")
    status = attribute("status")
    meant = status == "disabled"
    facts = bad = 0
}
/<skipped message="SKIP_/ { meant = 1 }
{ sub(/^\t*<system-out>/, "") }
/^PASS   : / && !/::(initTestCase|cleanupTestCase)\(/ { facts++; passed++ }
/^(FAIL!  |XPASS  ): / { bad++; failed++; tell("FAILED", test ": " substr($0, 10)) }
/^SKIP   : / { facts++; skipped++; tell("skipped", test ": " substr($0, 10)) }
/<\/testcase>/ {
    if (meant) { skipped++; tell("skipped", test) }
    else if (status == "run") passed += facts == 0 && bad == 0
    else if (bad == 0) { failed++; tell("FAILED", test " (" (status == "notrun" ? "not run" : "as a whole: crash, time-out or sanitizer") ")") }
}
END { printf "counts %d %d %d\n", passed, failed, skipped }
