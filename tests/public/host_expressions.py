"""Integer expressions of C++ host code, evaluated where every name in them is known. Knows nothing of smem-lint."""
import math
import re

TOKEN = re.compile(r"\s*(?:(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+\.\d*(?:[eE][-+]?\d+)?[fFlL]?|\.\d+[fF]?|\d+[eE][-+]?\d+[fF]?|\d+)([uUlLzZ]*)|((?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)|(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%()<>!~&|^?:,.\[\]]))")
SIZES = {"char": 1, "bool": 1, "short": 2, "int": 4, "unsigned": 4, "float": 4, "half": 2, "__half": 2, "half2": 4, "double": 8, "float2": 8, "float3": 12, "float4": 16, "int4": 16,
         "size_t": 8, "uint8_t": 1, "int8_t": 1, "uint16_t": 2, "int16_t": 2, "uint32_t": 4, "int32_t": 4, "uint64_t": 8, "int64_t": 8, "uint": 4}
INTEGERS = {"int", "unsigned", "unsigned int", "long", "long long", "unsigned long", "unsigned long long", "size_t", "std::size_t", "short", "char", "uint", "int32_t", "uint32_t",
            "int64_t", "uint64_t", "std::int64_t", "std::uint32_t", "ptrdiff_t"}
FLOATS = {"float", "double"}
LEVELS = [("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%")]


class Unknown(Exception):
    """The expression is not understood, or depends on something that is not known."""


def tokens(text):
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Unknown(text)
        at = match.end()
        if match[1]:
            found.append(("number", float(match[1].rstrip("fFlL")) if re.search(r"[.]|^\d+[eE]", match[1]) else
                          int(match[1], 0) if not re.match(r"0\d", match[1]) else int(match[1], 8)))
        elif match[3]:
            found.append(("name", match[3].removeprefix("::")))
        else:
            found.append(("sign", match[4]))
    return found


