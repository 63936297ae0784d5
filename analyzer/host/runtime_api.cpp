// Functions that the interpreter knows without their bodies: the CUDA runtime, and a little of the C and C++ libraries.
#include <algorithm>
#include <cmath>

#include <clang/AST/Attr.h>
#include <clang/Basic/TargetInfo.h>

#include "host/interpreter.h"
#include "host/operators.h"
#include "host/typical_device.h"

namespace smem {

namespace {

bool in_std(const clang::Decl *declaration) { return declaration->isInStdNamespace(); }

bool is_std_class(const clang::CXXRecordDecl *record, llvm::StringRef name) {
  return record && record->getIdentifier() && record->getName() == name && in_std(record);
}

bool is_container(const clang::CXXRecordDecl *record) {
  if (!record || !record->getIdentifier())
    return false;
  if (is_std_class(record, "vector") || is_std_class(record, "initializer_list"))
    return true;
  const llvm::StringRef name = record->getName();
  return name == "device_vector" || name == "host_vector" || name == "universal_vector";
}

/// Kernels may change its elements at any time.
bool on_device(const clang::CXXRecordDecl *record) {
  return record->getName() == "device_vector" || record->getName() == "universal_vector";
}

/// What malloc and `new` promise on 64-bit hosts, in bytes.
constexpr std::uint64_t kHostAlignment = 16;

/// Rows of cudaMallocPitch start where accesses along each of them are coalesced alike.
constexpr std::uint64_t kPitchMultiple = 128;

/// Calls of CUDA's runtime that give the caller memory through their first argument.
bool allocates(llvm::StringRef name) {
  static constexpr const char *kNames[] = {
      "cudaMalloc",      "cudaMallocManaged", "cudaMallocHost",         "cudaMallocPitch",
      "cudaMallocAsync", "cudaHostAlloc",     "cudaMallocFromPoolAsync"};
  for (const char *known : kNames)
    if (name == known)
      return true;
  return false;
}

/// `v.data()`, `v.begin()`, `&v[0]`: where the elements of a container begin.
bool starts_container(const clang::Expr *expression) {
  expression = expression->IgnoreUnlessSpelledInSource();
  if (const auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(expression)) {
    const clang::CXXMethodDecl *method = call->getMethodDecl();
    return method && method->getIdentifier() && is_container(call->getRecordDecl()) &&
           (method->getName() == "data" || method->getName() == "begin");
  }
  const auto *address = llvm::dyn_cast<clang::CXXOperatorCallExpr>(expression);
  if (!address || address->getOperator() != clang::OO_Amp || address->getNumArgs() != 1)
    return false;
  const auto *subscript = llvm::dyn_cast<clang::CXXOperatorCallExpr>(address->getArg(0)->IgnoreUnlessSpelledInSource());
  if (!subscript || subscript->getOperator() != clang::OO_Subscript || subscript->getNumArgs() != 2)
    return false;
  const auto *index = llvm::dyn_cast<clang::IntegerLiteral>(subscript->getArg(1)->IgnoreUnlessSpelledInSource());
  return index && index->getValue().isZero();
}

using RealFunction = double (*)(double);

RealFunction real_function(llvm::StringRef name) {
  name.consume_front("__builtin_"); // <cmath>
  static constexpr std::pair<const char *, RealFunction> kFunctions[] = {
      {"ceil", std::ceil}, {"floor", std::floor},         {"sqrt", std::sqrt},   {"log2", std::log2},
      {"fabs", std::fabs}, {"round", std::round},         {"trunc", std::trunc}, {"exp2", std::exp2},
      {"rint", std::rint}, {"nearbyint", std::nearbyint},
  };
  for (const auto &[known, function] : kFunctions)
    if (name == known ||
        (name.size() == std::string_view(known).size() + 1 && name.starts_with(known) && name.ends_with("f")))
      return function;
  return nullptr;
}

} // namespace

Value Interpreter::new_memory(std::uint64_t alignment, const Value &bytes) {
  Allocation memory{++allocations_, 0, alignment, true};
  if (const auto *number = bytes.as<llvm::APSInt>(); number && number->getActiveBits() <= 63)
    memory.bytes = number->getZExtValue();
  return memory;
}

std::optional<Value> Interpreter::call_known(const clang::FunctionDecl *function, std::vector<Argument> &arguments,
                                             const clang::CallExpr *call) {
  if (!function->getIdentifier())
    return std::nullopt;
  const llvm::StringRef name = function->getName();
  const clang::QualType type = call->getType();
  if (is_launch_function(function)) {
    launch_through_api(function, arguments, call);
    return integer(0, type, context_);
  }
  if (allocates(name) && !arguments.empty()) {
    const Value target = arguments[0].place ? Value(Address{*arguments[0].place}) : arguments[0].value;
    const bool sized = arguments.size() > 1 && name != "cudaMallocPitch";
    if (const auto place = pointee(target))
      store_.assign(*place, new_memory(kDeviceAlignment, sized ? arguments[1].value : unknown({})));
    if (name == "cudaMallocPitch" && arguments.size() > 1)
      if (const auto pitch = pointee(arguments[1].place ? Value(Address{*arguments[1].place}) : arguments[1].value))
        store_.assign(*pitch, unknown("depends on the pitch of an allocation" + at_line(call), kPitchMultiple));
    return integer(0, type, context_);
  }
  if (name == "posix_memalign" && arguments.size() == 3) {
    if (const auto place = pointee(arguments[0].value))
      store_.assign(*place, new_allocation(std::min(multiple_of(arguments[1].value), kDeviceAlignment)));
    return integer(0, type, context_);
  }
  // Hints, which checks are written with; the compiler's own functions have no bodies.
  if ((name == "__builtin_expect" || name == "__builtin_expect_with_probability" ||
       name == "__builtin_assume_aligned") &&
      !arguments.empty())
    return arguments[0].value;
  if (name == "malloc" || name == "calloc")
    return new_memory(kHostAlignment, unknown({}));
  if (name == "aligned_alloc" && !arguments.empty())
    return new_allocation(std::min(multiple_of(arguments[0].value), kDeviceAlignment));
  if (name == "getopt" || name == "getopt_long" || name == "getopt_long_only") {
    // Without arguments there are no options either.
    const Value *count = arguments.empty() ? nullptr : &arguments[0].value;
    if (count && count->known() && count->assumed)
      return Value(integer(-1, type, context_).is, count->assumed);
    return std::nullopt;
  }
  // Of whole objects, as implicit copies of arrays do.
  if ((name == "memcpy" || name == "memmove" || name == "__builtin_memcpy" || name == "__builtin_memmove") &&
      arguments.size() == 3) {
    const auto whole = [&](unsigned i) -> std::pair<std::optional<Place>, clang::QualType> {
      std::optional<Place> place = pointee(arguments[i].value);
      const clang::QualType given = call->getArg(i)->IgnoreParenImpCasts()->getType();
      if (given->isArrayType() && place)
        place->path.pop_back();
      return {std::move(place), (given->isArrayType() ? given : given->getPointeeType())};
    };
    const auto [to, to_type] = whole(0);
    const auto [from, from_type] = whole(1);
    const auto *bytes = arguments[2].value.as<llvm::APSInt>();
    const Value *copied = from ? store_.find(*from) : nullptr;
    const Value *before = to ? store_.find(*to) : nullptr;
    if (bytes && copied && before && !to_type.isNull() && !from_type.isNull() &&
        context_.hasSameUnqualifiedType(to_type, from_type) && !to_type->isIncompleteType() &&
        *bytes == context_.getTypeSizeInChars(to_type).getQuantity() && fits(*copied, to_type) &&
        fits(*before, to_type)) {
      store_.assign(*to, Value(*copied));
      return arguments[0].value;
    }
  }
  // Clang takes these for built-in functions and instantiates no body.
  if (in_std(function) && !arguments.empty() && arguments[0].place &&
      (name == "move" || name == "forward" || name == "as_const" || name == "move_if_noexcept" || name == "addressof"))
    return Address{*arguments[0].place};
  if (name == "raw_pointer_cast" && !arguments.empty() && call->getNumArgs() > 0)
    return starts_container(call->getArg(0)) ? new_allocation() : with_multiple(arguments[0].value, 1);
  if (in_std(function) && (name == "min" || name == "max") && arguments.size() == 1) // of a list
    if (const auto *list = arguments[0].value.as<Container>(); list && list->parts.size() > 1) {
      Value best = list->parts[1];
      for (std::size_t i = 2; i < list->parts.size(); ++i) {
        const Value &other = list->parts[i];
        const Value better = name == "min"
                                 ? apply_binary(clang::BO_LT, other, best, context_.BoolTy, std::nullopt, context_)
                                 : apply_binary(clang::BO_LT, best, other, context_.BoolTy, std::nullopt, context_);
        const std::optional<bool> holds = truth(better);
        if (!holds)
          return with_multiple(better, 1);
        if (*holds)
          best = other;
        best.assumed |= better.assumed;
      }
      return best;
    }
  if (const RealFunction compute = real_function(name);
      compute && arguments.size() == 1 && type->isRealFloatingType()) {
    // Header overloads may take the argument as an integer or by another precision.
    const Value argument = convert(arguments[0].value, context_.DoubleTy, context_);
    if (const auto *real = argument.as<llvm::APFloat>())
      return convert(Value(llvm::APFloat(compute(real->convertToDouble())), argument.assumed), type, context_);
    return argument;
  }
  if ((name == "abs" || name == "labs" || name == "llabs") && arguments.size() == 1 && type->isSignedIntegerType()) {
    const Value argument = convert(arguments[0].value, type, context_);
    const std::optional<bool> negative =
        truth(apply_binary(clang::BO_LT, argument, zero(type, context_), context_.BoolTy, std::nullopt, context_));
    return negative && *negative ? apply_unary(clang::UO_Minus, argument, type, context_) : argument;
  }
  if ((name == "pow" || name == "powf") && arguments.size() == 2 && type->isRealFloatingType()) {
    const Value base = convert(arguments[0].value, context_.DoubleTy, context_);
    const Value exponent = convert(arguments[1].value, context_.DoubleTy, context_);
    const auto *a = base.as<llvm::APFloat>();
    const auto *b = exponent.as<llvm::APFloat>();
    if (a && b)
      return convert(Value(llvm::APFloat(std::pow(a->convertToDouble(), b->convertToDouble())),
                           static_cast<Assumptions>(base.assumed | exponent.assumed)),
                     type, context_);
    return a ? exponent : base;
  }
  if (name == "cudaGetDeviceProperties" || name == "cudaGetDeviceProperties_v2" || name == "cudaDeviceGetAttribute" ||
      name == "cudaGetDevice" || name == "cudaGetDeviceCount")
    return ask_device(call, name, arguments);
  if (name == "cudaOccupancyMaxActiveBlocksPerMultiprocessor" ||
      name == "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags" ||
      name == "cudaOccupancyMaxPotentialBlockSize" || name == "cudaOccupancyMaxPotentialBlockSizeWithFlags")
    return ask_occupancy(call, name, arguments);
  if (name == "cudaFuncSetAttribute" && arguments.size() == 3) {
    constexpr std::int64_t kMaxDynamicSharedMemorySize = 8; // cudaFuncAttributeMaxDynamicSharedMemorySize
    const auto value_of = [&](std::size_t i) {
      return arguments[i].place ? load(arguments[i].place, call) : arguments[i].value;
    };
    const Value kernel = value_of(0), attribute = value_of(1), bytes = value_of(2);
    const auto *which = attribute.as<llvm::APSInt>();
    const auto *amount = bytes.as<llvm::APSInt>();
    const auto *target = kernel.as<const clang::FunctionDecl *>();
    if (!which || which->getExtValue() == kMaxDynamicSharedMemorySize)
      recorder_.opt_in(target ? *target : nullptr, amount && !amount->isNegative() && !(bytes.assumed & kFreeQuantities)
                                                       ? amount->getZExtValue()
                                                       : UINT64_MAX);
    return integer(0, type, context_);
  }
  // Every other call of the runtime succeeds; what it stores is not known.
  if (name.starts_with("cuda") && type.getAsString().find("cudaError") != std::string::npos &&
      (!function->hasBody() || in_system_header(function))) {
    call_unknown(name.str(), function, arguments, std::nullopt, call);
    return integer(0, type, context_);
  }
  return std::nullopt;
}

/// What a GPU of the architecture answers: limits are known, sizes are those of a typical one, and all else is not known.
Value Interpreter::ask_device(const clang::CallExpr *call, llvm::StringRef name,
                              const std::vector<Argument> &arguments) {
  const clang::QualType type = call->getType();
  const std::string reason = "depends on what '" + name.str() + "' stores" + at_line(call);
  const auto place = arguments.empty()
                         ? std::nullopt
                         : pointee(arguments[0].place ? Value(Address{*arguments[0].place}) : arguments[0].value);
  if (!place)
    return integer(0, type, context_);
  Value answer = unknown(reason);
  if (name == "cudaGetDevice") {
    answer = integer(0, context_.IntTy, context_);
  } else if (name == "cudaGetDeviceCount") {
    if (one_device_)
      answer = Value(integer(1, context_.IntTy, context_).is, kDeviceAssumed);
  } else if (name == "cudaDeviceGetAttribute") {
    const auto *number = arguments.size() > 1 ? arguments[1].value.as<llvm::APSInt>() : nullptr;
    const clang::QualType kind = number ? call->getArg(1)->IgnoreParenImpCasts()->getType() : clang::QualType();
    if (const auto *enumeration = number ? kind->getAs<clang::EnumType>() : nullptr)
      for (const clang::EnumConstantDecl *enumerator : enumeration->getDecl()->enumerators())
        if (llvm::APSInt::isSameValue(enumerator->getInitVal(), *number))
          answer = device_answer(field_of_attribute(enumerator->getName()), context_.IntTy, reason);
  } else if (const Value *object = store_.find(*place)) {
    const auto *aggregate = object->as<Aggregate>();
    answer =
        aggregate && aggregate->record ? device_properties(context_.getRecordType(aggregate->record), reason) : answer;
  }
  store_.assign(*place, std::move(answer));
  return integer(0, type, context_);
}

/// How many blocks of a kernel fit, and which block size fits best. Registers and static shared memory are not known before the
/// kernel is compiled to machine code.
Value Interpreter::ask_occupancy(const clang::CallExpr *call, llvm::StringRef name,
                                 const std::vector<Argument> &arguments) {
  const std::string unanswered = "depends on what '" + name.str() + "' stores" + at_line(call);
  auto value_of = [&](std::size_t i) -> Value {
    if (i >= arguments.size())
      return integer(0, context_.IntTy, context_); // its default
    return arguments[i].place ? load(arguments[i].place, call) : arguments[i].value;
  };
  auto store = [&](std::size_t i, const Value &answer) {
    if (const auto place = pointee(value_of(i)))
      store_.assign(*place, answer);
  };
  const TypicalDevice &device = typical_device(context_.getTargetInfo().getTargetOpts().CPU);
  const bool asks_size = name.starts_with("cudaOccupancyMaxPotentialBlockSize");
  const Value kernel = value_of(asks_size ? 2 : 1), size = value_of(asks_size ? 4 : 2), shared = value_of(3);
  const auto *threads = size.as<llvm::APSInt>();
  const auto *bytes = shared.as<llvm::APSInt>();
  Value blocks = unknown(!threads ? reason_of(size) : !bytes ? reason_of(shared) : unanswered), best = blocks;
  if (threads && bytes) {
    const auto assumed = static_cast<Assumptions>(size.assumed | shared.assumed | kOccupancyAssumed);
    int block = static_cast<int>(threads->getExtValue());
    if (asks_size) {
      const int most = most_threads(kernel);
      block = occupancy_block_size(device, block > 0 ? std::min(block, most) : most, bytes->getExtValue());
    }
    const int resident = resident_blocks(device, block, bytes->getExtValue());
    best = Value(integer(block, context_.IntTy, context_).is, assumed);
    blocks = asks_size ? Value(integer(std::int64_t{resident} * device.multiprocessors, context_.IntTy, context_).is,
                               static_cast<Assumptions>(assumed | kDeviceAssumed))
                       : Value(integer(resident, context_.IntTy, context_).is, assumed);
  }
  store(0, blocks);
  if (asks_size)
    store(1, best);
  return integer(0, call->getType(), context_);
}

/// Of a block of the kernel, as far as its declaration says.
int Interpreter::most_threads(const Value &kernel) const {
  constexpr int kLargestBlock = 1024;
  const auto *function = kernel.as<const clang::FunctionDecl *>();
  const auto *bounds = function ? (*function)->getAttr<clang::CUDALaunchBoundsAttr>() : nullptr;
  if (!bounds)
    return kLargestBlock;
  const std::optional<llvm::APSInt> most = bounds->getMaxThreads()->getIntegerConstantExpr(context_);
  return most && most->isStrictlyPositive()
             ? static_cast<int>(std::min<std::int64_t>(most->getExtValue(), kLargestBlock))
             : kLargestBlock;
}

Value Interpreter::device_answer(std::string_view field, clang::QualType type, const std::string &reason) const {
  const DeviceProperty property = device_property(typical_device(context_.getTargetInfo().getTargetOpts().CPU), field);
  if (const auto *array = context_.getAsConstantArrayType(type)) {
    Aggregate parts;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(array->getSize().getZExtValue(), 3); ++i)
      parts.elements.push_back(
          device_answer(std::string(field) + "[" + std::to_string(i) + "]", array->getElementType(), reason));
    return parts.elements.size() == array->getSize() ? Value(std::move(parts)) : uninitialised(type, context_, reason);
  }
  if (!property.known || !type->isIntegerType())
    return uninitialised(type, context_, reason);
  return Value(integer(property.value, type, context_).is, property.assumed ? kDeviceAssumed : kNothingAssumed);
}

