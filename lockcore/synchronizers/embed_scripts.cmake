# SPDX-License-Identifier: Apache-2.0
# embed_scripts(TARGET READ_ONLY names... TAKING names... WRITING names...): compiles scripts/NAME.lua into TARGET and
# generates "lockcore/synchronizers/scripts.h" with one accessor a script; `read_locks` becomes
# `lockcore::synchronizers::scripts::readLocks()`. Those that take something have a last moment.
# A line `--include other.lua` stands for the text of scripts/other.lua. The SHA-1 is that of the embedded text.
function(embed_scripts TARGET)
    cmake_parse_arguments(SCRIPTS "" "" "READ_ONLY;TAKING;WRITING" ${ARGN})
    set(declarations "")
    set(definitions "")
    foreach(name ${SCRIPTS_READ_ONLY} ${SCRIPTS_TAKING} ${SCRIPTS_WRITING})
        _script_text(${name}.lua text)
        string(SHA1 sha1 "${text}")
        set(read_only false)
        if(name IN_LIST SCRIPTS_READ_ONLY)
            set(read_only true)
        endif()
        set(has_last_moment false)
        if(name IN_LIST SCRIPTS_TAKING)
            set(has_last_moment true)
        endif()
        _script_function_name(${name} function)
        string(APPEND declarations "const protocol::Script &${function}();\n")
        string(APPEND definitions
            "const protocol::Script &${function}()\n{\n"
            "    static constexpr protocol::Script script{ \"${name}\", R\"lua(${text})lua\",\n"
            "        \"${sha1}\", ${read_only}, ${has_last_moment} };\n"
            "    return script;\n}\n\n")
    endforeach()
    set(header "${CMAKE_CURRENT_BINARY_DIR}/scripts.h")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/scripts.cpp")
    file(CONFIGURE OUTPUT "${header}" @ONLY CONTENT "// Generated from scripts/*.lua
#pragma once

#include \"lockcore/protocol/command.h\"

namespace lockcore::synchronizers::scripts {

@declarations@
} // namespace lockcore::synchronizers::scripts
")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT "// Generated from scripts/*.lua
#include \"lockcore/synchronizers/scripts.h\"

namespace lockcore::synchronizers::scripts {

@definitions@} // namespace lockcore::synchronizers::scripts
")
    target_sources(${TARGET} PRIVATE "${source}")
endfunction()

function(_script_text FILE RESULT)
    set(path "${CMAKE_CURRENT_SOURCE_DIR}/scripts/${FILE}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
    file(READ "${path}" text)
    while(text MATCHES "--include ([a-z_]+\\.lua)\n")
        set(line "${CMAKE_MATCH_0}")
        _script_text(${CMAKE_MATCH_1} included)
        string(REPLACE "${line}" "${included}" text "${text}")
    endwhile()
    set(${RESULT} "${text}" PARENT_SCOPE)
endfunction()

function(_script_function_name NAME RESULT)
    string(REPLACE "_" ";" words "${NAME}")
    list(POP_FRONT words function)
    foreach(word ${words})
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND function "${first}${rest}")
    endforeach()
    set(${RESULT} ${function} PARENT_SCOPE)
endfunction()
