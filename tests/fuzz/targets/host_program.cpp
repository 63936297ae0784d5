#include "host_program.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "choices.h"

namespace smem::fuzz {

namespace {

struct Type {
  const char *name;
  unsigned bits;
  bool is_signed;
};
constexpr Type kBool{"bool", 1, false}, kInt{"int", 32, true};
constexpr Type kTypes[] = {kInt,
                           {"unsigned", 32, false},
                           {"long", 64, true},
                           {"unsigned long long", 64, false},
                           {"short", 16, true},
                           {"unsigned short", 16, false},
                           {"signed char", 8, true},
                           {"unsigned char", 8, false},
                           kBool};

/// The value as its type holds it, in 64 bits.
std::uint64_t converted(std::uint64_t value, const Type &to) {
  if (to.bits == 1)
    return value != 0;
  if (to.bits == 64)
    return value;
  const std::uint64_t low = value & ((std::uint64_t{1} << to.bits) - 1);
  return to.is_signed && (low >> (to.bits - 1)) != 0 ? low | ~std::uint64_t{0} << to.bits : low;
}

Type promoted(const Type &type) { return type.bits < 32 ? kInt : type; }

/// The usual arithmetic conversions, as far as values show them.
Type common(const Type &a, const Type &b) {
  const Type left = promoted(a), right = promoted(b);
  if (left.bits != right.bits)
    return left.bits > right.bits ? left : right;
  return left.is_signed ? right : left;
}

std::uint64_t binary(std::string_view op, std::uint64_t a, std::uint64_t b, const Type &type) {
  const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
  switch (op[0]) {
  case '+': return a + b;
  case '-': return a - b;
  case '*': return a * b;
  case '&': return a & b;
  case '|': return a | b;
  case '^': return a ^ b;
  case '/': return b == 0 ? 0 : !type.is_signed ? a / b : sb == -1 ? 0 - a : static_cast<std::uint64_t>(sa / sb);
  case '%': return b == 0 ? 0 : !type.is_signed ? a % b : sb == -1 ? 0 : static_cast<std::uint64_t>(sa % sb);
  case '=': return a == b;
  case '!': return a != b;
  case '<': {
    const bool less = type.is_signed ? sa < sb : a < b;
    return less || (op == "<=" && a == b);
  }
  default: {
    const bool more = type.is_signed ? sa > sb : a > b;
    return more || (op == ">=" && a == b);
  }
  }
}

/// What a program has while it runs. Every scalar is an element of an array of its own.
struct State {
  std::vector<std::vector<std::uint64_t>> objects;
  std::vector<MadeLaunch> launches;
  unsigned steps = 0; ///< what is left of them
};

struct Expression {
  std::string text;
  Type type = kInt;
  std::function<std::uint64_t(State &)> value; ///< converted to the type
};

enum class Flow : std::uint8_t { Next, Break, Continue, Return };
using Statement = std::function<Flow(State &)>;

/// Something that can be read and assigned: `object[index]`.
struct Variable {
  std::string name; ///< of an array: what stands before its index
  Type type;
  std::size_t object = 0;
  unsigned elements = 1;
  unsigned first = 0; ///< pointers and references into arrays
  bool array = false, writable = true;
};

constexpr unsigned kMostStatements = 60, kMostSteps = 4000;

class Writer {
public:
  explicit Writer(Choices &choices) : c_(choices) {}

