#include "gate/git.h"

#include "sinks/files.h"

#include "support/programs.h"

#include <cstdlib>
#include <optional>

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>

namespace smem {
namespace {

/// A file that goes when its owner does.
class ScratchFile {
public:
  ScratchFile() { failed = static_cast<bool>(llvm::sys::fs::createTemporaryFile("smem-lint", "out", path_)); }
  ~ScratchFile() { llvm::sys::fs::remove(path_); }
  ScratchFile(const ScratchFile &) = delete;
  ScratchFile &operator=(const ScratchFile &) = delete;
  bool ok() const { return !failed; }
  llvm::StringRef path() const { return path_; }
  std::string text() const {
    std::string wrong;
    return sinks::read_file(path_.str().str(), wrong).value_or("");
  }

private:
  llvm::SmallString<128> path_;
  bool failed = false;
};

/// An environment variable for the time of a call.
class WithVariable {
public:
  WithVariable(const char *name, const std::string &value) : name(name) {
    if (const char *before = std::getenv(name))
      old = before;
    setenv(name, value.c_str(), 1);
  }
  ~WithVariable() { old ? setenv(name, old->c_str(), 1) : unsetenv(name); }
  WithVariable(const WithVariable &) = delete;
  WithVariable &operator=(const WithVariable &) = delete;

private:
  const char *name;
  std::optional<std::string> old;
};

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

} // namespace

std::string run_git(const std::string &directory, const std::vector<std::string> &arguments, std::string &error,
                    const std::string &index_file) {
  const std::string git = find_on_path("git");
  if (git.empty()) {
    error = "git is not installed";
    return {};
  }
  const ScratchFile out, err;
  if (!out.ok() || !err.ok()) {
    error = "no temporary file can be made";
    return {};
  }
  // A folder with the files of a bare repository in it is none, and the monitor that a repository names is not asked.
  std::vector<llvm::StringRef> words{git,  "-c",     "safe.bareRepository=explicit", "-c", "core.fsmonitor=false",
                                     "-C", directory};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::optional<WithVariable> index;
  if (!index_file.empty())
    index.emplace("GIT_INDEX_FILE", index_file);
  const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), out.path(), err.path()};
  std::string message;
  const int code = llvm::sys::ExecuteAndWait(git, words, std::nullopt, redirects, 0, 0, &message);
  if (code != 0) {
    const std::string said = first_line(err.text());
    error = !said.empty() ? said : !message.empty() ? message : "git " + arguments.front() + " failed";
    return {};
  }
  return out.text();
}

std::string resolve_revision(const std::string &root, const std::string &revision, std::string &error) {
  std::string said;
  const std::string commit =
      first_line(run_git(root, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"}, said));
  if (said.empty() && !commit.empty())
    return commit;
  error = "there is no revision '" + revision + "'";
  std::string ignored;
  if (first_line(run_git(root, {"rev-parse", "--is-shallow-repository"}, ignored)) == "true")
    error += "; the clone is shallow: fetch it (`git fetch --unshallow`, in GitHub Actions `fetch-depth: 0`)";
  return {};
}

void check_out(const std::string &root, const std::string &commit, const std::string &folder, std::string &error) {
  const std::string index = folder + ".index";
  run_git(root, {"read-tree", commit}, error, index);
  if (error.empty())
    run_git(root, {"checkout-index", "--all", "--quiet", "--prefix=" + folder + "/"}, error, index);
  llvm::sys::fs::remove(index);
}

std::vector<std::string> split_list(const std::string &text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\0', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

} // namespace smem
