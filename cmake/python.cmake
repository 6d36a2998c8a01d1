# The Python module, where nanobind is given (tools/python.sh): _cardan beside the sources of the package.
find_package(Python 3.10 COMPONENTS Interpreter Development.Module REQUIRED)
execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
  OUTPUT_VARIABLE nanobind_ROOT COMMAND_ERROR_IS_FATAL ANY)
find_package(nanobind CONFIG REQUIRED)
file(GLOB python_sources CONFIGURE_DEPENDS python/src/*.cpp)
nanobind_add_module(_cardan NB_STATIC ${python_sources})
set_target_properties(_cardan PROPERTIES UNITY_BUILD OFF LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python-module)
target_link_libraries(_cardan PRIVATE cardan fmt::fmt)
# Debian's static asmjit is for programs: code for a shared object may not reach the C library's stderr by a relative
# address, so that a copy of the archive gets another name for it, which the module defines (module.cpp).
if(asmjit_FOUND)
  get_target_property(asmjit_archive asmjit::asmjit LOCATION)
  find_program(CARDAN_OBJCOPY NAMES objcopy llvm-objcopy-14 REQUIRED)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/libasmjit_shared.a
    COMMAND ${CARDAN_OBJCOPY} --redefine-sym stderr=cardan_asmjit_stderr ${asmjit_archive}
      ${PROJECT_BINARY_DIR}/libasmjit_shared.a
    DEPENDS ${asmjit_archive} VERBATIM)
  add_custom_target(asmjit_shared DEPENDS ${PROJECT_BINARY_DIR}/libasmjit_shared.a)
  add_dependencies(_cardan asmjit_shared)
  # before the original, from which nothing is then left to take
  target_link_libraries(_cardan PRIVATE ${PROJECT_BINARY_DIR}/libasmjit_shared.a)
endif()
target_include_directories(_cardan PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_options(_cardan PRIVATE -Wall -Wextra)
nanobind_add_stub(_cardan_stub MODULE _cardan OUTPUT ${PROJECT_BINARY_DIR}/python-module/_cardan.pyi
  PYTHON_PATH ${PROJECT_BINARY_DIR}/python-module DEPENDS _cardan)
install(TARGETS _cardan LIBRARY DESTINATION cardan COMPONENT python)
install(FILES ${PROJECT_BINARY_DIR}/python-module/_cardan.pyi DESTINATION cardan COMPONENT python)
if(TARGET cardan_command)  # python -m cardan
  install(PROGRAMS $<TARGET_FILE:cardan_command> DESTINATION cardan/bin COMPONENT python)
endif()
