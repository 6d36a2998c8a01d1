# Installs the build into an empty folder, then configures, builds and runs the project beside this file against it.
# Given: build, generator, compiler, type, flags.
set(work ${build}/package)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/installed)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/consumer -G ${generator}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE=${type} -D CMAKE_CXX_FLAGS=${flags}
  -D CMAKE_PREFIX_PATH=${work}/installed)
run(${CMAKE_COMMAND} --build ${work}/consumer)
run(${work}/consumer/consumer)
if(EXISTS ${work}/installed/bin/cardan)
  run(${work}/installed/bin/cardan --help)
endif()