  HostProgram write() {
    program_.wild = c_.below(4) == 3;
    line("__global__ void k(int a, unsigned b, long long c, unsigned char d) {}");
    line("long long opaque(long long);");
    if (program_.wild)
      line(
          "extern \"C\" { void *malloc(unsigned long); void free(void *); void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long); }");
    line("static int twice(int x, unsigned y) { return x + static_cast<int>(y) * 2; }");
    if (program_.wild)
      line("static long again(long x, int *p) { return x & 1 ? again(x * 3, p) : x > 7 ? again(x - 1, p + x) : *p; }");
    line("void f() {");
    indent_ = 1;
    std::vector<Variable> none;
    const Statement all = block(none, 0, false);
    line("}");
    State state;
    state.objects.resize(objects_);
    for (std::size_t i = 0; i < objects_; ++i)
      state.objects[i].resize(sizes_[i]);
    state.steps = kMostSteps;
    if (!program_.wild)
      all(state);
    // What ran too long is compared with nothing.
    program_.wild |= state.steps == 0;
    program_.launches = std::move(state.launches);
    return std::move(program_);
  }

private:
  void line(const std::string &text) {
    program_.text += std::string(2 * indent_, ' ') + text + '\n';
    ++lines_;
  }
  std::string fresh(const char *prefix) { return prefix + std::to_string(++names_); }
  std::size_t object(unsigned elements) {
    sizes_.push_back(elements);
    return objects_++;
  }
  const Type &type() { return kTypes[c_.below(std::size(kTypes))]; }

  Expression literal() {
    const std::int64_t number = c_.number();
    const Type of = number > INT32_MIN && number <= INT32_MAX ? kInt : kTypes[2];
    if (number == INT64_MIN)
      return {"(-0x7fffffffffffffffl - 1)", of, [](State &) { return static_cast<std::uint64_t>(INT64_MIN); }};
    const std::string suffix = of.bits == 64 ? "l" : "";
    const std::string text =
        number < 0 ? "(-" + std::to_string(-number) + suffix + ")" : std::to_string(number) + suffix;
    return {text, of, [number](State &) { return static_cast<std::uint64_t>(number); }};
  }

  Expression cast(const Type &to, Expression of) {
    return {"static_cast<" + std::string(to.name) + ">(" + of.text + ")", to,
            [to, value = std::move(of.value)](State &s) { return converted(value(s), to); }};
  }

  /// The element that a read or an assignment means: its text and its number at run time.
  std::pair<std::string, std::function<std::size_t(State &)>>
  element(const Variable &v, const std::vector<Variable> &vars, unsigned depth) {
    if (!v.array)
      return {v.name, [first = v.first](State &) { return first; }};
    Expression index = expression(vars, depth > 0 ? depth - 1 : 0);
    if (program_.wild && c_.below(3) == 0)
      return {v.name + "[" + index.text + "]", [](State &) { return 0; }};
    const unsigned mask = v.elements - 1; // powers of two
    return {v.name + "[(" + index.text + ") & " + std::to_string(mask) + "]",
            [mask, first = v.first, value = std::move(index.value)](State &s) {
              return first + static_cast<unsigned>(value(s) & mask);
            }};
  }

  Expression read(const Variable &v, const std::vector<Variable> &vars, unsigned depth) {
    auto [text, at] = element(v, vars, depth);
    return {text, v.type, [object = v.object, at = std::move(at)](State &s) { return s.objects[object][at(s)]; }};
  }

  Expression leaf(const std::vector<Variable> &vars, unsigned depth) {
    if (!vars.empty() && c_.below(4) != 0)
      return read(vars[c_.below(vars.size())], vars, depth);
    return literal();
  }

