#include "plan/launch_file.h"

#include <algorithm>
#include <array>
#include <optional>

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include "support/parse_json.h"

namespace smem {
namespace {

constexpr std::size_t kMostLaunches = 100'000;

std::optional<Dim3> extents(const llvm::json::Object &launch, llvm::StringRef key, std::string &error) {
  const llvm::json::Value *value = launch.get(key);
  if (!value)
    return std::nullopt;
  const llvm::json::Array *array = value->getAsArray();
  std::array<std::uint32_t, 3> axes{1, 1, 1};
  bool wrong = !array || array->empty() || array->size() > axes.size();
  for (std::size_t i = 0; !wrong && i < array->size(); ++i) {
    const std::optional<std::int64_t> extent = (*array)[i].getAsInteger();
    wrong = !extent || *extent < 1 || *extent > UINT32_MAX;
    if (!wrong)
      axes[i] = static_cast<std::uint32_t>(*extent);
  }
  if (wrong) {
    error = "\"" + key.str() + "\" is no list of one to three extents";
    return std::nullopt;
  }
  return Dim3{axes[0], axes[1], axes[2]};
}

} // namespace

std::vector<LaunchWish> read_launch_file(std::string_view json, const std::string &path, std::string &error) {
  llvm::Expected<llvm::json::Value> value = parse_json(llvm::StringRef(json.data(), json.size()));
  if (!value) {
    error = llvm::toString(value.takeError());
    return {};
  }
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Array *launches = object ? object->getArray("launches") : nullptr;
  std::vector<LaunchWish> wishes;
  if (!launches)
    return wishes;
  for (const llvm::json::Value &each : *launches) {
    const llvm::json::Object *launch = each.getAsObject();
    const std::optional<llvm::StringRef> kernel = launch ? launch->getString("kernel") : std::nullopt;
    if (!kernel || kernel->empty() || wishes.size() == kMostLaunches) {
      error = kernel && !kernel->empty() ? "it has too many launches" : "a launch names no \"kernel\"";
      return {};
    }
    // A report's own assumptions are no facts.
    if (const llvm::json::Object *origin = launch->getObject("origin"))
      if (const llvm::json::Array *assumptions = origin->getArray("assumptions"); assumptions && !assumptions->empty())
        continue;
    LaunchWish wish;
    wish.kernel = kernel->str();
    wish.provenance = Provenance::Config;
    wish.location = {path, 1, 0};
    wish.grid = extents(*launch, "grid", error);
    wish.block = extents(*launch, "block", error);
    if (const std::optional<std::int64_t> bytes = launch->getInteger("dynamic_shared_bytes"); bytes && *bytes >= 0)
      wish.dynamic_shared_bytes = static_cast<std::uint64_t>(*bytes);
    if (const llvm::json::Array *arguments = launch->getArray("arguments"))
      for (const llvm::json::Value &one : *arguments) {
        const llvm::json::Object *argument = one.getAsObject();
        const std::optional<std::int64_t> index = argument ? argument->getInteger("index") : std::nullopt,
                                          number = argument ? argument->getInteger("value") : std::nullopt,
                                          offset = argument ? argument->getInteger("offset") : std::nullopt;
        if (!index || !number) // of a pointer: how far it lies from where its allocation begins
          continue;
        const std::string name = "arg" + std::to_string(*index);
        wish.scalars.emplace_back(name, *number);
        wish.scalars.emplace_back(name + ".at_" + std::to_string(offset.value_or(0)), *number);
      }
    if (!error.empty())
      return {};
    wishes.push_back(std::move(wish));
  }
  return wishes;
}

} // namespace smem
