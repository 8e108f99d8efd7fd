# SPDX-License-Identifier: GPL-3.0-or-later
cmake_minimum_required(VERSION 3.25)
# cmake -DROOT=<source tree> [-DLINKED_HEADERS=<file>] -P check_layering.cmake
# Nothing includes upward or in a circle, what has to be testable without socket and clock has neither, and each part of
# lockcore names its things in a namespace of its own.

# What each folder may include of ours; no line: nothing but itself.
set(seen_by_lockcore/base)
set(seen_by_lockcore/protocol base)
set(seen_by_lockcore/synchronizers base protocol)
set(seen_by_lockcore/monitor base protocol synchronizers)
set(seen_by_lockcore/transport base protocol)
set(seen_by_lockcore/client base protocol synchronizers transport)
set(seen_by_lockcore/recording base synchronizers monitor)
# The rooms of service: what a room sees of the others stands behind what all of them see of the layers below.
set(below_service base protocol synchronizers monitor transport)
set(seen_by_lockcore/service/rights ${below_service})
set(seen_by_lockcore/service/threads ${below_service})
set(seen_by_lockcore/service/replay ${below_service} recording service/threads)
set(seen_by_lockcore/service/feeds ${below_service} service/rights)
set(seen_by_lockcore/service/sessions ${below_service} service/rights service/feeds)
set(seen_by_lockcore/service/actions ${below_service})
set(seen_by_lockcore/service
    ${below_service} service/threads service/replay service/sessions service/actions)
# The rooms of the window, from the lowest up: what a room sees of the others stands behind what all see of lockcore.
set(below_ui
    lockcore/service/monitor.h lockcore/service/client_finder.h
    lockcore/service/replay/recorder.h lockcore/service/replay/replay.h lockcore/service/rights/connection_probe.h
    lockcore/service/rights/missing_rights.h lockcore/service/audit_follower.h lockcore/service/actions/audit_entry.h
    lockcore/base/ lockcore/monitor/analysis.h lockcore/monitor/snapshot.h lockcore/monitor/events.h
    lockcore/monitor/lock_filter.h lockcore/monitor/hold_sight.h lockcore/monitor/server_sight.h
    lockcore/monitor/wait_count.h
    lockcore/synchronizers/catalog.h lockcore/synchronizers/admin_command.h lockcore/synchronizers/token_recognition.h
    lockcore/transport/clock.h lockcore/transport/deployment.h)
set(seen_by_ui/support ${below_ui} ui/text/ ui/support/)
set(seen_by_ui/models ${below_ui} ui/text/ ui/lab/ ui/support/ ui/models/)
set(seen_by_ui/charts ${below_ui} ui/text/ ui/lab/ ui/support/ ui/models/ ui/charts/)
set(seen_by_ui/dialogs ${below_ui} ui/text/ ui/lab/ ui/support/ ui/models/ ui/dialogs/)
set(seen_by_ui/views ${below_ui} ui/text/ ui/lab/ ui/support/ ui/models/ ui/charts/ ui/dialogs/ ui/views/)
# The room of words: values go in, text comes out. Window and lockctl use it, so nothing of a display is in it.
set(seen_by_ui/text
    ui/text/ lockcore/base/ lockcore/monitor/analysis.h lockcore/monitor/snapshot.h lockcore/monitor/events.h
    lockcore/monitor/names.h lockcore/monitor/right.h lockcore/monitor/quorum_holds.h lockcore/monitor/wait_count.h
    lockcore/service/rights/connection_probe.h lockcore/service/rights/missing_rights.h
    lockcore/service/actions/audit_entry.h lockcore/synchronizers/catalog.h
    lockcore/synchronizers/admin_command.h lockcore/transport/deployment.h)
# The room of scenarios: data, where it comes from, and what is told of it.
set(seen_by_ui/lab
    ui/lab/ ui/text/ lockcore/base/ lockcore/monitor/events.h lockcore/monitor/names.h lockcore/monitor/snapshot.h
    lockcore/service/actions/audit_entry.h lockcore/synchronizers/catalog.h lockcore/synchronizers/synchronizer.h
    lockcore/transport/deployment.h)
