// Source positions of machine instructions, with the chain of calls they were inlined through.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smem {

struct LinePosition {
  std::string file;
  std::uint32_t line = 0;
  std::string function; ///< mangled name of the inlined function that holds the line; empty in the function itself
};

/// A file as it was when it was compiled. The compiler may leave time and size out.
struct CompiledSource {
  std::string file;
  std::uint64_t modified = 0; ///< seconds since 1970; 0: not known
  std::uint64_t bytes = 0;    ///< 0: not known
};

class LineTable {
public:
  /// Reads the bytes of .debug_line, which nvcc writes with -lineinfo: DWARF 2 with two opcodes of NVIDIA's own that general
  /// readers (and nvdisasm, where the innermost line stays the same) skip, and with them the inlining. `names` are the bytes of
  /// .debug_str, `functions` the symbols of the section's relocations by their offset. Bytes that cannot be read give an empty table.
  static LineTable read(std::string_view debug_line, std::string_view names,
                        std::map<std::uint64_t, std::string> functions);

  bool empty() const { return functions_.empty(); }
  /// The files of all units, each once.
  const std::vector<CompiledSource> &sources() const { return sources_; }
  bool has(const std::string &function) const { return functions_.contains(function); }

  /// The position of an instruction (byte offset in its function), innermost first, then the call sites outwards; empty where none is known.
  std::vector<LinePosition> at(const std::string &function, std::uint64_t pc) const;

private:
  struct Row {
    std::uint64_t address = 0;
    std::uint32_t file = 0, line = 0;
    std::uint32_t context = 0; ///< row of the call site in the same sequence, counted from 1; 0 if not inlined
    std::uint32_t name = 0;    ///< of the inlined function
    bool end = false;
  };
  struct Function {
    std::vector<Row> rows;
    std::vector<std::uint32_t> by_address; ///< rows but for ends; of those at one address the later ones stand behind
    std::size_t unit = 0;
  };
  std::map<std::string, Function> functions_;
  std::vector<std::vector<std::string>> files_; ///< of each unit
  std::vector<CompiledSource> sources_;
  std::string names_;

  friend class LineProgram;
};

} // namespace smem
