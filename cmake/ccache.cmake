# Compiles through ccache when it is there.
find_program(CARDAN_CCACHE ccache)
if(CARDAN_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header makes ccache give up unless it is told that time stamps do not matter here.
  # "-march=native" reads the same on every machine, so the processor's name keeps their caches apart.
  cmake_host_system_information(RESULT processor QUERY PROCESSOR_DESCRIPTION)
  string(MAKE_C_IDENTIFIER "${processor}" processor)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_NAMESPACE=${processor} ${CARDAN_CCACHE})
endif()
