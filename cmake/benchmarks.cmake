# The benchmark program, compiled like the kernels it times. Only `make bench` builds it.
file(GLOB bench_sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} benchmarks/*.cpp)
list(REMOVE_ITEM bench_sources benchmarks/peer_fcl.cpp)
add_executable(cardan_bench EXCLUDE_FROM_ALL ${bench_sources})
set_target_properties(cardan_bench PROPERTIES UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
target_link_libraries(cardan_bench PRIVATE cardan fmt::fmt nlohmann_json::nlohmann_json)
target_include_directories(cardan_bench PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(cardan_bench PRIVATE CARDAN_ROBOTS="${PROJECT_SOURCE_DIR}/../shared/data/robots"
  CARDAN_EXAMPLES="${PROJECT_SOURCE_DIR}/examples")
cardan_own_flags(cardan_bench)
# the counting scalar need not be fast, only compiled soon
set_source_files_properties(benchmarks/operation_counts.cpp PROPERTIES COMPILE_OPTIONS "-O0;-DCARDAN_PLAIN_INLINE")

# The peer: where pip put Pinocchio's headers (tools/bench.sh sets this). Its templates get the flags of our kernels,
# but for SLP vectorization, which helps them; its headers do not pass our warnings.
set(CARDAN_PINOCCHIO "" CACHE PATH "Prefix of Pinocchio and Boost headers; empty: time only ourselves")
if(CARDAN_PINOCCHIO)
  set_source_files_properties(benchmarks/peer_pinocchio.cpp PROPERTIES COMPILE_OPTIONS "-O3;-w")
  target_compile_definitions(cardan_bench PRIVATE CARDAN_WITH_PINOCCHIO
    BOOST_VARIANT_USE_RELAXED_GET_BY_DEFAULT  # its code asks our short list for joints that are not on it
    # what its own CMake target exports; without these its derivatives do not compile
    BOOST_FUSION_INVOKE_MAX_ARITY=12 BOOST_MPL_LIMIT_LIST_SIZE=30 BOOST_MPL_LIMIT_VECTOR_SIZE=30
    BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS)
  target_include_directories(cardan_bench SYSTEM PRIVATE ${CARDAN_PINOCCHIO}/include)
endif()

# Peers that come as libraries were compiled for the least processor, and Eigen's alignments are part of their layout.
set(library_peer_options "-O3;-w;-march=x86-64;-UEIGEN_MAX_ALIGN_BYTES")

# The peer for collision: where pip put Coal's headers and library (tools/bench.sh sets this).
set(CARDAN_COAL "" CACHE PATH "Prefix of Coal and Boost headers; empty: time only ourselves")
if(CARDAN_COAL)
  set_source_files_properties(benchmarks/peer_coal.cpp PROPERTIES COMPILE_OPTIONS "${library_peer_options}"
    COMPILE_DEFINITIONS CARDAN_WITH_COAL INCLUDE_DIRECTORIES ${CARDAN_COAL}/include)
  target_link_libraries(cardan_bench PRIVATE ${CARDAN_COAL}/lib/libcoal.so)
  set_target_properties(cardan_bench PROPERTIES BUILD_RPATH ${CARDAN_COAL}/lib)
endif()

# FCL, where Debian's package is installed (packages-bench.txt): a module, because it must not meet Coal's Octomap.
find_package(fcl CONFIG QUIET)
if(fcl_FOUND)
  add_library(cardan_bench_fcl MODULE EXCLUDE_FROM_ALL benchmarks/peer_fcl.cpp)
  set_target_properties(cardan_bench_fcl PROPERTIES UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  target_include_directories(cardan_bench_fcl PRIVATE ${PROJECT_SOURCE_DIR})
  cardan_own_flags(cardan_bench_fcl)
  target_compile_options(cardan_bench_fcl PRIVATE ${library_peer_options})
  target_link_libraries(cardan_bench_fcl PRIVATE cardan fcl)
  add_dependencies(cardan_bench cardan_bench_fcl)
  set_source_files_properties(benchmarks/fcl_module.cpp PROPERTIES
    COMPILE_DEFINITIONS "CARDAN_FCL_MODULE=\"$<TARGET_FILE:cardan_bench_fcl>\"")
  target_link_libraries(cardan_bench PRIVATE ${CMAKE_DL_LIBS})
endif()

# Parts of it that need no peer: build/bin/cardan_bench_PART.
function(cardan_small_benchmark part)
  set(target cardan_bench_${part})
  add_executable(${target} EXCLUDE_FROM_ALL benchmarks/${part}/main.cpp benchmarks/timing.cpp ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  target_link_libraries(${target} PRIVATE cardan fmt::fmt nlohmann_json::nlohmann_json)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${target} PRIVATE CARDAN_EXAMPLES="${PROJECT_SOURCE_DIR}/examples")
  cardan_own_flags(${target})
endfunction()
cardan_small_benchmark(forces)  # paths of muscles
cardan_small_benchmark(steps benchmarks/variational_steps.cpp)
cardan_small_benchmark(implicit)
cardan_small_benchmark(ladders benchmarks/ladders.cpp benchmarks/hinged_ladder.cpp benchmarks/models.cpp
  benchmarks/bench_row.cpp)

# Operations of the three ways to differentiate. Only `make counts` builds it.
add_executable(cardan_counts EXCLUDE_FROM_ALL benchmarks/differentiation/counts.cpp
  benchmarks/differentiation/tables.cpp benchmarks/differentiation/functions.cpp)
set_target_properties(cardan_counts PROPERTIES UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
target_link_libraries(cardan_counts PRIVATE cardan fmt::fmt)
target_include_directories(cardan_counts PRIVATE ${PROJECT_SOURCE_DIR})
cardan_own_flags(cardan_counts)
