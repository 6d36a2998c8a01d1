# The benchmark program, compiled like the kernels it times. Only `make bench` builds it.
file(GLOB bench_sources CONFIGURE_DEPENDS benchmarks/*.cpp)
if(bench_sources)
  add_executable(cardan_bench EXCLUDE_FROM_ALL ${bench_sources})
  set_target_properties(cardan_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  target_link_libraries(cardan_bench PRIVATE cardan fmt::fmt nlohmann_json::nlohmann_json)
  target_compile_options(cardan_bench PRIVATE ${CARDAN_KERNEL_FLAGS})
  cardan_own_flags(cardan_bench)
endif()
