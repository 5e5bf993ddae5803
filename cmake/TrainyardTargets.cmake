# SPDX-License-Identifier: GPL-3.0-or-later
# Compiler settings as interface targets (never global flags) and helpers that define our targets.

add_library(trainyard_options INTERFACE)
target_include_directories(trainyard_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})
target_compile_options(trainyard_options INTERFACE
    -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wformat=2
    -Wimplicit-fallthrough -Wswitch
    # In a unity batch, -Wshadow takes what stands in another file of the batch for shadowed; clang's does so even more.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<NOT:$<BOOL:${TRAINYARD_UNITY}>>>:-Wshadow>
    $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond -Wlogical-op>)
if(TRAINYARD_WERROR)
    target_compile_options(trainyard_options INTERFACE -Werror
        # What gcc's optimizer believes it has seen depends on its version and on what it has inlined: no reason to stop.
        $<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow
        -Wno-error=stringop-overread -Wno-error=dangling-pointer -Wno-error=restrict -Wno-error=free-nonheap-object>)
endif()
# What makes a fault harder to use. Sanitizers look closer, and do not get along with it.
if(NOT TRAINYARD_SANITIZE)
    include(CheckPIESupported)
    check_pie_supported(LANGUAGES CXX)
    target_link_options(trainyard_options INTERFACE LINKER:-z,relro LINKER:-z,now)
    if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug") # which has no optimizer that could check buffers
        include(CheckCXXCompilerFlag)
        target_compile_options(trainyard_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS)
        foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection -mbranch-protection=standard)
            string(MAKE_C_IDENTIFIER "TRAINYARD_HAS${flag}" known) # the last two are of one processor each
            check_cxx_compiler_flag(${flag} ${known})
            if(${known})
                target_compile_options(trainyard_options INTERFACE ${flag})
            endif()
        endforeach()
    endif()
endif()
# Sanitizers stay out of trainyard_options: the static agent uses the options but cannot be linked with ASan.
add_library(trainyard_sanitize INTERFACE)
if(TRAINYARD_SANITIZE STREQUAL "address")
    # Without the checks that ASan makes in another way (null, object-size), that this processor does not need (alignment),
    # or that repeat what the type system says (vptr): they take a third of the time of a build.
    set(TRAINYARD_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr
        -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # The name of each function's type, which is a third of what clang writes and the linker reads. No function is
        # called here by a pointer of another type: that takes a cast, and there is none.
        list(APPEND TRAINYARD_SANITIZE_FLAGS -fno-sanitize=function)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT TRAINYARD_FUZZ_COVERAGE)
        # A relative path is the same text in every clone.
        file(RELATIVE_PATH trainyard_asan_ignore ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/cmake/asan-ignore.txt)
        list(APPEND TRAINYARD_SANITIZE_FLAGS -fsanitize-ignorelist=${trainyard_asan_ignore})
    endif()
elseif(TRAINYARD_SANITIZE STREQUAL "thread")
    set(TRAINYARD_SANITIZE_FLAGS -fsanitize=thread -fno-omit-frame-pointer)
endif()
if(TRAINYARD_FUZZ_COVERAGE)
    list(APPEND TRAINYARD_SANITIZE_FLAGS -fsanitize=fuzzer-no-link) # coverage of the libraries for the fuzzer
endif()
if(TRAINYARD_SANITIZE_FLAGS)
    # GCC documents false positives of this warning under sanitizers; std::variant gives dozens. The other presets keep it.
    target_compile_options(trainyard_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_compile_options(trainyard_sanitize INTERFACE
        "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:TRAINYARD_TEST_CODE>>>:${TRAINYARD_SANITIZE_FLAGS}>")
    target_link_options(trainyard_sanitize INTERFACE ${TRAINYARD_SANITIZE_FLAGS})
    # At a fixed address: the tables of a sanitized program are large, and moving them takes a third of its start. The
    # tests start thousands.
    target_link_options(trainyard_sanitize INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

add_library(trainyard_qt_options INTERFACE)
target_link_libraries(trainyard_qt_options INTERFACE trainyard_options trainyard_sanitize)
target_compile_definitions(trainyard_qt_options INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_NO_FOREACH QT_USE_QSTRINGBUILDER QT_NO_KEYWORDS
    QT_DISABLE_DEPRECATED_BEFORE=0x060400)

find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.1))
    add_link_options(-fuse-ld=mold)
endif()
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime CCACHE_NOHASHDIR=1
        CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE_PROGRAM})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-fpch-preprocess)
    else()
        add_compile_options("SHELL:-Xclang -fno-pch-timestamp") # which would make each build's headers others
    endif()
endif()

