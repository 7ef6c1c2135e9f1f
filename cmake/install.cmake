# What `make install` leaves behind: headers, both libraries, the binary, and the files by which
# find_package and pkg-config find them. Nothing installed holds an absolute path, so it may be moved.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rankine)
install(DIRECTORY include/rankine DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS rankine_cli)
# Two sets of targets, because only the static library drags its dependencies along.
install(TARGETS rankine_shared EXPORT rankine_shared_targets)
install(TARGETS rankine_static EXPORT rankine_static_targets)
install(EXPORT rankine_shared_targets NAMESPACE rankine:: FILE rankineSharedTargets.cmake
  DESTINATION ${package_dir})
install(EXPORT rankine_static_targets NAMESPACE rankine:: FILE rankineStaticTargets.cmake
  DESTINATION ${package_dir})

configure_package_config_file(cmake/rankineConfig.cmake.in ${PROJECT_BINARY_DIR}/rankineConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rankineConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rankineConfig.cmake ${PROJECT_BINARY_DIR}/rankineConfigVersion.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH RANKINE_PREFIX_FROM_PKGCONFIG
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/rankine.pc.in ${PROJECT_BINARY_DIR}/rankine.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rankine.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Shell completion, written by the binary itself.
foreach(shell bash zsh fish)
  set(file ${PROJECT_BINARY_DIR}/completion/${shell})
  add_custom_command(OUTPUT ${file} DEPENDS rankine_cli VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
    COMMAND rankine_cli completion ${shell} > ${file})
  list(APPEND completions ${file})
endforeach()
add_custom_target(rankine_completion ALL DEPENDS ${completions})
install(FILES ${PROJECT_BINARY_DIR}/completion/bash RENAME rankine
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_BINARY_DIR}/completion/zsh RENAME _rankine
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${PROJECT_BINARY_DIR}/completion/fish RENAME rankine.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
