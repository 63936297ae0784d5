#include "line_table/line_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace smem {
namespace {

enum Standard {
  copy = 1,
  advance_pc,
  advance_line,
  set_file,
  set_column,
  negate_stmt,
  basic_block,
  const_add_pc,
  fixed_advance_pc
};
enum Extended { end_sequence = 1, set_address = 2, inlined_call = 0x90, set_function_name = 0x91 };

// A cursor that never reads past its end: past it every value is zero and `ok` is false.
struct Cursor {
  std::string_view bytes;
  std::uint64_t at = 0;
  bool ok = true;

  template <class T> T take() {
    T value{};
    ok = ok && at <= bytes.size() && bytes.size() - at >= sizeof(T);
    if (ok)
      std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof(T);
    return value;
  }
  std::uint64_t uleb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; ok && shift < 64; shift += 7) {
      const auto byte = take<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (!(byte & 0x80))
        break;
    }
    return value;
  }
  std::int64_t sleb() {
    std::uint64_t value = 0;
    unsigned shift = 0;
    std::uint8_t byte = 0x80;
    while (ok && (byte & 0x80) && shift < 64) {
      byte = take<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
    }
    if (shift < 64 && (byte & 0x40))
      value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
  std::string text() {
    const auto end = at < bytes.size() ? bytes.find('\0', at) : std::string_view::npos;
    if (end == std::string_view::npos) {
      ok = false;
      return {};
    }
    std::string result(bytes.substr(at, end - at));
    at = end + 1;
    return result;
  }
};

} // namespace

// Runs the line programs of all units of a section.
class LineProgram {
public:
  LineProgram(LineTable &table, std::string_view bytes, std::map<std::uint64_t, std::string> functions)
      : table_(table), cursor_{bytes}, functions_(std::move(functions)) {}

  void run() {
    while (cursor_.ok && cursor_.at + 4 < cursor_.bytes.size())
      if (!unit())
        return;
  }

private:
  bool unit() {
    const std::uint64_t length = cursor_.take<std::uint32_t>();
    const std::uint64_t end = length + cursor_.at;
    const auto version = cursor_.take<std::uint16_t>();
    const std::uint64_t header = cursor_.take<std::uint32_t>();
    const std::uint64_t program = cursor_.at + header;
    if (!cursor_.ok || version < 2 || version > 3 || end > cursor_.bytes.size() || program > end)
      return false;
    const auto minimum_instruction = cursor_.take<std::uint8_t>();
    cursor_.take<std::uint8_t>();
    const auto line_base = cursor_.take<std::int8_t>();
    const auto line_range = cursor_.take<std::uint8_t>();
    const auto opcode_base = cursor_.take<std::uint8_t>();
    if (line_range == 0 || opcode_base == 0)
      return false;
    std::vector<std::uint8_t> operands{0};
    for (int i = 1; i < opcode_base; ++i)
      operands.push_back(cursor_.take<std::uint8_t>());
    read_files();
    cursor_.at = program;

    row_ = {0, 1, 1, 0, 0, false};
    while (cursor_.ok && cursor_.at < end) {
      const auto opcode = cursor_.take<std::uint8_t>();
      if (opcode >= opcode_base) {
        const int adjusted = opcode - opcode_base;
        row_.address += std::uint64_t{static_cast<unsigned>(adjusted / line_range)} * minimum_instruction;
        row_.line += static_cast<std::uint32_t>(line_base + adjusted % line_range);
        emit();
        continue;
      }
      switch (opcode) {
      case 0: extended(); break;
      case copy: emit(); break;
      case advance_pc: row_.address += cursor_.uleb() * minimum_instruction; break;
      case advance_line: row_.line += static_cast<std::uint32_t>(cursor_.sleb()); break;
      case set_file: row_.file = static_cast<std::uint32_t>(cursor_.uleb()); break;
      case const_add_pc:
        row_.address += std::uint64_t{static_cast<unsigned>((255 - opcode_base) / line_range)} * minimum_instruction;
        break;
      case fixed_advance_pc: row_.address += cursor_.take<std::uint16_t>(); break;
      default:
        for (int i = 0; i < operands[opcode]; ++i)
          cursor_.uleb();
      }
    }
    cursor_.at = end;
    return cursor_.ok;
  }

