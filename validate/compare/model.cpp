#include "model.h"

namespace smem::compare {

const std::array<Column, 5> columns{{{"wavefronts", "wavefronts", &Figures::wavefronts},
                                     {"ideal_wavefronts", "ideal", &Figures::ideal_wavefronts},
                                     {"sectors", "sectors", &Figures::sectors},
                                     {"ideal_sectors", "ideal", &Figures::ideal_sectors},
                                     {"tags", "tags", &Figures::tags}}};

Figures &Figures::operator+=(const Figures &other) {
  requests += other.requests;
  for (const Column &column : columns)
    this->*column.value += other.*column.value;
  return *this;
}

bool Figures::agrees_with(const Figures &other) const {
  for (const Column &column : columns)
    if (this->*column.value != other.*column.value)
      return false;
  return true;
}

const char *to_string(Space space) { return space == Space::Shared ? "shared" : "global"; }

const char *to_string(Operation operation) {
  switch (operation) {
  case Operation::Load: return "load";
  case Operation::Store: return "store";
  case Operation::Atomic: return "atomic";
  case Operation::AsyncCopy: return "async_copy";
  case Operation::MatrixLoad: return "matrix_load";
  case Operation::MatrixStore: return "matrix_store";
  case Operation::MatrixMultiply: return "matrix_multiply";
  case Operation::BulkCopy: return "bulk_copy";
  case Operation::Undecoded: return "undecoded";
  }
  return "undecoded";
}

const char *to_string(Claim claim) {
  switch (claim) {
  case Claim::Exact: return "exact";
  case Claim::Assumed: return "assumed";
  case Claim::Unknown: return "unknown";
  }
  return "unknown";
}

const char *to_string(Verdict verdict) {
  switch (verdict) {
  case Verdict::Exact: return "exact";
  case Verdict::Unknown: return "unknown";
  case Verdict::Mismatch: return "mismatch";
  case Verdict::Unstable: return "unstable";
  }
  return "mismatch";
}

const char *to_string(Cause cause) {
  switch (cause) {
  case Cause::None: return "none";
  case Cause::Merged: return "merged";
  case Cause::Split: return "split";
  case Cause::Dropped: return "dropped";
  case Cause::Repeated: return "repeated";
  case Cause::Attribution: return "attribution";
  case Cause::NotPredicted: return "not_predicted";
  case Cause::Undecoded: return "undecoded";
  case Cause::Undetermined: return "undetermined";
  case Cause::Model: return "model";
  }
  return "model";
}

std::string to_string(const Configuration &configuration) {
  const auto dim = [](const Dim3 &d) {
    return std::string("(") + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
  };
  std::string text = "grid " + dim(configuration.grid) + " block " + dim(configuration.block);
  if (configuration.dynamic_shared)
    text += " dynamic shared " + std::to_string(configuration.dynamic_shared);
  return text;
}

} // namespace smem::compare
