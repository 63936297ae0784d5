#include "json_fields.h"
#include "places.h"

namespace smem::compare {
namespace {

Space space_of(const std::string &text) {
  if (text == "shared")
    return Space::Shared;
  if (text == "global")
    return Space::Global;
  throw InputError("unknown space '" + text + "'");
}

Operation operation_of(const std::string &text) {
  for (const Operation operation :
       {Operation::Load, Operation::Store, Operation::Atomic, Operation::AsyncCopy, Operation::MatrixLoad,
        Operation::MatrixStore, Operation::MatrixMultiply, Operation::BulkCopy})
    if (text == to_string(operation))
      return operation;
  throw InputError("unknown operation '" + text + "'");
}

Claim claim_of(const std::string &text) {
  for (const Claim claim : {Claim::Exact, Claim::Assumed, Claim::Unknown})
    if (text == to_string(claim))
      return claim;
  throw InputError("unknown verdict '" + text + "'");
}

PredictedSite read_site(const Json &json) {
  PredictedSite site;
  site.chain = chain_of(json);
  // Of machine code without a line table.
  if (const Json &pcs = array_of(json, "pcs");
      !pcs.empty() && pcs.front().is_number_unsigned() && user_place(site.chain).line == 0)
    site.chain = {{"", 0, pcs.front().get<std::uint64_t>()}};
  if (site.chain.empty())
    throw InputError("a site has neither a line nor an address");
  site.space = space_of(text_of(json, "space"));
  site.operation = operation_of(text_of(json, "operation"));
  site.width = static_cast<unsigned>(count_of(json, "width_bits"));
  site.expression = text_of(json, "expression");
  site.reason = text_of(json, "reason");
  site.claim = claim_of(text_of(json, "verdict"));
  const Json *line_assumed = find(json, "line_assumed");
  site.line_assumed = line_assumed && line_assumed->is_boolean() && line_assumed->get<bool>();
  if (site.claim == Claim::Unknown)
    return site;
  site.figures.requests = required_count(json, "requests");
  for (const Column &column : columns)
    site.figures.*column.value = required_count(json, column.key);
  return site;
}

} // namespace

Prediction read_prediction(std::istream &in, const std::string &name) {
  const Json json = Json::parse(in, nullptr, false);
  if (json.is_discarded())
    throw InputError(name + ": not JSON, or cut off");
  const Json *tool = find(json, "tool");
  if (!tool || !tool->is_object() || !find(json, "launches"))
    throw InputError(name + ": not a report of smem-lint --format=json");
  try {
    if (text_of(*tool, "name") != "smem-lint")
      throw InputError("not a report of smem-lint --format=json");
    if (text_of(json, "schema_version").rfind("1.", 0) != 0)
      throw InputError("schema version '" + text_of(json, "schema_version") + "' is not 1.x");
    Prediction prediction;
    prediction.arch = text_of(json, "arch");
    prediction.hashes = hashes_of(json);
    for (const Json &entry : array_of(json, "launches")) {
      PredictedLaunch launch;
      launch.kernel = text_of(entry, "kernel");
      launch.mangled = text_of(entry, "mangled");
      launch.place = place_of(entry);
      launch.configuration = {dim_of(entry, "grid"), dim_of(entry, "block"), count_of(entry, "dynamic_shared_bytes")};
      if (const Json *origin = find(entry, "origin"); origin && text_of(*origin, "kind") == "recorded")
        if (const Json *location = find(*origin, "location"); location && location->is_object())
          launch.record = count_of(*location, "line");
      for (const Json &site : array_of(entry, "sites"))
        launch.sites.push_back(read_site(site));
      for (const PredictedSite &site : launch.sites)
        prediction.by_pc |= site.chain.front().pc.has_value();
      prediction.launches.push_back(std::move(launch));
    }
    return prediction;
  } catch (const InputError &error) {
    throw InputError(name + ": " + error.what());
  }
}

} // namespace smem::compare
