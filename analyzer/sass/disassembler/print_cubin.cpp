#include "sass/disassembler/print_cubin.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/BinaryFormat/ELF.h>
#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wredundant-move" // in LLVM's own header
#endif
#include <llvm/Object/ELF.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

#include "sass/cubin.h"
#include "sass/disassembler/decode.h"
#include "sass/disassembler/number_text.h"

namespace smem::compiled {
namespace {

using llvm::StringRef;
using llvm::object::ELF64LE;
using llvm::object::ELFFile;

constexpr unsigned char kEntry = 0x10;          ///< of a symbol's st_other: it can be launched
constexpr std::uint32_t kAddressRelocation = 2; ///< the symbol's address, 64 bits (R_CUDA_64)
constexpr std::size_t kInstructionBytes = 16;
/// How many bytes of sections and names are printed of a file: so many for each of its own, and some.
constexpr std::uint64_t kMostOfEach = 4, kMostAtLeast = std::uint64_t(1) << 20;

/// Attributes of .nv.info that a listing is read for: how nvdisasm names them, and what stands in them.
enum class AttributeContent : std::uint8_t {
  FunctionAndWord, ///< index of a symbol, a word
  Parameter,       ///< a word, ordinal, offset, four bytes
  SizedParameter,  ///< a word, ordinal, offset, size, two bytes: where parameters take more than 4 KB
  ConstantBank,    ///< index of a symbol, offset, size
  Words
};
struct Attribute {
  unsigned number;
  const char *name;
  AttributeContent content;
};
constexpr Attribute kAttributes[] = {{0x05, "EIATTR_MAX_THREADS", AttributeContent::Words},
                                     {0x0a, "EIATTR_PARAM_CBANK", AttributeContent::ConstantBank},
                                     {0x10, "EIATTR_REQNTID", AttributeContent::Words},
                                     {0x11, "EIATTR_FRAME_SIZE", AttributeContent::FunctionAndWord},
                                     {0x17, "EIATTR_KPARAM_INFO", AttributeContent::Parameter},
                                     {0x2f, "EIATTR_REGCOUNT", AttributeContent::FunctionAndWord},
                                     {0x45, "EIATTR_KPARAM_INFO_V2", AttributeContent::SizedParameter},
                                     {0x46, "EIATTR_SYSCALL_OFFSETS", AttributeContent::Words}};
/// Attributes that say nothing a listing is read for: versions, register limits, where exits, votes, barriers and mbarriers are, clusters, stack. Those
/// of ptxas and nvlink 13.0 over the files that the encodings were compared with; others are refused, as they may replace one of the above.
constexpr unsigned char kOfNoInterest[] = {0x04, 0x0f, 0x12, 0x19, 0x1b, 0x1c, 0x1e, 0x23, 0x28,
                                           0x29, 0x2b, 0x31, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3d,
                                           0x3e, 0x3f, 0x44, 0x4c, 0x50, 0x53, 0x55, 0x5b, 0x5f};
constexpr unsigned kIndirectTargets = 0x34; ///< of BRX

/// How long an attribute is, by the first of its bytes.
constexpr unsigned kNoValue = 1, kByteValue = 2, kShortValue = 3, kSized = 4;

class Printer {
public:
  Printer(const ELFFile<ELF64LE> &file, const EncodingTable &table, const std::string &architecture)
      : file_(file), table_(table) {
    out_ = "\t.target\t" + architecture + "\n\t.elftype\t@\"ET_EXEC\"\n";
  }

  PrintedCubin run() {
    if (!read_symbols() || !read_relocations() || !print_sections() || !has_all_kernels())
      return {{}, error_.empty() ? "it is damaged" : error_};
    return {std::move(out_), {}};
  }

private:
  using Section = ELF64LE::Shdr;

  bool fail(std::string what) {
    if (error_.empty())
      error_ = std::move(what);
    return false;
  }

  /// The value, where there is one; the error is dropped.
  template <typename T> static std::optional<T> value(llvm::Expected<T> expected) {
    if (expected)
      return *expected;
    llvm::consumeError(expected.takeError());
    return std::nullopt;
  }

