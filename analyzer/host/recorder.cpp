#include "host/recorder.h"

#include <algorithm>

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/TargetInfo.h>

#include "syntax/locations.h"
#include "host/typical_device.h"
#include "syntax/ir_names.h"

namespace smem {

namespace {

constexpr const char *kRunWithoutArguments = "the program is run without arguments (argc == 1)";
constexpr const char *kOccupancyByThreads =
    "neither registers nor static shared memory limit the occupancy that host code asks for";

bool same_arguments(const std::vector<ArgumentValue> &a, const std::vector<ArgumentValue> &b) {
  return std::ranges::equal(a, b, [](const ArgumentValue &x, const ArgumentValue &y) {
    return x.index == y.index && x.offset == y.offset && x.width_bits == y.width_bits && x.pointer == y.pointer &&
           x.value == y.value && x.alignment == y.alignment && x.facts == y.facts;
  });
}

bool same_launch(const HostLaunch &a, const HostLaunch &b) {
  return a.launch.mangled == b.launch.mangled && a.shape_known == b.shape_known && a.launch.grid == b.launch.grid &&
         a.launch.block == b.launch.block && a.launch.block_facts == b.launch.block_facts &&
         a.launch.dynamic_shared_bytes == b.launch.dynamic_shared_bytes && a.reached == b.reached &&
         a.unknown == b.unknown && same_arguments(a.launch.arguments, b.launch.arguments);
}

/// The same down to what nothing is known of, and why.
bool repeats(const Value &a, const Value &b) {
  if (a.is.index() != b.is.index() || a.assumed != b.assumed || a.term != b.term)
    return false;
  if (const auto *nothing = a.as<Unknown>()) {
    const auto *other = b.as<Unknown>();
    return same(a, b) && (nothing->reason == other->reason ||
                          (nothing->reason && other->reason && *nothing->reason == *other->reason));
  }
  if (const auto *aggregate = a.as<Aggregate>()) {
    const auto *other = b.as<Aggregate>();
    const Elements &parts = aggregate->elements, &others = other->elements;
    return aggregate->record == other->record &&
           (parts.same_as(others) || (parts.size() == others.size() && parts.repeated() == others.repeated() &&
                                      std::ranges::equal(parts.distinct(), others.distinct(), repeats)));
  }
  return !a.as<Container>() && same(a, b);
}

void note_unknown(HostLaunch &host, const std::string &what, const std::string &reason) {
  host.unknown.push_back(what + ": " + reason);
}

/// An access through a pointer that is less aligned than its type stops the kernel.
std::uint64_t natural_alignment(clang::QualType pointee, const clang::ASTContext &context) {
  if (pointee->isIncompleteType() || pointee->isFunctionType())
    return 1;
  return std::min<std::uint64_t>(context.getTypeAlignInChars(pointee).getQuantity(), kDeviceAlignment);
}

std::array<TermId, 3> terms_of(const Value &dim) {
  std::array<TermId, 3> terms{};
  const auto *aggregate = dim.as<Aggregate>();
  for (std::size_t i = 0; aggregate && i < std::min(terms.size(), aggregate->elements.size()); ++i)
    terms[i] = aggregate->elements[i].term;
  return terms;
}

/// What is known of an integer in every run of the program, whether or not its value is.
ArgumentFacts facts_of(const Value &value) {
  ArgumentFacts facts;
  if (value.assumed != kNothingAssumed)
    return facts;
  if (const auto *number = value.as<llvm::APSInt>(); number && number->getSignificantBits() <= 64)
    facts.least = facts.most = number->isUnsigned() && number->getActiveBits() <= 63
                                   ? static_cast<std::int64_t>(number->getZExtValue())
                                   : number->getSExtValue();
  else if (value.as<Unknown>())
    facts.modulus = static_cast<std::int64_t>(multiple_of(value));
  return facts;
}

bool fold_shape(const Value &value, const char *what, Dim3 &shape, HostLaunch &host) {
  const auto *dim = value.as<Aggregate>();
  if (!dim || dim->elements.size() < 3) {
    note_unknown(host, what, reason_of(value));
    return false;
  }
  bool known = true;
  std::uint32_t *const parts[] = {&shape.x, &shape.y, &shape.z};
  constexpr const char *kNames[] = {".x", ".y", ".z"};
  for (int i = 0; i < 3; ++i) {
    if (const auto *number = dim->elements[i].as<llvm::APSInt>()) {
      *parts[i] = static_cast<std::uint32_t>(number->getExtValue());
    } else {
      note_unknown(host, std::string(what) + kNames[i], reason_of(dim->elements[i]));
      known = false;
    }
  }
  return known;
}

/// A block that the conditions on the way to the launch leave no choice of is known, whatever it was made of.
void settle_block(HostLaunch &host) {
  Launch &launch = host.launch;
  std::uint32_t *const parts[] = {&launch.block.x, &launch.block.y, &launch.block.z};
  if (host.block_known || !std::ranges::all_of(launch.block_facts, [](const ArgumentFacts &axis) {
        return axis.least && axis.least == axis.most && *axis.least > 0 && *axis.least <= UINT32_MAX;
      }))
    return;
  for (std::size_t axis = 0; axis < std::size(parts); ++axis)
    *parts[axis] = static_cast<std::uint32_t>(*launch.block_facts[axis].least);
  launch.block_facts = {};
  host.block_known = true;
  host.shape_known = host.grid_known;
  std::erase_if(host.unknown, [](const std::string &what) { return what.starts_with("block"); });
}

} // namespace

bool LaunchRecorder::has_seen(const clang::Expr *site) const {
  return std::ranges::any_of(launches_, [&](const Entry &entry) { return entry.site == site; });
}

void LaunchRecorder::clear() {
  launches_.clear();
  latest_.clear();
  cut_off_.clear();
}

void LaunchRecorder::opt_in(const clang::FunctionDecl *kernel, std::uint64_t bytes) {
  std::uint64_t &most = opted_in_[kernel ? names_.name(kernel) : std::string()];
  most = std::max(most, bytes);
}

void LaunchRecorder::record(const MetLaunch &met) {
  if (muted_ > 0 || !met.kernel)
    return;
  if (const auto latest = latest_.find(met.site);
      latest != latest_.end() && latest->second.is_repeated_by(met, unreached_ == 0)) {
    ++launches_[latest->second.entry].launch.times;
    return;
  }
  Entry described = describe(met);
  const HostLaunch &host = described.launch;
  std::size_t of_site = 0;
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    Entry &entry = launches_[i];
    if (entry.site != met.site)
      continue;
    ++of_site;
    if (same_launch(entry.launch, host) && entry.contradicts == described.contradicts) {
      ++entry.launch.times;
      keep_common_origins(entry.launch.launch.arguments, host.launch.arguments);
      note_latest(met, i);
      return;
    }
  }
  if (of_site < most_of_site_) {
    note_latest(met, launches_.size());
    launches_.push_back(std::move(described));
  } else {
    cut_off_.insert(met.site);
  }
}

