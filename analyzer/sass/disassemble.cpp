#include "sass/disassemble.h"

#include <optional>
#include <utility>

#include "sass/run_tool.h"
#include "sinks/files.h"

namespace smem::compiled {

const char *const kNoNvdisasm =
    "no nvdisasm found (it is part of the CUDA toolkit; --cuda-path names one); --as-compiled=LISTING takes what "
    "`nvdisasm -gi` prints elsewhere";

Tool::Tool(const char *name, const std::string &toolkit, const Scratch &scratch)
    : name_(name), path_(find_cuda_program(name, toolkit)) {
  if (!path_.empty())
    version_ = std::async([this, &scratch] { return version_of(path_, scratch); }).share();
}

std::string Tool::text() const {
  const std::string number = version();
  return name_ + (number.empty() ? "" : " " + number);
}

Disassembled disassemble(const Tool &nvdisasm, const std::string &cubin, const std::string &name,
                         const Scratch &scratch, const std::stop_token &stop, const std::string &compiler) {
  if (nvdisasm.path().empty())
    return {{}, {}, kNoNvdisasm};
  std::string why;
  const std::string output = scratch.file("listing"), errors = scratch.file("nvdisasm_errors");
  const int status = run_tool({nvdisasm.path(), {"-gi", cubin}, output, errors, scratch.path(), {}, stop}, why);
  const std::string tool = nvdisasm.text();
  if (status != 0) {
    std::string error = tool + " cannot read " + name + ": " + excerpt(why.empty() ? contents_of(errors) : why);
    if (!compiler.empty() && compiler != nvdisasm.version())
      error += "; nvcc is " + compiler + ", and nvdisasm of the same release reads what it makes";
    return {{}, {}, std::move(error)};
  }
  std::string wrong;
  std::optional<std::string> text = sinks::read_file(output, wrong);
  return text ? Disassembled{std::move(*text), tool, {}}
              : Disassembled{{}, {}, "the listing of " + name + " cannot be used: " + wrong};
}

} // namespace smem::compiled
