# SPDX-License-Identifier: GPL-3.0-or-later
cmake_minimum_required(VERSION 3.25)
# cmake -DWORK=<folder for a small tree> -P check_layering_fails.cmake
# The layering check finds each kind of violation, planted alone into a clean tree.

function(check EXPECTATION WHAT)
    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${WORK}/tree -DLINKED_HEADERS=${WORK}/linked
        -P ${CMAKE_CURRENT_LIST_DIR}/check_layering.cmake
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE output)
    if(EXPECTATION STREQUAL "clean" AND NOT status EQUAL 0)
        message(SEND_ERROR "Refused although allowed: ${WHAT}\n${output}")
    elseif(EXPECTATION STREQUAL "broken" AND NOT output MATCHES "The layers are broken")
        message(SEND_ERROR "Not found: ${WHAT}\n${output}")
    endif()
endfunction()

function(plant EXPECTATION FILE LINE)
    file(REMOVE_RECURSE ${WORK})
    file(WRITE ${WORK}/tree/lockcore/base/ids.h "#include <string>\n#include <chrono>\n")
    file(WRITE ${WORK}/linked "lockui: /usr/include/qt6/QtWidgets\nlockcore_monitor: /src\n")
    file(APPEND ${WORK}/tree/${FILE} "${LINE}\n")
    check(${EXPECTATION} "${FILE}: ${LINE}")
endfunction()

plant(clean lockcore/monitor/engine.cpp "#include \"lockcore/synchronizers/synchronizer.h\"")
plant(clean lockcore/protocol/reply_reader.cpp "#include <hiredis/read.h>")
plant(clean lockcore/service/sessions/monitor_session.h "#include \"lockcore/service/feeds/server_feed.h\"")
plant(clean ui/views/locks_page.cpp "#include \"lockcore/monitor/snapshot.h\"")
plant(clean app/main.cpp "#include \"ui/views/main_window.h\"")

plant(broken lockcore/base/ids.h "#include \"lockcore/protocol/reply.h\"")
plant(broken lockcore/monitor/engine.h "#include \"lockcore/transport/connection.h\"")
plant(broken lockcore/monitor/engine.cpp "#include \"engine.h\"")
plant(broken lockcore/transport/connection.cpp "#include \"lockcore/monitor/engine.h\"")
plant(broken lockcore/service/worker.cpp "#include \"ui/support/theme.h\"")
plant(broken lockcore/service/feeds/server_feed.h "#include \"lockcore/service/sessions/monitor_session.h\"")
plant(broken lockcore/service/feeds/server_feed.h "#include \"lockcore/service/monitor.h\"")
plant(broken lockcore/transport/connection.cpp "#include \"lockcore/service/rights/missing_rights.h\"")
plant(broken ui/views/locks_page.cpp "#include \"lockcore/service/sessions/monitor_session.h\"")
plant(broken ui/views/locks_page.cpp "#include \"app/composition.h\"")
plant(broken ui/views/locks_page.cpp "#include \"lockcore/monitor/engine.h\"")
plant(broken ui/views/locks_page.cpp "  #  include <QTcpSocket>")
plant(broken lockcore/protocol/reply.cpp "#include <QString>")
plant(broken lockcore/monitor/engine.cpp "#include <QtCore/QString>")
plant(broken lockcore/synchronizers/lock.cpp "#include <thread>")
plant(broken lockcore/synchronizers/lock.cpp "#include <sys/socket.h>")
plant(broken lockcore/monitor/engine.cpp "auto now = std::chrono::steady_clock::now()")
plant(broken lockcore/protocol/command.cpp "#include <hiredis/read.h>")

file(WRITE ${WORK}/linked "lockui: /usr/include/qt6/QtNetwork\n")
file(REMOVE ${WORK}/tree/lockcore/protocol/command.cpp)
check(broken "lockui links Qt Network")
file(WRITE ${WORK}/linked "lockcore_protocol: /usr/include/qt6/QtCore\n")
check(broken "lockcore_protocol links Qt")
