// Files that are there entirely or not at all, and only where they belong.
//
// Every file is written beside its place under a name of its own, flushed to disk, and renamed: a reader, another run, and whoever
// looks after a crash see the old file or the new one. A run that is killed in between leaves at most `.NAME.RANDOM.smem-lint-tmp`.
//
// All functions return errors as texts that name the file and say why; an empty text is success.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smem::sinks {

/// A descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor &&other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor &operator=(Descriptor &&other) noexcept;
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); } ///< the caller closes it
  explicit operator bool() const { return number_ >= 0; }

private:
  int number_;
};

struct Writing {
  bool make_folders = false; ///< those that are missing on the way
  bool durable = true; ///< flushed to disk; without it a crash of the machine, not of the program, may lose the text
  /// Set: the file must still hold this (nothing: must not be there), or it is left alone and the text says that it has changed. Writers that say so exclude
  /// each other.
  const std::optional<std::string> *before = nullptr;
};
inline constexpr std::string_view kHasChanged = "it has changed since it was read";

/// Writes a file that the user has named, anywhere. What is there is replaced: a symbolic link too, never what it leads to. Pipes and devices
/// are written to as they are. Permissions of a file that was there stay.
std::string write_file(const std::string &path, std::string_view text, const Writing &how = {});

/// No text that a person wrote or a program generated for this one is longer.
inline constexpr std::size_t kLargestFile = std::size_t{256} << 20;

/// Why a file is not to be opened: "it is a device, and only regular files are
/// read". Empty: nothing speaks against it, or it is not there. Asked before it
/// is opened, as opening a pipe may wait without end. What the kernel makes up
/// (/proc, /sys) is no regular file either: some of it waits, and none of it is
/// part of a program. Directories are refused unless `folders`.
std::string refusal_of(const std::string &path, std::size_t most = kLargestFile, bool folders = false);

/// The contents of a regular file of at most `most` bytes; nothing, with an
/// error text, if it cannot be read. A file that is not there is no error.
std::optional<std::string> read_file(const std::string &path, std::string &error, std::size_t most = kLargestFile);

/// The same, but a file that is not there is an error as well.
std::optional<std::string> read_existing(const std::string &path, std::string &error, std::size_t most = kLargestFile);

/// A folder below which files are read and written, whatever links lie in it: no name reaches what is outside. Holds the folder open, so that
/// it stays this folder.
class Tree {
public:
  /// The folder at `path`, links on the way to it followed. `make`: it and the folders above are made if they are not there.
  static Tree open(const std::string &path, std::string &error, bool make = false);

  explicit operator bool() const { return static_cast<bool>(folder_); }
  const std::string &path() const { return path_; } ///< without links

  /// Where `path` (absolute, or relative to the working directory) is once links are followed, relative to this folder: "src/k.cu". Empty if that is
  /// outside, with an error. The file need not be there; its folder must.
  std::string inside(const std::string &path, std::string &error) const;

  /// The folder `name` below this one, made if it is not there with those above it; none may be a link.
  Tree folder(const std::string &name, std::string &error) const;

  /// Writes the file `name`, a path relative to this folder in which nothing is a link.
  std::string write(const std::string &name, std::string_view text, const Writing &how = {}) const;

  /// Writes the file `name` of this folder for this user only, unless there is one.
  std::string create_private(const std::string &name, std::string_view text) const;

  /// The contents of the regular file `name`, a path in which nothing is a link. False: there is none, it is longer than `most` bytes, or it
  /// cannot be read.
  bool read(const std::string &name, std::size_t most, std::string &contents) const;

  /// The same of a file that nobody but this user may have written or read; nothing with an empty error: there is none.
  std::optional<std::string> read_private(const std::string &name, std::size_t most, std::string &error) const;

  /// The same, if only its owner can have written it, and that is root or the user of this id.
  bool read_of(unsigned owner, const std::string &name, std::size_t most, std::string &contents) const;

  /// Removes files in the folders of this one, those written first, until the others have at most so many bytes. What cannot be removed stays.
  void keep_newest(std::uint64_t most_bytes) const;

private:
  friend class Replacement;
  bool read_if(const std::string &name, std::size_t most, std::string &contents, const unsigned *owner) const;
  Descriptor folder_;
  std::string path_;
};

/// Several files that are replaced together: all are written and flushed before the first is renamed.
class Replacement {
public:
  Replacement() = default;
  ~Replacement(); ///< what was not renamed goes
  Replacement(const Replacement &) = delete;
  Replacement &operator=(const Replacement &) = delete;

  /// Prepares `text` for the file `name` of a tree, which must be there and be writable.
  std::string stage(const Tree &tree, const std::string &name, std::string_view text);

  /// Renames all. If one cannot be, those before it are put back.
  std::string commit();

private:
  struct Staged {
    std::string path, final_name, temporary; ///< for messages; the last component; beside it
    Descriptor folder;
    std::string old_text;
    bool renamed = false;
  };
  std::vector<Staged> staged_;
};

} // namespace smem::sinks
