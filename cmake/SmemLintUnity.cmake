# smem_lint_unity(TARGET [APART file...] [TOGETHER n]): with SMEM_LINT_UNITY, several sources of a folder are compiled as one, as most of the time goes into headers. Files that
# have names in unnamed namespaces in common with others of their folder are APART; of a folder with many such names fewer are TOGETHER.
option(SMEM_LINT_UNITY "Compile several sources as one: a first build in less time, each later one in more" OFF)

function(smem_lint_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TOGETHER" "APART")
  if(NOT arg_TOGETHER)
    set(arg_TOGETHER 16)
  endif()
  if(SMEM_LINT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${arg_TOGETHER})
    # GCC inlines more then, and takes texts that cannot be that long for too long.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow>)
    set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()
