# SPDX-License-Identifier: GPL-3.0-or-later
# The helper for hosts with another processor than this computer's: bin/trainyard-agent-PROCESSOR, made by a cross compiler
# (Debian: g++-aarch64-linux-gnu or g++-x86-64-linux-gnu). It is what people get, in every preset: optimized, static and
# without symbols. Nothing else is compiled for that processor, so it needs no project of its own.

set(TRAINYARD_CROSS_PROCESSORS aarch64 x86_64)

# Compiles sources of one target, twelve at a time as in a unity build, and appends the object files to the list <into>.
function(trainyard_cross_compile into processor name)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/${processor})
    set(protection -mbranch-protection=standard)
    if(processor STREQUAL "x86_64")
        set(protection -fcf-protection)
    endif()
    get_target_property(json nlohmann_json::nlohmann_json INTERFACE_INCLUDE_DIRECTORIES)
    list(TRANSFORM json PREPEND -idirafter)
    list(FILTER ARGN INCLUDE REGEX "\\.cpp$")
    set(number 0)
    while(ARGN)
        list(SUBLIST ARGN 0 12 batch)
        list(REMOVE_ITEM ARGN ${batch})
        set(text "")
        foreach(file IN LISTS batch)
            # By its name from the top: batches are the same in every clone, and so are their entries of ccache.
            cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
            cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
            string(APPEND text "#include \"${file}\"\n")
        endforeach()
        set(unit ${folder}/${name}_${number}.cpp)
        file(CONFIGURE OUTPUT ${unit} CONTENT "${text}" @ONLY)
        add_custom_command(OUTPUT ${unit}.o
            COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${TRAINYARD_CXX_${processor}} -std=c++20 -O2 -DNDEBUG -fPIE
                -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS -fstack-protector-strong -fstack-clash-protection
                ${protection} -DTRAINYARD_VERSION="${PROJECT_VERSION}" -I${CMAKE_SOURCE_DIR} ${json}
                -MD -MF ${unit}.o.d -MT ${unit}.o -c ${unit} -o ${unit}.o
            DEPENDS ${unit} DEPFILE ${unit}.o.d VERBATIM COMMENT "The helper for ${processor}: ${name}_${number}")
        list(APPEND ${into} ${unit}.o)
        math(EXPR number "${number} + 1")
    endwhile()
    set(${into} ${${into}} PARENT_SCOPE)
endfunction()

# trainyard_cross_agent(<processor> <source of the agent but main.cpp>...)
function(trainyard_cross_agent processor)
    find_program(TRAINYARD_CXX_${processor} ${processor}-linux-gnu-g++)
    if(NOT TRAINYARD_CXX_${processor})
        message(STATUS "No helper for hosts with ${processor}: ${processor}-linux-gnu-g++ is not installed")
        return()
    endif()
    set(objects "")
    trainyard_cross_compile(objects ${processor} main main.cpp)
    trainyard_cross_compile(objects ${processor} agent ${ARGN})
    foreach(library contract series metrics metricfiles)
        get_target_property(sources trainyard_${library} SOURCES)
        trainyard_cross_compile(objects ${processor} ${library} ${sources})
    endforeach()
    set(program ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/trainyard-agent-${processor})
    add_custom_command(OUTPUT ${program}
        COMMAND ${TRAINYARD_CXX_${processor}} -static-pie -fuse-ld=bfd -s -Wl,--fatal-warnings -Wl,--build-id=sha1
            -Wl,--gc-sections -Wl,-z,relro -Wl,-z,now -o ${program} ${objects}
        DEPENDS ${objects} VERBATIM COMMENT "The helper for ${processor}")
    add_custom_target(trainyard-agent-${processor} ALL DEPENDS ${program})
    install(PROGRAMS ${program} DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/trainyard)
endfunction()

# For each processor but this computer's.
function(trainyard_cross_agents)
    foreach(processor IN LISTS TRAINYARD_CROSS_PROCESSORS)
        if(NOT processor STREQUAL CMAKE_SYSTEM_PROCESSOR)
            trainyard_cross_agent(${processor} ${ARGN})
        endif()
    endforeach()
endfunction()
