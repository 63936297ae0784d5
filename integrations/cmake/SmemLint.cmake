# smem_lint_add_target(NAME
#   [TARGET target]        its .cu files, include folders, definitions, architectures, standard, and -D, -U, -I of its options
#   [SOURCES file...]      these files (instead of, or besides, those of TARGET)
#   [FLAGS flag...]        compiler flags
#   [OPTIONS option...]    options of smem-lint
#   [BASELINE file]        what is tolerated; the target fails on regressions only
#   [TEST])                also a test of that name, for ctest
#
# `cmake --build . --target NAME` prints the findings and fails if they gate. Results are kept in the build folder, so that only what has
# changed is analysed again.
find_program(SMEM_LINT_PROGRAM smem-lint HINTS ${CMAKE_CURRENT_LIST_DIR}/../../../bin DOC "smem-lint")

function(smem_lint_add_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "TEST" "TARGET;BASELINE" "SOURCES;FLAGS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "smem_lint_add_target(${name}): unknown argument '${arg_UNPARSED_ARGUMENTS}'; known are TARGET, SOURCES, FLAGS, OPTIONS, BASELINE, TEST")
  endif()
  if(NOT SMEM_LINT_PROGRAM)
    message(FATAL_ERROR "smem_lint_add_target(${name}): smem-lint was not found; set SMEM_LINT_PROGRAM")
  endif()

  set(files ${arg_SOURCES})
  set(flags ${arg_FLAGS})
  if(arg_TARGET)
    get_target_property(sources ${arg_TARGET} SOURCES)
    foreach(source IN LISTS sources)
      if(source MATCHES "\\.cu$")
        list(APPEND files ${source})
      endif()
    endforeach()
    set(folders "$<TARGET_PROPERTY:${arg_TARGET},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${arg_TARGET},COMPILE_DEFINITIONS>")
    list(APPEND flags "$<$<BOOL:${folders}>:-I$<JOIN:${folders},$<SEMICOLON>-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>")
    get_target_property(architectures ${arg_TARGET} CUDA_ARCHITECTURES)
    foreach(architecture IN LISTS architectures)
      if(architecture MATCHES "^([0-9]+[a-z]?)(-real|-virtual)?$")
        list(APPEND flags -gencode=arch=compute_${CMAKE_MATCH_1},code=sm_${CMAKE_MATCH_1})
      endif()
    endforeach()
    get_target_property(standard ${arg_TARGET} CUDA_STANDARD)
    if(standard)
      list(APPEND flags -std=c++${standard})
    endif()
    get_target_property(compile_options ${arg_TARGET} COMPILE_OPTIONS)
    foreach(option IN LISTS compile_options)
      if(option MATCHES "^-[DUI].")
        list(APPEND flags ${option})
      endif()
    endforeach()
  endif()
  if(NOT files)
    message(FATAL_ERROR "smem_lint_add_target(${name}): no .cu file; name some with SOURCES or a TARGET that has them")
  endif()
  list(TRANSFORM files PREPEND "./" REGEX "^-") # a name that looks like an option
  set(options --cache-dir=${CMAKE_CURRENT_BINARY_DIR}/smem-lint-cache ${arg_OPTIONS})
  if(arg_BASELINE)
    list(APPEND options --baseline=${arg_BASELINE} --fail-on=regression)
  endif()

  set(command ${SMEM_LINT_PROGRAM} --quiet ${options} ${files})
  if(flags)
    list(APPEND command -- ${flags})
  endif()
  add_custom_target(${name} COMMAND ${command} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "smem-lint: ${name}")
  if(arg_TEST)
    add_test(NAME ${name} COMMAND ${command} WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} COMMAND_EXPAND_LISTS)
  endif()
endfunction()
