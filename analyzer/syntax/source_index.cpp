#include "syntax/source_index.h"

namespace smem {

namespace {

const ExpressionText *only_one_of_line(const std::map<SourceLocation, ExpressionText> &expressions,
                                       const SourceLocation &place, bool load) {
  const ExpressionText *found = nullptr;
  for (auto entry = expressions.lower_bound({place.file, place.line, 0});
       entry != expressions.end() && entry->first.file == place.file && entry->first.line == place.line; ++entry) {
    if (entry->second.written == load)
      continue;
    if (found && found->text != entry->second.text)
      return nullptr;
    found = &entry->second;
  }
  return found;
}

} // namespace

const ExpressionText *find_expression(const SourceIndex &index, const SourceLocation &place, bool load) {
  if (load)
    if (const auto found = index.copied_from.find(place); found != index.copied_from.end())
      return &found->second;
  if (const auto found = index.expressions.find(place); found != index.expressions.end())
    return &found->second;
  return place.known() && place.column == 0 ? only_one_of_line(index.expressions, place, load) : nullptr;
}

} // namespace smem
