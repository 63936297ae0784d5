#include "gate/line_filter.h"

#include "support/parse_json.h"

#include "support/paths.h"

#include <algorithm>
#include <charconv>

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

namespace smem {
namespace {

/// `path` is `name`, or ends with it at a '/'.
bool ends_with_path(std::string_view path, std::string_view name) {
  return path.ends_with(name) && (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

/// The number at the start of `text`, which is moved behind it.
bool take_number(std::string_view &text, unsigned &value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc())
    return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// `start[,count]` of a hunk's side.
bool take_range(std::string_view &text, char sign, unsigned &start, unsigned &count) {
  count = 1;
  if (text.empty() || text.front() != sign)
    return false;
  text.remove_prefix(1);
  if (!take_number(text, start))
    return false;
  if (text.starts_with(',')) {
    text.remove_prefix(1);
    return take_number(text, count);
  }
  return true;
}

/// The path of a `+++` line: without a time stamp behind a tab, git's quotes and the prefix b/.
std::string path_of(std::string_view text) {
  text = text.substr(0, text.find('\t'));
  while (!text.empty() && (text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  if (text.starts_with("b/"))
    text.remove_prefix(2);
  return std::string(text);
}

} // namespace

LineFilter LineFilter::parse(std::string_view text, std::string &error) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '[' ? parse_json(text, error) : parse_diff(text, error);
}

LineFilter LineFilter::parse_json(std::string_view text, std::string &error) {
  LineFilter filter;
  auto parsed = smem::parse_json(llvm::StringRef(text.data(), text.size()));
  if (!parsed) {
    error = "not JSON: " + llvm::toString(parsed.takeError());
    return filter;
  }
  const auto wrong = [&](const char *what) {
    error = what;
    return LineFilter();
  };
  for (const llvm::json::Value &value : *parsed->getAsArray()) {
    const llvm::json::Object *object = value.getAsObject();
    const auto name = object ? object->getString("name") : std::nullopt;
    if (!name || name->empty())
      return wrong("every element needs a \"name\"");
    File file;
    file.name = name->str();
    for (const auto &[key, entry] : *object)
      if (key != "name" && key != "lines")
        return wrong("an element has \"name\" and \"lines\" only");
    const llvm::json::Array *lines = object->getArray("lines");
    if (!lines && object->get("lines"))
      return wrong("\"lines\" must be an array of [first, last]");
    file.whole = !lines;
    if (lines)
      for (const llvm::json::Value &range : *lines) {
        const llvm::json::Array *pair = range.getAsArray();
        const auto from = pair && pair->size() == 2 ? (*pair)[0].getAsInteger() : std::nullopt;
        const auto to = pair && pair->size() == 2 ? (*pair)[1].getAsInteger() : std::nullopt;
        if (!from || !to || *from < 1 || *to < *from || *to > std::int64_t{0xffffffff})
          return wrong("\"lines\" must be an array of [first, last] with 1 <= first <= last");
        file.lines.emplace_back(static_cast<unsigned>(*from), static_cast<unsigned>(*to));
      }
    filter.files.push_back(std::move(file));
  }
  return filter;
}

LineFilter LineFilter::parse_diff(std::string_view text, std::string &error) {
  LineFilter filter;
  const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos; // a diff without changes
  bool seen_anything = false;
  unsigned line = 0, left = 0, left_old = 0; // of the hunk at hand: the new side's line, what remains of both sides
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view row = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (left != 0 || left_old != 0) {
      const char sign = row.empty() ? ' ' : row.front();
      if (sign == '+') {
        if (!filter.files.empty())
          filter.files.back().lines.emplace_back(line, line);
        ++line;
        left -= left != 0;
      } else if (sign == '-') {
        left_old -= left_old != 0;
      } else if (sign == ' ' || sign == '\r') {
        ++line;
        left -= left != 0;
        left_old -= left_old != 0;
      } else if (sign != '\\') {
        error = "the diff ends in the middle of a hunk";
        return {};
      }
    } else if (row.starts_with("+++ ")) {
      seen_anything = true;
      filter.files.push_back({path_of(row.substr(4)), false, {}});
    } else if (row.starts_with("@@ ")) {
      row.remove_prefix(3);
      unsigned old_start = 0, old_count = 0, count = 0;
      if (!take_range(row, '-', old_start, old_count) || !row.starts_with(' ') ||
          (row.remove_prefix(1), !take_range(row, '+', line, count)) || filter.files.empty()) {
        error = "a hunk of the diff cannot be read";
        return {};
      }
      left = count;
      left_old = old_count;
    }
  }
  if (left != 0 || left_old != 0)
    error = "the diff ends in the middle of a hunk";
  else if (!seen_anything && !blank)
    error = "neither a JSON array nor a unified diff";
  return filter;
}

bool LineFilter::holds(const SourceLocation &location) const {
  // A diff names files from the repository's root, the command line from a folder: the whole path has both.
  const std::string path = normalise_path(location.file);
  return std::any_of(files.begin(), files.end(), [&](const File &file) {
    if (!ends_with_path(path, file.name))
      return false;
    return file.whole || std::any_of(file.lines.begin(), file.lines.end(), [&](const auto &range) {
             return location.line >= range.first && location.line <= range.second;
           });
  });
}

bool LineFilter::keeps(const Finding &finding, const SourceLocation &declaration) const {
  return holds(finding.location) || (declaration.known() && holds(declaration));
}

} // namespace smem
