// Each sink's grammar, whatever the text.
#include "sinks/characters.h"
#include "sinks/escape.h"
#include "sinks/stream.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fcntl.h>
#include <random>
#include <sstream>
#include <unistd.h>

namespace smem::sinks {
namespace {

/// Texts of everything that some sink takes for more than text.
class HostileTexts {
public:
  explicit HostileTexts(unsigned seed) : random_(seed) {}

  std::string next() {
    static const std::array<std::string, 52> kParts{"\n",
                                                    "\r",
                                                    "\t",
                                                    "\033[31m",
                                                    "\033]0;title\007",
                                                    "\033[2J",
                                                    "\033",
                                                    "\x9b"
                                                    "31m",
                                                    "\u009b31m",
                                                    "\x7f",
                                                    "\b",
                                                    std::string(1, '\0'),
                                                    "\v\f",
                                                    "\u0085",
                                                    "\u2028",
                                                    "\u2029",
                                                    "\u202e",
                                                    "\u2066",
                                                    "\u2069",
                                                    "\u200b",
                                                    "\ufeff",
                                                    "\U000e0041",
                                                    "\xff",
                                                    "\xc0\x80",
                                                    "\xed\xa0\x80",
                                                    "\xf5\x80\x80\x80",
                                                    "\xe2\x80",
                                                    "::error file=a::b",
                                                    "::",
                                                    "##[error]x",
                                                    "##vso[task.x]",
                                                    "##teamcity[x]",
                                                    "###[",
                                                    "%0A",
                                                    "%",
                                                    ":",
                                                    ",",
                                                    "|",
                                                    "`",
                                                    "``",
                                                    "@someone",
                                                    "#12",
                                                    "https://a.b",
                                                    "www.a.b",
                                                    "[a](b)",
                                                    "![a](b)",
                                                    "<img src=x>",
                                                    "</script>",
                                                    "&amp;\"'",
                                                    "*_~$",
                                                    "\\",
                                                    "name"};
    std::string text;
    for (std::size_t count = random_() % 9; count > 0; --count)
      text += random_() % 8 ? kParts[random_() % kParts.size()] : std::string(1, static_cast<char>(random_()));
    return text;
  }

private:
  std::mt19937 random_;
};

template <class Check> void for_hostile_texts(const Check &check) {
  HostileTexts texts(20240229);
  for (int i = 0; i < 20000 && !testing::Test::HasFailure(); ++i) {
    const std::string text = texts.next();
    SCOPED_TRACE(testing::PrintToString(text));
    check(text);
  }
}

/// Nothing hidden in it but the bytes of `kept`, and UTF-8.
void expect_visible(std::string_view text, std::string_view kept) {
  while (!text.empty()) {
    const Character character = first_character(text);
    ASSERT_TRUE(character.valid);
    ASSERT_TRUE(!is_hidden(character.code) || kept.find(character.bytes) != std::string_view::npos) << character.code;
    text.remove_prefix(character.bytes.size());
  }
}

/// No line of `text` is a command to what reads a log.
void expect_no_commands(const std::string &text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(" \t"));
    ASSERT_FALSE(line.starts_with("::")) << line;
    for (const char *word : {"##[", "##vso[", "##teamcity["})
      ASSERT_EQ(line.find(word), std::string::npos) << line;
  }
}

TEST(Escape, CharactersAreThoseOfUnicode) {
  const auto code = [](std::string_view text) {
    return first_character(text).valid ? first_character(text).code : 0xffffffff;
  };
  EXPECT_EQ(code("a"), 'a');
  EXPECT_EQ(code("\u00e9"), 0xe9u);
  EXPECT_EQ(code("\u20ac"), 0x20acu);
  EXPECT_EQ(code("\U0001f600"), 0x1f600u);
  EXPECT_EQ(code("\U0010ffff"), 0x10ffffu);
  for (const char *stray : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80", "\xf0\x80\x80\x80",
                            "\xf4\x90\x80\x80", "\xf5", "\xe2\x82", "\xe2(\xa1"})
    EXPECT_EQ(code(stray), 0xffffffff) << testing::PrintToString(stray);
}

