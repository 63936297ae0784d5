#include "driver/watch.h"

#include "config/config.h"
#include "driver/conclude.h"
#include "driver/lint.h"
#include "driver/output.h"
#include "sinks/files.h"
#include "support/paths.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/ADT/StringExtras.h>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace smem {
namespace {

namespace fs = std::filesystem;

constexpr int kQuiet = 50; ///< milliseconds without a change, after which a save is over

/// Changes of files in some folders, by Linux's inotify. Folders, as editors write another file and rename it.
class ChangedFolders {
public:
  explicit operator bool() const { return static_cast<bool>(queue_); }

  /// What cannot be watched is left out; the reason of the first in `error`.
  void add(const std::string &folder, std::string &error) {
    constexpr std::uint32_t kChanges = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR;
    if (!known_.insert(folder).second)
      return;
    const int number = ::inotify_add_watch(queue_.get(), folder.c_str(), kChanges);
    if (number >= 0)
      folders_[number] = folder;
    else if (error.empty())
      error = "'" + folder + "': " + std::strerror(errno);
  }

  /// Waits for a change, and then until there has been none for a moment. Absolute paths; empty: it cannot go on.
  std::set<std::string> wait() {
    std::set<std::string> changed;
    for (pollfd ready{queue_.get(), POLLIN, 0}; ::poll(&ready, 1, changed.empty() ? -1 : kQuiet) != 0;) {
      alignas(inotify_event) std::array<char, 16384> events;
      const ssize_t size = ::read(queue_.get(), events.data(), events.size());
      if (size <= 0 && errno == EINTR)
        continue;
      if (size <= 0)
        return {};
      for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
        inotify_event event{};
        std::memcpy(&event, events.data() + at, sizeof event);
        const auto folder = folders_.find(event.wd);
        if (event.len != 0 && folder != folders_.end())
          changed.insert(folder->second + "/" + std::string(events.data() + at + sizeof event)); // ends with a zero
        at += sizeof event + event.len;
      }
    }
    return changed;
  }

private:
  sinks::Descriptor queue_{::inotify_init1(IN_CLOEXEC)};
  std::set<std::string> known_;
  std::map<int, std::string> folders_;
};

bool is_configuration(const std::string &path) {
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  return name == kConfigName || name == "compile_commands.json";
}

} // namespace

int watch(const DriverOptions &options) {
  ChangedFolders folders;
  std::string error = folders ? std::string() : std::strerror(errno);
  const auto add_folder_of = [&](const std::string &file) {
    const std::string path = normalise_path(file);
    std::error_code none;
    folders.add(fs::is_directory(path, none) ? path : fs::path(path).parent_path().string(), error);
  };
  if (folders) { // before the first analysis, so that no change is lost
    std::ranges::for_each(options.files, add_folder_of);
    if (options.build_path)
      add_folder_of(*options.build_path + "/compile_commands.json");
  }
  if (!error.empty()) {
    complain("--watch: cannot watch " + error);
    return kFailure;
  }
  LintedFiles linted;
  DriverOptions round = options;
  while (true) {
    (void)lint(round, &linted);
    for (const auto &[file, read] : linted)
      for (const std::string &path : read)
        if (!looks_like_toolkit(path) && !path.starts_with("/usr/"))
          add_folder_of(path);
    if (!options.quiet)
      remark("watching; Ctrl-C ends");
    std::set<std::string> changed, concerned;
    bool all = false;
    while (!all && concerned.empty()) {
      const std::set<std::string> paths = folders.wait();
      if (paths.empty()) {
        complain("--watch: files can no longer be watched");
        return kFailure;
      }
      for (const std::string &path : paths) {
        bool known = false;
        for (const auto &[file, read] : linted)
          if (read.contains(path)) {
            concerned.insert(file);
            known = true;
          }
        // A configuration may be about any of them, and a new source may launch what is in any.
        const bool of_all = is_configuration(path) || path.ends_with(".cu");
        all |= of_all && !known;
        if (of_all || known)
          changed.insert(path);
      }
    }
    if (!options.quiet) {
      std::vector<std::string> names;
      for (const std::string &path : changed)
        names.push_back(seen_from_here(path));
      remark("\nchanged: " + llvm::join(names, ", "));
    }
    round.only = all ? std::nullopt : std::optional(std::move(concerned));
  }
}

} // namespace smem
