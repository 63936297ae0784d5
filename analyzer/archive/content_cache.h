// Texts that were made of files, used as long as these are what they were.
//
// An entry has a name, and holds if every file that it was made of has the same contents and none has appeared that would have been found first; a
// new text replaces it. Bytes can be attached to it, which are not copied once they are read.
//
// An entry is authenticated with a key of the user's own (cache_key.h): what others put into the folder, be it shared, restored by a CI system or part of the
// repository, is no entry. What is damaged or was written by another version is none either.
#pragma once

#include "sass/listing_cache.h"
#include "sinks/files.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smem {

struct InstalledFolder {
  std::string path;
  unsigned owner = 0; ///< of the program, beside root
};

class ContentCache : public compiled::ListingCache {
public:
  /// `directory` is made if it is not there. `within`: the folder that it must lie in, no link on the way; empty: it may be anywhere.
  explicit ContentCache(const std::string &directory, const std::string &within = {});
  /// A folder that comes with the program and belongs to whom that belongs, for all who run it: what an entry says rests on who can write its file, so that it has no key of
  /// a user's. `make`: as Tree::open().
  ContentCache(const InstalledFolder &folder, bool make);

  /// Why there can be no cache; then nothing else may be called.
  const std::string &refusal() const { return refusal_; }

  struct Whole {
    Kept kept;
    std::vector<std::string> absent;
    std::string bytes;           ///< of its file
    std::size_t attached_at = 0; ///< where in them what is attached begins; a multiple of 64
  };
  std::optional<Whole> known_whole(std::string_view key);
  void keep_whole(std::string_view key, const std::vector<std::string> &read, const std::vector<std::string> &absent,
                  const std::string &text, std::string_view attached);

  std::optional<Kept> known(std::string_view key) override;
  void keep(std::string_view key, const std::vector<std::string> &read, const std::vector<std::string> &absent,
            const std::string &text) override {
    keep_whole(key, read, absent, text, {});
  }

  /// Removes entries, those written first, until the others have at most so many bytes.
  void keep_newest(std::uint64_t most_bytes) const { folder_.keep_newest(most_bytes); }

  /// Whether an entry was written.
  bool has_kept() const;
  /// Why entries could not be written, or empty.
  std::string complaint() const;
  /// The file of an entry that was not what this user has written, or empty.
  std::string damaged() const;

private:
  std::string code_of(const std::string &name, std::string_view bytes) const;
  /// Of a file's contents, read once a run; nothing if there is no such file.
  std::optional<std::string> hash_of(const std::string &file);
  bool exists(const std::string &place);

  sinks::Tree folder_;
  std::optional<unsigned> owner_; ///< of whom files must be
  std::string key_, refusal_;
  mutable std::mutex mutex_;
  std::map<std::string, std::optional<std::string>> hashes_;
  std::map<std::string, bool> existing_;
  bool has_kept_ = false;
  std::string not_written_, damaged_;
};

} // namespace smem
