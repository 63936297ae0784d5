#include "config/gpu_file.h"

#include "config/yaml_reader.h"
#include "sinks/files.h"

#include <llvm/ADT/StringExtras.h>

#include <optional>
#include <set>
#include <vector>

namespace smem {
namespace {

/// A GPU of which something is wrong is none: the first mistake is the one that is reported, as others may be its consequences.
class GpuReader : YamlReader {
public:
  GpuReader(std::string name, std::vector<Diagnostic> &mistakes)
      : YamlReader(name, mistakes), name_(std::move(name)), mistakes_(mistakes) {
    gpu_.registers = {65'536, Evidence::Documented, "CUDA C++ Programming Guide"};
  }

  Gpu read(std::string_view text) {
    if (!document(text, [this](Node *root) { keys(root); }))
      fail({}, "it says nothing");
    if (mistakes_.empty())
      check();
    return std::move(gpu_);
  }

private:
  void keys(Node *root) {
    mapping(root, "a GPU",
            {{"Name", [this](Node *node) { name(node); }},
             {"Arch", [this](Node *node) { architecture(node); }},
             {"Sms", number("Sms", gpu_.sms)},
             {"ClockMHz", number("ClockMHz", gpu_.clock_mhz)},
             {"DramGBs", number("DramGBs", gpu_.dram_gbs)},
             {"L2MiB", number("L2MiB", gpu_.l2_mib)},
             {"Registers", number("Registers", gpu_.registers)}});
  }

  std::optional<std::string> value_of(const std::string &key, Node *node) {
    seen_.insert(key);
    return scalar(node, key);
  }

  void name(Node *node) {
    if (const std::optional<std::string> value = value_of("Name", node))
      gpu_.name = gpu_.title = *value;
  }

  void architecture(Node *node) {
    const std::optional<std::string> value = value_of("Arch", node);
    if (!value)
      return;
    if (const Architecture *architecture = find_architecture(*value))
      gpu_.architecture = architecture->name;
    else
      complain(node, "Arch: unknown architecture '" + *value + "'");
  }

  Handler number(const std::string &key, GpuFigure &into) {
    return [this, key, &into](Node *node) {
      const std::optional<std::string> value = value_of(key, node);
      double number = 0;
      if (value && llvm::StringRef(*value).getAsDouble(number))
        complain(node, key + ": '" + *value + "' is no number");
      else if (value)
        into = {number, Evidence::Documented, name_};
    };
  }

  void check() {
    for (const char *needed : {"Name", "Arch", "Sms", "ClockMHz", "DramGBs", "L2MiB"})
      if (!seen_.contains(needed))
        return fail({}, std::string(needed) + " is missing");
    if (gpu_.name.empty())
      return fail({}, "Name is empty");
    if (const std::string wrong = wrong_with(gpu_); !wrong.empty())
      fail({}, wrong);
  }

  std::string name_;
  std::vector<Diagnostic> &mistakes_;
  std::set<std::string> seen_;
  Gpu gpu_;
};

} // namespace

ParsedGpu parse_gpu(std::string_view text, const std::string &name) {
  std::vector<Diagnostic> mistakes;
  ParsedGpu parsed;
  parsed.gpu = GpuReader(name, mistakes).read(text);
  if (!mistakes.empty()) {
    const SourceLocation &at = mistakes.front().location;
    parsed.error = (at.line != 0 ? to_string(at) : name) + ": " + mistakes.front().message;
  }
  return parsed;
}

ParsedGpu read_gpu_file(const std::string &path) {
  constexpr std::size_t kLargest = std::size_t{1} << 16;
  std::string wrong;
  const std::optional<std::string> text = sinks::read_existing(path, wrong, kLargest);
  if (text)
    return parse_gpu(*text, path);
  ParsedGpu failed;
  failed.error = path + ": cannot read the GPU: " + wrong;
  return failed;
}

} // namespace smem