/// cudaDeviceProp, or a class derived from it.
Value Interpreter::device_properties(clang::QualType type, const std::string &reason) const {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  Aggregate properties{record, {}};
  for (const clang::CXXBaseSpecifier &base : record->bases())
    properties.elements.push_back(device_properties(base.getType(), reason));
  for (const clang::FieldDecl *field : record->fields())
    properties.elements.push_back(device_answer(field->getName(), field->getType(), reason));
  return properties;
}

std::optional<Value> Interpreter::construct_container(const clang::CXXConstructExpr *expression) {
  const clang::CXXRecordDecl *record = expression->getConstructor()->getParent();
  if (is_std_class(record, "function") && expression->getNumArgs() == 1)
    return evaluate(expression->getArg(0)); // called like what it holds
  if (!is_container(record))
    return std::nullopt;
  if (expression->getNumArgs() == 0)
    return Container{{integer(0, context_.getSizeType(), context_)}};
  const clang::Expr *first = expression->getArg(0);
  Value value = evaluate(first);
  if (const auto *from = value.as<Container>()) // a copy, or an initializer list
    return on_device(record) ? Value(Container{{from->parts[0]}}) : value;
  if (value.as<llvm::APSInt>() && first->getType()->isIntegerType())
    return Container{{convert(value, context_.getSizeType(), context_)}};
  if (!value.known())
    return Container{{value}};
  return Container{{unknown("depends on the size of a container" + at_line(expression))}};
}

