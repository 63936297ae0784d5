#include "sinks/files.h"

#include "sinks/stream.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <memory>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace smem::sinks {
namespace fs = std::filesystem;
namespace {

constexpr int kFolder =
    O_RDONLY | O_DIRECTORY | O_CLOEXEC; // some file systems cannot flush a folder opened with O_PATH
constexpr std::string_view kTemporaryEnd = ".smem-lint-tmp";

std::string cannot(std::string_view verb, const std::string &path, const std::string &why) {
  return "cannot " + std::string(verb) + " '" + path + "': " + why;
}
std::string cannot_write(const std::string &path, int error) {
  return cannot("write", path, error < 0 ? std::string(kHasChanged) : std::strerror(error));
}

template <class Call> int uninterrupted(const Call &call) {
  int result;
  do
    result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

int open_at(int folder, const char *name, int flags, mode_t mode = 0) {
  return uninterrupted([&] { return ::openat(folder, name, flags, mode); });
}

/// The components of a relative path; empty if one of them is no plain name.
std::vector<std::string> components(const std::string &name) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('/', at), name.size());
    std::string one = name.substr(at, end - at);
    if (one.empty() || one == "." || one == "..")
      return {};
    out.push_back(std::move(one));
    at = end + 1;
  }
  return out;
}

/// The folder that the first `count` components lead to, no link followed; errno says what went wrong.
Descriptor descend(int from, const std::vector<std::string> &names, std::size_t count, bool make) {
  Descriptor at(uninterrupted([&] { return ::fcntl(from, F_DUPFD_CLOEXEC, 0); }));
  for (std::size_t i = 0; i < count && at; ++i) {
    if (make && ::mkdirat(at.get(), names[i].c_str(), 0777) != 0 && errno != EEXIST)
      return Descriptor();
    at = Descriptor(open_at(at.get(), names[i].c_str(), kFolder | O_NOFOLLOW));
  }
  return at;
}

/// A link where none may be says so; the system has two words for it.
std::string why_not(int error) {
  return error == ELOOP || error == ENOTDIR ? "a folder on the way is a symbolic link or a file" : std::strerror(error);
}

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number = (static_cast<std::uint64_t>(getpid()) << 32) ^
             static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&number));
  return number;
}

std::string random_name(const std::string &name) {
  constexpr std::size_t kLongest = 200; // of 255, with what is put around it
  return "." + name.substr(0, kLongest) + "." + std::to_string(random_number()) + std::string(kTemporaryEnd);
}

/// A new file beside `name` with this text, flushed; empty if that failed, with errno.
std::string write_beside(int folder, const std::string &name, std::string_view text, mode_t mode, bool keep_mode,
                         bool durable) {
  std::string temporary;
  Descriptor file;
  for (int tries = 0; tries < 16 && !file; ++tries) {
    temporary = random_name(name);
    file = Descriptor(open_at(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file && errno != EEXIST)
      return {};
  }
  if (!file)
    return {};
  int error = write_all(file.get(), text);
  if (error == 0 && keep_mode && ::fchmod(file.get(), mode) != 0)
    error = errno;
  if (error == 0 && durable && uninterrupted([&] { return ::fsync(file.get()); }) != 0 && errno != EINVAL &&
      errno != ENOTSUP)
    error = errno;
  if (error == 0)
    return temporary;
  ::unlinkat(folder, temporary.c_str(), 0);
  errno = error;
  return {};
}

/// 0 or errno.
int rename_to(int folder, const std::string &temporary, const std::string &name, bool durable = true) {
  if (::renameat(folder, temporary.c_str(), folder, name.c_str()) != 0)
    return errno;
  if (durable)
    (void)uninterrupted(
        [&] { return ::fsync(folder); }); // the name may be lost in a crash, and then the old file is there
  return 0;
}

/// What an open folder has, in no order.
std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  Descriptor own(open_at(folder, ".", kFolder));
  DIR *const entries = own ? ::fdopendir(own.get()) : nullptr;
  if (!entries)
    return names;
  (void)own.release();
  while (const dirent *entry = ::readdir(entries))
    if (const std::string_view name = entry->d_name; name != "." && name != "..")
      names.emplace_back(name);
  ::closedir(entries);
  return names;
}

