#include "sass/listing.h"

#include <algorithm>
#include <deque>
#include <set>

#include <llvm/ADT/StringRef.h>
#include <llvm/Demangle/Demangle.h>

#include "smem/architecture.h"

namespace smem::compiled {
namespace {

using llvm::StringRef;

constexpr StringRef kTextSection = ".text.", kInfoSection = ".nv.info.", kAddressSection = ".nv.constant4",
                    kConstantSection = ".nv.constant2.", kLineSection = ".debug_line", kNameSection = ".debug_str",
                    kResourceSection = ".nv.info", kSharedSection = ".nv.shared.",
                    kReservedSection = ".nv.shared.reserved.";

/// `//## File "k.cu", line 3 inlined at "k.cu", line 9`: the place itself; the call has a line of its own, or none.
struct PlaceComment {
  ListedPlace place;
  std::optional<ListedPlace> inlined_at;
};

std::optional<ListedPlace> take_place(StringRef &text) {
  ListedPlace place;
  if (!text.consume_front("\""))
    return std::nullopt;
  const std::size_t end = text.find("\", line ");
  if (end == StringRef::npos)
    return std::nullopt;
  place.file = text.take_front(end).str();
  text = text.drop_front(end + StringRef("\", line ").size());
  if (text.consumeInteger(10, place.line))
    return std::nullopt;
  return place;
}

std::optional<PlaceComment> place_comment(StringRef line) {
  if (!line.consume_front("//## File "))
    return std::nullopt;
  const auto place = take_place(line);
  if (!place)
    return std::nullopt;
  PlaceComment comment{*place, {}};
  if (line.consume_front(" inlined at "))
    comment.inlined_at = take_place(line);
  return comment;
}

/// Splits at commas outside of brackets and parentheses.
std::vector<std::string> split_operands(StringRef text) {
  std::vector<std::string> operands;
  std::string current;
  int depth = 0;
  const auto finish = [&] {
    StringRef operand = StringRef(current).trim();
    if (!operand.empty()) {
      std::string plain = operand.str();
      for (std::size_t at; (at = plain.find(".reuse")) != std::string::npos;)
        plain.erase(at, 6);
      operands.push_back(std::move(plain));
    }
    current.clear();
  };
  for (const char c : text) {
    depth += c == '[' || c == '(';
    depth -= c == ']' || c == ')';
    if (c == ',' && depth == 0)
      finish();
    else
      current += c;
  }
  finish();
  return operands;
}

class Parser {
public:
  explicit Parser(StringRef text) : rest_(text) {}

  ParsedListing run() {
    ParsedListing parsed;
    while (!rest_.empty()) {
      const auto [line, after] = rest_.split('\n');
      const bool complete = line.size() < rest_.size();
      rest_ = after;
      ++number_;
      if (!read(line.rtrim("\r"), complete) || !error_.empty()) {
        parsed.error = error_.empty() ? "not a line of a listing" : error_;
        parsed.line = number_;
        return parsed;
      }
    }
    if (listing_.architecture.empty() || listing_.functions.empty()) {
      parsed.error = listing_.architecture.empty() ? "not a listing of nvdisasm: it names no .target"
                                                   : "the listing has no functions";
      return parsed;
    }
    listing_.reserves_shared = counts_reserved();
    std::vector<LineTable> tables;
    for (LineSections &sections : line_sections_)
      tables.push_back(LineTable::read(sections.lines.bytes, sections.names.bytes, std::move(sections.lines.symbols)));
    for (const LineTable &table : tables)
      listing_.sources.insert(listing_.sources.end(), table.sources().begin(), table.sources().end());
    for (ListedFunction &function : listing_.functions) {
      auto about = infos_.find(function.name);
      if (about != infos_.end()) {
        function.parameters = about->second.parameters;
        function.parameter_base = about->second.base;
        function.required_block = about->second.required_block;
        if (const auto &most = about->second.max_block)
          function.max_threads = threads_of(*most);
        function.system_calls = std::move(about->second.system_calls);
      }
      function.resources = resources_of(function);
      if (const auto tables = constants_.find(function.name); tables != constants_.end() && tables->second.plain)
        function.constants.assign(tables->second.bytes.begin(), tables->second.bytes.end());
      set_places(function, tables);
      if (!ends(function)) {
        parsed.error = "the listing breaks off in function '" + function.name + "'";
        parsed.line = number_;
        return parsed;
      }
    }
    parsed.listing = std::move(listing_);
    return parsed;
  }

private:
  struct Info {
    std::vector<ListedParameter> parameters;
    std::optional<std::uint32_t> base;
    std::optional<std::array<std::uint32_t, 3>> required_block, max_block;
    std::set<std::uint64_t> system_calls;
  };

