#include "support/path_glob.h"

#include <algorithm>

namespace smem {
namespace {

constexpr std::string_view kAnyFolders = "**";

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end != begin)
      names.emplace_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

std::string literal(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

/// Where the set that begins at `at` ends: behind its `]`, which may stand first for itself. npos: nowhere.
std::size_t end_of_set(std::string_view pattern, std::size_t at) {
  std::size_t first = at + 1;
  if (first < pattern.size() && (pattern[first] == '!' || pattern[first] == '^'))
    ++first;
  const std::size_t close = first < pattern.size() ? pattern.find(']', first + 1) : std::string_view::npos;
  return close == std::string_view::npos ? close : close + 1;
}

bool set_has(std::string_view set, char c) { // without its brackets
  const bool negated = !set.empty() && (set.front() == '!' || set.front() == '^');
  set.remove_prefix(negated);
  const auto code = [](char each) { return static_cast<unsigned char>(each); };
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found |= code(set[i]) <= code(c) && code(c) <= code(set[i + 2]);
      i += 2;
    } else {
      found |= set[i] == c;
    }
  }
  return found != negated;
}

/// Whether the one character at `at` of the pattern, which is no `*`, matches `c`; `at` is moved behind it.
bool matches_one(std::string_view pattern, std::size_t &at, char c) {
  if (pattern[at] == '?') {
    ++at;
    return true;
  }
  if (pattern[at] == '[') {
    const std::size_t begin = at + 1;
    at = end_of_set(pattern, at);
    return set_has(pattern.substr(begin, at - 1 - begin), c);
  }
  at += pattern[at] == '\\';
  return pattern[at++] == c;
}

/// On a mismatch, the last `*` swallows one more character.
bool name_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, resume = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
      continue;
    }
    if (p < pattern.size() && matches_one(pattern, p, name[n])) {
      ++n;
      continue;
    }
    if (star == std::string_view::npos)
      return false;
    p = star + 1;
    n = ++resume;
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

std::string wrong_with(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '\\' && ++i == name.size())
      return "nothing follows the last `\\`";
    if (name[i] == '[' && (i == 0 || name[i - 1] != '\\')) {
      const std::size_t end = end_of_set(name, i);
      if (end == std::string_view::npos)
        return "`[` without `]`; `\\[` is the character itself";
      i = end - 1;
    }
  }
  return {};
}

} // namespace

std::optional<PathGlob> PathGlob::parse(std::string_view text, std::string_view directory, std::string &error) {
  constexpr std::size_t kLongest = 4096; // as a path
  const std::string quoted = "'" + std::string(text) + "': ";
  if (text.size() > kLongest) {
    error = "a pattern of more than 4096 characters";
    return std::nullopt;
  }
  while (text.size() > 1 && text.ends_with('/'))
    text.remove_suffix(1);
  PathGlob glob;
  const bool from_here = text.find('/') != std::string_view::npos;
  if (!text.starts_with('/'))
    for (const std::string &name : split(directory))
      glob.names.push_back(literal(name));
  if (!from_here)
    glob.names.emplace_back(kAnyFolders);
  bool names_something = false;
  for (std::string &name : split(text)) {
    if (name == ".")
      continue;
    if (name == "..") {
      if (!glob.names.empty())
        glob.names.pop_back();
      continue;
    }
    if (const std::string wrong = wrong_with(name); !wrong.empty()) {
      error = quoted + wrong;
      return std::nullopt;
    }
    names_something = true;
    glob.names.push_back(std::move(name));
  }
  if (text.starts_with('!'))
    error = quoted + "a pattern cannot be taken back with `!`; `\\!` is the character itself";
  else if (!names_something || glob.names.empty()) // `x/..` of the root
    error = quoted + "the pattern names nothing; `**` is everything";
  return error.empty() ? std::optional(std::move(glob)) : std::nullopt;
}

bool PathGlob::matches(std::string_view path) const { return follow(path, false); }
bool PathGlob::covers(std::string_view path) const { return follow(path, true); }

bool PathGlob::follow(std::string_view path, bool folders) const {
  // All places of the pattern that a part of the path may have come to.
  std::vector<char> now(names.size() + 1), next(names.size() + 1);
  const auto skip_folders = [&](std::vector<char> &places) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (places[i] && names[i] == kAnyFolders)
        places[i + 1] = 1;
  };
  now[0] = 1;
  skip_folders(now);
  for (const std::string &name : split(path)) {
    std::fill(next.begin(), next.end(), 0);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (now[i]) {
        if (names[i] == kAnyFolders)
          next[i] = 1;
        else if (name_matches(names[i], name))
          next[i + 1] = 1;
      }
    skip_folders(next);
    if (folders && next.back())
      return true;
    now.swap(next);
  }
  return now.back() != 0;
}

std::string PathGlob::text() const {
  std::string out;
  for (const std::string &name : names)
    out += "/" + name;
  return out;
}

bool any_matches(const PathGlobs &globs, std::string_view path) {
  return std::any_of(globs.begin(), globs.end(), [&](const PathGlob &glob) { return glob.matches(path); });
}

bool any_covers(const PathGlobs &globs, std::string_view path) {
  return std::any_of(globs.begin(), globs.end(), [&](const PathGlob &glob) { return glob.covers(path); });
}

} // namespace smem
