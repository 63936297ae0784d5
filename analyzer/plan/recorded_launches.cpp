#include "plan/recorded_launches.h"

#include "sinks/files.h"
#include "support/parse_json.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <limits>

namespace smem {
namespace {

constexpr std::int64_t kSchemaVersion = 1;

std::optional<Dim3> dim_of(const llvm::json::Object &object, const char *key) {
  const llvm::json::Array *extents = object.getArray(key);
  if (!extents || extents->size() != 3)
    return std::nullopt;
  std::uint32_t numbers[3];
  for (unsigned i = 0; i < 3; ++i) {
    const auto number = (*extents)[i].getAsInteger();
    if (!number || *number < 1 || *number > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    numbers[i] = static_cast<std::uint32_t>(*number);
  }
  return Dim3{numbers[0], numbers[1], numbers[2]};
}

/// Of a launch that was recorded without them, or where one of them is not in hexadecimal: none.
std::vector<std::string> arguments_of(const llvm::json::Object &record) {
  std::vector<std::string> arguments;
  const llvm::json::Array *recorded = record.getArray("arguments");
  for (std::size_t i = 0; recorded && i < recorded->size(); ++i) {
    const llvm::json::Object *argument = (*recorded)[i].getAsObject();
    const auto digits = argument ? argument->getString("bytes") : std::nullopt;
    std::string bytes;
    if (!digits || !llvm::tryGetFromHex(*digits, bytes))
      return {};
    arguments.push_back(std::move(bytes));
  }
  return arguments;
}

/// Empty if the record is a launch that can be analysed.
std::string read_launch(const llvm::json::Object &record, std::string &kernel, RecordedLaunch &launch) {
  const auto mangled = record.getString("kernel");
  const auto grid = dim_of(record, "grid"), block = dim_of(record, "block");
  const std::int64_t dynamic = record.getInteger("shared_dynamic").value_or(0);
  if (!mangled || !grid || !block || dynamic < 0)
    return "a launch without kernel, grid or block";
  kernel = llvm::demangle(mangled->str());
  launch.grid = *grid;
  launch.block = *block;
  launch.dynamic_shared_bytes = static_cast<std::uint64_t>(dynamic);
  launch.arguments = arguments_of(record);
  return {};
}

bool same_shape(const RecordedLaunch &a, const RecordedLaunch &b) {
  return a.grid == b.grid && a.block == b.block && a.dynamic_shared_bytes == b.dynamic_shared_bytes;
}

} // namespace

std::optional<std::uint64_t> RecordedLaunch::argument(std::uint32_t index, std::uint64_t offset,
                                                      std::uint32_t width) const {
  const std::uint64_t size = (width + 7) / 8;
  if (index >= arguments.size() || size > 8 || offset > arguments[index].size() ||
      size > arguments[index].size() - offset)
    return std::nullopt;
  std::uint64_t value = 0;
  for (std::uint64_t i = 0; i < size; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(arguments[index][offset + i])} << (8 * i);
  return width < 64 ? value & ((std::uint64_t{1} << width) - 1) : value;
}

std::optional<RecordedLaunches> RecordedLaunches::load(const std::string &path, std::string &error,
                                                       std::string &warning) {
  std::string wrong;
  const std::optional<std::string> text = sinks::read_existing(path, wrong);
  if (!text) {
    error = "cannot read " + path + ": " + wrong;
    return std::nullopt;
  }
  return parse(*text, path, error, warning);
}

std::optional<RecordedLaunches> RecordedLaunches::parse(std::string_view text, const std::string &path,
                                                        std::string &error, std::string &warning) {
  const llvm::StringRef all(text.data(), text.size());
  RecordedLaunches recorded;
  recorded.hash = path + "/" + std::to_string(llvm::xxh3_64bits(all));
  bool session = false;
  unsigned number = 0;
  for (llvm::StringRef rest = all; !rest.empty();) {
    const auto [line, after] = rest.split('\n');
    rest = after;
    ++number;
    if (line.trim().empty())
      continue;
    const std::string where = path + ":" + std::to_string(number) + ": ";
    llvm::Expected<llvm::json::Value> json = parse_json(line);
    const llvm::json::Object *record = json ? json->getAsObject() : nullptr;
    if (!record) {
      const bool cut_off = !json && session && rest.trim().empty();
      if (!json)
        llvm::consumeError(json.takeError());
      if (cut_off) {
        warning = where + "cut off; the launches before it are used";
        break;
      }
      error = where + (session ? "not JSON" : "not a recording of smem-validate measure");
      return std::nullopt;
    }
    const llvm::StringRef kind = record->getString("kind").value_or("");
    if (kind == "session") {
      if (record->getInteger("schema_version") != kSchemaVersion) {
        error = where + "schema version is not " + std::to_string(kSchemaVersion);
        return std::nullopt;
      }
      session = true;
    } else if (!session && kind != "error") {
      error = where + "not a recording of smem-validate measure";
      return std::nullopt;
    } else if (kind == "launch" && record->getString("result").value_or("success") == "success") {
      std::string kernel;
      RecordedLaunch launch;
      if (const std::string wrong = read_launch(*record, kernel, launch); !wrong.empty()) {
        error = where + wrong;
        return std::nullopt;
      }
      launch.location = {path, number, 1};
      std::vector<RecordedLaunch> &of_kernel = recorded.launches[kernel];
      const auto before = std::find_if(of_kernel.rbegin(), of_kernel.rend(),
                                       [&](const RecordedLaunch &other) { return same_shape(launch, other); });
      if (before == of_kernel.rend() || before->arguments != launch.arguments)
        of_kernel.push_back(std::move(launch));
    }
  }
  if (recorded.launches.empty()) {
    error = path + " has no successful launch";
    return std::nullopt;
  }
  return recorded;
}

std::span<const RecordedLaunch> RecordedLaunches::of(const std::string &mangled) const {
  const auto found = launches.find(llvm::demangle(mangled));
  if (found == launches.end())
    return {};
  return found->second;
}

std::vector<std::string> RecordedLaunches::kernels() const {
  std::vector<std::string> names;
  for (const auto &[name, all] : launches)
    names.push_back(name);
  return names;
}

} // namespace smem