  Expression expression(const std::vector<Variable> &vars, unsigned depth) {
    if (depth == 0 || !c_.left())
      return leaf(vars, 0);
    switch (c_.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3: return arithmetic(vars, depth);
    case 4: {
      constexpr const char *kCompare[] = {"<", "<=", ">", ">=", "==", "!="};
      const char *op = kCompare[c_.below(std::size(kCompare))];
      Expression a = expression(vars, depth - 1), b = expression(vars, depth - 1);
      const Type type = common(a.type, b.type);
      return {"((" + a.text + ") " + op + " (" + b.text + "))", kBool, [=](State &s) {
                const std::uint64_t left = converted(a.value(s), type), right = converted(b.value(s), type);
                return binary(op, left, right, type);
              }};
    }
    case 5: {
      const bool both = c_.below(2) != 0;
      Expression a = expression(vars, depth - 1), b = expression(vars, depth - 1);
      return {"((" + a.text + (both ? ") && (" : ") || (") + b.text + "))", kBool, [=](State &s) -> std::uint64_t {
                return both ? a.value(s) != 0 && b.value(s) != 0 : a.value(s) != 0 || b.value(s) != 0;
              }};
    }
    case 6: {
      Expression q = expression(vars, depth - 1), a = expression(vars, depth - 1), b = expression(vars, depth - 1);
      const Type type = common(a.type, b.type);
      return {"((" + q.text + ") ? (" + a.text + ") : (" + b.text + "))", type,
              [=](State &s) { return converted(q.value(s) != 0 ? a.value(s) : b.value(s), type); }};
    }
    case 7: return cast(type(), expression(vars, depth - 1));
    case 8: {
      Expression a = expression(vars, depth - 1);
      const Type type = promoted(a.type);
      switch (c_.below(3)) {
      case 0: return {"(-(" + a.text + "))", type, [=](State &s) { return converted(0 - a.value(s), type); }};
      case 1: return {"(~(" + a.text + "))", type, [=](State &s) { return converted(~a.value(s), type); }};
      default: return {"(!(" + a.text + "))", kBool, [=](State &s) -> std::uint64_t { return a.value(s) == 0; }};
      }
    }
    case 9: {
      Expression a = expression(vars, depth - 1), b = expression(vars, depth - 1);
      return {"twice(" + a.text + ", " + b.text + ")", kInt,
              [=](State &s) { return converted(converted(a.value(s), kInt) + b.value(s) * 2, kInt); }};
    }
    case 10:
      if (program_.wild)
        return wild(vars, depth);
      if (c_.below(8) == 0) {
        Expression a = expression(vars, depth - 1);
        program_.opaque = true;
        return {"opaque(" + a.text + ")", kTypes[2], [=](State &s) { return ~a.value(s); }};
      }
      [[fallthrough]];
    default: { // a lambda that sees everything
      if (vars.empty())
        return literal();
      Expression a = expression(vars, depth - 1), b = expression(vars, depth - 1);
      const Type type = common(kTypes[2], a.type);
      return {"[&](long q) { return q + (" + a.text + "); }(" + b.text + ")", type,
              [=](State &s) { return converted(b.value(s) + a.value(s), type); }};
    }
    }
  }

  Expression arithmetic(const std::vector<Variable> &vars, unsigned depth) {
    constexpr const char *kOperators[] = {"+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>"};
    const std::string op = kOperators[c_.below(std::size(kOperators))];
    Expression a = expression(vars, depth - 1), b = expression(vars, depth - 1);
    const bool tame = !program_.wild || c_.below(4) != 0;
    if (op == "<<" || op == ">>") {
      const Type type = promoted(a.type);
      const std::string amount = tame ? "((" + b.text + ") & 7)" : "(" + b.text + ")";
      return {"((" + a.text + ") " + op + " " + amount + ")", type, [=](State &s) {
                const std::uint64_t value = a.value(s);
                const unsigned by = b.value(s) & 7;
                if (op == "<<")
                  return converted(value << by, type);
                return converted(type.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> by)
                                                : value >> by,
                                 type);
              }};
    }
    if (op == "/" || op == "%") {
      // A divisor of 1 to 16: the same whether it is promoted or not.
      const Type divisor = promoted(b.type), type = common(a.type, divisor);
      const std::string by = tame ? "(((" + b.text + ") & 15) + 1)" : "(" + b.text + ")";
      return {"((" + a.text + ") " + op + " " + by + ")", type, [=](State &s) {
                return converted(binary(op, converted(a.value(s), type), (b.value(s) & 15) + 1, type), type);
              }};
    }
    const Type type = common(a.type, b.type);
    return {"((" + a.text + ") " + op + " (" + b.text + "))", type, [=](State &s) {
              return converted(binary(op, converted(a.value(s), type), converted(b.value(s), type), type), type);
            }};
  }

