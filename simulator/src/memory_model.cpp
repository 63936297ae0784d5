#include "smem/memory_model.h"

#include "global_request.h"
#include "shared_request.h"
#include "smem/architecture.h"

namespace smem {

RequestCost evaluate(const Request &request, const Access &access, const Architecture &architecture) {
  if (request.active == 0)
    return {};
  return access.space == Space::Shared ? shared_cost(request, access, architecture.rules) : global_cost(request, access);
}

std::string_view unsupported_reason(const Access &access, const Architecture &architecture) {
  switch (access.operation) {
  case Operation::Load:
  case Operation::Store: return {};
  case Operation::AsyncCopy: return architecture.async_copy ? "" : "this architecture has no cp.async";
  case Operation::MatrixLoad: return architecture.matrix_load ? "" : "this architecture has no ldmatrix";
  case Operation::MatrixStore: return architecture.matrix_store ? "" : "this architecture has no stmatrix";
  case Operation::Atomic: break;
  }
  if (access.space == Space::Global)
    return {};
  switch (architecture.rules.shared_atomic(static_cast<std::size_t>(access.atomic), access.width_bits, access.result_used).service) {
  case AtomicService::EqualWordsAtOnce:
  case AtomicService::LaneByLane: return {};
  case AtomicService::LoopOfCompareSwap:
    return "this shared atomic is compiled to a loop of compare-and-swap, whose trips depend on how the lanes contend";
  case AtomicService::Unknown: break;
  }
  return "no measurement of this kind of shared atomic";
}

} // namespace smem