# The programs do not know each other, and lockctl knows nothing of a display.
set(seen_by_app/common app/common/ ui/text/ lockcore/)
set(seen_by_app/lab app/lab/ app/common/ ui/lab/ ui/text/ lockcore/)
set(seen_by_app/demo app/demo/ app/lab/private_server.h lockcore/)
set(seen_by_app/lockctl app/lockctl/ app/common/ app/demo/ app/lab/ ui/lab/ ui/text/ lockcore/)
set(seen_by_app/lockscope app/lockscope/ app/common/ app/demo/ app/lab/ ui/ lockcore/)

set(headers_of_words
    QByteArray QChar QCoreApplication QDateTime QHash QLocale QObject QRegularExpression QSettings QString QStringList
    QTextBoundaryFinder QTranslator)
list(JOIN headers_of_words "|" headers_of_words)
set(logic_folders lockcore/base lockcore/protocol lockcore/synchronizers lockcore/monitor)
set(impure_headers
    "Q[A-Za-z/]+|thread|mutex|shared_mutex|condition_variable|future|stop_token|semaphore|latch|barrier|fstream|iostream"
    "filesystem|unistd\\.h|fcntl\\.h|pthread\\.h|poll\\.h|time\\.h|ctime|sys/.*|netinet/.*|arpa/.*|netdb\\.h|syncstream")
list(JOIN impure_headers "|" impure_headers)
set(impure_code "(_clock::now|std::time\\(|gettimeofday|clock_gettime|sleep_for|sleep_until|fopen\\(|getenv\\()")
set(hiredis_file lockcore/protocol/reply_reader.cpp)

set(violations "")
macro(violation TEXT)
    string(APPEND violations "  ${file}: ${TEXT}\n")
endmacro()

