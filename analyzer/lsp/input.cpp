#include "lsp/input.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <unistd.h>

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/raw_ostream.h>

namespace smem::lsp {
namespace {

using llvm::json::Object;
using llvm::json::Value;

constexpr std::size_t kLongestMessage = std::size_t{256} << 20;
constexpr std::size_t kLongestHeader = std::size_t{64} << 10;
constexpr unsigned kDeepest = 256; ///< the parser of JSON recurses

/// Whether arrays and objects are nested deeper than the parser of JSON shall go.
bool too_deep(llvm::StringRef json) {
  unsigned depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      i += c == '\\';
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepest)
        return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

std::string framed(const Value &message) {
  std::string body;
  llvm::raw_string_ostream stream(body);
  stream << message;
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

/// A request whose handler replies with an error.
Value no_message(Value id, int code, std::string message) {
  return Object{{"jsonrpc", "2.0"},
                {"id", std::move(id)},
                {"method", kNoMessage},
                {"params", Object{{"code", code}, {"message", llvm::json::fixUTF8(message)}}}};
}

constexpr int kParseError = -32700, kInvalidRequest = -32600;

} // namespace

Input::Input(int descriptor) : descriptor_(descriptor) {
  stream_ = fopencookie(this, "r", {&Input::read_some, nullptr, nullptr, nullptr});
}

Input::~Input() {
  if (stream_)
    std::fclose(stream_);
}

ssize_t Input::read_some(void *cookie, char *buffer, std::size_t size) {
  auto &self = *static_cast<Input *>(cookie);
  if (self.given_ == self.message_.size() && !self.fill())
    return 0;
  const std::size_t count = std::min(size, self.message_.size() - self.given_);
  std::memcpy(buffer, self.message_.data() + self.given_, count);
  self.given_ += count;
  return static_cast<ssize_t>(count);
}

bool Input::more() {
  if (at_ == buffer_.size()) {
    buffer_.clear();
    at_ = 0;
  }
  char chunk[1 << 14];
  ssize_t count = 0;
  do
    count = ::read(descriptor_, chunk, sizeof chunk);
  while (count < 0 && errno == EINTR);
  if (count <= 0)
    return false;
  buffer_.append(chunk, static_cast<std::size_t>(count));
  return true;
}

bool Input::take(std::string &line) {
  line.clear();
  while (true) {
    const std::size_t end = buffer_.find('\n', at_);
    const std::size_t stop = end == std::string::npos ? buffer_.size() : end + 1;
    if (line.size() + (stop - at_) <= kLongestHeader) // what is longer is no header, and not kept
      line.append(buffer_, at_, stop - at_);
    at_ = stop;
    if (end != std::string::npos)
      return true;
    if (!more())
      return false;
  }
}

bool Input::take(std::size_t count, std::string &bytes) {
  bytes.clear();
  while (bytes.size() < count) {
    if (at_ == buffer_.size() && !more())
      return false;
    const std::size_t some = std::min(count - bytes.size(), buffer_.size() - at_);
    bytes.append(buffer_, at_, some);
    at_ += some;
  }
  return true;
}

bool Input::fill() {
  id_ = nullptr;
  const auto give = [&](std::string text) {
    message_ = std::move(text);
    given_ = 0;
    return true;
  };
  std::size_t length = 0;
  for (std::string line; take(line);) {
    const llvm::StringRef header = llvm::StringRef(line).trim();
    if (header.starts_with_insensitive("content-length:")) {
      if (header.substr(15).trim().getAsInteger(10, length))
        length = 0;
      continue;
    }
    if (!header.empty())
      continue; // another header, or what is none
    if (length == 0)
      continue;
    if (length > kLongestMessage) {
      // It cannot be skipped without reading it; headers are looked for in it.
      length = 0;
      return give(framed(no_message(nullptr, kInvalidRequest, "the message is too long")));
    }
    std::string body;
    if (!take(length, body))
      return false;
    length = 0;
    if (too_deep(body))
      return give(framed(no_message(nullptr, kParseError, "the message is nested too deeply")));
    llvm::Expected<Value> json = llvm::json::parse(llvm::json::isUTF8(body) ? body : llvm::json::fixUTF8(body));
    if (!json)
      return give(framed(no_message(nullptr, kParseError, llvm::toString(json.takeError()))));
    Object *const message = json->getAsObject();
    if (!message)
      return give(framed(no_message(nullptr, kInvalidRequest, "a message is an object")));
    const Value *const id = message->get("id");
    if (id && !id->getAsNull() && !id->getAsInteger() && !id->getAsString())
      return give(framed(no_message(nullptr, kInvalidRequest, "an id is a number or a string")));
    const std::optional<llvm::StringRef> method = message->getString("method");
    if (message->getString("jsonrpc") != std::optional<llvm::StringRef>("2.0") || (!method && !id))
      return give(framed(no_message(id ? *id : Value(nullptr), kInvalidRequest,
                                    "a message has \"jsonrpc\": \"2.0\" and a method or an id")));
    if (method && *method == kNoMessage)
      return give(framed(no_message(id ? *id : Value(nullptr), kInvalidRequest, "this is no method for clients")));
    exited_ |= method && !id && *method == "exit";
    if (method && id)
      id_ = *id;
    return give(framed(*json));
  }
  return false;
}

} // namespace smem::lsp