bool LaunchRecorder::Latest::is_repeated_by(const MetLaunch &met, bool is_reached) const {
  return kernel == met.kernel && function == met.function && contradicts == met.contradicts && reached == is_reached &&
         repeats(met.grid, grid) && repeats(met.block, block) && repeats(met.shared, shared) &&
         std::ranges::equal(met.arguments, arguments, repeats);
}

void LaunchRecorder::note_latest(const MetLaunch &met, std::size_t entry) {
  latest_.insert_or_assign(met.site, Latest{met.kernel, met.function, met.grid, met.block, met.shared, met.arguments,
                                            met.contradicts, unreached_ == 0, entry});
}

void LaunchRecorder::record(const clang::FunctionDecl *function, PassedCall call) {
  if (muted_ > 0)
    return;
  call.function = names_.name(function);
  call.reached = unreached_ == 0;
  std::size_t of_function = 0;
  for (const PassedCall &known : calls_) {
    if (known.function != call.function)
      continue;
    ++of_function;
    if (known == call)
      return;
  }
  if (of_function < kMostCallsOfFunction)
    calls_.push_back(std::move(call));
}

LaunchRecorder::Entry LaunchRecorder::describe(const MetLaunch &met) const {
  Entry entry{met.site,      met.kernel,  met.function,         {}, {}, met.contradicts,
              met.decisions, met.decided, met.arguments_decided};
  HostLaunch &host = entry.launch;
  Launch &launch = host.launch;
  launch.expressions = met.expressions;
  launch.mangled = names_.name(met.kernel);
  launch.location = to_location(met.site->getBeginLoc(), context_.getSourceManager());
  launch.called_from = caller_;
  launch.shape_provenance = Provenance::HostCode;
  const bool grid_known = fold_shape(met.grid, "grid", launch.grid, host);
  const bool block_known = fold_shape(met.block, "block", launch.block, host);
  host.shape_known = grid_known && block_known;
  if (const auto *bytes = met.shared.as<llvm::APSInt>())
    launch.dynamic_shared_bytes = bytes->getZExtValue();
  else
    note_unknown(host, "dynamic shared memory", reason_of(met.shared));
  host.grid_known = grid_known;
  host.block_known = block_known;
  if (const auto *dim = met.block.as<Aggregate>(); dim && !block_known)
    for (std::size_t axis = 0; axis < std::min(dim->elements.size(), launch.block_facts.size()); ++axis)
      launch.block_facts[axis] = facts_of(dim->elements[axis]);
  host.dynamic_known = met.shared.known();
  entry.rests_on = {assumptions_of(met.grid),
                    assumptions_of(met.block),
                    met.shared.assumed,
                    {},
                    terms_of(met.grid),
                    terms_of(met.block),
                    met.shared.term,
                    {},
                    {}};
  Assumptions assumed = entry.rests_on.grid | entry.rests_on.block | entry.rests_on.dynamic;
  const std::size_t count = std::min<std::size_t>(met.arguments.size(), met.kernel->getNumParams());
  for (std::size_t i = 0; i < count; ++i) {
    const clang::ParmVarDecl *parameter = met.kernel->getParamDecl(static_cast<unsigned>(i));
    flatten(met.arguments[i], parameter->getType(), static_cast<std::uint32_t>(i), 0, parameter->getNameAsString(),
            entry);
    assumed |= assumptions_of(met.arguments[i]);
  }
  add_what_is_said(entry);
  host.reached = unreached_ == 0;
  if (assumed & kNoArguments)
    launch.assumptions.push_back({kRunWithoutArguments});
  if (assumed & kDeviceAssumed) {
    const TypicalDevice &device = typical_device(context_.getTargetInfo().getTargetOpts().CPU);
    launch.assumptions.push_back({"there is one GPU and it has " + std::to_string(device.multiprocessors) +
                                  " multiprocessors, as " + std::string(device.product) + " has"});
  }
  if (assumed & kOccupancyAssumed)
    launch.assumptions.push_back({kOccupancyByThreads});
  return entry;
}

