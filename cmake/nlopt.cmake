# NLopt 2.7 (Debian 12: libnlopt-dev), for `cardan optimize`; without it that command says what is missing.
find_path(CARDAN_NLOPT nlopt.h DOC "Folder of the NLopt header")
find_library(CARDAN_NLOPT_library nlopt DOC "Library of NLopt")
mark_as_advanced(CARDAN_NLOPT_library)
set(CARDAN_HAS_NLOPT OFF)
if(CARDAN_NLOPT AND CARDAN_NLOPT_library)
  set(CARDAN_HAS_NLOPT ON)
endif()
