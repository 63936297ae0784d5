// A cubin as nvdisasm prints it.
#pragma once

#include <future>
#include <stop_token>
#include <string>

#include "sass/tools.h"

namespace smem::compiled {

/// What to do where there is no nvdisasm.
extern const char *const kNoNvdisasm;

/// A program of the toolkit, whose version is asked for while it, or another one, works.
class Tool {
public:
  Tool(const char *name, const std::string &toolkit, const Scratch &scratch);
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
  std::string text, from;
  std::string error; ///< not empty: why there is no text, and what would mend it
};

/// `name`: what messages call the cubin; `compiler`: the version of the compiler that made it, where it is known.
Disassembled disassemble(const Tool &nvdisasm, const std::string &cubin, const std::string &name,
                         const Scratch &scratch, const std::stop_token &stop, const std::string &compiler = {});

} // namespace smem::compiled
