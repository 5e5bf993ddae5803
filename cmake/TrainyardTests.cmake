# SPDX-License-Identifier: GPL-3.0-or-later
set(trainyard_sanitizer_options "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/lsan.supp;TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/tsan.supp;UBSAN_OPTIONS=print_stacktrace=1")

# trainyard_test_code(<target> <with widgets>): how tests and their helpers are compiled.
function(trainyard_test_code target with_widgets)
    target_link_libraries(${target} PRIVATE Qt6::Test)
    trainyard_unsanitized(${target})
    if(with_widgets)
        trainyard_precompile(${target} WIDGETS_TESTS)
    else()
        trainyard_precompile(${target} TESTS)
    endif()
endfunction()

# trainyard_tests(<exe> [WIDGETS] LABEL <label> [TIMEOUT s] LIBS <lib>... CLASSES <tst_a>...)
# Builds <exe> from tst_a.cpp ... of the current folder; every class becomes a ctest of its own name. A class registers
# itself with TRAINYARD_TEST(TstA) (tests/helpers/testregistry.h) and its file ends with #include "tst_a.moc".
function(trainyard_tests exe)
    cmake_parse_arguments(PARSE_ARGV 1 ARG "WIDGETS" "LABEL;TIMEOUT" "LIBS;CLASSES;SOURCES;LOCK;ENV")
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300) # what hangs; a busy machine is ten times slower than an idle one
    endif()
    list(TRANSFORM ARG_CLASSES APPEND .cpp OUTPUT_VARIABLE files)
    add_executable(${exe} ${files} ${ARG_SOURCES})
    trainyard_moc(${exe})
    if(TRAINYARD_UNITY)
        # A test class may have members of types that its file keeps to itself; a batch includes that file.
        target_compile_options(${exe} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
    target_link_libraries(${exe} PRIVATE trainyard_testmain ${ARG_LIBS})
    trainyard_test_code(${exe} ${ARG_WIDGETS})
    foreach(class IN LISTS ARG_CLASSES)
        add_test(NAME ${ARG_LABEL}.${class} COMMAND ${exe} ${class})
        set_tests_properties(${ARG_LABEL}.${class} PROPERTIES LABELS "${ARG_LABEL}" TIMEOUT ${ARG_TIMEOUT}
            ENVIRONMENT "QT_QPA_PLATFORM=offscreen;TRAINYARD_BIN=${CMAKE_BINARY_DIR}/bin;TRAINYARD_SOURCE=${CMAKE_SOURCE_DIR};${trainyard_sanitizer_options};${ARG_ENV}")
        if("${ARG_LABEL}.${class}" IN_LIST TRAINYARD_LONG_CLASSES)
            set_property(TEST ${ARG_LABEL}.${class} APPEND PROPERTY LABELS long)
        endif()
        if(ARG_LOCK)
            set_tests_properties(${ARG_LABEL}.${class} PROPERTIES RESOURCE_LOCK "${ARG_LOCK}")
        endif()
    endforeach()
endfunction()
