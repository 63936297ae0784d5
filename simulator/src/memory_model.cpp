#include "smem/memory_model.h"

#include "global_request.h"
#include "shared_request.h"
#include "smem/architecture.h"

namespace smem {

namespace {

/// By size alone: neither layout nor swizzle of the operands makes a difference, and ideal is what there is.
RequestCost operand_cost(const Access &access) {
  RequestCost cost;
  cost.wavefronts = cost.ideal_wavefronts = access.operand_bytes / kWavefrontBytes;
  return cost;
}

} // namespace

RequestCost evaluate(const Request &request, const Access &access, const Architecture &architecture) {
  if (request.active == 0)
    return {};
  if (access.uncounted || access.operation == Operation::BulkCopy)
    return {};
  if (access.operation == Operation::MatrixMultiply)
    return operand_cost(access);
  return access.space == Space::Shared ? shared_cost(request, access, architecture.rules)
                                       : global_cost(request, access);
}

namespace {

std::string_view why_no_atomic(const Access &access, const Architecture &architecture) {
  if (access.space == Space::Global)
    return access.width_bits >= 32
               ? ""
               : "an atomic of 16 bits is compiled to a loop of compare-and-swap of the word around it, whose trips depend on how lanes and warps contend";
  const std::size_t kind = static_cast<std::size_t>(access.atomic);
  switch (architecture.rules.shared_atomic(kind, access.width_bits, access.result_used).service) {
  case AtomicService::EqualWordsAtOnce:
  case AtomicService::LaneByLane: return {};
  case AtomicService::LoopOfCompareSwap:
    return "this shared atomic is compiled to a loop of compare-and-swap, whose trips depend on how lanes and warps contend";
  case AtomicService::LoopOnValues:
    return "this shared atomic is compiled to a loop of compare-and-swap, whose trips depend on the values compared";
  case AtomicService::Unknown: break;
  }
  return "no measurement of this kind of shared atomic";
}

std::string_view why_no_copy(const Access &access, const Architecture &architecture) {
  if (!architecture.async_copy)
    return "this architecture has no cp.async";
  if (access.space == Space::Shared || access.bypass_l1)
    return "the sides of cp.async depend on one another";
  const CopyService service = access.bypass_l1 ? architecture.rules.bypass_copy : architecture.rules.cached_copy;
  return service == CopyService::Unknown ? "no measurement of cp.async" : "";
}

} // namespace

std::string_view unsupported_reason(const Access &access, const Architecture &architecture) {
  if (access.uncounted && !architecture.bulk_copy)
    return "this architecture has no clusters of blocks";
  switch (access.operation) {
  case Operation::Load:
  case Operation::Store: return {};
  case Operation::Atomic: return why_no_atomic(access, architecture);
  case Operation::AsyncCopy: return why_no_copy(access, architecture);
  case Operation::MatrixLoad: return architecture.matrix_load ? "" : "this architecture has no ldmatrix";
  case Operation::MatrixStore: return architecture.matrix_store ? "" : "this architecture has no stmatrix";
  case Operation::MatrixMultiply: return architecture.matrix_multiply ? "" : "this architecture has no wgmma";
  case Operation::BulkCopy: return architecture.bulk_copy ? "" : "this architecture has no bulk copies";
  }
  return "unknown operation";
}

} // namespace smem