  /// A section that is printed as data.
  struct Bytes {
    std::string bytes;
    std::map<std::uint64_t, std::string> symbols; ///< whose addresses are put in, by offset
    bool plain = true;                            ///< nothing but bytes
  };

  /// The bytes of one cubin's line table; a listing may be of several cubins, one behind the other.
  struct LineSections {
    Bytes lines, names;
  };

  /// Of a block of these extents; the most that fits where they are no block's.
  static std::uint32_t threads_of(const std::array<std::uint32_t, 3> &block) {
    std::uint64_t threads = 1;
    for (const std::uint32_t extent : block)
      threads = std::min<std::uint64_t>(threads * std::max(extent, 1u), UINT32_MAX);
    return static_cast<std::uint32_t>(threads);
  }

  bool counts_reserved() const {
    unsigned number = 0;
    StringRef architecture = listing_.architecture;
    const bool from_sm_90 =
        architecture.consume_front("sm_") && !architecture.consumeInteger(10, number) && number >= 90;
    return has_reserved_ || (linked_ && from_sm_90);
  }

  ListedResources resources_of(const ListedFunction &function) const {
    const auto known = resources_.find(function.name);
    ListedResources resources = known == resources_.end() ? ListedResources() : known->second;
    for (const ListedInstruction &instruction : function.code) {
      resources.local_loads += StringRef(instruction.opcode).split('.').first == "LDL";
      resources.local_stores += StringRef(instruction.opcode).split('.').first == "STL";
    }
    if (known == resources_.end())
      return resources;
    // A kernel without shared memory has no section for it. Where there is a section of what the system reserves, ptxas 13.0 counts that as the
    // kernel's (sm_90, sm_100, sm_120), and where there is none it does not (sm_75, sm_80, sm_86, relocatable code).
    std::uint32_t shared = resources.shared_bytes.value_or(0);
    // nvlink 13.0 drops that section and counts it all the same (sm_90).
    if (counts_reserved() && shared != 0) {
      const Architecture *architecture = find_architecture(listing_.architecture);
      if (!architecture || shared < architecture->capacity.reserved_per_block) {
        resources.shared_bytes.reset();
        return resources;
      }
      shared -= architecture->capacity.reserved_per_block;
    }
    resources.shared_bytes = shared;
    return resources;
  }

  /// The comments stand only where the innermost place changes; the table that they are printed from tells all of them.
  void set_places(ListedFunction &function, const std::vector<LineTable> &tables) {
    for (const LineTable &table : tables) {
      if (!table.has(function.name))
        continue;
      for (ListedInstruction &instruction : function.code) {
        std::vector<ListedPlace> places;
        for (LinePosition &position : table.at(function.name, instruction.address))
          places.push_back({std::move(position.file), position.line});
        listing_.has_places |= !places.empty();
        instruction.places = std::move(places);
        instruction.places_carried = false;
      }
    }
  }

  /// Functions are padded behind a jump to itself; every one that is whole ends with that or with an end of the thread.
  static bool ends(const ListedFunction &function) {
    for (auto at = function.code.rbegin(); at != function.code.rend(); ++at) {
      const StringRef opcode = at->opcode;
      if (opcode != "NOP")
        return opcode.starts_with("BRA") || opcode.starts_with("EXIT") || opcode.starts_with("RET") ||
               opcode.starts_with("BPT");
    }
    return false;
  }

  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }

