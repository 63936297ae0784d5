// Just enough to write JSON from inside another program, where no library may be pulled in.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace smem_lint::validate {

class JsonWriter {
public:
  JsonWriter &begin_object() { return open('{'); }
  JsonWriter &end_object() { return close('}'); }
  JsonWriter &begin_array() { return open('['); }
  JsonWriter &end_array() { return close(']'); }

  JsonWriter &key(std::string_view name) {
    separate();
    quote(name);
    text_ += ':';
    fresh_ = true;
    return *this;
  }
  JsonWriter &value(std::string_view string) {
    separate();
    quote(string);
    return *this;
  }
  JsonWriter &value(const char *string) { return value(std::string_view(string)); }
  JsonWriter &value(bool boolean) { return raw(boolean ? "true" : "false"); }
  JsonWriter &value(int number) { return raw(std::to_string(number)); }
  JsonWriter &value(unsigned number) { return raw(std::to_string(number)); }
  JsonWriter &value(unsigned long number) { return raw(std::to_string(number)); }

  template <class T> JsonWriter &field(std::string_view name, const T &v) { return key(name).value(v); }

  const std::string &text() const { return text_; }

private:
  JsonWriter &open(char c) {
    separate();
    text_ += c;
    fresh_ = true;
    return *this;
  }
  JsonWriter &close(char c) {
    text_ += c;
    fresh_ = false;
    return *this;
  }
  JsonWriter &raw(std::string_view text) {
    separate();
    text_ += text;
    return *this;
  }
  void separate() {
    if (!fresh_ && !text_.empty())
      text_ += ',';
    fresh_ = false;
  }
  void quote(std::string_view string) {
    text_ += '"';
    for (const char c : string) {
      const auto byte = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\')
        (text_ += '\\') += c;
      else if (byte < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", byte);
        text_ += escape;
      } else
        text_ += c;
    }
    text_ += '"';
  }

  std::string text_;
  bool fresh_ = true;
};

} // namespace smem_lint::validate
