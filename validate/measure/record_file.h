// The file that the injected library writes: one JSON object a line.
#pragma once

#include "json_writer.h"

#include <cstdio>
#include <string>

namespace smem_lint::validate {

class RecordFile {
public:
  // Appends; false if the file cannot be written.
  bool open(const char *path) {
    out_ = std::fopen(path, "a");
    if (!out_)
      std::fprintf(stderr, "smem-validate: cannot write %s\n", path);
    return out_ != nullptr;
  }

  // One write a line, flushed: what was measured survives whatever the program does next.
  void write(const JsonWriter &json) {
    if (!out_)
      return;
    std::fwrite(json.text().data(), 1, json.text().size(), out_);
    std::fputc('\n', out_);
    std::fflush(out_);
  }

  // Says once what ended the measurement.
  void fail(const std::string &message, const std::string &hint) {
    if (failed_)
      return;
    failed_ = true;
    std::fprintf(stderr, "smem-validate: %s\n", message.c_str());
    if (!hint.empty())
      std::fprintf(stderr, "smem-validate: %s\n", hint.c_str());
    JsonWriter json;
    json.begin_object().field("kind", "error").field("message", message).field("hint", hint);
    write(json.end_object());
  }
  bool failed() const { return failed_; }

private:
  std::FILE *out_ = nullptr;
  bool failed_ = false;
};

} // namespace smem_lint::validate
