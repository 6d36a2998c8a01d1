# Installs the build into an empty folder, then configures, builds and runs the project beside this file against it: for
# the compiler's own instruction set, which is not the library's, and for that of this machine.
# Given: build, generator, compiler, type, flags, bytes (of the library's packs).
set(work ${build}/package)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/installed)
if(bytes EQUAL 32)
  set(other 16)
else()
  set(other 32)
endif()
foreach(march "" -march=native)
  string(MAKE_C_IDENTIFIER "consumer${march}" folder)
  set(folder ${work}/${folder})
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${folder} -G ${generator}
    -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE=${type} "-D CMAKE_CXX_FLAGS=${flags} ${march}"
    -D CARDAN_OTHER_BYTES=${other} -D CMAKE_PREFIX_PATH=${work}/installed)
  run(${CMAKE_COMMAND} --build ${folder})
  run(${CMAKE_COMMAND} -E env MALLOC_CHECK_=3 ${folder}/consumer)
endforeach()

# A program that assumes another layout gets a message of the linker that says so.
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/consumer --target mismatched
  RESULT_VARIABLE code OUTPUT_VARIABLE message ERROR_VARIABLE message)
if(code EQUAL 0 OR NOT message MATCHES "library_was_built_with_another_CARDAN_REGISTER_BYTES")
  message(FATAL_ERROR "expected a refusal to link, found:\n${message}")
endif()

if(EXISTS ${work}/installed/bin/cardan)
  run(${work}/installed/bin/cardan --help)
endif()
