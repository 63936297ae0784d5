# Clang and LLVM inside of smem-lint, in place of two shared libraries of 192 MB. The dynamic linker takes 17 ms of CPU time for their relocations at each start, and
# every call between them goes through a table: 7% of an analysis (docs/performance.md). Linking takes five seconds.
#
# smem_lint_find_static_llvm(OUT): a linker script that names the archives, or empty where there are none; why not is said.
include(CheckLinkerFlag)

function(smem_lint_find_static_llvm out)
  set(${out} "" PARENT_SCOPE)
  # Not by ClangTargets.cmake: where a distribution has its own clang use the shared libraries, its static targets name these as well.
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libclang[A-Z]*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "Polly")
  if(NOT EXISTS ${LLVM_LIBRARY_DIR}/libclangFrontend.a OR NOT EXISTS ${LLVM_LIBRARY_DIR}/libLLVMCore.a)
    message(STATUS "no static libraries of Clang and LLVM in ${LLVM_LIBRARY_DIR}: smem-lint takes the shared ones")
    return()
  endif()
  # What LLVMSupport compresses with.
  find_library(SMEM_LINT_ZLIB z)
  find_library(SMEM_LINT_ZSTD zstd)
  if(NOT SMEM_LINT_ZLIB OR NOT SMEM_LINT_ZSTD)
    message(STATUS "no zlib or libzstd to link with (zlib1g-dev, libzstd-dev): smem-lint takes the shared libraries of Clang and LLVM")
    return()
  endif()
  # Archives that need each other, as one input: GNU ld, gold and lld read it.
  list(JOIN archives "\n  " archives)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/static_llvm.ld)
  file(GENERATE OUTPUT ${script} CONTENT "GROUP(\n  ${archives}\n)\n")
  set(${out} ${script} PARENT_SCOPE)
endfunction()

# To be called of an executable that depends on smem-clang.
function(smem_lint_link_llvm_statically target)
  set_target_properties(${target} PROPERTIES SMEM_LINT_STATIC_LLVM ON)
  target_link_options(${target} PRIVATE -Wl,--gc-sections)
  # Relocations of a position-independent executable, without their table.
  check_linker_flag(CXX -Wl,-z,pack-relative-relocs SMEM_LINT_PACKS_RELOCATIONS)
  if(SMEM_LINT_PACKS_RELOCATIONS)
    target_link_options(${target} PRIVATE -Wl,-z,pack-relative-relocs)
  endif()
endfunction()
