#include "repeats.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace smem_lint::validate {
namespace {

using nlohmann::json;

std::vector<json> launches_of(std::istream &record) {
  std::vector<json> launches;
  for (std::string line; std::getline(record, line);)
    if (json entry = json::parse(line, nullptr, false); entry.is_object() && entry.value("kind", "") == "launch") {
      entry.erase("arguments");
      launches.push_back(std::move(entry));
    }
  return launches;
}

std::string place_of(const json &row) {
  const std::string file = row.value("file", "");
  return (row.contains("opcode") ? row.value("opcode", "") + " " : "") + "at " +
         (file.empty() ? "pc " + std::to_string(row.value("pc", 0u))
                       : file.substr(file.rfind('/') + 1) + ":" + std::to_string(row.value("line", 0u)));
}

void compare_rows(const json &a, const json &b, std::set<std::string> &differing) {
  const std::string kernel = a.value("demangled", "") + ": ";
  const json none = json::array();
  const json &left = a.contains("instructions") ? a["instructions"] : none;
  const json &right = b.contains("instructions") ? b["instructions"] : none;
  if (left.size() != right.size()) {
    differing.insert(kernel + "the number of instructions");
    return;
  }
  bool same = true;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left[i] != right[i]) {
      differing.insert(kernel + place_of(left[i]));
      same = false;
    }
  if (same)
    differing.insert(kernel + "the launch's configuration or result");
}

} // namespace

std::set<std::string> differing_places(std::istream &first, std::istream &second) {
  const auto a = launches_of(first), b = launches_of(second);
  std::set<std::string> differing;
  if (a.size() != b.size())
    differing.insert("the number of launches");
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != b[i])
      compare_rows(a[i], b[i], differing);
  return differing;
}

} // namespace smem_lint::validate
