# The command: all of apps/ is one program, bin/cardan in the build folder.
file(GLOB app_sources CONFIGURE_DEPENDS apps/*.cpp)
if(app_sources)
  find_package(CLI11 REQUIRED)
  add_executable(cardan_command ${app_sources})
  set_target_properties(cardan_command PROPERTIES
    OUTPUT_NAME cardan RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  target_link_libraries(cardan_command PRIVATE cardan CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)
  target_compile_definitions(cardan_command PRIVATE CARDAN_VERSION="${PROJECT_VERSION}")
  cardan_own_flags(cardan_command)
  target_compile_options(cardan_command PRIVATE $<$<CONFIG:Release>:-O1>)  # what takes time is in the library
  include(cmake/templates.cmake)
  add_dependencies(product cardan_command)
endif()
