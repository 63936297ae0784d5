#include "sinks/escape.h"

#include "sinks/characters.h"

#include <array>
#include <cstdio>

namespace smem::sinks {
namespace {

/// Calls `each(character, at)` for every character of `text`.
template <class Each> void for_each_character(std::string_view text, const Each &each) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    each(character, at);
    at += character.bytes.size();
  }
}

bool must_be_spelled(const Character &character) { return !character.valid || is_hidden(character.code); }

/// The second `#` of a command to a log: spelled differently, there is none.
bool completes_log_command(std::string_view text, std::size_t at) {
  return at != 0 && text[at] == '#' && begins_log_command(text.substr(at - 1));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A whole sequence that sets colours, as styled() writes them; empty if `text` begins with something else.
std::string_view color_sequence(std::string_view text) {
  if (!text.starts_with("\033["))
    return {};
  std::size_t end = 2;
  while (end < text.size() && (is_digit(text[end]) || text[end] == ';'))
    ++end;
  constexpr std::array<std::string_view, 11> kOurs{"0", "1", "2", "31", "33", "32", "35", "36", "1;31", "1;35", "1;36"};
  for (const std::string_view parameters : kOurs)
    if (end < text.size() && text[end] == 'm' && text.substr(2, end - 2) == parameters)
      return text.substr(0, end + 1);
  return {};
}

/// What the reader of a log skips at the start of a line before it looks for a command.
bool is_blank(std::uint32_t code) {
  return code == ' ' || code == '\t' || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
         code == 0x202f || code == 0x205f || code == 0x3000;
}

std::string workflow(std::string_view text, bool property) {
  std::string out;
  for_each_character(text, [&](const Character &character, std::size_t at) {
    if (character.valid && character.code == '\n')
      out += "%0A";
    else if (must_be_spelled(character))
      out += visible(character);
    else if (completes_log_command(text, at))
      out += "\\x23";
    else if (character.code == '%')
      out += "%25";
    else if (property && character.code == ':')
      out += "%3A";
    else if (property && character.code == ',')
      out += "%2C";
    else
      out += character.bytes;
  });
  return out;
}

std::string spelled(std::string_view text, std::string_view kept) {
  std::string out;
  for_each_character(text, [&](const Character &character, std::size_t) {
    if (must_be_spelled(character) && kept.find(character.bytes) == std::string_view::npos)
      out += visible(character);
    else
      out += character.bytes;
  });
  return out;
}

} // namespace

std::string line(std::string_view text) { return spelled(text, ""); }
std::string source_line(std::string_view text) { return spelled(text, "\t"); }

std::string terminal(std::string_view text, bool colors) {
  std::string out;
  bool blank = true; // so far in this line
  for (std::size_t at = 0; at < text.size();) {
    if (const std::string_view color = colors ? color_sequence(text.substr(at)) : std::string_view(); !color.empty()) {
      out += color;
      at += color.size();
      continue;
    }
    const Character character = first_character(text.substr(at));
    if (character.code == '\n') {
      out += '\n';
      blank = true;
    } else if (character.code == '\t') {
      out += '\t';
    } else {
      if (must_be_spelled(character))
        out += visible(character);
      else if (completes_log_command(text, at))
        out += "\\x23";
      else if (blank && text.substr(at).starts_with("::"))
        out += "\\x3a";
      else
        out += character.bytes;
      blank &= character.valid && is_blank(character.code);
    }
    at += character.bytes.size();
  }
  return out;
}

std::string workflow_property(std::string_view text) { return workflow(text, true); }
std::string workflow_message(std::string_view text) { return workflow(text, false); }

std::string markdown(std::string_view text) {
  constexpr std::string_view kZeroWidth =
      "&#8203;"; // parts a word for whoever looks for references in the rendered text
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with('`')) {
      const std::size_t end = rest.find('`', 1);
      if (end != std::string_view::npos && end > 1) {
        out += markdown_code(rest.substr(1, end - 1));
        at += end + 1;
        continue;
      }
    }
    const Character character = first_character(rest);
    const char c = character.bytes.front();
    const char before = at ? text[at - 1] : ' ';
    if (character.code == '\n')
      out += "<br>";
    else if (must_be_spelled(character))
      out += "\\" + visible(character); // a backslash of its own
    else if (c == '<')
      out += "&lt;";
    else if (c == '&')
      out += "&amp;";
    else if (std::string_view("\\|*_[]~`$").find(c) != std::string_view::npos)
      out += std::string("\\") + c;
    else if (c == '@' || (c == '#' && at + 1 < text.size() && is_digit(text[at + 1])))
      out += c + std::string(kZeroWidth);
    else if (rest.starts_with("://"))
      out += ":" + std::string(kZeroWidth);
    else if (c == '.' && (before == 'w' || before == 'W'))
      out += std::string(kZeroWidth) + ".";
    else if (c == '-' && (before == 'H' || before == 'h') && at + 1 < text.size() && is_digit(text[at + 1]))
      out += std::string(kZeroWidth) + "-";
    else
      out += character.bytes;
    at += character.bytes.size();
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  if (text.empty())
    return {}; // two backticks would open a longer span
  std::string out;
  for_each_character(text, [&](const Character &character, std::size_t at) {
    if (must_be_spelled(character))
      out += visible(character);
    else if (completes_log_command(text, at))
      out += "\\x23";
    else if (character.code == '`')
      out += '\'';
    else if (character.code == '|')
      out += "\\|";
    else
      out += character.bytes;
  });
  return "`" + out + "`";
}

std::string markup(std::string_view text) {
  std::string out;
  for_each_character(text, [&](const Character &character, std::size_t at) {
    if (character.code == '\n' || character.code == '\t')
      out += character.bytes;
    else if (must_be_spelled(character))
      out += visible(character);
    else if (completes_log_command(text, at))
      out += "&#35;";
    else
      switch (character.code) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += character.bytes;
      }
  });
  return out;
}

std::string yaml(std::string_view text) {
  std::string single = "'", twice = "\"";
  bool plain = true; // nothing but the quote itself has a meaning between single quotes
  for_each_character(text, [&](const Character &character, std::size_t at) {
    const bool spell = must_be_spelled(character) || completes_log_command(text, at);
    plain &= !spell;
    if (!spell) {
      single += character.code == '\'' ? "''" : character.bytes;
      twice += (character.code == '"' || character.code == '\\' ? "\\" : "") + std::string(character.bytes);
      return;
    }
    char spelled[16];
    std::snprintf(spelled, sizeof spelled, character.code < 0x100 ? "\\x%02x" : "\\U%08x", character.code);
    twice += spelled;
  });
  return plain ? single + "'" : twice + "\"";
}

std::string json(std::string_view document) {
  const auto unit = [](std::uint32_t value) {
    std::string out = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
      out += "0123456789abcdef"[value >> shift & 15];
    return out;
  };
  std::string out;
  out.reserve(document.size());
  for_each_character(document, [&](const Character &character, std::size_t at) {
    const std::uint32_t code = character.code;
    if (code == '\n' || code == '\t' || code == '\r') // between values: in a string they are spelled already
      out += character.bytes;
    else if (!character.valid)
      out += unit(0xfffd);
    else if (completes_log_command(document, at))
      out += unit(code);
    else if (!is_hidden(code))
      out += character.bytes;
    else if (code < 0x10000)
      out += unit(code);
    else
      out += unit(0xd7c0 + (code >> 10)) + unit(0xdc00 + (code & 0x3ff));
  });
  return out;
}

} // namespace smem::sinks