  /// Expressions without a defined value: what follows host code has to survive them.
  Expression wild(const std::vector<Variable> &vars, unsigned depth) {
    const auto zero = [](State &) { return std::uint64_t{0}; };
    Expression a = expression(vars, depth - 1);
    switch (c_.below(7)) {
    case 0: return {"*reinterpret_cast<int *>(static_cast<unsigned long>(" + a.text + "))", kInt, zero};
    case 1: return {"*(static_cast<long *>(malloc(" + a.text + ")) + 1)", kTypes[2], zero};
    case 2: return {"(new int[" + a.text + "])[1]", kInt, zero};
    case 3:
      for (const Variable &v : vars)
        if (v.array)
          return {"*(" + v.name + " + (" + a.text + "))", v.type, zero};
      return a;
    case 4:
      for (const Variable &v : vars)
        if (v.array && v.type.bits == 32 && v.type.is_signed && v.writable)
          return {"again(" + a.text + ", " + v.name + ")", kTypes[2], zero};
      return a;
    case 5: return {"sizeof(int[1 + (" + std::to_string(c_.byte()) + ")])", kTypes[3], zero};
    default: return {"static_cast<int>(static_cast<double>(" + a.text + ") * 1e9)", kInt, zero};
    }
  }

  Statement block(const std::vector<Variable> &outer, unsigned depth, bool in_loop) {
    std::vector<Variable> vars = outer;
    std::vector<Statement> statements;
    for (unsigned left = 1 + c_.below(depth == 0 ? 30 : 5); left > 0 && c_.left() && statements_ < kMostStatements;
         --left) {
      ++statements_;
      statements.push_back(statement(vars, depth, in_loop));
    }
    return [statements = std::move(statements)](State &s) {
      for (const Statement &one : statements) {
        if (s.steps == 0)
          return Flow::Return;
        --s.steps;
        if (const Flow flow = one(s); flow != Flow::Next)
          return flow;
      }
      return Flow::Next;
    };
  }

  Statement statement(std::vector<Variable> &vars, unsigned depth, bool in_loop) {
    switch (c_.below(13)) {
    case 0:
    case 1: return declaration(vars);
    case 2:
    case 3: return assignment(vars);
    case 4:
    case 5: return launch(vars);
    case 6: return array(vars);
    case 7: return alias(vars);
    case 8:
      if (depth < 3)
        return branch(vars, depth, in_loop);
      return assignment(vars);
    case 9:
    case 10:
      if (depth < 3)
        return loop(vars, depth);
      return launch(vars);
    case 11:
      if (depth < 3)
        return choice(vars, depth);
      return launch(vars);
    default:
      if (program_.wild && c_.below(2) != 0)
        return wild_statement(vars);
      if (in_loop) {
        const bool leave = c_.below(2) != 0;
        Expression e = expression(vars, 2);
        line("if (" + e.text + ") " + (leave ? "break;" : "continue;"));
        return [=](State &s) { return e.value(s) == 0 ? Flow::Next : leave ? Flow::Break : Flow::Continue; };
      }
      return launch(vars);
    }
  }

  Statement declaration(std::vector<Variable> &vars) {
    const Type &of = type();
    Expression e = cast(of, expression(vars, 3));
    Variable made{fresh("v"), of, object(1)};
    made.writable = c_.below(5) != 0;
    line(std::string(made.writable ? "" : "const ") + of.name + " " + made.name + " = " + e.text + ";");
    vars.push_back(made);
    return [id = made.object, e](State &s) {
      s.objects[id][0] = e.value(s);
      return Flow::Next;
    };
  }

  Statement array(std::vector<Variable> &vars) {
    const Type &of = type();
    const unsigned elements = 2u << c_.below(3), given = c_.below(elements + 1);
    std::vector<Expression> values;
    std::string text;
    for (unsigned i = 0; i < given; ++i) {
      values.push_back(cast(of, expression(vars, 1)));
      text += (i ? ", " : "") + values.back().text;
    }
    Variable made{fresh("a"), of, object(elements), elements};
    made.array = true;
    line(std::string(of.name) + " " + made.name + "[" + std::to_string(elements) + "] = {" + text + "};");
    vars.push_back(made);
    return [id = made.object, values = std::move(values)](State &s) {
      std::vector<std::uint64_t> now(s.objects[id].size());
      for (std::size_t i = 0; i < values.size(); ++i)
        now[i] = values[i].value(s);
      s.objects[id] = std::move(now);
      return Flow::Next;
    };
  }

