#include "plan/recorded_drafts.h"

#include <algorithm>

namespace smem {
namespace {

/// Above this a 64-bit value is taken for a pointer. What is said of one holds for any number: its remainder.
constexpr std::uint64_t kLeastPointer = std::uint64_t{1} << 40;

/// The pieces of the arguments that the kernel reads, as they were recorded.
std::vector<ArgumentValue> recorded_arguments(const RecordedLaunch &record, const Program &program, const Uses &uses) {
  std::vector<ArgumentValue> arguments;
  for (const Uses::Piece &piece : uses.arguments) {
    const auto value = record.argument(piece.index, piece.offset, piece.width);
    if (!value || piece.index >= program.parameters.size())
      continue;
    ArgumentValue argument;
    argument.index = piece.index;
    argument.offset = piece.offset;
    argument.width_bits = piece.width;
    argument.provenance = Provenance::Recorded;
    // A null pointer is a number, so that a kernel's question for it is answered.
    argument.pointer =
        piece.width == 64 && *value && (program.parameters[piece.index].pointer || *value >= kLeastPointer);
    const std::uint64_t sign = std::uint64_t{1} << (piece.width - 1);
    const bool negative = (*value & sign) && program.parameters[piece.index].type.find("unsigned") == std::string::npos;
    argument.value = static_cast<std::int64_t>(argument.pointer ? *value % argument.alignment
                                               : negative       ? (*value ^ sign) - sign
                                                                : *value);
    if (argument.pointer)
      argument.origin = {PointerOrigin::kRecorded, *value, std::nullopt};
    if (!arguments.empty() && arguments.back().index == piece.index && arguments.back().offset == piece.offset)
      arguments.back() = argument; // the wider of two readings
    else
      arguments.push_back(argument);
  }
  return arguments;
}

} // namespace

std::vector<Draft> recorded_drafts(std::span<const RecordedLaunch> recorded, const std::vector<Draft> &host,
                                   const Program &program, const Uses &uses) {
  std::vector<Draft> drafts;
  for (const RecordedLaunch &record : recorded) {
    const auto add = [&](Draft draft) {
      draft.launch.grid = record.grid;
      draft.launch.block = record.block;
      draft.launch.dynamic_shared_bytes = record.dynamic_shared_bytes;
      draft.grid_known = draft.block_known = draft.dynamic_known = true;
      draft.grid_said = draft.block_said = draft.dynamic_said = true;
      draft.searched = false;
      draft.launch.shape_provenance = Provenance::Recorded;
      draft.launch.location = record.location;
      if (!record.arguments.empty())
        draft.launch.arguments = recorded_arguments(record, program, uses);
      const auto before =
          std::find_if(drafts.rbegin(), drafts.rend(), [&](const Draft &other) { return same_shape(draft, other); });
      if (before == drafts.rend() || !same(draft, *before))
        drafts.push_back(std::move(draft));
      else
        keep_common_origins(before->launch.arguments, draft.launch.arguments);
    };
    const auto may_be = [&](const Draft &draft) {
      return (!draft.grid_known || draft.launch.grid == record.grid) &&
             (!draft.block_known || draft.launch.block == record.block) &&
             (!draft.dynamic_known || draft.launch.dynamic_shared_bytes == record.dynamic_shared_bytes);
    };
    if (!record.arguments.empty() || std::none_of(host.begin(), host.end(), may_be))
      add({});
    else
      for (const Draft &draft : host)
        if (may_be(draft))
          add(draft);
  }
  return drafts;
}

} // namespace smem
