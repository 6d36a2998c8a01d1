# Compiler flags, all in one place. Never -ffast-math: the algorithms rely on NaN, infinity and the order of sums.

# For every target of ours, and for nobody else's: warnings, and multiply-adds fused across expressions
# (clang fuses only within one expression otherwise: 1.1x, and 1.26x on 8 lanes).
function(cardan_own_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -ffp-contract=fast)
  if(CARDAN_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  # GCC 12 takes its own AVX-512 intrinsics, which Eigen uses, for uninitialized variables (GCC bug 105593), and sees
  # overlapping copies in the concatenation of strings (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-uninitialized -Wno-restrict)
  endif()
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

# lld links a test program in a fifth of the time.
find_program(CARDAN_LLD ld.lld-14)
if(CARDAN_LLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND PROJECT_IS_TOP_LEVEL)
  add_link_options(-fuse-ld=lld-14)
endif()

# ccache can use a precompiled header of clang's only if it holds no time.
function(cardan_reusable_header target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()

# To see that everything compiles or to run it under sanitizers: nothing optimized, hence soon compiled.
option(CARDAN_PLAIN_BUILD "Compile all sources alike: no kernel flags, no forced inlining" OFF)
if(CARDAN_PLAIN_BUILD)
  add_compile_definitions(CARDAN_PLAIN_INLINE)
endif()

# The instruction set is ours alone: whoever uses the installed library compiles for what he likes. What both must agree
# on are the sizes and alignments that follow from it, and these are handed on.
function(cardan_instruction_set target)
  set(flags)
  if(CARDAN_ISA)
    if(NOT CARDAN_ISA MATCHES "^v[234]$")
      message(FATAL_ERROR "CARDAN_ISA: expected v2, v3 or v4, found \"${CARDAN_ISA}\"")
    endif()
    set(flags -march=x86-64-${CARDAN_ISA})
  elseif(CARDAN_ARCH)
    set(flags -march=${CARDAN_ARCH})
  endif()
  target_compile_options(${target} PRIVATE ${flags} INTERFACE $<BUILD_INTERFACE:${flags}>)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${flags} -dM -E -x c++ /dev/null OUTPUT_VARIABLE macros
    COMMAND_ERROR_IS_FATAL ANY)
  set(bytes 16)
  if(macros MATCHES "__AVX512F__")
    set(bytes 64)
  elseif(macros MATCHES "__AVX__")
    set(bytes 32)
  endif()
  target_compile_definitions(${target} PUBLIC CARDAN_REGISTER_BYTES=${bytes} EIGEN_MAX_ALIGN_BYTES=${bytes})
  set(CARDAN_REGISTER_BYTES ${bytes} PARENT_SCOPE)
endfunction()

# The dynamics kernels: SLP vectorization packs their scalars badly and costs 1.35x (clang) to 1.5x (gcc).
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(CARDAN_NO_SLP -fno-slp-vectorize)
else()
  set(CARDAN_NO_SLP -fno-tree-slp-vectorize)
endif()
set(CARDAN_KERNEL_OPTIMIZATION -O3 CACHE STRING "Optimization of the kernels in a release build")
set(CARDAN_KERNEL_FLAGS $<$<CONFIG:Release,RelWithDebInfo>:${CARDAN_KERNEL_OPTIMIZATION}> ${CARDAN_NO_SLP})

# Options of single sources; such a source stays out of the batches of a unity build. A plain build has none.
function(cardan_source_options sources)
  if(NOT CARDAN_PLAIN_BUILD)
    set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${ARGN}")
  endif()
endfunction()

# Gives the kernel flags to the target's sources in one room of cardan/, but for those named after it.
function(cardan_kernel_room target room)
  get_target_property(kernels ${target} SOURCES)
  list(FILTER kernels INCLUDE REGEX "^cardan/${room}/")
  foreach(other IN LISTS ARGN)
    list(REMOVE_ITEM kernels cardan/${room}/${other}.cpp)
  endforeach()
  if(kernels)
    cardan_source_options("${kernels}" ${CARDAN_KERNEL_FLAGS})
  endif()
endfunction()