  /// A reference or a pointer to what there is.
  Statement alias(std::vector<Variable> &vars) {
    if (!vars.empty()) {
      Variable target = vars[c_.below(vars.size())];
      const std::string old = target.name;
      if (target.writable && c_.below(2) != 0) {
        target.name = fresh("p");
        line("auto *" + target.name + " = " + (target.array ? "" : "&") + old + ";");
        if (!target.array)
          target.name = "(*" + target.name + ")";
        vars.push_back(target);
      } else if (!target.array) {
        target.name = fresh("r");
        line("auto &" + target.name + " = " + old + ";");
        vars.push_back(target);
      }
    }
    return [](State &) { return Flow::Next; };
  }

  Statement assignment(std::vector<Variable> &vars) {
    std::vector<Variable> writable;
    for (const Variable &v : vars)
      if (v.writable)
        writable.push_back(v);
    if (writable.empty())
      return declaration(vars);
    const Variable &v = writable[c_.below(writable.size())];
    auto [text, at] = element(v, vars, 1);
    constexpr const char *kOperators[] = {"=", "+=", "-=", "*=", "&=", "|=", "^=", "++", "--"};
    std::string op = kOperators[c_.below(std::size(kOperators))];
    if (v.type.bits == 1 && (op == "++" || op == "--"))
      op = "=";
    Expression e = op == "++" || op == "--" ? Expression{"1", kInt, [](State &) { return std::uint64_t{1}; }}
                                            : expression(vars, 3);
    line(op == "++" || op == "--" ? (c_.below(2) != 0 ? op + text : text + op) + ";"
                                  : text + " " + op + " " + e.text + ";");
    return [type = v.type, id = v.object, at = std::move(at), op, e](State &s) {
      const std::uint64_t right = e.value(s); // first, in C++17; neither side has effects
      std::uint64_t &target = s.objects[id][at(s)];
      const Type with = common(type, e.type);
      target = converted(
          op == "=" ? right : converted(binary(op, converted(target, with), converted(right, with), with), with), type);
      return Flow::Next;
    };
  }

  Statement branch(const std::vector<Variable> &vars, unsigned depth, bool in_loop) {
    Expression e = expression(vars, 3);
    line("if (" + e.text + ") {");
    ++indent_;
    Statement then = block(vars, depth + 1, in_loop), otherwise;
    --indent_;
    if (c_.below(2) != 0) {
      line("} else {");
      ++indent_;
      otherwise = block(vars, depth + 1, in_loop);
      --indent_;
    }
    line("}");
    return [=](State &s) { return e.value(s) != 0 ? then(s) : otherwise ? otherwise(s) : Flow::Next; };
  }

  Statement loop(const std::vector<Variable> &vars, unsigned depth) {
    const std::string name = fresh("i");
    const unsigned kind = c_.below(3), times = c_.below(6);
    Variable counter{name, kInt, object(1)};
    counter.writable = program_.wild && c_.below(2) != 0;
    std::vector<Variable> inner = vars;
    inner.push_back(counter);
    const std::string end =
        program_.wild && c_.below(2) != 0 ? "(" + expression(vars, 2).text + ")" : std::to_string(times);
    if (kind == 0) {
      line("for (int " + name + " = 0; " + name + " < " + end + "; ++" + name + ") {");
    } else {
      line("int " + name + " = " + (kind == 1 ? "-1" : "0") + ";");
      line(kind == 1 ? "while (++" + name + " < " + end + ") {" : std::string("do {"));
    }
    ++indent_;
    const Statement body = block(inner, depth + 1, true);
    --indent_;
    line(kind == 2 ? "} while (++" + name + " < " + end + ");" : std::string("}"));
    return [=, id = counter.object](State &s) {
      const auto limit = kind == 2 ? std::max(1u, times) : times;
      for (unsigned i = 0; i < limit; ++i) {
        s.objects[id][0] = i;
        const Flow flow = body(s);
        if (flow == Flow::Return)
          return flow;
        if (flow == Flow::Break)
          break;
      }
      return Flow::Next;
    };
  }