std::optional<Value> Interpreter::call_container(const clang::CXXMethodDecl *method, const std::optional<Place> &self,
                                                 std::vector<Argument> &arguments, const clang::CallExpr *call) {
  // std::function: call what it holds.
  if (is_std_class(method->getParent(), "function") && method->getOverloadedOperator() == clang::OO_Call && self) {
    const Value *held = store_.find(*self);
    if (const auto *target = held ? held->as<const clang::FunctionDecl *>() : nullptr)
      return call_function(*target, std::move(arguments), std::nullopt, call);
    const auto *closure = held ? held->as<Aggregate>() : nullptr;
    const clang::CXXMethodDecl *body =
        closure && closure->record && closure->record->isLambda() ? closure->record->getLambdaCallOperator() : nullptr;
    if (body && !closure->record->isGenericLambda())
      return call_function(body, std::move(arguments), self, call);
    return std::nullopt;
  }
  if (!is_container(method->getParent()) || !self)
    return std::nullopt;
  const Value *object = store_.find(*self);
  const auto *container = object ? object->as<Container>() : nullptr;
  if (!container)
    return std::nullopt;
  const clang::QualType type = call->getType();
  const bool has_elements = container->parts.size() > 1;
  auto element = [&](std::int64_t index) -> Value {
    if (index < 0 || static_cast<std::size_t>(index) + 1 >= container->parts.size())
      return unknown("depends on the contents of a container" + at_line(call));
    Place place = *self;
    place.path.push_back(static_cast<std::uint32_t>(index));
    return Address{place};
  };
  // What is assigned to it may be any of them.
  const auto any_element = [&](const Value &index) {
    return unknown(reason_of(index), 1, has_elements && !method->isConst() ? reachable({self->object}) : Objects());
  };
  if (method->getOverloadedOperator() == clang::OO_Subscript && !arguments.empty()) {
    const Value index = arguments[0].place ? load(arguments[0].place, call) : arguments[0].value;
    const auto *number = index.as<llvm::APSInt>();
    return number ? element(number->getExtValue()) : any_element(index);
  }
  if (!method->getIdentifier())
    return std::nullopt;
  const llvm::StringRef name = method->getName();
  if (name == "size")
    return convert(container->parts[0], type, context_);
  if (name == "empty") {
    const std::optional<bool> some = truth(container->parts[0]);
    return some ? integer(!*some, type, context_) : container->parts[0];
  }
  if (name == "front" || name == "at" || name == "back") {
    std::int64_t index = 0;
    if (name == "back")
      index = static_cast<std::int64_t>(container->parts.size()) - 2;
    if (name == "at") {
      const Value value = arguments.empty() ? Value() : arguments[0].value;
      if (!value.as<llvm::APSInt>())
        return any_element(value);
      index = value.as<llvm::APSInt>()->getExtValue();
    }
    return element(index);
  }
  // Whoever has an iterator or a pointer may change the elements, but not how many there are.
  if (!method->isConst() && (name == "data" || name == "begin" || name == "end") && has_elements)
    store_.assign(*self, Container{{Value(container->parts[0])}});
  if (name == "data")
    return new_allocation();
  if ((name == "push_back" || name == "emplace_back") && arguments.size() == 1) {
    constexpr std::size_t kMaxElements = 256;
    Container grown = *container;
    const auto *count = container->parts[0].as<llvm::APSInt>();
    const bool follows = count && (has_elements || count->isZero()) && container->parts.size() < kMaxElements &&
                         !on_device(method->getParent());
    if (count)
      grown.parts[0] = integer(count->getExtValue() + 1, context_.getSizeType(), context_);
    if (follows)
      grown.parts.push_back(arguments[0].place ? load(arguments[0].place, call) : arguments[0].value);
    else
      grown.parts.resize(1);
    store_.assign(*self, std::move(grown));
    return Value();
  }
  if (name == "resize" && !arguments.empty()) {
    const Value size = arguments[0].place ? load(arguments[0].place, call) : arguments[0].value;
    store_.assign(*self, Container{{convert(size, context_.getSizeType(), context_)}});
    return Value();
  }
  if (method->isConst() || name == "begin" || name == "end" || name == "reserve")
    return unknown("depends on the contents of a container" + at_line(call));
  forget_changeable(method, arguments, self, "depends on what '" + name.str() + "' stores" + at_line(call),
                    Call::Elsewhere);
  store_.assign(*self, Container{{unknown("depends on the size of a container" + at_line(call))}});
  return unknown("depends on the contents of a container" + at_line(call));
}