/// The whole file, or errno; a file longer than `most` is too big.
int read_whole(int file, std::size_t most, std::string &contents) {
  contents.clear();
  char buffer[65536];
  if (struct stat status{}; ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
                            static_cast<std::uintmax_t>(status.st_size) <= most)
    contents.reserve(static_cast<std::size_t>(status.st_size)); // precompiled headers have some megabytes
  for (;;) {
    const ssize_t count = ::read(file, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return errno;
    if (count == 0)
      return 0;
    if (contents.size() + static_cast<std::size_t>(count) > most)
      return EFBIG;
    contents.append(buffer, static_cast<std::size_t>(count));
  }
}

std::string too_large(std::size_t most) {
  return "it is larger than " + std::to_string(most >> 20) + " MiB, the limit for such a file";
}

bool is_made_up_by_kernel(const struct statfs &system) {
  // Of proc, sysfs, debugfs and tracefs: linux/magic.h.
  constexpr unsigned long kKinds[] = {0x9fa0, 0x62656572, 0x64626720, 0x74726163};
  return std::find(std::begin(kKinds), std::end(kKinds), static_cast<unsigned long>(system.f_type)) != std::end(kKinds);
}

/// refusal_of() what is there. `system`: that it lies in; null: that is not known.
std::string refused(const struct stat &status, const struct statfs *system, std::size_t most) {
  constexpr const char *kOnlyRegular = ", and only regular files are read";
  if (S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3))
    return {}; // /dev/null is the customary name of an empty file
  if (!S_ISREG(status.st_mode))
    return std::string(S_ISDIR(status.st_mode)    ? "it is a directory"
                       : S_ISFIFO(status.st_mode) ? "it is a pipe"
                       : S_ISSOCK(status.st_mode) ? "it is a socket"
                                                  : "it is a device") +
           kOnlyRegular;
  if (system && is_made_up_by_kernel(*system))
    return std::string("the kernel makes it up") + kOnlyRegular;
  return static_cast<std::uintmax_t>(status.st_size) > most ? too_large(most) : std::string();
}

constexpr int kChanged = -1; // no errno

/// Excludes other runs that write files of a folder after a look at them.
class FolderLock {
public:
  FolderLock(int folder, bool wanted) : folder_(wanted ? folder : -1) {
    if (wanted) // where there are no locks, the look alone has to do
      (void)uninterrupted([&] { return ::flock(folder_, LOCK_EX); });
  }
  ~FolderLock() {
    if (folder_ >= 0)
      ::flock(folder_, LOCK_UN);
  }
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

private:
  int folder_;
};

/// Whether the file holds what it held `before`.
bool is_still(int folder, const std::string &name, const std::optional<std::string> &before, int follow) {
  const Descriptor file(open_at(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | follow));
  if (!file)
    return !before && errno == ENOENT;
  std::string now;
  return before && read_whole(file.get(), before->size(), now) == 0 && now == *before;
}

/// Puts `text` in the place of `name`. 0, errno or kChanged. `follow`: O_NOFOLLOW unless a link may be looked through.
int replace(int folder, const std::string &name, std::string_view text, const struct stat *there, const Writing &how,
            int follow = O_NOFOLLOW) {
  const bool keep_mode = there && S_ISREG(there->st_mode);
  const FolderLock lock(folder, how.before != nullptr);
  if (how.before && !is_still(folder, name, *how.before, follow))
    return kChanged;
  const std::string temporary =
      write_beside(folder, name, text, keep_mode ? there->st_mode & 07777 : 0666, keep_mode, how.durable);
  if (temporary.empty())
    return errno;
  const int error = rename_to(folder, temporary, name, how.durable);
  if (error != 0)
    ::unlinkat(folder, temporary.c_str(), 0);
  return error;
}

