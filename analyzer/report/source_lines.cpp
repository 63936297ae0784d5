#include "report/source_lines.h"

#include "sinks/files.h"

namespace smem {

SourceLines::File SourceLines::split(std::string contents) {
  File file{std::move(contents), {0}};
  for (std::size_t i = 0; i < file.contents.size(); ++i)
    if (file.contents[i] == '\n')
      file.starts.push_back(i + 1);
  return file;
}

void SourceLines::add(std::string file, std::string contents) {
  files.insert_or_assign(std::move(file), split(std::move(contents)));
}

const SourceLines::File &SourceLines::load(const std::string &file) {
  const auto found = files.find(file);
  if (found != files.end())
    return found->second;
  std::string wrong;
  return files.emplace(file, split(sinks::read_file(file, wrong).value_or(""))).first->second;
}

std::string_view SourceLines::line(const std::string &file, unsigned line) {
  const File &text = load(file);
  if (line == 0 || line > text.starts.size())
    return {};
  const std::size_t start = text.starts[line - 1];
  std::string_view view = std::string_view(text.contents).substr(start);
  view = view.substr(0, view.find('\n'));
  if (!view.empty() && view.back() == '\r')
    view.remove_suffix(1);
  return view;
}

} // namespace smem
