#include "config/gpu_file.h"

#include "sinks/files.h"
#include "support/nearest.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/YAMLParser.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace smem {
namespace {

namespace yaml = llvm::yaml;

class GpuReader {
public:
  explicit GpuReader(std::string name) : name_(std::move(name)) {}

  ParsedGpu read(std::string_view text) {
    sources_.setDiagHandler(
        [](const llvm::SMDiagnostic &diagnostic, void *self) {
          static_cast<GpuReader *>(self)->complain(static_cast<unsigned>(std::max(0, diagnostic.getLineNo())),
                                                   static_cast<unsigned>(diagnostic.getColumnNo() + 1),
                                                   diagnostic.getMessage().str());
        },
        this);
    yaml::Stream stream(llvm::StringRef(text.data(), text.size()), sources_, /*ShowColors=*/false);
    yaml::document_iterator document = stream.begin();
    yaml::Node *root = document == stream.end() || stream.failed() ? nullptr : document->getRoot();
    if (!root || stream.failed()) {
      complain(0, 0, "it says nothing");
      return std::move(out_);
    }
    auto *map = llvm::dyn_cast<yaml::MappingNode>(root);
    if (!map)
      complain(root, "a GPU must be a mapping (`Key: value` lines)");
    else
      keys(*map);
    if (out_.error.empty())
      check();
    return std::move(out_);
  }

private:
  /// The first error is the one that is reported: others may be its consequences.
  void complain(unsigned line, unsigned column, const std::string &message) {
    if (!out_.error.empty())
      return;
    out_.error = name_;
    if (line != 0)
      out_.error += ":" + std::to_string(line) + ":" + std::to_string(column);
    out_.error += ": " + message;
  }
  void complain(const yaml::Node *node, const std::string &message) {
    const llvm::SMLoc start = node->getSourceRange().Start;
    if (sources_.FindBufferContainingLoc(start) == 0)
      return complain(0, 0, message);
    const auto [line, column] = sources_.getLineAndColumn(start);
    complain(line, column, message);
  }

  void keys(yaml::MappingNode &map) {
    const std::vector<std::string> names{"Name", "Arch", "Sms", "ClockMHz", "DramGBs", "L2MiB", "Registers"};
    out_.gpu.registers = {65'536, Evidence::Documented, "CUDA C++ Programming Guide"};
    for (yaml::KeyValueNode &entry : map) {
      auto *key = llvm::dyn_cast_or_null<yaml::ScalarNode>(entry.getKey());
      if (!key)
        return complain(&map, "a key must be a single word");
      llvm::SmallString<32> storage;
      const std::string word = key->getValue(storage).str();
      if (std::ranges::find(names, word) == names.end())
        return complain(key, "unknown key '" + word + "'" + did_you_mean(word, names));
      if (!seen_.insert(word).second)
        return complain(key, "the key '" + word + "' stands here for the second time");
      auto *value = llvm::dyn_cast_or_null<yaml::ScalarNode>(entry.getValue());
      if (!value)
        return complain(key, word + " must be a single value");
      llvm::SmallString<64> text;
      set(word, value->getValue(text).str(), value);
    }
  }

  void set(const std::string &key, const std::string &value, const yaml::Node *node) {
    Gpu &gpu = out_.gpu;
    if (key == "Name") {
      gpu.name = gpu.title = value;
      return;
    }
    if (key == "Arch") {
      const Architecture *architecture = find_architecture(value);
      if (!architecture)
        return complain(node, "Arch: unknown architecture '" + value + "'");
      gpu.architecture = architecture->name;
      return;
    }
    double number = 0;
    if (llvm::StringRef(value).getAsDouble(number))
      return complain(node, key + ": '" + value + "' is no number");
    const GpuFigure figure{number, Evidence::Documented, name_};
    (key == "Sms"        ? gpu.sms
     : key == "ClockMHz" ? gpu.clock_mhz
     : key == "DramGBs"  ? gpu.dram_gbs
     : key == "L2MiB"    ? gpu.l2_mib
                         : gpu.registers) = figure;
  }

  void check() {
    for (const char *needed : {"Name", "Arch", "Sms", "ClockMHz", "DramGBs", "L2MiB"})
      if (!seen_.contains(needed))
        return complain(0, 0, std::string(needed) + " is missing");
    if (out_.gpu.name.empty())
      return complain(0, 0, "Name is empty");
    if (const std::string wrong = wrong_with(out_.gpu); !wrong.empty())
      complain(0, 0, wrong);
  }

  std::string name_;
  llvm::SourceMgr sources_;
  std::set<std::string> seen_;
  ParsedGpu out_;
};

} // namespace

ParsedGpu parse_gpu(std::string_view text, const std::string &name) { return GpuReader(name).read(text); }

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
