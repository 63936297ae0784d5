// Source positions of a cubin's machine instructions, with the chain of calls they were inlined through.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace smem_lint::validate {

struct Position {
  std::string file;
  std::uint32_t line = 0;
  std::string function;  // mangled name of the inlined function that holds the line; empty in the function itself
};

class LineTable {
 public:
  // Reads .debug_line, which nvcc writes with -lineinfo: DWARF 2 with two opcodes of NVIDIA's own that general readers
  // skip, and with them the inlining.  A cubin without the section, or one that cannot be read, gives an empty table.
  static LineTable read(std::string_view cubin);

  bool empty() const { return functions_.empty(); }

  // The position of an instruction, innermost first, then the call sites outwards; empty where none is known.
  std::vector<Position> at(const std::string& function, std::uint64_t pc) const;

 private:
  struct Row {
    std::uint64_t address = 0;
    std::uint32_t file = 0, line = 0;
    std::uint32_t context = 0;  // row of the call site in the same sequence, counted from 1; 0 if not inlined
    std::uint32_t name = 0;     // of the inlined function
    bool end = false;
  };
  struct Function {
    std::vector<Row> rows;
    std::size_t unit = 0;
  };
  std::map<std::string, Function> functions_;
  std::vector<std::vector<std::string>> files_;  // of each unit
  std::string names_;

  friend class LineProgram;
};

}  // namespace smem_lint::validate
