// smem-frontend-dump [options] FILE [-- compiler flags]: what the front end hands over, as text.
#include <algorithm>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include "frontend/frontend.h"

namespace {

using namespace smem;

/// Only the file's own name: the output must not depend on where the tests lie.
std::string place(const SourceLocation &location) {
  if (location.file.empty())
    return "<unknown>";
  const std::string name = location.file.substr(location.file.find_last_of('/') + 1);
  return location.known() ? name + ":" + std::to_string(location.line) + ":" + std::to_string(location.column) : name;
}

void print(const std::vector<Diagnostic> &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics) {
    const char *severity = diagnostic.severity == Diagnostic::Severity::Error     ? "error"
                           : diagnostic.severity == Diagnostic::Severity::Warning ? "warning"
                                                                                  : "note";
    std::cout << "diagnostic " << place(diagnostic.location) << ": " << severity << ": " << diagnostic.message << '\n';
  }
}

void print(const SourceIndex &index) {
  for (const auto &[mangled, kernel] : index.kernels) {
    std::cout << "kernel " << kernel.display << " at " << place(kernel.location) << " mangled " << mangled;
    if (kernel.max_threads)
      std::cout << " max_threads " << *kernel.max_threads;
    if (kernel.min_blocks)
      std::cout << " min_blocks " << *kernel.min_blocks;
    std::cout << '\n';
    for (const Parameter &parameter : kernel.parameters)
      std::cout << "  parameter " << parameter.name << ": " << parameter.type << ", " << parameter.size << " bytes"
                << (parameter.pointer ? ", pointer" : "") << '\n';
  }
  for (const auto &[mangled, variable] : index.variables)
    std::cout << "variable " << variable.name << " at " << place(variable.location) << " mangled " << mangled << ": "
              << variable.declaration << '\n';
  for (const std::string &name : index.written_by_host)
    std::cout << "written_by_host " << name << '\n';
  auto print_expressions = [](const char *what, const std::map<SourceLocation, ExpressionText> &map) {
    for (const auto &[location, expression] : map)
      std::cout << what << ' ' << place(location) << ": " << expression.text << " [" << expression.base
                << (expression.base_mangled.empty() ? "" : " = ") << expression.base_mangled << "]\n";
  };
  print_expressions("expression", index.expressions);
  print_expressions("copied_from", index.copied_from);
}

/// "(64,1,?)"; "?" where nothing of it is known.
std::string shape(const HostLaunch &host, const std::string &what, const Dim3 &dim) {
  const auto unknown = [&](const std::string &part) {
    return std::ranges::any_of(host.unknown, [&](const std::string &text) { return text.starts_with(part + ":"); });
  };
  if (unknown(what))
    return "?";
  std::string out;
  const std::uint32_t parts[] = {dim.x, dim.y, dim.z};
  for (int i = 0; i < 3; ++i)
    out += (i ? "," : "(") + (unknown(what + "." + "xyz"[i]) ? "?" : std::to_string(parts[i]));
  return out == "(?,?,?" ? "?" : out + ")";
}

void print(const HostLaunch &host) {
  const Launch &launch = host.launch;
  std::cout << "launch " << launch.mangled << " at " << place(launch.location) << " grid "
            << shape(host, "grid", launch.grid) << " block " << shape(host, "block", launch.block) << " shared ";
  if (std::ranges::any_of(host.unknown,
                          [](const std::string &text) { return text.starts_with("dynamic shared memory:"); }))
    std::cout << '?';
  else
    std::cout << launch.dynamic_shared_bytes;
  if (host.times != 1)
    std::cout << " times " << host.times;
  if (!host.reached)
    std::cout << " not reached";
  std::cout << '\n';
  for (const ArgumentValue &argument : launch.arguments) {
    std::cout << "  argument " << argument.index;
    if (argument.offset)
      std::cout << '+' << argument.offset;
    std::cout << (argument.pointer ? " pointer" : "") << " i" << argument.width_bits << ' '
              << (argument.value ? std::to_string(*argument.value) : "?") << '\n';
  }
  for (const Assumption &assumption : launch.assumptions)
    std::cout << "  assumes " << assumption.text << '\n';
  for (const std::string &text : host.unknown)
    std::cout << "  unknown " << text << '\n';
}

constexpr const char *kUsage =
    "usage: smem-frontend-dump [--arch sm_NN] [--cuda-path DIR|none] [--emit-llvm] [--no-expressions] FILE|- [-- flags]\n";

} // namespace

int main(int argc, char **argv) {
  FrontendOptions options;
  options.architecture = find_architecture("sm_90");
  std::string cuda_path = "none";
  bool emit_llvm = false, expressions = true;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") {
      options.compiler_flags.assign(argv + i + 1, argv + argc);
      break;
    }
    if (argument == "--arch" && i + 1 < argc)
      options.architecture = find_architecture(options.target = target_of(argv[++i]));
    else if (argument == "--cuda-path" && i + 1 < argc)
      cuda_path = argv[++i];
    else if (argument == "--emit-llvm")
      emit_llvm = true;
    else if (argument == "--no-expressions")
      expressions = false;
    else if (options.file.empty())
      options.file = argument;
    else {
      std::cerr << kUsage;
      return 2;
    }
  }
  if (options.file.empty() || !options.architecture) {
    std::cerr << kUsage;
    return 2;
  }
  if (options.file == "-") {
    options.file = "<stdin>";
    options.contents.emplace(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  options.toolkit = find_toolkit(cuda_path);
  FrontendResult result = run_frontend(options);
  print(result.diagnostics);
  if (emit_llvm) {
    std::cout << std::flush;
    if (result.module)
      result.module->print(llvm::outs(), nullptr);
  } else {
    if (!expressions)
      result.index.expressions.clear();
    print(result.index);
    for (const HostLaunch &launch : result.launches.launches)
      print(launch);
  }
  std::cout << std::flush;
  return result.ok ? 0 : 2;
}
