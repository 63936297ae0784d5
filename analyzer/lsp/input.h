// Messages from the client, looked at before the protocol library sees them: to it, a message that is no JSON is nothing to answer and one that is no JSON-RPC
// is the end.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>

namespace smem::lsp {

/// The method of a request that Input makes out of what is no message; its parameters are {code, message}, and its handler is to reply with that error.
inline constexpr llvm::StringLiteral kNoMessage = "smem-lint/noMessage";

class Input {
public:
  /// Reads from a file descriptor, which stays open.
  explicit Input(int descriptor);
  ~Input();
  Input(const Input &) = delete;
  Input &operator=(const Input &) = delete;

  /// A stream of messages as they are framed, each with what the protocol library requires. It never has bytes of a message before the one before it was read.
  std::FILE *stream() { return stream_; }
  /// The id of the request that was read last; null where that was no request.
  const llvm::json::Value &id() const { return id_; }
  bool exited() const { return exited_; } ///< the client has said `exit`

private:
  static ssize_t read_some(void *self, char *buffer, std::size_t size);
  bool fill();                  ///< the next message into `message_`; false at the end
  bool take(std::string &line); ///< a line of a header
  bool take(std::size_t count, std::string &bytes);
  bool more(); ///< reads into `buffer_`

  int descriptor_;
  std::FILE *stream_ = nullptr;
  std::string buffer_; ///< read, from `at_` on not taken
  std::size_t at_ = 0;
  std::string message_; ///< framed, from `given_` on not handed out
  std::size_t given_ = 0;
  llvm::json::Value id_ = nullptr;
  bool exited_ = false;
};

} // namespace smem::lsp
