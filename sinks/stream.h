// Bytes to a descriptor, and what is printed for people.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace smem::sinks {

/// Writes all of `bytes`, however often the system interrupts or takes a part only. Returns 0 or errno.
int write_all(int descriptor, std::string_view bytes);

/// Prints terminal(text). Returns 0 or errno.
int print(int descriptor, std::string_view text, bool colors = false);

/// The standard streams of a program that writes to std::cout and std::cerr: all that they print goes through terminal(), a line at a
/// time. `colors`: those of the text stay.
class PrintedStream : std::streambuf {
public:
  PrintedStream(std::ostream &stream, int descriptor, bool colors)
      : stream_(stream), descriptor_(descriptor), colors_(colors), before_(stream.rdbuf(this)) {}
  ~PrintedStream() override;
  PrintedStream(const PrintedStream &) = delete;
  PrintedStream &operator=(const PrintedStream &) = delete;

  /// Writes what is left; 0 or errno of the first write that failed.
  int finish();

private:
  int overflow(int c) override;
  std::streamsize xsputn(const char *bytes, std::streamsize count) override;
  int sync() override;

  std::ostream &stream_;
  const int descriptor_;
  const bool colors_;
  std::streambuf *const before_;
  std::string pending_; ///< the line that is not finished
  int error_ = 0;
};

} // namespace smem::sinks
