#include "lsp/text.h"

#include "sinks/characters.h"

#include <algorithm>

namespace smem::lsp {
namespace {

/// UTF-16 code units of a character. A stray byte counts as one, as editors show it.
int units(const sinks::Character &character) { return character.valid && character.code > 0xffff ? 2 : 1; }

} // namespace

void Text::split() {
  starts_ = {0};
  for (std::size_t i = 0; i < contents_.size(); ++i) // \r\n, \n and \r end a line
    if (contents_[i] == '\n' || (contents_[i] == '\r' && (i + 1 == contents_.size() || contents_[i + 1] != '\n')))
      starts_.push_back(i + 1);
}

std::string_view Text::line(unsigned line) const {
  if (line >= starts_.size())
    return {};
  const std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] : contents_.size();
  std::string_view view = std::string_view(contents_).substr(starts_[line], end - starts_[line]);
  while (!view.empty() && (view.back() == '\n' || view.back() == '\r'))
    view.remove_suffix(1);
  return view;
}

std::size_t Text::offset_of(protocol::Position position) const {
  if (position.line < 0)
    return 0;
  const auto number = static_cast<unsigned>(position.line);
  if (number >= starts_.size())
    return contents_.size();
  std::string_view rest = line(number);
  std::size_t offset = starts_[number];
  for (int left = position.character; left > 0 && !rest.empty();) {
    const sinks::Character character = sinks::first_character(rest);
    left -= units(character);
    if (left < 0)
      break;
    offset += character.bytes.size();
    rest.remove_prefix(character.bytes.size());
  }
  return offset;
}

protocol::Position Text::position_of(std::size_t offset) const {
  offset = std::min(offset, contents_.size());
  const auto next = std::ranges::upper_bound(starts_, offset);
  const auto number = static_cast<unsigned>(next - starts_.begin()) - 1;
  std::string_view rest = line(number).substr(0, offset - starts_[number]);
  int character = 0;
  while (!rest.empty()) {
    const sinks::Character one = sinks::first_character(rest);
    character += units(one);
    rest.remove_prefix(one.bytes.size());
  }
  return {static_cast<int>(number), character};
}

protocol::Position Text::position_of(unsigned line_number, unsigned column) const {
  const unsigned at = std::max(line_number, 1u) - 1;
  if (at >= starts_.size())
    return position_of(contents_.size());
  return position_of(starts_[at] + std::min<std::size_t>(std::max(column, 1u) - 1, line(at).size()));
}

void Text::apply(const protocol::TextDocumentContentChangeEvent &change) {
  if (!change.range) {
    contents_ = change.text;
  } else {
    const std::size_t begin = offset_of(change.range->start), end = std::max(begin, offset_of(change.range->end));
    contents_.replace(begin, end - begin, change.text);
  }
  split();
}

} // namespace smem::lsp