  bool read(StringRef line, bool complete) {
    const StringRef text = line.trim();
    if (text.empty())
      return true;
    if (text.starts_with("//## ")) {
      if (const auto comment = place_comment(text))
        take(*comment);
      else if (text.starts_with("//## File"))
        return fail("a place that cannot be read");
      return true;
    }
    if (text.starts_with("//-----") && in_resources_) {
      resource_ = text.contains("EIATTR_REGCOUNT")     ? &ListedResources::registers
                  : text.contains("EIATTR_FRAME_SIZE") ? &ListedResources::stack_bytes
                                                       : nullptr;
      resource_function_.clear();
      return true;
    }
    if (text.starts_with("//-----") && info_) {
      parameter_words_.clear();
      in_parameter_ = text.contains("EIATTR_KPARAM_INFO");
      in_base_ = text.contains("EIATTR_PARAM_CBANK");
      block_words_.clear();
      block_ = text.contains("EIATTR_REQNTID")       ? &Info::required_block
               : text.contains("EIATTR_MAX_THREADS") ? &Info::max_block
                                                     : nullptr;
      in_system_calls_ = text.contains("EIATTR_SYSCALL_OFFSETS");
      return true;
    }
    if (text.starts_with("//"))
      return true;
    if (text.starts_with(".target")) {
      listing_.architecture = text.drop_front(StringRef(".target").size()).trim().str();
      return true;
    }
    // Of cubins that are older than CUDA 13, as Triton's ptxas makes them.
    if (constexpr StringRef kFlag = "EF_CUDA_SM"; text.starts_with(".headerflags") && text.contains(kFlag)) {
      const StringRef digits =
          text.drop_front(text.find(kFlag) + kFlag.size()).take_while([](char c) { return c >= '0' && c <= '9'; });
      if (listing_.architecture.empty() && !digits.empty())
        listing_.architecture = "sm_" + digits.str();
      return true;
    }
    if (function_ && text.starts_with(".other")) {
      function_->kernel |= text.contains("STO_CUDA_ENTRY");
      return true;
    }
    if (StringRef section = text; section.consume_front(".section") && section != section.ltrim()) {
      enter(section.trim().split(',').first);
      return true;
    }
    linked_ |= text.ends_with(".string\t\"nvlink\"");
    if (text.starts_with("/*"))
      return read_cell(text, complete);
    if (StringRef zeros = text; shared_ && zeros.consume_front(".zero")) {
      std::uint32_t bytes = 0;
      if (!zeros.trim().getAsInteger(10, bytes))
        shared_->shared_bytes = shared_->shared_bytes.value_or(0) + bytes;
      return true;
    }
    if (text.ends_with(":")) {
      if (function_)
        function_->labels[text.drop_back().str()] = function_->code.size();
      return true;
    }
    // The first lines decide whether this is a listing at all.
    return text.starts_with(".") || !listing_.architecture.empty() || fail("not a listing of nvdisasm");
  }

  void enter(StringRef section) {
    function_ = nullptr;
    info_ = nullptr;
    bytes_ = nullptr;
    shared_ = nullptr;
    resource_ = nullptr;
    in_addresses_ = section == kAddressSection;
    in_resources_ = section == kResourceSection;
    in_parameter_ = in_base_ = in_system_calls_ = false;
    block_ = nullptr;
    places_.clear();
    if (section.consume_front(kTextSection)) {
      listing_.functions.emplace_back();
      listing_.functions.back().name = section.str();
      function_ = &listing_.functions.back();
    } else if (section.consume_front(kInfoSection)) {
      info_ = &infos_[section.str()];
    } else if (section.starts_with(kReservedSection)) {
      has_reserved_ = true;
    } else if (section.consume_front(kSharedSection)) {
      shared_ = &resources_[section.str()];
    } else if (section.consume_front(kConstantSection)) {
      bytes_ = &constants_[section.str()];
    } else if (section == kLineSection) {
      bytes_ = &line_sections_.emplace_back().lines;
    } else if (section == kNameSection && !line_sections_.empty()) {
      bytes_ = &line_sections_.back().names;
    }
  }

