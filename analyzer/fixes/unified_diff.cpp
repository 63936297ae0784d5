#include "fixes/unified_diff.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace smem {
namespace {

constexpr std::size_t kContext = 3;

/// Lines with their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return lines;
}

/// Lines [first, last) of the old text that become others.
struct Block {
  std::size_t first = 0, last = 0;
  std::string now;                ///< what they become, before it is taken apart
  std::vector<std::string> after; ///< in lines
};

/// A block for all edits of the same or adjacent lines, without the lines at its ends that stay.
std::vector<Block> blocks_of(std::string_view text, const std::vector<std::string_view> &lines,
                             std::span<const Edit> edits) {
  std::vector<std::size_t> starts; // of each line, and of what follows the last
  std::size_t start = 0;
  for (const std::string_view line : lines) {
    starts.push_back(start);
    start += line.size();
  }
  starts.push_back(start);
  const auto line_at = [&](std::size_t offset) {
    const auto after = std::upper_bound(starts.begin(), starts.end() - 1, offset);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - starts.begin() - 1));
  };
  std::vector<Block> blocks;
  std::size_t done = 0; // up to where the last block has copied the text
  const auto finish = [&] {
    if (!blocks.empty())
      blocks.back().now += text.substr(done, starts[blocks.back().last] - done);
  };
  for (const Edit &edit : edits) {
    const std::size_t first = line_at(edit.offset),
                      last = std::min(line_at(edit.offset + edit.length) + 1, lines.size());
    if (blocks.empty() || first > blocks.back().last) {
      finish();
      blocks.push_back({first, last, {}, {}});
      done = starts[first];
    }
    Block &block = blocks.back();
    block.last = std::max(block.last, last);
    block.now += text.substr(done, edit.offset - done);
    block.now += edit.replacement;
    done = edit.offset + edit.length;
  }
  finish();
  for (Block &block : blocks) {
    const std::vector<std::string_view> after = lines_of(block.now);
    block.after.assign(after.begin(), after.end());
    while (block.first < block.last && !block.after.empty() && lines[block.first] == block.after.front()) {
      ++block.first;
      block.after.erase(block.after.begin());
    }
    while (block.first < block.last && !block.after.empty() && lines[block.last - 1] == block.after.back()) {
      --block.last;
      block.after.pop_back();
    }
  }
  std::erase_if(blocks, [](const Block &block) { return block.first == block.last && block.after.empty(); });
  return blocks;
}

void append(std::string &out, char sign, std::string_view line) {
  out += sign;
  out += line;
  if (!line.ends_with('\n'))
    out += "\n\\ No newline at end of file\n";
}

/// "12,3" of a head: a range without lines begins with the line before it.
std::string range(std::size_t first, std::size_t count) {
  const std::size_t shown = count == 0 ? first : first + 1;
  return std::to_string(shown) + (count == 1 ? "" : "," + std::to_string(count));
}

/// As git writes names that are not plain.
std::string head(const char *sign, std::string_view name) {
  const auto is_plain = [](char c) {
    return static_cast<unsigned char>(c) >= ' ' && c != 0x7f && c != '"' && c != '\\';
  };
  std::string out = sign;
  if (std::all_of(name.begin(), name.end(), is_plain)) {
    out += name;
    return out + (name.find(' ') == std::string_view::npos ? "\n" : "\t\n");
  }
  out += '"';
  for (const char c : name) {
    char octal[8];
    std::snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned char>(c));
    out += is_plain(c) ? std::string(1, c) : std::string(octal);
  }
  return out + "\"\n";
}

} // namespace

std::string unified_diff(std::string_view name, std::string_view text, std::span<const Edit> edits) {
  const std::vector<std::string_view> lines = lines_of(text);
  const std::vector<Block> blocks = blocks_of(text, lines, edits);
  if (blocks.empty())
    return {};
  std::string out = head("--- ", name) + head("+++ ", name);
  std::ptrdiff_t moved = 0; // by how many lines the new text is ahead
  for (std::size_t i = 0; i < blocks.size();) {
    std::size_t end = i + 1; // of the blocks whose contexts touch
    while (end < blocks.size() && blocks[end].first - blocks[end - 1].last <= 2 * kContext)
      ++end;
    const std::size_t first = blocks[i].first - std::min(blocks[i].first, kContext);
    const std::size_t last = std::min(blocks[end - 1].last + kContext, lines.size());
    std::string body;
    std::size_t at = first, added = 0, removed = 0;
    const auto context_until = [&](std::size_t line) {
      for (; at < line; ++at)
        append(body, ' ', lines[at]);
    };
    for (; i < end; ++i) {
      const Block &block = blocks[i];
      context_until(block.first);
      for (; at < block.last; ++at, ++removed)
        append(body, '-', lines[at]);
      for (const std::string &line : block.after)
        append(body, '+', line);
      added += block.after.size();
    }
    context_until(last);
    const std::size_t count = last - first;
    out += "@@ -" + range(first, count) + " +" +
           range(static_cast<std::size_t>(static_cast<std::ptrdiff_t>(first) + moved), count - removed + added) +
           " @@\n" + body;
    moved += static_cast<std::ptrdiff_t>(added) - static_cast<std::ptrdiff_t>(removed);
  }
  return out;
}

} // namespace smem