set(trainyard_headers_any <QtCore/QtCore> <algorithm> <array> <functional> <memory> <optional> <string> <utility> <variant> <vector>)
set(trainyard_headers_CORE ${trainyard_headers_any} ${CMAKE_SOURCE_DIR}/model/base/lists.h)
set(trainyard_headers_WIDGETS <QtWidgets/QtWidgets> ${trainyard_headers_CORE})
set(trainyard_headers_TESTS <QtTest/QtTest> ${trainyard_headers_any}) # some of them do without the model, which has those lists
set(trainyard_headers_WIDGETS_TESTS <QtWidgets/QtWidgets> ${trainyard_headers_TESTS})

# trainyard_unsanitized(<target>): what is tested is sanitized; the tests themselves are not, which halves the time of
# their build.
function(trainyard_unsanitized target)
    if(TRAINYARD_SANITIZE STREQUAL "address")
        set_target_properties(${target} PROPERTIES TRAINYARD_TEST_CODE ON)
        target_compile_definitions(${target} PRIVATE TRAINYARD_ADDRESS_SANITIZED)
    endif()
endfunction()

# trainyard_precompile(<target> <kind>): the headers that many files of a kind include, compiled once for all targets:
# one set of them takes as long as a dozen files. They are made for a target of their own, which has no macro that one of
# its users lacks: gcc minds that.
function(trainyard_precompile target kind)
    set(maker trainyard_headers_${kind})
    if(NOT TARGET ${maker})
        file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${maker}.cpp CONTENT "// For the sake of its headers.\n")
        add_library(${maker} OBJECT ${CMAKE_BINARY_DIR}/${maker}.cpp)
        target_link_libraries(${maker} PRIVATE trainyard_qt_options Qt6::Core)
        if(kind MATCHES WIDGETS)
            target_link_libraries(${maker} PRIVATE Qt6::Widgets)
        endif()
        if(kind MATCHES TESTS)
            target_link_libraries(${maker} PRIVATE Qt6::Test)
            trainyard_unsanitized(${maker})
        endif()
        target_precompile_headers(${maker} PRIVATE ${${maker}})
    endif()
    target_precompile_headers(${target} REUSE_FROM ${maker})
endfunction()

# trainyard_moc(<target>): moc where it is needed, with our own headers only (moc.sh.in).
function(trainyard_moc target)
    set(script ${CMAKE_BINARY_DIR}/moc.sh)
    if(NOT TARGET Qt6::moc)
        message(FATAL_ERROR "Qt6::moc is missing: find Qt6 first")
    endif()
    get_property(isMade GLOBAL PROPERTY TRAINYARD_MOC_IS_MADE)
    if(NOT isMade)
        get_target_property(TRAINYARD_MOC Qt6::moc LOCATION)
        configure_file(${CMAKE_SOURCE_DIR}/cmake/moc.sh.in ${script} @ONLY
            FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
        set_property(GLOBAL PROPERTY TRAINYARD_MOC_IS_MADE ON)
    endif()
    set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_EXECUTABLE ${script})
endfunction()

# trainyard_library(<target> [WIDGETS]): a static library whose sources come from target_sources() in its sub-folders.
function(trainyard_library target)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "WIDGETS;NO_QT" "" "")
    add_library(${target} STATIC)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
    if(ARG_NO_QT)
        target_link_libraries(${target} PUBLIC trainyard_options)
        if(TRAINYARD_QUICK)
            target_compile_options(${target} PRIVATE ${trainyard_optimized}) # they read what programs write: gigabytes
        endif()
        return()
    endif()
    trainyard_moc(${target})
    target_link_libraries(${target} PUBLIC trainyard_qt_options Qt6::Core tl::expected)
    if(ARG_WIDGETS)
        target_link_libraries(${target} PUBLIC Qt6::Widgets)
        trainyard_precompile(${target} WIDGETS)
    else()
        trainyard_precompile(${target} CORE)
    endif()
endfunction()

# trainyard_optimized_sources(<target> <file>...): trainyard_sources() of files that a build with TRAINYARD_QUICK optimizes,
# each by itself, because they read gigabytes or draw many points.
set(trainyard_optimized -O1)
function(trainyard_optimized_sources target)
    trainyard_sources(${target} ${ARGN})
    if(TRAINYARD_QUICK)
        list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
        # The precompiled headers are made without the optimizer, and clang minds that.
        set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_OPTIONS ${trainyard_optimized}
            SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
    endif()
endfunction()

# trainyard_sources(<target> <file>...): lists sources of the current folder.
function(trainyard_sources target)
    foreach(file IN LISTS ARGN)
        target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    endforeach()
endfunction()