/// Of what is not known: what the conditions on the way to the launch say of it.
void LaunchRecorder::add_what_is_said(Entry &entry) const {
  Launch &launch = entry.launch.launch;
  const auto is_open = [](const ArgumentValue &one) { return !one.pointer && !one.value && one.offset == 0; };
  if (!entry.function || (entry.launch.block_known && std::ranges::none_of(launch.arguments, is_open)))
    return;
  const LaunchFacts &said = said_.of(entry.function, entry.site);
  const auto add = [](ArgumentFacts &to, const ArgumentFacts &more) {
    if (to.modulus > ArgumentFacts::kMostModulus / more.modulus)
      return false;
    const std::optional<ArgumentFacts> both = combine(to, more);
    const bool changes = both && !(*both == to);
    to = both.value_or(to);
    return changes;
  };
  for (ArgumentValue &argument : launch.arguments) {
    const auto known = said.arguments.find(argument.index);
    if (!is_open(argument) || known == said.arguments.end() ||
        !entry.kernel->getParamDecl(argument.index)->getType()->isIntegerType())
      continue;
    if (add(argument.facts, known->second.facts))
      argument.facts_location = known->second.location;
  }
  for (std::size_t axis = 0; axis < launch.block_facts.size() && !entry.launch.block_known; ++axis)
    add(launch.block_facts[axis], said.block[axis].facts);
  settle_block(entry.launch);
}