  std::optional<StringRef> bytes_of(const Section &section) const {
    const auto bytes = value(file_.getSectionContents(section));
    if (!bytes)
      return std::nullopt;
    return StringRef(reinterpret_cast<const char *>(bytes->data()), bytes->size());
  }

  /// Names end up in lines of text.
  static bool is_plain(StringRef name) {
    return llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || StringRef("_$.@").contains(c); });
  }

  /// Whether as many bytes more may be printed: sections and names of a file that somebody made up can share bytes, without end.
  bool within_bounds(std::uint64_t more) {
    taken_ += more;
    return taken_ <= kMostOfEach * file_.getBufSize() + kMostAtLeast;
  }

  bool read_symbols() {
    const auto sections = value(file_.sections());
    if (!sections)
      return false;
    for (const Section &section : *sections) {
      if (section.sh_type != llvm::ELF::SHT_SYMTAB)
        continue;
      const auto symbols = value(file_.symbols(&section));
      const auto strings = value(file_.getStringTableForSymtab(section));
      if (!symbols || !strings)
        return false;
      if (!symbols_.empty())
        return fail("it has two tables of symbols");
      for (const auto &symbol : *symbols) {
        const auto name = value(symbol.getName(*strings));
        if (!name)
          return false;
        if (!is_plain(*name) || !within_bounds(name->size()))
          return fail("a symbol's name is none");
        symbols_.push_back(name->str());
        if (symbol.getType() == llvm::ELF::STT_FUNC && (symbol.st_other & kEntry)) {
          const auto code = symbol.st_shndx < sections->size()
                                ? value(file_.getSectionName((*sections)[symbol.st_shndx]))
                                : std::nullopt;
          if (!code || *code != ".text." + name->str() || symbol.st_value != 0)
            return fail("a kernel does not begin its section");
          kernels_.insert(name->str());
        }
      }
    }
    return true;
  }

  /// What is put in where, by section. An entry without a name: something that is no plain address.
  bool read_relocations() {
    const auto sections = value(file_.sections());
    if (!sections)
      return false;
    for (const Section &section : *sections) {
      if (section.sh_type == llvm::ELF::SHT_RELA) {
        const auto relocations = value(file_.relas(section));
        if (!relocations)
          return false;
        for (const auto &relocation : *relocations)
          if (!relocate(section, relocation, relocation.r_addend))
            return false;
      } else if (section.sh_type == llvm::ELF::SHT_REL) {
        // Before sm_90: what is added lies in the place itself, which print_data() looks at.
        const auto relocations = value(file_.rels(section));
        if (!relocations)
          return false;
        for (const auto &relocation : *relocations)
          if (!relocate(section, relocation, 0))
            return false;
      }
    }
    return true;
  }

  template <typename Relocation>
  bool relocate(const Section &section, const Relocation &relocation, std::int64_t addend) {
    const std::uint32_t symbol = relocation.getSymbol(false), type = relocation.getType(false);
    if (symbol >= symbols_.size())
      return false;
    const bool plain = type == kAddressRelocation && addend == 0;
    relocated_[section.sh_info][relocation.r_offset] = plain ? symbols_[symbol] : std::string();
    return true;
  }

  bool print_sections() {
    const auto sections = value(file_.sections());
    if (!sections)
      return false;
    // The line table's names are read behind it, and attributes before the code that they are of.
    std::vector<std::pair<std::size_t, StringRef>> found;
    for (std::size_t i = 0; i < sections->size(); ++i)
      if (const auto name = value(file_.getSectionName((*sections)[i])))
        found.emplace_back(i, *name);
      else
        return false;
    std::stable_sort(found.begin(), found.end(), [](const auto &a, const auto &b) {
      const auto rank = [](StringRef name) { return name == ".debug_str" ? 2 : name.starts_with(".nv.info") ? 0 : 1; };
      return rank(a.second) < rank(b.second);
    });
    for (const auto &[index, name] : found)
      if (!print_section(index, (*sections)[index], name))
        return false;
    return true;
  }

