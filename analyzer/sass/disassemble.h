// A cubin as a listing.
#pragma once

#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "sass/tools.h"

namespace smem::compiled {

/// A program of the toolkit, whose version is asked for while it, or another one, works.
class Tool {
public:
  Tool(const char *name, const std::string &toolkit, const Scratch &scratch);
  Tool(const Tool &) = delete; // the version is asked for by a thread that knows this one
  Tool &operator=(const Tool &) = delete;
  const std::string &path() const { return path_; } ///< empty: there is none
  /// Waits.
  std::string version() const { return version_.valid() ? version_.get() : std::string(); }
  /// "nvdisasm 13.0.85"; waits.
  std::string text() const;

private:
  std::string name_, path_;
  std::shared_future<std::string> version_;
};

struct Disassembled {
  std::string text;
  std::string from;          ///< the tool that was needed: "nvdisasm 13.0.85"; empty: none
  std::string error;         ///< not empty: why there is no text, and what would mend it
  bool tool_missing = false; ///< nvdisasm would mend it
};

/// Reads what it knows itself (print_cubin), which takes milliseconds where nvdisasm takes 0.3 s to start, and has nvdisasm read the rest.
class Disassembler {
public:
  Disassembler(std::string toolkit, const Scratch &scratch) : toolkit_(std::move(toolkit)), scratch_(scratch) {}

  /// `name`: what messages call the cubin; `compiler`: the version of the compiler that made it, where it is known.
  Disassembled run(const std::string &cubin, const std::string &name, const std::stop_token &stop,
                   const std::string &compiler = {});

private:
  std::string toolkit_;
  const Scratch &scratch_;
  std::optional<Tool> nvdisasm_; ///< as soon as it is needed
};

} // namespace smem::compiled