void LaunchRecorder::flatten(const Value &value, clang::QualType type, std::uint32_t index, std::uint64_t offset,
                             const std::string &name, Entry &entry) const {
  HostLaunch &host = entry.launch;
  type = type.getCanonicalType();
  const auto *aggregate = value.as<Aggregate>();
  const Value missing = is_lost(value) ? as_lost(unknown(reason_of(value))) : unknown(reason_of(value));
  auto part = [&](std::size_t i) -> const Value & {
    return aggregate && i < aggregate->elements.size() ? aggregate->elements[i] : missing;
  };
  if (const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl()) {
    record = record->getDefinition();
    if (!record || record->isInvalidDecl() || record->isUnion() || record->getNumVBases() != 0)
      return;
    const clang::ASTRecordLayout &layout = context_.getASTRecordLayout(record);
    std::size_t i = 0;
    for (const clang::CXXBaseSpecifier &base : record->bases()) {
      const auto *decl = base.getType()->getAsCXXRecordDecl();
      flatten(part(i++), base.getType(), index, offset + layout.getBaseClassOffset(decl).getQuantity(), name, entry);
    }
    for (const clang::FieldDecl *field : record->fields()) {
      if (!field->isBitField())
        flatten(part(i), field->getType(), index, offset + layout.getFieldOffset(field->getFieldIndex()) / 8,
                field->getIdentifier() ? name + "." + field->getNameAsString() : name, entry);
      ++i;
    }
    return;
  }
  if (const auto *array = context_.getAsConstantArrayType(type)) {
    constexpr std::uint64_t kMaxPieces = 512; // a parameter has 4 KB in all
    const std::uint64_t size = context_.getTypeSizeInChars(array->getElementType()).getQuantity();
    const std::uint64_t count = std::min(array->getSize().getZExtValue(), kMaxPieces);
    for (std::uint64_t i = 0; i < count; ++i)
      flatten(part(i), array->getElementType(), index, offset + i * size, name + "[" + std::to_string(i) + "]", entry);
    return;
  }
  ArgumentValue argument;
  argument.index = index;
  argument.offset = offset;
  argument.width_bits = static_cast<std::uint32_t>(context_.getTypeSize(type));
  argument.pointer = type->isPointerType() || type->isReferenceType();
  const auto *pointer = value.as<Allocation>();
  if (const auto *number = value.as<llvm::APSInt>())
    argument.value = number->isUnsigned() ? static_cast<std::int64_t>(number->getZExtValue()) : number->getSExtValue();
  else if (const auto *real = value.as<llvm::APFloat>(); real && argument.width_bits <= 64)
    argument.value = static_cast<std::int64_t>(real->bitcastToAPInt().getZExtValue());
  else if (pointer && argument.pointer) {
    argument.value = pointer->offset;
    argument.alignment = pointer->alignment;
    if (pointer->number == 0 && pointer->offset == 0) // a null pointer is a number: kernels compare with it
      argument.pointer = false;
  }
  if (pointer && argument.pointer && pointer->separate) {
    argument.origin.allocation = pointer->number;
    argument.origin.bytes = pointer->bytes;
    if (pointer->offset && *pointer->offset >= 0)
      argument.origin.place = static_cast<std::uint64_t>(*pointer->offset);
  }
  if (!argument.value) {
    std::string reason = reason_of(value);
    if (reason.empty())
      reason = pointer ? "depends on an offset that is not known" : "depends on a value that is not evaluated";
    note_unknown(host, "argument '" + name + "'", reason);
    if (argument.pointer) {
      argument.alignment =
          std::clamp(multiple_of(value), natural_alignment(type->getPointeeType(), context_), kDeviceAlignment);
      host.open_pointers.push_back({index, offset, name, std::move(reason)});
    } else if (is_lost(value)) {
      host.lost.push_back({index, offset, name, std::move(reason)});
    }
    if (!argument.pointer && type->isIntegerType())
      argument.facts = facts_of(value);
  }
  host.launch.arguments.push_back(argument);
  entry.rests_on.arguments.push_back(value.assumed);
  entry.rests_on.argument_terms.push_back(value.term);
  entry.rests_on.argument_names.push_back(name);
}

std::size_t LaunchRecorder::share_of_site(const std::vector<const Entry *> &launches) {
  std::map<const clang::Expr *, std::size_t> of_sites;
  for (const Entry *entry : launches)
    ++of_sites[entry->site];
  std::vector<std::size_t> counts;
  for (const auto &[site, count] : of_sites)
    counts.push_back(count);
  std::ranges::sort(counts);
  std::size_t left = kMostLaunchesOfFile;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t share = left / (counts.size() - i);
    if (counts[i] > share)
      return std::max(share, kLeastLaunchesOfSite);
    left -= counts[i];
  }
  return kMostLaunchesOfFile;
}

HostLaunches LaunchRecorder::take() {
  HostLaunches result;
  result.opted_in = std::move(opted_in_);
  std::vector<const Entry *> kept;
  for (const Entry &entry : launches_) {
    const bool superseded = !entry.launch.reached && std::ranges::any_of(launches_, [&](const Entry &other) {
      // Instantiations of one template share the place, not the node.
      return other.launch.reached && other.launch.launch.location == entry.launch.launch.location &&
             other.launch.launch.mangled == entry.launch.launch.mangled;
    });
    if (!superseded)
      kept.push_back(&entry);
  }
  const std::size_t share = std::min(share_of_site(kept), most_of_site_);
  std::map<const clang::Expr *, std::size_t> of_sites;
  for (const Entry *entry : kept) {
    if (++of_sites[entry->site] <= share)
      result.launches.push_back(entry->launch);
    else
      cut_off_.insert(entry->site);
  }
  for (const Entry &entry : launches_)
    if (cut_off_.erase(entry.site))
      result.diagnostics.push_back({Diagnostic::Severity::Warning, entry.launch.launch.location,
                                    "launched with more than " + std::to_string(share) +
                                        " different configurations or arguments; only the first " +
                                        std::to_string(share) + " are analysed"});
  return result;
}

} // namespace smem
