# SPDX-License-Identifier: GPL-3.0-or-later
# Tests without Qt, for the thread sanitizer: with Debian's Qt it reports races that are none.
add_custom_target(qt_free_tests)
foreach(test snapshot_mailbox_threads)
    add_executable(${test} ${test}.cpp)
    target_link_libraries(${test} PRIVATE project_options lockcore_monitor)
    add_test(NAME unit.${test} COMMAND ${test})
    set_tests_properties(unit.${test} PROPERTIES LABELS "unit;threads" TIMEOUT 60)
    add_dependencies(qt_free_tests ${test})
endforeach()