TEST(Escape, OrdinaryTextStays) {
  const std::string text = "Bs[tx][i] \u00b7 32 \u2192 1, `float x`, \u202f\u4e2d\u6587 \u00e4";
  EXPECT_EQ(line(text), text);
  EXPECT_EQ(terminal(text + "\n  a::b\n", false), text + "\n  a::b\n");
  EXPECT_EQ(markup("a[i] + b"), "a[i] + b");
  EXPECT_EQ(markdown_code("a[i] + b"), "`a[i] + b`");
  EXPECT_EQ(markdown("pad `a[i]|b` by 1*2"), "pad `a[i]\\|b` by 1\\*2");
  EXPECT_EQ(yaml("it's"), "'it''s'");
}

TEST(Escape, WhatIsHiddenIsSpelled) {
  EXPECT_EQ(line("a\nb\r\033[31m\x9b\u009b\u202e\t"), "a\\nb\\r\\x1b[31m\\x9b\\u{9b}\\u{202e}\\t");
  EXPECT_EQ(source_line("a\tb\n"), "a\tb\\n");
  EXPECT_EQ(terminal("\033[31mred\033[0m \033[2J\033[5m\n", true), "\033[31mred\033[0m \\x1b[2J\\x1b[5m\n");
  EXPECT_EQ(terminal("\033[31mred\033[0m\n", false), "\\x1b[31mred\\x1b[0m\n");
  EXPECT_EQ(terminal("::error::x\n  ::x\n\033[1m::x\nx::y ##[add-matcher]f\n", true),
            "\\x3a:error::x\n  \\x3a:x\n\033[1m\\x3a:x\nx::y #\\x23[add-matcher]f\n");
  EXPECT_EQ(terminal("\u3000\u00a0::x", false), "\u3000\u00a0\\x3a:x");
  EXPECT_EQ(workflow_message("50%\nnext\r:,"), "50%25%0Anext\\r:,");
  EXPECT_EQ(workflow_property("a:b,c\nd"), "a%3Ab%2Cc%0Ad");
  EXPECT_EQ(markdown("@x #1 https://x www.x GH-1\n<b>"),
            "@&#8203;x #&#8203;1 https:&#8203;//x www&#8203;.x GH&#8203;-1<br>&lt;b>");
  EXPECT_EQ(markup("<a href=\"'&\">\033"), "&lt;a href=&quot;&#39;&amp;&quot;&gt;\\x1b");
  EXPECT_EQ(yaml("a\n\"\\\u202e"), "\"a\\x0a\\\"\\\\\\U0000202e\"");
}

TEST(Escape, ALineIsOne) {
  for_hostile_texts([](const std::string &text) {
    expect_visible(line(text), "");
    expect_visible(source_line(text), "\t");
    EXPECT_EQ(line(line(text)), line(text));
  });
}

TEST(Escape, ATerminalGetsNoOrders) {
  for_hostile_texts([](const std::string &text) {
    const std::string plain = terminal(text, false), colored = terminal(text, true);
    expect_visible(plain, "\n\t");
    expect_no_commands(plain);
    expect_visible(terminal(colored, false), "\n\t");
    for (std::size_t at = 0; (at = colored.find('\033', at)) != std::string::npos; ++at)
      EXPECT_TRUE(std::string_view(colored).substr(at).starts_with("\033[31m"));
    EXPECT_EQ(terminal(plain, false), plain);
  });
}

TEST(Escape, AWorkflowCommandIsOne) {
  for_hostile_texts([](const std::string &text) {
    const std::string property = workflow_property(text), message = workflow_message(text);
    expect_visible(property, "");
    expect_visible(message, "");
    EXPECT_EQ(property.find_first_of(":,"), std::string::npos);
    expect_no_commands("title=" + property + message);
  });
}