  void take(const PlaceComment &comment) {
    // The calls of a chain follow in lines of their own: a group of comments is one chain.
    if (!places_open_)
      places_.clear();
    places_open_ = true;
    places_.push_back(comment.place);
  }

  /// A line that begins with an offset: an instruction, or data.
  bool read_cell(StringRef text, bool complete) {
    text = text.drop_front(2);
    std::uint64_t address = 0;
    if (text.consumeInteger(16, address) || !text.consume_front("*/"))
      return !function_ || text.starts_with(" 0x"); // the second half of an encoding (-hex)
    text = text.trim();
    if (info_)
      return read_info(text);
    if (bytes_) {
      read_bytes(address, text);
      return true;
    }
    if (in_resources_) {
      read_resource(text);
      return true;
    }
    if (in_addresses_) {
      if (text.consume_front(".dword"))
        listing_.addresses[static_cast<std::uint32_t>(address)] = text.trim().str();
      return true;
    }
    if (!function_)
      return true;
    const std::size_t end = text.find(';');
    if (end == StringRef::npos)
      return fail(complete ? "an instruction without an end" : "the listing breaks off within an instruction");
    text = text.take_front(end).trim();
    ListedInstruction instruction;
    instruction.address = address;
    if (text.consume_front("{"))
      text = text.ltrim();
    if (text.consume_front("@")) {
      const auto [guard, behind] = text.split(' ');
      instruction.guard = guard.str();
      text = behind.ltrim();
    }
    const auto [opcode, operands] = text.split(' ');
    if (opcode.empty())
      return fail("an instruction without an opcode");
    if (!function_->code.empty() && address <= function_->code.back().address)
      return fail("addresses of instructions do not ascend");
    instruction.opcode = opcode.str();
    // Targets of computed branches are listed in a comment behind the operands.
    const auto [plain, comment] = operands.split("(*");
    instruction.operands = split_operands(plain);
    if (StringRef names = comment; names.consume_front("\"BRANCH_TARGETS "))
      instruction.targets = split_operands(names.split('"').first);
    instruction.places = places_;
    instruction.places_carried = !places_open_;
    listing_.has_places |= !places_.empty();
    places_open_ = false;
    function_->code.push_back(std::move(instruction));
    return true;
  }

  void read_bytes(std::uint64_t address, StringRef text) {
    bytes_->plain &= address == bytes_->bytes.size();
    if (text.consume_front(".dword")) {
      bytes_->plain = false;
      bytes_->symbols[bytes_->bytes.size()] = text.trim().str();
      bytes_->bytes.append(8, '\0');
      return;
    }
    bytes_->plain &= text.consume_front(".byte");
    while (!text.empty()) {
      const auto [value, behind] = text.split(',');
      std::uint8_t byte = 0;
      bytes_->plain &= !value.trim().getAsInteger(0, byte);
      bytes_->bytes.push_back(static_cast<char>(byte));
      text = behind;
    }
  }

  /// `.word index@(NAME)`, then a `.word` with the number.
  void read_resource(StringRef text) {
    if (!resource_ || !text.consume_front(".word"))
      return;
    text = text.trim();
    std::uint32_t value = 0;
    if (text.consume_front("index@("))
      resource_function_ = text.drop_back(text.ends_with(")")).str();
    else if (!resource_function_.empty() && !text.getAsInteger(0, value))
      resources_[resource_function_].*resource_ = value;
  }

