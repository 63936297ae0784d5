// CUDA's compiler.
#pragma once

#include <string>

namespace smem_lint::validate {

// `given` if not empty and it can be run, else from PATH, CUDA_HOME, CUDA_PATH, /usr/local/cuda; empty if there is none.
std::string find_nvcc(const std::string &given);

// "13.0"; empty if it does not tell.
std::string nvcc_version(const std::string &nvcc);

} // namespace smem_lint::validate
