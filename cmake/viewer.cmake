# Compiles web/viewer.html, the viewer's built page, into the library as one text: no Node is needed to build Cardan.
set(built_page ${PROJECT_SOURCE_DIR}/web/viewer.html)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${built_page})
file(READ ${built_page} CARDAN_BUILT_PAGE)
if(CARDAN_BUILT_PAGE MATCHES [[\)cardan_page"]])
  message(FATAL_ERROR "web/viewer.html holds the text that ends it in C++")
endif()
configure_file(cmake/built_page.cpp.in ${PROJECT_BINARY_DIR}/generated/built_page.cpp @ONLY)
target_sources(cardan PRIVATE ${PROJECT_BINARY_DIR}/generated/built_page.cpp)
target_include_directories(cardan PRIVATE ${PROJECT_SOURCE_DIR})
set_source_files_properties(${PROJECT_BINARY_DIR}/generated/built_page.cpp PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
