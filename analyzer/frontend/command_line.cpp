#include "frontend/command_line.h"

#include <cstring>
#include <filesystem>
#include <system_error>

#include <clang/Basic/Diagnostic.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Job.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Host.h>

namespace smem {

namespace {

constexpr unsigned kNewestComputeOfClang = 90;

/// The version of CUDA that Clang 19 knows best; it changes how <<<>>> is lowered and which PTX instructions are allowed.
constexpr const char *kSdkVersion = "-target-sdk-version=12.5";
constexpr const char *kPtxFeature = "+ptx85";

void add_shipped(std::vector<std::string> &arguments, const std::string &headers) {
  arguments.insert(arguments.end(), {"-nocudainc", std::string("--cuda-feature=") + kPtxFeature, "-isystem", headers,
                                     "-include", "smem_lint_cuda_prelude.h"});
}

void add_toolkit(std::vector<std::string> &arguments, const Toolkit &toolkit, const std::string &headers, int compute) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path root = toolkit.root;
  if (fs::is_directory(root / "bin", error))
    arguments.push_back("--cuda-path=" + toolkit.root);
  else // headers alone, which Clang does not take for a toolkit
    arguments.insert(arguments.end(), {"-nocudainc", std::string("--cuda-feature=") + kPtxFeature, "-isystem",
                                       (root / "include").string(), "-include", "__clang_cuda_runtime_wrapper.h"});
  arguments.push_back("-Wno-unknown-cuda-version");
  // nvcc's own version, by which libraries choose what they use.
  if (const std::size_t dot = toolkit.version.find('.'); dot != std::string::npos)
    arguments.insert(arguments.end(),
                     {"-D__CUDACC_VER_MAJOR__=" + toolkit.version.substr(0, dot),
                      "-D__CUDACC_VER_MINOR__=" + toolkit.version.substr(dot + 1), "-D__CUDACC_VER_BUILD__=0"});
  // As of `nvcc -arch`: CUB and Thrust have it in the names of their namespaces, and so of kernels.
  arguments.push_back("-D__CUDA_ARCH_LIST__=" + std::to_string(compute * 10));
  // Small stand-ins for what Clang expects of older toolkits.
  const fs::path compat = fs::path(headers) / "compat";
  if (!headers.empty() && fs::is_directory(compat, error)) {
    arguments.insert(arguments.end(), {"-isystem", compat.string()});
    if (fs::exists(compat / "smem_lint_toolkit_compat.h", error))
      arguments.insert(arguments.end(), {"-include", "smem_lint_toolkit_compat.h"});
  }
  // libcu++, CUB and Thrust moved there in CUDA 13.
  const fs::path cccl = root / "include" / "cccl";
  if (fs::is_directory(cccl, error))
    arguments.insert(arguments.end(), {"-isystem", cccl.string()});
}

bool is_device_compilation(const clang::driver::Command &command) {
  bool cc1 = false, device = false;
  for (const char *argument : command.getArguments()) {
    cc1 |= std::strcmp(argument, "-cc1") == 0;
    device |= std::strcmp(argument, "-fcuda-is-device") == 0;
  }
  return cc1 && device;
}

} // namespace

ParsedArchitecture architecture_for_clang(const FrontendOptions &options) {
  if (options.architecture->compute > kNewestComputeOfClang)
    return {"sm_" + std::to_string(kNewestComputeOfClang), true};
  return {target_of(options), false};
}

std::string target_of(const FrontendOptions &options) {
  return options.target.empty() ? std::string(options.architecture->name) : options.target;
}

std::vector<std::string> driver_arguments(const FrontendOptions &options, const std::vector<std::string> &user_flags,
                                          const std::string &headers, const std::string &input) {
  // -O3 is what nvcc does by default; it comes first so that the user's own -O wins.
  std::vector<std::string> arguments = {
      "-x", "cuda", "--cuda-device-only", "-nocudalib", "-S", "-emit-llvm", "-o", "-", "-O3", "-gline-tables-only",
      "-cuid=smem",
      // Clang then notes the fields of structures that are copied (vector_copies.h);
      // the optimiser does not get to see the types.
      "-fstrict-aliasing",
      // Warnings that are errors by default, too: nvcc takes `register` and narrowing.
      "-Wno-everything"};
  const ParsedArchitecture parsed = architecture_for_clang(options);
  arguments.push_back("--cuda-gpu-arch=" + parsed.name);
  if (parsed.name.ends_with('a')) // nvcc's since 12.9; __CUDA_ARCH_FEAT_SM90_ALL is Clang's, too
    for (const char *macro : {"-D__CUDA_ARCH_SPECIFIC__=", "-D__CUDA_ARCH_FAMILY_SPECIFIC__="})
      arguments.push_back(macro + std::to_string(options.architecture->compute * 10));
  if (options.architecture->compute >
      kNewestComputeOfClang) { // sources ask by number, and leave out what is for newer ones
    arguments.push_back("-U__CUDA_ARCH__");
    arguments.push_back("-D__CUDA_ARCH__=" + std::to_string(options.architecture->compute * 10));
  }
  if (options.toolkit.shipped)
    add_shipped(arguments, headers);
  else
    add_toolkit(arguments, options.toolkit, headers, options.architecture->compute);
  // Behind every other folder: stand-ins for frameworks of host code that are not installed.
  if (!headers.empty())
    arguments.insert(arguments.end(), {"-idirafter", headers + "/host"});
  arguments.insert(arguments.end(), user_flags.begin(), user_flags.end());
  // Of this one the last is taken, wherever a word begins with it.
  arguments.insert(arguments.end(), {"--driver-mode=g++", "--", input});
  return arguments;
}

std::shared_ptr<clang::CompilerInvocation> device_invocation(const std::vector<std::string> &driver_arguments,
                                                             clang::DiagnosticsEngine &diagnostics) {
  clang::driver::Driver driver(SMEM_LINT_CLANG_EXECUTABLE, llvm::sys::getDefaultTargetTriple(), diagnostics,
                               "smem-lint", llvm::vfs::getRealFileSystem());
  driver.ResourceDir = SMEM_LINT_CLANG_RESOURCE_DIR;
  driver.setCheckInputsExist(false); // the front end has a better message, and the text may come from memory
  std::vector<const char *> pointers = {SMEM_LINT_CLANG_EXECUTABLE};
  for (const std::string &argument : driver_arguments)
    pointers.push_back(argument.c_str());
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(pointers));
  if (!compilation || diagnostics.hasErrorOccurred())
    return nullptr;
  for (const clang::driver::Command &command : compilation->getJobs()) {
    if (!is_device_compilation(command))
      continue;
    std::vector<const char *> arguments(command.getArguments().begin() + 1, command.getArguments().end());
    arguments.push_back(kSdkVersion);
    auto invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*invocation, arguments, diagnostics, SMEM_LINT_CLANG_EXECUTABLE))
      return nullptr;
    return invocation;
  }
  return nullptr;
}

} // namespace smem
