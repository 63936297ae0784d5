#include "fixes/apply.h"

#include <map>
#include <set>

namespace smem {
namespace {

/// A file that is edited: of one inode under however many names.
struct Edited {
  const sinks::Tree *tree = nullptr;
  std::string name;        ///< below the tree
  std::string path;        ///< as the edits call it
  std::vector<Edit> edits; ///< of all translation units
  std::string text;        ///< that they are made for
};

/// An edit whatever its file is called.
bool same_edits(const std::vector<Edit> &a, const std::vector<Edit> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Edit &x, const Edit &y) {
    return x.offset == y.offset && x.length == y.length && x.replacement == y.replacement;
  });
}

} // namespace

Applied apply_fixes(std::span<const FileFixes> fixes,
                    const std::function<WritableFile(const std::string &)> &writable) {
  Applied applied;
  applied.done.resize(fixes.size());
  std::map<std::string, Edited> edited; // by the file's path without links
  for (std::size_t i = 0; i < fixes.size(); ++i) {
    std::map<std::string, std::vector<Edit>> by_path;
    for (const Edit &edit : fixes[i].combined)
      by_path[edit.file].push_back(edit);
    std::map<std::string, Edited> own;
    std::string obstacle;
    for (auto &[path, edits] : by_path) {
      const WritableFile file = writable(path);
      const auto text = fixes[i].texts.find(path);
      std::string now;
      const std::string real = file.tree ? file.tree->path() + "/" + file.name : std::string();
      if (!file.tree)
        obstacle = file.refusal;
      else if (const auto known = edited.find(real);
               (known != edited.end() && !same_edits(known->second.edits, edits)) || own.count(real) != 0)
        obstacle = "'" + path + "' is edited for another file at the same time; run again";
      else if (text == fixes[i].texts.end() || !file.tree->read(file.name, SIZE_MAX, now) || now != text->second)
        obstacle = "'" + path + "' has changed since it was analysed";
      if (!obstacle.empty())
        break;
      own.emplace(real, Edited{file.tree, file.name, path, std::move(edits), text->second});
    }
    if (!obstacle.empty()) {
      applied.skipped.push_back(obstacle);
      continue;
    }
    applied.done[i] = !own.empty();
    edited.merge(own);
  }
  sinks::Replacement replacement;
  for (const auto &[real, file] : edited)
    if (applied.error = replacement.stage(*file.tree, file.name, apply_edits(file.text, file.edits, file.path));
        !applied.error.empty())
      break;
  if (applied.error.empty())
    applied.error = replacement.commit();
  if (!applied.error.empty()) {
    applied.done.assign(fixes.size(), false);
    return applied;
  }
  for (const auto &[real, file] : edited) {
    applied.files.push_back(file.path);
    applied.edits += file.edits.size();
  }
  return applied;
}

} // namespace smem
