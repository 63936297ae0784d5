// The text of an open document, by the positions of the protocol: lines from 0 and UTF-16 code units.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <mlir/Tools/lsp-server-support/Protocol.h>

namespace smem::lsp {

namespace protocol = mlir::lsp;

class Text {
public:
  explicit Text(std::string contents = {}) : contents_(std::move(contents)) { split(); }

  const std::string &contents() const { return contents_; }
  unsigned lines() const { return static_cast<unsigned>(starts_.size()); }

  /// Line `line` (from 0) without its end; empty if there is no such line.
  std::string_view line(unsigned line) const;

  /// The byte that a position stands before. What lies beyond a line is its end, what lies beyond the text is the text's; between the halves of a surrogate
  /// pair is before it.
  std::size_t offset_of(protocol::Position position) const;
  protocol::Position position_of(std::size_t offset) const;
  /// Of a line and a column in bytes, both from 1; 0 is taken for 1.
  protocol::Position position_of(unsigned line, unsigned column) const;

  /// Replaces a range; without one, the whole text. A range that ends before it begins is empty.
  void apply(const protocol::TextDocumentContentChangeEvent &change);

private:
  void split();

  std::string contents_;
  std::vector<std::size_t> starts_; ///< of lines
};

} // namespace smem::lsp
