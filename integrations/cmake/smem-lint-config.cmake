# find_package(smem-lint): SMEM_LINT_PROGRAM and smem_lint_add_target().
include(${CMAKE_CURRENT_LIST_DIR}/SmemLint.cmake)