class Parser:
    """Values are numbers; `lookup` gives that of a name (or of a member, `block.x`), `call` that of a function, or raises Unknown."""

    def __init__(self, text, lookup, call=None):
        self.tokens, self.at, self.lookup, self.function = tokens(text), 0, lookup, call

    def whole(self):
        value = self.ternary()
        if self.at != len(self.tokens):
            raise Unknown("rest")
        return value

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ("end", "")

    def take(self, sign):
        if self.peek() != ("sign", sign):
            raise Unknown(sign)
        self.at += 1

    def ternary(self):
        condition = self.binary(0)
        if self.peek() != ("sign", "?"):
            return condition
        self.at += 1
        yes = self.lazily(self.ternary)
        self.take(":")
        no = self.lazily(self.ternary)
        chosen = yes if condition else no
        if isinstance(chosen, Unknown):
            raise chosen
        return chosen

    def lazily(self, parse):
        """An operand that may stay unknown; where it stops is found by counting parentheses."""
        start = self.at
        try:
            return parse()
        except Unknown as reason:
            self.at, depth = start, 0
            while self.at < len(self.tokens):
                kind, text = self.peek()
                if kind == "sign" and (text in ",:" or text == ")") and not depth:
                    break
                depth += (text == "(") - (text == ")") if kind == "sign" else 0
                self.at += 1
            return reason

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        value = self.binary(level + 1)
        while self.peek()[0] == "sign" and self.peek()[1] in LEVELS[level]:
            sign = self.peek()[1]
            self.at += 1
            value = apply(sign, value, self.binary(level + 1))
        return value

    def unary(self):
        kind, text = self.peek()
        if kind == "sign" and text in "-+!~":
            self.at += 1
            value = self.unary()
            return {"-": lambda: -value, "+": lambda: value, "!": lambda: int(not value), "~": lambda: ~value}[text]()
        if kind == "sign" and text == "(":
            closing = self.closing(self.at)
            inside = " ".join(str(t) for _, t in self.tokens[self.at + 1:closing])
            follows = self.tokens[closing + 1] if closing + 1 < len(self.tokens) else ("end", "")
            if (inside in INTEGERS or inside in FLOATS) and (follows[0] in ("number", "name") or follows == ("sign", "(")):
                self.at = closing + 1
                return cast(inside, self.unary())
            self.at += 1
            value = self.ternary()
            self.take(")")
            return value
        return self.primary()

    def closing(self, at):
        depth = 0
        for i in range(at, len(self.tokens)):
            depth += (self.tokens[i] == ("sign", "(")) - (self.tokens[i] == ("sign", ")"))
            if not depth:
                return i
        raise Unknown("parentheses")

    def primary(self):
        kind, text = self.peek()
        self.at += 1
        if kind == "number":
            return text
        if kind != "name":
            raise Unknown(text)
        if text == "sizeof":
            closing = self.closing(self.at)
            inside = " ".join(str(t) for _, t in self.tokens[self.at + 1:closing])
            self.at = closing + 1
            if inside not in SIZES:
                raise Unknown(inside)
            return SIZES[inside]
        if text in ("true", "false"):
            return int(text == "true")
        if text == "static_cast":
            self.take("<")
            words = []
            while self.peek() != ("sign", ">"):
                words.append(str(self.peek()[1]))
                self.at += 1
                if self.at >= len(self.tokens):
                    raise Unknown(text)
            self.at += 1
            self.take("(")
            value = self.ternary()
            self.take(")")
            return cast(" ".join(words), value)
        if self.peek() == ("sign", "("):
            return self.call(text)
        if self.peek() == ("sign", ".") and self.peek(1) in (("name", "x"), ("name", "y"), ("name", "z")):
            text += f".{self.peek(1)[1]}"
            self.at += 2
        if self.peek()[0] == "sign" and self.peek()[1] in ".[":
            raise Unknown(text)  # a member or an element
        return self.lookup(text)

    def call(self, name):
        self.take("(")
        arguments = []
        while self.peek() != ("sign", ")"):
            arguments.append(self.ternary())
            if self.peek() == ("sign", ","):
                self.at += 1
            elif self.peek() != ("sign", ")"):
                raise Unknown(name)
        self.at += 1
        short = name.removeprefix("std::")
        if short in ("min", "fmin", "fminf") and len(arguments) == 2:
            return min(arguments)
        if short in ("max", "fmax", "fmaxf") and len(arguments) == 2:
            return max(arguments)
        if short in ("ceil", "ceilf") and len(arguments) == 1:
            return float(math.ceil(arguments[0]))
        if short in ("floor", "floorf") and len(arguments) == 1:
            return float(math.floor(arguments[0]))
        if name in INTEGERS | FLOATS and len(arguments) == 1:
            return cast(name, arguments[0])
        if not self.function:
            raise Unknown(name)
        return self.function(name, arguments)


def cast(kind, value):
    if kind in FLOATS:
        return float(value)
    if kind not in INTEGERS:
        raise Unknown(kind)
    return math.trunc(value)


def apply(sign, a, b):
    if sign in ("&&", "||"):
        return int(bool(a) and bool(b)) if sign == "&&" else int(bool(a) or bool(b))
    if sign in ("/", "%") and b == 0:
        raise Unknown("division by zero")
    if sign == "/":
        return a / b if isinstance(a, float) or isinstance(b, float) else int(math.copysign(1, a) * math.copysign(1, b)) * (abs(a) // abs(b))
    if sign in ("%", "<<", ">>", "&", "|", "^") and (isinstance(a, float) or isinstance(b, float)):
        raise Unknown(sign)
    if sign in ("<<", ">>") and not 0 <= b < 64:
        raise Unknown(sign)
    value = {"%": lambda: int(math.fmod(a, b)) if abs(a) < 2**52 else a % b, "<<": lambda: a << b, ">>": lambda: a >> b, "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
             "==": lambda: int(a == b), "!=": lambda: int(a != b), "<": lambda: int(a < b), ">": lambda: int(a > b), "<=": lambda: int(a <= b), ">=": lambda: int(a >= b),
             "&": lambda: a & b, "|": lambda: a | b, "^": lambda: a ^ b}[sign]()
    if isinstance(value, int) and abs(value) >= 2**31:
        raise Unknown("may wrap")  # the width of its type is not known here
    return value


def evaluate(text, lookup, call=None):
    return Parser(text, lookup, call).whole()