  bool has_all_kernels() {
    for (const std::string &kernel : kernels_)
      if (!printed_.contains(kernel))
        return fail("it has no code of " + kernel);
    return true;
  }

  bool print_section(std::size_t index, const Section &section, StringRef name) {
    if (!is_plain(name))
      return fail("a section's name is none");
    if (name.starts_with(".nv.shared.")) {
      if (section.sh_size > UINT32_MAX)
        return fail("shared memory of more than 4 GiB");
      begin(name);
      out_ += "\t.zero\t" + std::to_string(section.sh_size) + "\n";
      return true;
    }
    if (name == ".note.nv.tkinfo")
      return print_maker(section);
    const bool text = name.starts_with(".text."), info = name == ".nv.info" || name.starts_with(".nv.info."),
               data = name == ".debug_line" || name == ".debug_str" || name.starts_with(".nv.constant2.") ||
                      name == ".nv.constant4";
    if (!text && !info && !data)
      return true;
    if (section.sh_type == llvm::ELF::SHT_NOBITS || (section.sh_flags & llvm::ELF::SHF_COMPRESSED) ||
        (text && section.sh_type != llvm::ELF::SHT_PROGBITS))
      return fail(name.str() + " is of another kind");
    if (!within_bounds(section.sh_size))
      return fail("its sections share too many bytes");
    const std::optional<StringRef> bytes = bytes_of(section);
    if (!bytes)
      return false;
    begin(name);
    if (text)
      return print_code(index, name.drop_front(StringRef(".text.").size()), *bytes);
    if (info)
      return print_info(name, *bytes);
    return print_data(index, name, *bytes);
  }

  /// The tool that wrote the file: nvlink counts what the system reserves of shared memory without saying so.
  bool print_maker(const Section &section) {
    const std::optional<StringRef> bytes = bytes_of(section);
    if (!bytes)
      return false;
    begin(".note.nv.tkinfo");
    if (bytes->contains(StringRef("\0nvlink\0", 8)))
      out_ += "\t.string\t\"nvlink\"\n";
    return true;
  }

  void begin(StringRef name) { out_ += "\t.section\t" + name.str() + ",\"\"\n"; }

  void offset(std::uint64_t at) { out_ += "        /*" + unsigned_text(at).substr(2) + "*/ \t"; }

  bool print_data(std::size_t index, StringRef name, StringRef bytes) {
    const auto relocated = relocated_.find(static_cast<unsigned>(index));
    constexpr std::size_t kAddress = 8, kRow = 16;
    for (std::size_t at = 0; at < bytes.size();) {
      std::size_t end = std::min(at + kRow, bytes.size());
      if (relocated != relocated_.end()) {
        const auto next = relocated->second.lower_bound(at);
        if (next != relocated->second.end() && next->first == at) {
          if (next->second.empty() || bytes.size() - at < kAddress ||
              bytes.substr(at, kAddress).find_first_not_of('\0') != StringRef::npos)
            return fail("a relocation of " + name.str() + " is not known");
          offset(at);
          out_ += ".dword\t" + next->second + "\n";
          at += kAddress;
          continue;
        }
        if (next != relocated->second.end())
          end = std::min<std::size_t>(end, next->first);
      }
      offset(at);
      out_ += ".byte\t";
      for (std::size_t i = at; i < end; ++i) {
        constexpr char kDigits[] = "0123456789abcdef";
        const unsigned char byte = static_cast<unsigned char>(bytes[i]);
        out_ += i == at ? "0x" : ", 0x";
        out_ += kDigits[byte >> 4];
        out_ += kDigits[byte & 15];
      }
      out_ += '\n';
      at = end;
    }
    return true;
  }