  bool read_info(StringRef text) {
    std::uint32_t value = 0;
    if (in_parameter_ && text.consume_front(".short") && !text.trim().getAsInteger(0, value)) {
      parameter_words_.push_back(value); // ordinal, then offset
      if (parameter_words_.size() == 2) {
        info_->parameters.push_back({parameter_words_[0], parameter_words_[1]});
        std::sort(info_->parameters.begin(), info_->parameters.end(),
                  [](const auto &a, const auto &b) { return a.offset < b.offset; });
      }
    }
    // EIATTR_KPARAM_INFO_V2: the size is a number of its own.
    if (in_parameter_ && parameter_words_.size() == 3 && !info_->parameters.empty())
      for (ListedParameter &parameter : info_->parameters)
        if (parameter.offset == parameter_words_[1] && parameter.size == 0)
          parameter.size = parameter_words_[2];
    if (in_parameter_ && parameter_words_.size() == 2 && text.consume_front(".byte") && !info_->parameters.empty())
      set_size(parameter_words_[1], text);
    if (block_ && text.consume_front(".word") && !text.trim().getAsInteger(0, value)) {
      block_words_.push_back(value);
      if (block_words_.size() == 3)
        info_->*block_ = {block_words_[0], block_words_[1], block_words_[2]};
    }
    if (in_base_ && text.consume_front(".short") && !text.trim().getAsInteger(0, value) && !info_->base)
      info_->base = value;
    if (in_system_calls_ && text.consume_front(".word") && !text.trim().getAsInteger(0, value))
      info_->system_calls.insert(value);
    return true;
  }

  /// Of the four bytes behind ordinal and offset the upper 14 bits are the parameter's size.
  void set_size(std::uint32_t offset, StringRef bytes) {
    std::uint32_t packed = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto [byte, behind] = bytes.split(',');
      std::uint32_t value = 0;
      if (byte.trim().getAsInteger(0, value) || value > 0xff)
        return;
      packed |= value << (8 * i);
      bytes = behind;
    }
    for (ListedParameter &parameter : info_->parameters)
      if (parameter.offset == offset && parameter.size == 0)
        parameter.size = packed >> 18;
  }

  StringRef rest_;
  unsigned number_ = 0;
  std::string error_;
  Listing listing_;
  std::map<std::string, Info> infos_;
  std::map<std::string, ListedResources> resources_; // nodes are kept
  std::map<std::string, Bytes> constants_;
  std::deque<LineSections> line_sections_; // addresses of elements are kept
  ListedFunction *function_ = nullptr;
  Info *info_ = nullptr;
  Bytes *bytes_ = nullptr;
  ListedResources *shared_ = nullptr; ///< of the function whose shared memory the section is
  std::optional<std::uint32_t> ListedResources::*resource_ = nullptr; ///< what the attribute says
  std::string resource_function_;
  bool in_resources_ = false, has_reserved_ = false, linked_ = false, in_addresses_ = false, in_parameter_ = false,
       in_base_ = false, in_system_calls_ = false, places_open_ = false;
  std::vector<std::uint32_t> parameter_words_, block_words_;
  std::optional<std::array<std::uint32_t, 3>> Info::*block_ = nullptr; ///< what the attribute says of blocks
  std::vector<ListedPlace> places_;
};

} // namespace

namespace {

/// `static` functions of relocatable code have a prefix: __nv_static_25__213d3d10_4_b_cu_8701ed29__Z1fv, the number being the length of what
/// tells the file, up to the mangled name.
StringRef without_static_prefix(StringRef name) {
  StringRef rest = name;
  std::size_t length = 0;
  if (!rest.consume_front("__nv_static_") || rest.consumeInteger(10, length) || !rest.consume_front("_") ||
      rest.size() <= length || rest[length] != '_')
    return name;
  return rest.drop_front(length + 1);
}

} // namespace

std::vector<const ListedFunction *> Listing::find(std::string_view name) const {
  std::vector<const ListedFunction *> found;
  for (const ListedFunction &function : functions)
    if (function.name == name)
      found.push_back(&function);
  if (!found.empty())
    return found;
  const std::string plain = llvm::demangle(name);
  for (const ListedFunction &function : functions)
    if (llvm::demangle(without_static_prefix(function.name)) == plain)
      found.push_back(&function);
  return found;
}

ParsedListing parse_listing(std::string_view text) { return Parser(StringRef(text.data(), text.size())).run(); }

} // namespace smem::compiled
