# SPDX-License-Identifier: GPL-3.0-or-later
# Tests that read the sources: layers and licences.
set(linked_headers "")
foreach(target lockcore_protocol lockcore_synchronizers lockcore_monitor lockui lockui_text)
    if(TARGET ${target})
        string(APPEND linked_headers "${target}: $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>\n")
    endif()
endforeach()
file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/linked_headers.txt CONTENT "${linked_headers}")

add_test(NAME unit.layering COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR}
    -DLINKED_HEADERS=${CMAKE_CURRENT_BINARY_DIR}/linked_headers.txt -P ${CMAKE_CURRENT_LIST_DIR}/check_layering.cmake)
add_test(NAME unit.layering_check_finds_violations COMMAND ${CMAKE_COMMAND} -DWORK=${CMAKE_CURRENT_BINARY_DIR}/planted
    -P ${CMAKE_CURRENT_LIST_DIR}/check_layering_fails.cmake)
add_test(NAME unit.licences COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR}
    -P ${CMAKE_CURRENT_LIST_DIR}/check_licences.cmake)
set_tests_properties(unit.layering unit.layering_check_finds_violations unit.licences PROPERTIES LABELS unit TIMEOUT 60)
