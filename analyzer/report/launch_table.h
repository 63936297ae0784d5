// The table of one kernel launch in the text report.
#pragma once

#include "report/report.h"

#include <string>

namespace smem {

/// `with_architecture`: names what it was modelled for, which goes without saying where all launches have the same.
/// `gpu`: Report::gpu.
std::string launch_table(const FileAnalysis &file, const LaunchAnalysis &launch, const TextOptions &options,
                         const Gpu *gpu, bool with_architecture = false);

/// `N=4096, A: pointer`: the arguments that the figures depend on.
std::string arguments_text(const Program &program, const Launch &launch);

/// `32 registers, 4,224 B of static shared memory, 12 local loads (96 requests)`: what ptxas has made of the kernel; empty where that is not known.
std::string compiled_text(const FileAnalysis &file, const LaunchAnalysis &launch);

/// `host code at gemm.cu:61:3`, `--launch or --set`, `assumed`.
std::string origin_text(const Launch &launch);

} // namespace smem
