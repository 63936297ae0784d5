// smem-disassemble: cubins as listings, as print_cubin() has them. For those who work on the encodings.
//
//   smem-disassemble FILE.cubin...                prints the listing
//   smem-disassemble --check FILE.cubin LISTING   compares with what `nvdisasm -gi` printed, as parse_listing() reads both
//   smem-disassemble --raw ARCHITECTURE FILE      prints instructions, one a line, that lie in a file one behind the other; `? why`: not known
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sass/disassembler/decode.h"
#include "sass/disassembler/print_cubin.h"
#include "sass/listing.h"
#include "sinks/files.h"

namespace {

using namespace smem::compiled;

/// The operand with the label replaced by what it stands at.
std::string plain(const ListedFunction &function, const std::string &operand) {
  const std::size_t at = operand.find("`(");
  if (at == std::string::npos)
    return operand;
  const std::string name = operand.substr(at + 2, operand.size() - at - 3);
  const auto label = function.labels.find(name);
  return operand.substr(0, at) + (label == function.labels.end() ? name : "#" + std::to_string(label->second));
}

/// How many instructions, and what else of them, differ.
int differences(const Listing &ours, const Listing &theirs, const std::string &name) {
  int found = 0;
  const auto report = [&](const std::string &what) {
    constexpr int kShown = 20;
    if (++found <= kShown)
      std::printf("%s: %s\n", name.c_str(), what.c_str());
  };
  if (ours.functions.size() != theirs.functions.size() || ours.architecture != theirs.architecture ||
      ours.reserves_shared != theirs.reserves_shared || ours.addresses != theirs.addresses ||
      ours.has_places != theirs.has_places || ours.sources.size() != theirs.sources.size())
    report("other functions, addresses or sources");
  for (const ListedFunction &function : theirs.functions) {
    const auto found_here = ours.find(function.name);
    if (found_here.size() != 1) {
      report("no function " + function.name);
      continue;
    }
    const ListedFunction &mine = *found_here[0];
    const auto &a = mine.resources, &b = function.resources;
    if (mine.kernel != function.kernel || mine.required_block != function.required_block ||
        mine.max_threads != function.max_threads || mine.constants != function.constants ||
        mine.system_calls != function.system_calls || mine.parameter_base != function.parameter_base ||
        a.registers != b.registers || a.stack_bytes != b.stack_bytes || a.shared_bytes != b.shared_bytes ||
        a.local_loads != b.local_loads || a.local_stores != b.local_stores ||
        mine.parameters.size() != function.parameters.size() || mine.code.size() != function.code.size()) {
      report("other attributes of " + function.name);
      continue;
    }
    for (std::size_t i = 0; i < mine.parameters.size(); ++i)
      if (mine.parameters[i].index != function.parameters[i].index ||
          mine.parameters[i].offset != function.parameters[i].offset ||
          mine.parameters[i].size != function.parameters[i].size)
        report("another parameter of " + function.name);
    for (std::size_t i = 0; i < mine.code.size(); ++i) {
      const ListedInstruction &x = mine.code[i], &y = function.code[i];
      std::string left = x.guard + " " + x.opcode, right = y.guard + " " + y.opcode;
      for (const std::string &operand : x.operands)
        left += " " + plain(mine, operand);
      for (const std::string &operand : y.operands)
        right += " " + plain(function, operand);
      for (const std::string &target : x.targets)
        left += " " + plain(mine, "`(" + target + ")");
      for (const std::string &target : y.targets)
        right += " " + plain(function, "`(" + target + ")");
      bool same = left == right && x.address == y.address && x.places.size() == y.places.size();
      for (std::size_t p = 0; same && p < x.places.size(); ++p)
        same = x.places[p].file == y.places[p].file && x.places[p].line == y.places[p].line;
      if (!same)
        report(left + " <> " + right);
    }
  }
  return found;
}

int print_raw(const std::string &architecture, const std::string &path) {
  std::string wrong;
  const std::optional<std::string> bytes = smem::sinks::read_file(path, wrong);
  const ParsedEncodings &encodings = encodings_of(architecture);
  if (!bytes || !encodings.error.empty()) {
    std::fprintf(stderr, "%s: %s\n", path.c_str(), bytes ? encodings.error.c_str() : wrong.c_str());
    return 2;
  }
  for (std::size_t at = 0; at + sizeof(InstructionWord) <= bytes->size(); at += sizeof(InstructionWord)) {
    InstructionWord word;
    std::memcpy(&word, bytes->data() + at, sizeof word);
    const DecodedInstruction decoded = decode_instruction(encodings.table, word, at);
    std::printf("%s\n", decoded.error.empty() ? decoded.text.c_str() : ("? " + decoded.error).c_str());
  }
  return 0;
}

} // namespace

int main(int count, char **values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  const bool check = !arguments.empty() && arguments[0] == "--check";
  if (arguments.size() == 3 && arguments[0] == "--raw")
    return print_raw(arguments[1], arguments[2]);
  if (arguments.empty() || (check && arguments.size() != 3)) {
    std::fputs("usage: smem-disassemble FILE.cubin...\n       smem-disassemble --check FILE.cubin LISTING\n"
               "       smem-disassemble --raw ARCHITECTURE FILE\n",
               stderr);
    return 2;
  }
  for (std::size_t i = check; i < arguments.size(); ++i) {
    std::string wrong;
    const std::optional<std::string> bytes = smem::sinks::read_file(arguments[i], wrong);
    const PrintedCubin printed = bytes ? print_cubin(*bytes) : PrintedCubin{{}, wrong};
    if (!printed.error.empty()) {
      std::fprintf(stderr, "%s: %s\n", arguments[i].c_str(), printed.error.c_str());
      return 2;
    }
    if (!check) {
      std::fwrite(printed.text.data(), 1, printed.text.size(), stdout);
      continue;
    }
    const std::optional<std::string> text = smem::sinks::read_file(arguments[2], wrong);
    const ParsedListing ours = parse_listing(printed.text),
                        theirs = text ? parse_listing(*text) : ParsedListing{{}, wrong, 0};
    if (!ours.listing || !theirs.listing) {
      std::fprintf(stderr, "%s: %s%s\n", arguments[i].c_str(), ours.error.c_str(), theirs.error.c_str());
      return 2;
    }
    return differences(*ours.listing, *theirs.listing, arguments[i]) ? 1 : 0;
  }
  return 0;
}