  Statement choice(const std::vector<Variable> &vars, unsigned depth) {
    Expression e = cast(kInt, expression(vars, 3));
    const unsigned cases = 1 + c_.below(3);
    line("switch ((" + e.text + ") & 3) {");
    std::vector<Statement> arms;
    std::vector<bool> through;
    for (unsigned i = 0; i < cases; ++i) {
      line("case " + std::to_string(i) + ": {");
      ++indent_;
      arms.push_back(block(vars, depth + 1, false));
      --indent_;
      through.push_back(c_.below(4) == 0);
      line(through.back() ? "}" : "} break;");
    }
    line("}");
    return [=](State &s) {
      for (std::size_t i = e.value(s) & 3; i < arms.size(); ++i) {
        if (const Flow flow = arms[i](s); flow == Flow::Return)
          return flow;
        if (!through[i])
          break;
      }
      return Flow::Next;
    };
  }

  Statement launch(const std::vector<Variable> &vars) {
    constexpr Type kUnsigned = kTypes[1], kSize = kTypes[3];
    std::array<std::vector<Expression>, 2> shapes;
    std::string text = "k<<<";
    for (std::vector<Expression> &shape : shapes) {
      const unsigned count = 1 + c_.below(3);
      for (unsigned i = 0; i < count; ++i)
        shape.push_back(cast(kUnsigned, expression(vars, 2)));
      std::string dims;
      for (const Expression &one : shape)
        dims += (dims.empty() ? "" : ", ") + one.text;
      text += (count == 1 ? dims : "dim3(" + dims + ")") + ", ";
    }
    const Expression shared = cast(kSize, expression(vars, 1));
    constexpr Type kParameters[] = {kInt, kUnsigned, {"long long", 64, true}, {"unsigned char", 8, false}};
    std::vector<Expression> arguments;
    text += shared.text + ">>>(";
    for (const Type &type : kParameters) {
      arguments.push_back(cast(type, expression(vars, 2)));
      text += (arguments.size() > 1 ? ", " : "") + arguments.back().text;
    }
    line(text + ");");
    return [=, number = lines_](State &s) {
      MadeLaunch made{number, {}};
      for (const std::vector<Expression> &shape : shapes)
        for (unsigned i = 0; i < 3; ++i)
          made.values.push_back(i < shape.size() ? shape[i].value(s) : 1);
      made.values.push_back(shared.value(s));
      for (const Expression &one : arguments)
        made.values.push_back(one.value(s));
      s.launches.push_back(std::move(made));
      return Flow::Next;
    };
  }

  Statement wild_statement(const std::vector<Variable> &vars) {
    const std::string a = expression(vars, 2).text, b = expression(vars, 2).text;
    const Variable *target = nullptr;
    for (const Variable &v : vars)
      if (v.array && v.writable)
        target = &v;
    const std::string name = target ? target->name : "static_cast<int *>(malloc(" + b + "))";
    switch (c_.below(6)) {
    case 0: line("memset(" + name + ", " + a + ", " + b + ");"); break;
    case 1: line("memcpy(" + name + ", " + name + " + (" + a + "), " + b + ");"); break;
    case 2: line("free(" + name + " + (" + a + "));"); break;
    case 3: line("while (" + a + ") " + name + "[" + b + "] += 1;"); break;
    case 4: line("for (;;) { if (" + a + ") break; }"); break;
    default: line("delete[] " + name + ";");
    }
    return [](State &) { return Flow::Next; };
  }

  Choices &c_;
  HostProgram program_;
  unsigned indent_ = 0, names_ = 0, lines_ = 0, statements_ = 0;
  std::size_t objects_ = 0;
  std::vector<unsigned> sizes_;
};

} // namespace

HostProgram host_program(const std::uint8_t *data, std::size_t size) {
  Choices choices(std::string_view(reinterpret_cast<const char *>(data), size));
  return Writer(choices).write();
}

} // namespace smem::fuzz
