#include "sinks/stream.h"

#include "sinks/escape.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace smem::sinks {

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) { // somebody made the pipe or terminal non-blocking
      pollfd ready{descriptor, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int print(int descriptor, std::string_view text, bool colors) { return write_all(descriptor, terminal(text, colors)); }

PrintedStream::~PrintedStream() {
  finish();
  stream_.rdbuf(before_);
}

int PrintedStream::finish() {
  if (!pending_.empty() && error_ == 0)
    error_ = print(descriptor_, pending_, colors_);
  pending_.clear();
  return error_;
}

int PrintedStream::overflow(int c) {
  if (c == traits_type::eof())
    return 0;
  const char byte = static_cast<char>(c);
  return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
}

std::streamsize PrintedStream::xsputn(const char *bytes, std::streamsize count) {
  pending_.append(bytes, static_cast<std::size_t>(count));
  if (const std::size_t end = pending_.rfind('\n'); end != std::string::npos) {
    if (error_ == 0)
      error_ = print(descriptor_, std::string_view(pending_).substr(0, end + 1), colors_);
    pending_.erase(0, end + 1);
  }
  return error_ == 0 ? count : 0;
}

/// A flush says nothing about the end of a character or line: what is pending waits.
int PrintedStream::sync() { return error_ == 0 ? 0 : -1; }

} // namespace smem::sinks