TEST(Escape, MarkdownKeepsItsTable) {
  for_hostile_texts([](const std::string &text) {
    for (const std::string &cell : {markdown(text), markdown_code(text)}) {
      expect_visible(cell, "");
      std::size_t bars = 0;
      for (std::size_t i = 0; i < cell.size(); ++i)
        bars += cell[i] == '|' && (i == 0 || cell[i - 1] != '\\');
      EXPECT_EQ(bars, 0u) << cell;
    }
    const std::string code = markdown_code(text);
    if (!code.empty()) {
      EXPECT_EQ(code.find('`', 1), code.size() - 1);
    }
    // Outside of code: nothing that a renderer looks for.
    std::string prose;
    bool in_code = false;
    const std::string out = markdown(text);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (!in_code && out[i] == '\\') {
        ++i;
        continue;
      }
      if (out[i] == '`')
        in_code = !in_code;
      else if (!in_code)
        prose += out[i];
    }
    EXPECT_FALSE(in_code) << out;
    for (std::size_t at = 0; (at = prose.find('<', at)) != std::string::npos; ++at)
      EXPECT_EQ(prose.substr(at, 4), "<br>");
    for (std::size_t at = 0; (at = prose.find('@', at)) != std::string::npos; ++at)
      EXPECT_EQ(prose.substr(at + 1, 7), "&#8203;");
    EXPECT_EQ(prose.find("://"), std::string::npos);
    EXPECT_EQ(prose.find("www."), std::string::npos);
    EXPECT_EQ(prose.find_first_of("[]*_~$|"), std::string::npos) << prose;
    expect_no_commands("| " + out);
  });
}

TEST(Escape, MarkupIsText) {
  for_hostile_texts([](const std::string &text) {
    const std::string out = markup(text);
    expect_visible(out, "\n\t");
    EXPECT_EQ(out.find_first_of("<>\"'"), std::string::npos);
    for (std::size_t at = 0; (at = out.find('&', at)) != std::string::npos; ++at) {
      const std::string entity = out.substr(at, out.find(';', at) - at + 1);
      EXPECT_TRUE(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;" ||
                  entity == "&#39;" || entity == "&#35;")
          << entity;
    }
  });
}

TEST(Escape, JsonHasTheSameValues) {
  using Json = nlohmann::json;
  for_hostile_texts([](const std::string &text) {
    const std::string document =
        Json{{"k" + text, text}, {"list", {text, 1, nullptr}}}.dump(2, ' ', false, Json::error_handler_t::replace);
    const std::string out = json(document);
    expect_visible(out, "\n");
    expect_no_commands(out);
    EXPECT_EQ(Json::parse(out), Json::parse(document));
  });
}

TEST(Escape, YamlIsOneScalar) {
  for_hostile_texts([](const std::string &text) {
    const std::string out = yaml(text);
    expect_visible(out, "");
    expect_no_commands("- " + out);
    EXPECT_EQ(out.front(), out.back());
  });
}

TEST(Stream, StandardStreamsAreFilteredByLine) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    std::ostringstream stream;
    std::ostream printed(stream.rdbuf());
    PrintedStream filter(printed, ends[1], false);
    printed << "a\033[31mb" << '\n' << ":" << ":error\n" << "\xe2\x80";
    printed << "\xae" << std::flush;
  }
  close(ends[1]);
  char buffer[256];
  const ssize_t count = read(ends[0], buffer, sizeof buffer);
  close(ends[0]);
  ASSERT_GT(count, 0);
  EXPECT_EQ(std::string(buffer, static_cast<std::size_t>(count)), "a\\x1b[31mb\n\\x3a:error\n\\u{202e}");
}

TEST(Stream, AFullDiskIsAnError) {
  const int full = open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  EXPECT_EQ(write_all(full, "text"), ENOSPC);
  close(full);
}

} // namespace
} // namespace smem::sinks
