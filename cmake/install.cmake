# `cmake --install` puts down headers, library, command and the package that find_package(cardan) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cardan)

install(TARGETS cardan EXPORT cardanTargets FILE_SET HEADERS)
install(EXPORT cardanTargets NAMESPACE cardan:: DESTINATION ${package_dir})
if(TARGET cardan_command)
  install(TARGETS cardan_command)
endif()

configure_package_config_file(cmake/cardanConfig.cmake.in ${PROJECT_BINARY_DIR}/cardanConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cardanConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cardanConfig.cmake ${PROJECT_BINARY_DIR}/cardanConfigVersion.cmake
  DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