  void read_files() {
    std::vector<std::string> directories{""};
    for (std::string name = cursor_.text(); cursor_.ok && !name.empty(); name = cursor_.text())
      directories.push_back(name);
    std::vector<std::string> files{""};
    for (std::string name = cursor_.text(); cursor_.ok && !name.empty(); name = cursor_.text()) {
      const std::uint64_t directory = cursor_.uleb();
      const std::uint64_t modified = cursor_.uleb(), bytes = cursor_.uleb();
      if (name[0] != '/' && directory > 0 && directory < directories.size())
        name = directories[directory] + "/" + name;
      if (std::none_of(table_.sources_.begin(), table_.sources_.end(), [&](const CompiledSource &known) {
            return known.file == name && known.modified == modified && known.bytes == bytes;
          }))
        table_.sources_.push_back({name, modified, bytes});
      files.push_back(name);
    }
    table_.files_.push_back(std::move(files));
  }

  void extended() {
    const std::uint64_t length = cursor_.uleb();
    if (!cursor_.ok || length > cursor_.bytes.size() - cursor_.at) { // else the program could lead back into itself
      cursor_.ok = false;
      return;
    }
    const std::uint64_t next = cursor_.at + length;
    switch (cursor_.take<std::uint8_t>()) {
    case end_sequence:
      row_.end = true;
      emit();
      row_ = {0, 1, 1, 0, 0, false};
      function_ = nullptr;
      break;
    case set_address: {
      const auto found = functions_.find(cursor_.at);
      row_.address = cursor_.take<std::uint64_t>();
      if (found != functions_.end()) {
        function_ = &table_.functions_[found->second];
        function_->rows.clear();
        function_->unit = table_.files_.size() - 1;
      }
      break;
    }
    case inlined_call:
      row_.context = static_cast<std::uint32_t>(cursor_.uleb());
      row_.name = static_cast<std::uint32_t>(cursor_.uleb());
      break;
    default: break;
    }
    cursor_.at = next;
  }

  void emit() {
    if (function_)
      function_->rows.push_back(row_);
  }

  LineTable &table_;
  Cursor cursor_;
  std::map<std::uint64_t, std::string> functions_; // of the set_address operands, by their offset in the section
  LineTable::Row row_;
  LineTable::Function *function_ = nullptr;
};

LineTable LineTable::read(std::string_view debug_line, std::string_view names,
                          std::map<std::uint64_t, std::string> functions) {
  LineTable table;
  table.names_ = names;
  LineProgram(table, debug_line, std::move(functions)).run();
  for (auto &[name, function] : table.functions_) {
    const auto &rows = function.rows;
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      if (!rows[i].end)
        function.by_address.push_back(i);
    std::stable_sort(function.by_address.begin(), function.by_address.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return rows[a].address < rows[b].address; });
  }
  return table;
}

std::vector<LinePosition> LineTable::at(const std::string &function, std::uint64_t pc) const {
  std::vector<LinePosition> chain;
  const auto found = functions_.find(function);
  if (found == functions_.end())
    return chain;
  const auto &[rows, by_address, unit] = found->second;
  // Of several rows at one address the last describes it: the ones before are its call sites.
  const auto behind = std::upper_bound(by_address.begin(), by_address.end(), pc,
                                       [&](std::uint64_t at, std::uint32_t row) { return at < rows[row].address; });
  const Row *best = behind == by_address.begin() ? nullptr : &rows[behind[-1]];
  const auto &files = files_[unit];
  for (int depth = 0; best && depth < 64; ++depth) {
    LinePosition position;
    if (best->file < files.size())
      position.file = files[best->file];
    position.line = best->line;
    if (best->context && best->name < names_.size())
      position.function = names_.c_str() + best->name;
    chain.push_back(std::move(position));
    best = best->context && best->context <= rows.size() ? &rows[best->context - 1] : nullptr;
  }
  return chain;
}

} // namespace smem