function(may_include FOLDER HEADER RESULT)
    set(${RESULT} TRUE PARENT_SCOPE)
    if(HEADER STREQUAL "lockcore/export.h" OR HEADER STREQUAL "lockcore/version.h")
        return()
    endif()
    if(FOLDER MATCHES "^lockcore/service/" AND HEADER STREQUAL "lockcore/service/monitor_options.h")
        return() # what a program asks for
    endif()
    if(FOLDER MATCHES "^lockcore/") # Only what lies in a folder itself: a room inside it is a folder of its own.
        cmake_path(GET HEADER PARENT_PATH home)
        string(REGEX REPLACE "^lockcore/" "" room "${home}")
        if(NOT home STREQUAL FOLDER AND NOT room IN_LIST seen_by_${FOLDER})
            set(${RESULT} FALSE PARENT_SCOPE)
        endif()
        return()
    endif()
    foreach(prefix ${seen_by_${FOLDER}})
        string(FIND "${HEADER}" "${prefix}" position)
        if(position EQUAL 0)
            return()
        endif()
    endforeach()
    set(${RESULT} FALSE PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/lockcore/*.h" "${ROOT}/lockcore/*.cpp" "${ROOT}/ui/*.h"
    "${ROOT}/ui/*.cpp" "${ROOT}/app/*.h" "${ROOT}/app/*.cpp")
if(NOT files)
    message(FATAL_ERROR "No sources below ${ROOT}")
endif()

# A source file and its header are one pair, by their name without its ending; `uses_<pair>` are those that it includes.
set(pairs ${files})
list(TRANSFORM pairs REPLACE "\\.(h|cpp)$" "")
list(REMOVE_DUPLICATES pairs)

foreach(file ${files})
    string(REGEX REPLACE "\\.(h|cpp)$" "" pair "${file}")
    string(REGEX MATCH "^(lockcore/[a-z_/]+|(ui|app)/[a-z_]+)/" folder "${file}")
    string(REGEX REPLACE "/$" "" folder "${folder}")
    file(STRINGS "${ROOT}/${file}" includes REGEX "^[ \t]*#[ \t]*include")
    foreach(include ${includes})
        if(include MATCHES "\"(.*)\"")
            set(header "${CMAKE_MATCH_1}")
            may_include("${folder}" "${header}" allowed)
            if(NOT allowed AND NOT header MATCHES "^[a-z_]+\\.moc$")
                violation("may not include ${header}")
            endif()
            string(REGEX REPLACE "\\.h$" "" used "${header}")
            if(NOT used STREQUAL pair)
                list(APPEND uses_${pair} "${used}")
            endif()
        elseif(include MATCHES "<(.*)>")
            set(header "${CMAKE_MATCH_1}")
            if(header MATCHES "^hiredis/" AND NOT file STREQUAL hiredis_file)
                violation("hiredis belongs to reply_reader.cpp")
            elseif(folder IN_LIST logic_folders AND header MATCHES "^(${impure_headers})$")
                violation("<${header}> in a layer without Qt, socket, thread, file and clock")
            elseif(folder MATCHES "^ui/" AND header MATCHES "^(QTcp|QSsl|QUdp|QLocalS|QNetwork|QAbstractSocket|QHost)")
                violation("<${header}> in the user interface")
            elseif(folder STREQUAL "ui/text" AND header MATCHES "^Q" AND NOT header MATCHES "^(${headers_of_words})$")
                violation("<${header}> in the room of words, which needs Qt Core alone")
            endif()
        endif()
    endforeach()
    if(file MATCHES "^lockcore/([a-z]+)/")
        set(part "${CMAKE_MATCH_1}")
        file(STRINGS "${ROOT}/${file}" opened REGEX "^namespace lockcore[ :]")
        foreach(line ${opened})
            string(REGEX MATCH "^namespace lockcore(::([a-z_]+))?" head "${line}")
            set(named "${CMAKE_MATCH_2}") # what is in none of them is base's
            if(named STREQUAL "")
                set(named base)
            endif()
            # A type of a layer below may be declared.
            if(NOT named STREQUAL part AND (named STREQUAL base OR NOT named IN_LIST seen_by_${folder}))
                violation("is no place for ${head}")
            endif()
        endforeach()
    endif()
    if(folder IN_LIST logic_folders)
        file(STRINGS "${ROOT}/${file}" impure REGEX "${impure_code}")
        foreach(line ${impure})
            violation("reads a clock or the environment: ${line}")
        endforeach()
    endif()
endforeach()

# Pairs that include none of the rest, or that none of the rest includes, are in no circle: they are taken away until only
# circles are left, and what lies between two of them.
set(taken TRUE)
while(taken)
    set(taken FALSE)
    set(all_used)
    foreach(pair ${pairs})
        foreach(used ${uses_${pair}})
            if(NOT used IN_LIST pairs)
                list(REMOVE_ITEM uses_${pair} "${used}")
            endif()
        endforeach()
        list(APPEND all_used ${uses_${pair}})
        if(NOT uses_${pair})
            list(REMOVE_ITEM pairs "${pair}")
            set(taken TRUE)
        endif()
    endforeach()
    foreach(pair ${pairs})
        if(NOT pair IN_LIST all_used)
            list(REMOVE_ITEM pairs "${pair}")
            set(taken TRUE)
        endif()
    endforeach()
endwhile()
foreach(file ${pairs})
    list(REMOVE_DUPLICATES uses_${file})
    list(JOIN uses_${file} ", " circle)
    violation("is in a circle, or between two: it includes ${circle}")
endforeach()

# One line a target, written by CMake: NAME: include folders. Who links a Qt module sees its headers.
if(LINKED_HEADERS)
    file(STRINGS "${LINKED_HEADERS}" targets)
    foreach(line ${targets})
        string(REGEX MATCH "^[a-z_]+" file "${line}")
        if(file STREQUAL "lockui" AND line MATCHES "/QtNetwork")
            violation("links Qt Network")
        elseif(file STREQUAL "lockui_text" AND line MATCHES "/Qt(Gui|Widgets|Network)")
            violation("links more of Qt than Core")
        elseif(file MATCHES "^lockcore_" AND line MATCHES "/Qt[A-Z]")
            violation("links Qt")
        endif()
    endforeach()
endif()

if(violations)
    message(FATAL_ERROR "The layers are broken:\n${violations}")
endif()