std::string canonical(const std::string &path, int &error) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  error = real ? 0 : errno;
  return real ? std::string(real.get()) : std::string();
}

} // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0)
    ::close(number_);
}

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

std::string write_file(const std::string &path, std::string_view text, const Writing &how) {
  struct stat target{};
  const bool there = ::stat(path.c_str(), &target) == 0;
  if (there && S_ISDIR(target.st_mode))
    return cannot("write", path, "it is a directory");
  // /dev/stdout may be a link to a file, and is no name of one.
  if (there && (!S_ISREG(target.st_mode) || path.starts_with("/dev/") || path.starts_with("/proc/"))) {
    const Descriptor device(
        open_at(AT_FDCWD, path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | (S_ISREG(target.st_mode) ? O_TRUNC : 0)));
    const int error = device ? write_all(device.get(), text) : errno;
    return error == 0 ? std::string() : cannot_write(path, error);
  }
  const std::size_t slash = path.rfind('/');
  const std::string folder_path = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (name.empty() || name == "." || name == "..")
    return cannot("write", path, "it is no name of a file");
  const Descriptor folder(open_at(AT_FDCWD, folder_path.c_str(), kFolder));
  if (!folder)
    return cannot_write(path, errno);
  struct stat status{};
  const bool replaces = ::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  const int error = replace(folder.get(), name, text, replaces ? &status : nullptr, how, 0);
  return error == 0 ? std::string() : cannot_write(path, error);
}

std::string refusal_of(const std::string &path, std::size_t most, bool folders) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || (folders && S_ISDIR(status.st_mode)))
    return {};
  struct statfs system{};
  return refused(status, ::statfs(path.c_str(), &system) == 0 ? &system : nullptr, most);
}