/// cudaLaunchKernel(kernel, grid, block, arguments, shared, stream) and cudaLaunchKernelEx(config, kernel, arguments...).
void Interpreter::launch_through_api(const clang::FunctionDecl *function, std::vector<Argument> &arguments,
                                     const clang::CallExpr *call) {
  MetLaunch launch;
  launch.site = call;
  auto value_of = [&](std::size_t i) -> Value {
    if (i >= arguments.size())
      return {};
    return arguments[i].place ? load(arguments[i].place, call) : arguments[i].value;
  };
  const bool by_config = function->getName().starts_with("cudaLaunchKernelEx");
  const Value kernel = value_of(by_config ? 1 : 0);
  if (const auto *target = kernel.as<const clang::FunctionDecl *>())
    launch.kernel = *target;
  if (!launch.kernel)
    return;
  Value packed; // void *arguments[]
  if (by_config) {
    const auto place = pointee(value_of(0));
    const Value config = place ? load(place, call) : value_of(0);
    const auto *parts = config.as<Aggregate>();
    if (!parts || parts->elements.size() < 3) {
      launch.grid = launch.block = launch.shared = unknown(reason_of(config));
    } else {
      launch.grid = parts->elements[0];
      launch.block = parts->elements[1];
      launch.shared = parts->elements[2];
    }
    if (function->getName() == "cudaLaunchKernelEx") {
      for (std::size_t i = 2; i < arguments.size(); ++i)
        launch.arguments.push_back(value_of(i));
      settle_launch(launch);
      recorder_.record(launch);
      return;
    }
    packed = value_of(2);
  } else {
    launch.grid = value_of(1);
    launch.block = value_of(2);
    packed = value_of(3);
    launch.shared = arguments.size() > 4 ? value_of(4) : integer(0, context_.getSizeType(), context_);
  }
  for (unsigned i = 0; i < launch.kernel->getNumParams(); ++i) {
    Value argument = unknown("depends on an argument array that is not followed" + at_line(call));
    if (auto place = pointee(packed); place && !place->path.empty()) {
      place->path.back() += i;
      const Value *pointer = store_.find(*place);
      const auto target = pointer ? pointee(*pointer) : std::nullopt;
      if (target)
        argument = load(target, call);
    }
    launch.arguments.push_back(std::move(argument));
  }
  settle_launch(launch);
  if (!stopped())
    recorder_.record(launch);
}

} // namespace smem
