# One place for the warning level of the project's own targets.
function(smem_lint_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wno-unused-parameter
    # std::stable_sort of libstdc++ 12 uses what C++17 deprecates.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
endfunction()

# GCC 12 finds uninitialised and overlapping strings where temporaries of std::string are concatenated or put into aggregates
# (GCC bugs 105329, 105562; repaired in 13). For targets whose business is text.
function(smem_lint_text_warnings target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-maybe-uninitialized)
  endif()
endfunction()