std::optional<std::string> read_file(const std::string &path, std::string &error, std::size_t most) {
  error = refusal_of(path, most);
  if (!error.empty())
    return std::nullopt;
  // What it is may have changed since: a pipe without a writer does not wait
  // here.
  const Descriptor file(open_at(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status{};
  struct statfs system{};
  if (!file || ::fstat(file.get(), &status) != 0) {
    if (errno != ENOENT)
      error = std::strerror(errno);
    return std::nullopt;
  }
  error = refused(status, ::fstatfs(file.get(), &system) == 0 ? &system : nullptr, most);
  if (!error.empty())
    return std::nullopt;
  std::string contents;
  if (const int wrong = read_whole(file.get(), most, contents); wrong != 0) {
    error = wrong == EFBIG ? too_large(most) : std::strerror(wrong);
    return std::nullopt;
  }
  return contents;
}

std::optional<std::string> read_existing(const std::string &path, std::string &error, std::size_t most) {
  std::optional<std::string> contents = read_file(path, error, most);
  if (!contents && error.empty())
    error = std::strerror(ENOENT);
  return contents;
}

Tree Tree::open(const std::string &path, std::string &error, bool make) {
  Tree tree;
  if (make) {
    std::error_code failure;
    fs::create_directories(path, failure); // a failure shows when it is opened
  }
  int wrong = 0;
  tree.path_ = canonical(path, wrong);
  if (wrong == 0) {
    tree.folder_ = Descriptor(open_at(AT_FDCWD, tree.path_.c_str(), kFolder | O_NOFOLLOW));
    wrong = tree.folder_ ? 0 : errno;
  }
  if (wrong != 0)
    error = cannot("open the folder", path, std::strerror(wrong));
  return tree;
}

std::string Tree::inside(const std::string &path, std::string &error) const {
  int wrong = 0;
  std::string real = canonical(path, wrong);
  if (wrong == ENOENT) { // a new file, unless it is a link that leads nowhere
    const fs::path typed(path);
    struct stat link{};
    if (::lstat(path.c_str(), &link) != 0) {
      const std::string folder = canonical(typed.has_parent_path() ? typed.parent_path().string() : ".", wrong);
      real = folder + (folder.ends_with('/') ? "" : "/") + typed.filename().string();
    }
  }
  if (wrong != 0) {
    error = cannot_write(path, wrong);
    return {};
  }
  const std::string prefix = path_.ends_with('/') ? path_ : path_ + "/";
  if (!real.starts_with(prefix) || components(real.substr(prefix.size())).empty()) {
    error = cannot("write", path,
                   real == path ? "it is outside of '" + path_ + "'"
                                : "it leads to '" + real + "', outside of '" + path_ + "'");
    return {};
  }
  return real.substr(prefix.size());
}

Tree Tree::folder(const std::string &name, std::string &error) const {
  Tree tree;
  const std::vector<std::string> names = components(name);
  tree.path_ = path_ + (path_.ends_with('/') ? "" : "/") + name;
  if (!names.empty())
    tree.folder_ = descend(folder_.get(), names, names.size(), true);
  if (!tree.folder_)
    error = cannot("make the folder", tree.path_, names.empty() ? "it is no path below a folder" : why_not(errno));
  return tree;
}

std::string Tree::write(const std::string &name, std::string_view text, const Writing &how) const {
  const std::vector<std::string> names = components(name);
  const std::string shown = path_ + "/" + name;
  if (names.empty())
    return cannot("write", shown, "it is no path below a folder");
  const Descriptor folder = descend(folder_.get(), names, names.size() - 1, how.make_folders);
  if (!folder)
    return cannot("write", shown, why_not(errno));
  struct stat status{};
  const bool there = ::fstatat(folder.get(), names.back().c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (there && !S_ISREG(status.st_mode))
    return cannot("write", shown, "it is no regular file");
  const int error = replace(folder.get(), names.back(), text, there ? &status : nullptr, how);
  return error == 0 ? std::string() : cannot_write(shown, error);
}

std::string Tree::create_private(const std::string &name, std::string_view text) const {
  const std::string shown = path_ + "/" + name;
  const std::vector<std::string> names = components(name);
  if (names.size() != 1)
    return cannot("write", shown, "it is no name of a file");
  const std::string temporary = write_beside(folder_.get(), name, text, 0600, true, true);
  if (temporary.empty())
    return cannot_write(shown, errno);
  const int error = ::linkat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str(), 0) == 0
                        ? 0
                        : errno; // unlike a rename, it replaces nothing
  ::unlinkat(folder_.get(), temporary.c_str(), 0);
  return error == 0 || error == EEXIST ? std::string() : cannot_write(shown, error);
}

bool Tree::read(const std::string &name, std::size_t most, std::string &contents) const {
  return read_if(name, most, contents, nullptr);
}

bool Tree::read_of(unsigned owner, const std::string &name, std::size_t most, std::string &contents) const {
  return read_if(name, most, contents, &owner);
}

bool Tree::read_if(const std::string &name, std::size_t most, std::string &contents, const unsigned *owner) const {
  const std::vector<std::string> names = components(name);
  const Descriptor folder = names.empty() ? Descriptor() : descend(folder_.get(), names, names.size() - 1, false);
  if (!folder)
    return false;
  const Descriptor file(open_at(folder.get(), names.back().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  if (owner && ((status.st_uid != 0 && status.st_uid != *owner) || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0))
    return false;
  return read_whole(file.get(), most, contents) == 0;
}

void Tree::keep_newest(std::uint64_t most_bytes) const {
  struct File {
    timespec written;
    std::uint64_t bytes;
    std::string folder, name;
  };
  std::vector<File> files;
  std::uint64_t all = 0;
  for (const std::string &folder : names_in(folder_.get())) {
    const Descriptor inner(open_at(folder_.get(), folder.c_str(), kFolder | O_NOFOLLOW));
    for (const std::string &name : inner ? names_in(inner.get()) : std::vector<std::string>()) {
      struct stat status{};
      if (::fstatat(inner.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
        continue;
      files.push_back({status.st_mtim, static_cast<std::uint64_t>(status.st_size), folder, name});
      all += files.back().bytes;
    }
  }
  std::ranges::sort(files, [](const File &a, const File &b) {
    return std::tie(a.written.tv_sec, a.written.tv_nsec, a.name) <
           std::tie(b.written.tv_sec, b.written.tv_nsec, b.name);
  });
  for (const File &file : files) {
    if (all <= most_bytes)
      return;
    const Descriptor inner(open_at(folder_.get(), file.folder.c_str(), kFolder | O_NOFOLLOW));
    if (inner && ::unlinkat(inner.get(), file.name.c_str(), 0) == 0)
      all -= file.bytes;
  }
}

std::optional<std::string> Tree::read_private(const std::string &name, std::size_t most, std::string &error) const {
  const std::string shown = path_ + "/" + name;
  const Descriptor file(open_at(folder_.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && errno == ENOENT)
    return std::nullopt;
  struct stat status{};
  std::string contents;
  int wrong = !file || ::fstat(file.get(), &status) != 0 ? errno : 0;
  if (wrong == 0 && !S_ISREG(status.st_mode))
    error = "'" + shown + "' is no regular file";
  else if (wrong == 0 && status.st_uid != ::geteuid())
    error = "'" + shown + "' belongs to another user";
  else if (wrong == 0 && (status.st_mode & 077) != 0)
    error = "others may read or write '" + shown + "'";
  else if (wrong == 0)
    wrong = read_whole(file.get(), most, contents);
  if (wrong != 0)
    error = cannot("read", shown, std::strerror(wrong));
  return error.empty() ? std::optional(std::move(contents)) : std::nullopt;
}

Replacement::~Replacement() {
  for (const Staged &file : staged_)
    if (!file.renamed)
      ::unlinkat(file.folder.get(), file.temporary.c_str(), 0);
}

std::string Replacement::stage(const Tree &tree, const std::string &name, std::string_view text) {
  const std::vector<std::string> names = components(name);
  const std::string shown = tree.path() + "/" + name;
  if (names.empty())
    return cannot("write", shown, "it is no path below a folder");
  Staged file;
  file.path = shown;
  file.final_name = names.back();
  file.folder = descend(tree.folder_.get(), names, names.size() - 1, false);
  if (!file.folder)
    return cannot("write", shown, why_not(errno));
  struct stat before{};
  if (::fstatat(file.folder.get(), file.final_name.c_str(), &before, AT_SYMLINK_NOFOLLOW) != 0)
    return cannot_write(shown, errno);
  if (!S_ISREG(before.st_mode))
    return cannot("write", shown, "it is no regular file");
  // A file that may not be written is not replaced either, although the folder would allow it.
  const Descriptor old(
      open_at(file.folder.get(), file.final_name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!old)
    return cannot_write(shown, errno);
  if (const int error = read_whole(old.get(), SIZE_MAX, file.old_text); error != 0)
    return cannot_write(shown, error);
  file.temporary = write_beside(file.folder.get(), file.final_name, text, before.st_mode & 07777, true, true);
  if (file.temporary.empty())
    return cannot_write(shown, errno);
  staged_.push_back(std::move(file));
  return {};
}

std::string Replacement::commit() {
  for (Staged &file : staged_) {
    if (const int error = rename_to(file.folder.get(), file.temporary, file.final_name); error != 0) {
      for (Staged &done : staged_)
        if (struct stat now{};
            done.renamed && ::fstatat(done.folder.get(), done.final_name.c_str(), &now, AT_SYMLINK_NOFOLLOW) == 0)
          (void)replace(done.folder.get(), done.final_name, done.old_text, &now, {});
      return cannot_write(file.path, error);
    }
    file.renamed = true;
  }
  return {};
}

} // namespace smem::sinks