  static std::uint32_t word_at(StringRef bytes, std::size_t at, unsigned size = 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, size);
    return word;
  }

  std::string symbol(std::uint32_t index) const { return index < symbols_.size() ? symbols_[index] : std::string(); }

  /// Targets of computed branches: where the branch is, a word of no interest, how many targets there are, and these.
  bool read_targets(StringRef name, StringRef content) {
    constexpr std::size_t kWord = 4, kHead = 3 * kWord;
    name.consume_front(".nv.info.");
    for (std::size_t at = 0; at < content.size();) {
      if (content.size() - at < kHead)
        return fail("targets of computed branches break off");
      const std::uint32_t branch = word_at(content, at), count = word_at(content, at + 2 * kWord);
      at += kHead;
      if (count > (content.size() - at) / kWord)
        return fail("targets of computed branches break off");
      std::vector<std::uint64_t> &targets = computed_[name.str()][branch];
      for (std::uint32_t i = 0; i < count; ++i, at += kWord)
        targets.push_back(word_at(content, at));
    }
    return true;
  }

  bool print_info(StringRef name, StringRef bytes) {
    constexpr std::size_t kHead = 4;
    for (std::size_t at = 0; at < bytes.size();) {
      if (bytes.size() - at < kHead)
        return fail("an attribute of .nv.info breaks off");
      const unsigned format = static_cast<unsigned char>(bytes[at]), number = static_cast<unsigned char>(bytes[at + 1]);
      const std::size_t size = format == kSized ? word_at(bytes, at + 2, 2) : 0;
      if ((format != kNoValue && format != kByteValue && format != kShortValue && format != kSized) ||
          size > bytes.size() - at - kHead)
        return fail("an attribute of .nv.info is not known");
      const StringRef content = bytes.substr(at + kHead, size);
      const Attribute *attribute =
          std::ranges::find_if(kAttributes, [&](const Attribute &known) { return known.number == number; });
      if (attribute != std::end(kAttributes)) {
        if (format != kSized || !print_attribute(*attribute, content, at + kHead))
          return fail("an attribute of .nv.info has another size: " + unsigned_text(number));
      } else if (number == kIndirectTargets) {
        if (format != kSized || !read_targets(name, content))
          return fail("targets of computed branches are not known");
      } else if (std::ranges::find(kOfNoInterest, number) == std::end(kOfNoInterest)) {
        return fail("an attribute of .nv.info is not known: " + unsigned_text(number));
      }
      at += kHead + size;
    }
    return true;
  }

  /// False: its size is not what it is known to be.
  bool print_attribute(const Attribute &attribute, StringRef content, std::size_t at) {
    out_ += std::string("\t//----- nvinfo : ") + attribute.name + "\n";
    const auto word = [&](std::size_t i) {
      offset(at + i);
      out_ += ".word\t" + unsigned_text(word_at(content, i)) + "\n";
    };
    const auto half = [&](std::size_t i) {
      offset(at + i);
      out_ += ".short\t" + unsigned_text(word_at(content, i, 2)) + "\n";
    };
    constexpr std::size_t kWord = 4, kParameter = 12, kBank = 8;
    switch (attribute.content) {
    case AttributeContent::FunctionAndWord:
      if (content.size() != 2 * kWord || symbol(word_at(content, 0)).empty())
        return false;
      if (!within_bounds(symbol(word_at(content, 0)).size()))
        return false;
      offset(at);
      out_ += ".word\tindex@(" + symbol(word_at(content, 0)) + ")\n";
      word(kWord);
      return true;
    case AttributeContent::Parameter:
      if (content.size() != kParameter)
        return false;
      word(0);
      half(4);
      half(6);
      offset(at + 8);
      out_ += ".byte\t";
      for (std::size_t i = 8; i < kParameter; ++i)
        out_ += (i == 8 ? "" : ", ") + unsigned_text(static_cast<unsigned char>(content[i]));
      out_ += '\n';
      return true;
    case AttributeContent::SizedParameter:
      if (content.size() != kParameter)
        return false;
      word(0);
      half(4);
      half(6);
      half(8);
      return true;
    case AttributeContent::ConstantBank:
      if (content.size() != kBank)
        return false;
      half(4);
      half(6);
      return true;
    case AttributeContent::Words:
      if (content.size() % kWord != 0)
        return false;
      for (std::size_t i = 0; i + kWord <= content.size(); i += kWord)
        word(i);
      return true;
    }
    return false;
  }

  bool print_code(std::size_t index, StringRef name, StringRef bytes) {
    if (relocated_.contains(static_cast<unsigned>(index)) && !relocated_[static_cast<unsigned>(index)].empty())
      return fail("relocations in the code of " + name.str() + " are not known");
    if (bytes.size() % kInstructionBytes != 0)
      return fail("the code of " + name.str() + " breaks off");
    std::vector<std::string> lines;
    std::set<std::uint64_t> targets;
    const std::map<std::uint64_t, std::vector<std::uint64_t>> &branches = computed_[name.str()];
    for (std::uint64_t at = 0; at < bytes.size(); at += kInstructionBytes) {
      InstructionWord word;
      std::memcpy(&word.low, bytes.data() + at, sizeof word.low);
      std::memcpy(&word.high, bytes.data() + at + sizeof word.low, sizeof word.high);
      DecodedInstruction decoded = decode_instruction(table_, word, at);
      if (decoded.error.empty() && decoded.target &&
          (*decoded.target > bytes.size() || *decoded.target % kInstructionBytes != 0))
        decoded.error = "a branch leaves the function";
      if (!decoded.error.empty())
        return fail("instruction " + unsigned_text(word.low) + " " + unsigned_text(word.high) + " of " + name.str() +
                    ": " + decoded.error);
      if (decoded.target)
        targets.insert(*decoded.target);
      if (const auto computed = branches.find(at); computed != branches.end()) {
        std::string names;
        std::vector<std::uint64_t> named;
        for (const std::uint64_t target : computed->second) {
          if (target > bytes.size() || target % kInstructionBytes != 0)
            return fail("a computed branch leaves " + name.str());
          targets.insert(target);
          if (std::find(named.begin(), named.end(), target) != named.end())
            continue; // each once
          named.push_back(target);
          names += (names.empty() ? "" : ",") + label_of(target);
        }
        decoded.text += " (*\"BRANCH_TARGETS " + names + "\"*)";
      }
      decoded.text += " ;";
      lines.push_back(std::move(decoded.text));
    }
    printed_.insert(name.str());
    if (kernels_.contains(name.str()))
      out_ += "\t.other\t" + name.str() + ",@\"STO_CUDA_ENTRY STV_DEFAULT\"\n";
    for (std::uint64_t at = 0; at <= bytes.size(); at += kInstructionBytes) {
      if (targets.contains(at))
        out_ += label_of(at) + ":\n";
      if (at == bytes.size())
        break;
      offset(at);
      out_ += lines[at / kInstructionBytes] + "\n";
    }
    return true;
  }

  const ELFFile<ELF64LE> &file_;
  const EncodingTable &table_;
  std::vector<std::string> symbols_;                                                    ///< by index
  std::set<std::string> kernels_, printed_;                                             ///< functions
  std::map<unsigned, std::map<std::uint64_t, std::string>> relocated_;                  ///< by section and offset
  std::map<std::string, std::map<std::uint64_t, std::vector<std::uint64_t>>> computed_; ///< branches, by function
  std::uint64_t taken_ = 0;
  std::string out_, error_;
};

} // namespace

PrintedCubin print_cubin(std::string_view bytes) {
  const ReadCubin read = read_cubin(bytes);
  if (!read.error.empty())
    return {{}, read.error};
  const ParsedEncodings &encodings = encodings_of(read.cubin.architecture);
  if (!encodings.error.empty())
    return {{}, encodings.error};
  llvm::Expected<ELFFile<ELF64LE>> file = ELFFile<ELF64LE>::create(StringRef(bytes.data(), bytes.size()));
  if (!file) {
    llvm::consumeError(file.takeError());
    return {{}, "it is damaged"};
  }
  if (file->getHeader().e_type != llvm::ELF::ET_EXEC)
    return {{}, "it is relocatable code, which has not been linked"};
  return Printer(*file, encodings.table, read.cubin.architecture).run();
}

} // namespace smem::compiled
