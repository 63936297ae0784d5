// Names of the plain data types, as messages and machine formats print them.
#include <string>

#include "smem/launch.h"
#include "smem/memory_model.h"
#include "smem/source.h"

namespace smem {

std::string to_string(const SourceLocation &location) {
  if (!location.known())
    return location.file.empty() ? "<unknown>" : location.file;
  std::string text = location.file;
  text.append(1, ':').append(std::to_string(location.line));
  if (location.column != 0)
    text.append(1, ':').append(std::to_string(location.column));
  return text;
}

std::string to_string(const std::vector<Assumption> &assumptions) {
  std::string all;
  for (const Assumption &assumption : assumptions)
    all += (all.empty() ? "" : "; ") + assumption.text;
  return all;
}

std::string to_string(const Dim3 &dim) {
  std::string text;
  text.append(1, '(').append(std::to_string(dim.x));
  text.append(1, ',').append(std::to_string(dim.y));
  text.append(1, ',').append(std::to_string(dim.z));
  return text.append(1, ')');
}

std::string_view to_string(Provenance provenance) {
  switch (provenance) {
  case Provenance::Option: return "option";
  case Provenance::Comment: return "comment";
  case Provenance::Config: return "configuration";
  case Provenance::Recorded: return "recorded launch";
  case Provenance::HostCode: return "host code";
  case Provenance::LaunchBounds: return "launch bounds";
  case Provenance::Assumed: return "assumed";
  }
  return "?";
}

std::string_view to_string(Space space) {
  switch (space) {
  case Space::Shared: return "shared";
  case Space::Global: return "global";
  }
  return "?";
}

std::string_view to_string(Operation operation) {
  switch (operation) {
  case Operation::Load: return "load";
  case Operation::Store: return "store";
  case Operation::Atomic: return "atomic";
  case Operation::AsyncCopy: return "async_copy";
  case Operation::MatrixLoad: return "matrix_load";
  case Operation::MatrixStore: return "matrix_store";
  case Operation::MatrixMultiply: return "matrix_multiply";
  case Operation::BulkCopy: return "bulk_copy";
  }
  return "?";
}

} // namespace smem
