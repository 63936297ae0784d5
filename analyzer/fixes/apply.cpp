#include "fixes/apply.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <unistd.h>

namespace smem {
namespace fs = std::filesystem;
namespace {

std::optional<std::string> read(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()) || in.bad())
    return std::nullopt;
  return text.str();
}

/// New texts beside the files that they are to replace.
class Replacement {
public:
  ~Replacement() {
    std::error_code ignored;
    for (const auto &[target, beside] : staged_)
      if (!beside.empty())
        fs::remove(beside, ignored);
  }

  /// An error text, or empty.
  std::string stage(const std::string &path, const std::string &text) {
    std::error_code error;
    const fs::path target = fs::canonical(path, error);
    if (error)
      return "cannot write '" + path + "': " + error.message();
    if (access(target.c_str(), W_OK) != 0)
      return "cannot write '" + path + "': " + std::strerror(errno);
    const std::string beside = target.string() + ".tmp" + std::to_string(getpid());
    staged_.emplace_back(target.string(), beside);
    errno = 0;
    std::ofstream out(beside, std::ios::binary);
    out << text;
    out.close();
    if (!out)
      return "cannot write '" + path + "': " + (errno ? std::strerror(errno) : "write error");
    fs::permissions(beside, fs::status(target, error).permissions(), error);
    return error ? "cannot write '" + path + "': " + error.message() : std::string();
  }

  /// An error text, or empty. What was replaced before an error is put back.
  std::string commit() {
    std::vector<std::pair<std::string, std::string>> before;
    for (auto &[target, beside] : staged_) {
      std::error_code error;
      const std::optional<std::string> old = read(target);
      fs::rename(beside, target, error);
      if (error) {
        for (const auto &[path, text] : before)
          std::ofstream(path, std::ios::binary) << text;
        return "cannot write '" + target + "': " + error.message();
      }
      beside.clear();
      before.emplace_back(target, old.value_or(""));
    }
    return {};
  }

private:
  std::vector<std::pair<std::string, std::string>> staged_;
};

} // namespace

Applied apply_fixes(std::span<const FileFixes> fixes, const std::function<bool(const std::string &)> &may_edit) {
  Applied applied;
  applied.done.resize(fixes.size());
  std::map<std::string, std::vector<Edit>> edits; // by file: of all translation units
  std::map<std::string, std::string> texts;
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    std::map<std::string, std::vector<Edit>> own;
    for (const Edit &edit : fixes[i].combined)
      own[edit.file].push_back(edit);
    std::string obstacle;
    for (const auto &[file, list] : own) {
      const auto text = fixes[i].texts.find(file);
      if (!may_edit(file))
        obstacle = "'" + file + "' is not one of the project's files";
      else if (const auto known = edits.find(file); known != edits.end() && known->second != list)
        obstacle = "'" + file + "' is edited for another file at the same time; run again";
      else if (text == fixes[i].texts.end() || read(file) != text->second)
        obstacle = "'" + file + "' has changed since it was analysed";
      if (!obstacle.empty())
        break;
    }
    if (!obstacle.empty()) {
      applied.skipped.push_back(obstacle);
      continue;
    }
    for (auto &[file, list] : own) {
      texts[file] = fixes[i].texts.at(file);
      edits[file] = std::move(list);
    }
    applied.done[i] = !own.empty();
  }
  Replacement replacement;
  for (const auto &[file, list] : edits)
    if (applied.error = replacement.stage(file, apply_edits(texts[file], list, file)); !applied.error.empty())
      break;
  if (applied.error.empty())
    applied.error = replacement.commit();
  if (!applied.error.empty()) {
    applied.done.assign(fixes.size(), false);
    return applied;
  }
  for (const auto &[file, list] : edits) {
    applied.files.push_back(file);
    applied.edits += list.size();
  }
  return applied;
}

} // namespace smem
