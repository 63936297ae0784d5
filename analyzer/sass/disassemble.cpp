#include "sass/disassemble.h"

#include <optional>
#include <utility>

#include "sass/disassembler/print_cubin.h"
#include "sass/run_tool.h"
#include "sinks/files.h"

namespace smem::compiled {

Tool::Tool(const char *name, const std::string &toolkit, const Scratch &scratch)
    : name_(name), path_(find_cuda_program(name, toolkit)) {
  if (!path_.empty())
    version_ = std::async([this, &scratch] { return version_of(path_, scratch); }).share();
}

std::string Tool::text() const {
  const std::string number = version();
  return name_ + (number.empty() ? "" : " " + number);
}

Disassembled Disassembler::run(const std::string &cubin, const std::string &name, const std::stop_token &stop,
                               const std::string &compiler) {
  std::string wrong;
  const std::optional<std::string> bytes = sinks::read_file(cubin, wrong);
  if (!bytes)
    return {{}, {}, name + " cannot be read: " + wrong};
  PrintedCubin printed = print_cubin(*bytes);
  if (printed.error.empty())
    return {std::move(printed.text), {}, {}};
  if (!nvdisasm_)
    nvdisasm_.emplace("nvdisasm", toolkit_, scratch_);
  if (nvdisasm_->path().empty())
    return {
        {},
        {},
        "no nvdisasm found (it is part of the CUDA toolkit, and of the Python package triton; --cuda-path names one), and " +
            name + " is not understood without it: " + printed.error +
            "; what `nvdisasm -gi` prints elsewhere is taken as well (k.sass)",
        true};
  std::string why;
  const std::string output = scratch_.file("listing"), errors = scratch_.file("nvdisasm_errors");
  const int status = run_tool({nvdisasm_->path(), {"-gi", cubin}, output, errors, scratch_.path(), {}, stop}, why);
  const std::string tool = nvdisasm_->text();
  if (status != 0) {
    std::string error = tool + " cannot read " + name + ": " + excerpt(why.empty() ? contents_of(errors) : why);
    if (!compiler.empty() && compiler != nvdisasm_->version())
      error += "; nvcc is " + compiler + ", and nvdisasm of the same release reads what it makes";
    return {{}, {}, error + "; smem-lint does not know it either: " + printed.error};
  }
  std::optional<std::string> text = sinks::read_file(output, wrong);
  return text ? Disassembled{std::move(*text), tool, {}}
              : Disassembled{{}, {}, "the listing of " + name + " cannot be used: " + wrong};
}

} // namespace smem::compiled
