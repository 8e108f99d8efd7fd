# SPDX-License-Identifier: GPL-3.0-or-later
# Tests without Qt, for the thread sanitizer: with Debian's Qt it reports races that are none.
add_executable(snapshot_mailbox_threads snapshot_mailbox_threads.cpp)
target_link_libraries(snapshot_mailbox_threads PRIVATE project_options lockcore_monitor)
add_test(NAME unit.snapshot_mailbox_threads COMMAND snapshot_mailbox_threads)
set_tests_properties(unit.snapshot_mailbox_threads PROPERTIES LABELS "unit;threads" TIMEOUT 60)
add_custom_target(qt_free_tests DEPENDS snapshot_mailbox_threads)
