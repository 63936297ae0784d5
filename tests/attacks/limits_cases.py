"""Inputs without end: files that are none, and sources that make the compiler work for ever or fill the memory.

Every run is bounded from outside as well, so that a case that succeeds takes neither the machine nor the suite with it.
"""
import os
import resource
import socket

from scene import Attack, Link

GIB = 1 << 30
OUTSIDE = 12 * GIB        # addresses, of the tool and of each of its processes
KERNEL = "__global__ void bad(float *p) { p[threadIdx.x] = 1; }\n"
SECONDS, MIB = 2, 384     # of --timeout and --max-memory, where a case has to meet one of them
LATE = f"time limit of {SECONDS} s (--timeout)"
# What reaches the two bounds at about the same time: which of them stops it depends on the machine.
LATE_OR_LARGE = ("bomb.cu", "not analysed", "(--")
LLVMS = ("LLVM ERROR", "terminate called", "Stack dump", "std::bad_alloc")
# A sanitizer takes terabytes of addresses; where one is at work the tool bounds nothing.
SANITIZED = any(name in os.environ for name in ("ASAN_OPTIONS", "TSAN_OPTIONS"))


def outside():
    resource.setrlimit(resource.RLIMIT_AS, (OUTSIDE, OUTSIDE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def bounded(*arguments, run=None, says=(), code=2, good=True, silent=(), prepare=None):
    """`check`: the scene is prepared, and the tool is run within bounds; it has to say this, analyse the good kernel, and end."""
    def check(test, scene, _):
        if prepare:
            prepare(scene)
        result = scene.run(*arguments, limits=None if SANITIZED else outside, stdin=run or "")
        test.assertIn(result.code, code if isinstance(code, tuple) else (code,), str(result))
        for text in ("internal error", *LLVMS, *silent):
            test.assertNotIn(text, result.out + result.err, str(result))
        needles = [says] if isinstance(says, str) else list(says)
        test.assertTrue(not needles or any(all(needle in line for needle in needles) for line in (result.err + result.out).splitlines()), f"no line with {needles}\n{result}")
        if good:
            test.assertIn("good", result.out, str(result))
    return check


def case(name, *arguments, files=None, **how):
    """The run of the scene itself is the one that prints the version: what matters is `check`."""
    return Attack(name, files=files or {}, arguments=("--version",), code=0, check=bounded(*arguments, **how))


def where_bounded(attack):
    return Attack(**{**attack.__dict__, "skip": "a sanitizer is at work" if SANITIZED else ""})


def bomb(name, text, says, code=2, **how):
    """A source that takes too much, beside a good one that is analysed all the same."""
    limits = (f"--timeout={SECONDS}", f"--max-memory={MIB}")
    return where_bounded(case(name, *limits, "bomb.cu", "kernel.cu", files={"bomb.cu": text}, says=says, code=code, **how))


def pipe(scene):
    os.mkfifo(scene.repository / "endless")


def a_socket(scene):
    here = os.getcwd()
    os.chdir(scene.repository)  # a socket's name is short
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("endless")
    finally:
        os.chdir(here)


def device(scene):
    (scene.repository / "endless").symlink_to("/dev/zero")


def large(scene):
    with open(scene.repository / "endless", "wb") as file:
        file.truncate(80 * GIB)


ONLY = "and only regular files are read"
KINDS = {"a_pipe": (pipe, "it is a pipe, " + ONLY), "a_link_to_a_device": (device, "it is a device, " + ONLY), "a_socket": (a_socket, "it is a socket, " + ONLY),
         "80_gib": (large, "it is larger than ")}
# What a run reads, and whether the good kernel can be analysed without it.
READ = {
    "source": (("endless", "kernel.cu"), True), "included": (("includes.cu", "kernel.cu"), True), "included_by_a_flag": (("kernel.cu", "--", "-include", "./endless"), None),
    "embedded": (("embeds.cu", "kernel.cu"), True), "configuration": (("--config-file=endless", "kernel.cu"), False), "baseline": (("--baseline=endless", "kernel.cu"), False),
    "recording": (("--launches=endless", "kernel.cu"), False), "database": (("-p", "endless", "kernel.cu"), True), "options_file": (("kernel.cu", "--", "--options-file=endless"), False),
    "listing": (("--as-compiled=endless", "kernel.cu"), True),
}
FILES = {"includes.cu": '#include "endless"\n' + KERNEL, "embeds.cu": 'const unsigned char all[] = {\n#embed "endless"\n};\n' + KERNEL}


def regular_only():
    for what, (arguments, good) in READ.items():
        for kind, (prepare, says) in KINDS.items():
            # Clang looks an embedded file up without a word about why it cannot be opened.
            yield case(f"{what}_that_is_{kind}", *arguments, files=FILES, prepare=prepare, says="endless" if what == "embedded" else says, good=bool(good),
                       code=(0, 1, 2) if good is None else 2)


def doubled(first, count, times=4):
    return f"#define A0 {first}\n" + "".join(f"#define A{i + 1} {' '.join([f'A{i}'] * times)}\n" for i in range(count))


def nested(opening, closing, count):
    return opening * count + "1" + closing * count


def deep_json(count):
    return "[" * count + "]" * count


LOOP = "constexpr int work(int n) { int s = 0; for (int i = 0; i < n; ++i) for (int j = 0; j < 1000; ++j) s ^= i * j; return s; }\n"

ATTACKS = [
    *regular_only(),
    case("devices_as_sources", "/dev/zero", "/dev/urandom", "kernel.cu", says=("/dev/urandom", "it is a device, " + ONLY)),
    case("what_the_kernel_makes_up", "environment.cu", "kernel.cu", files={"environment.cu": '#include "/proc/self/environ"\n' + KERNEL}, says=("the kernel makes it up, " + ONLY), silent=("HOME=",)),
    case("a_device_by_a_link_of_the_repository", "link.cu", "kernel.cu", files={"link.cu": Link("/dev/urandom")}, says=("link.cu", "it is a device, " + ONLY)),
    case("a_part_that_is_a_device", "merge", "/dev/zero", says=("it is a device, " + ONLY), good=False),
    case("an_empty_device_is_an_empty_file", "--config-file=/dev/null", "kernel.cu", code=1),
    case("standard_input_without_end", "-", run="/" * (65 << 20), says="standard input is longer than 64 MiB", good=False),
    # what the compiler is made to do
    bomb("macros_that_double", doubled('"0123456789012345678901234567890123456789"', 14) + "const char *s = A14;\n" + KERNEL, "bomb.cu"),
    bomb("a_list_of_macros_that_double", doubled("0,", 14) + "int s[] = {A14};\n" + KERNEL, "bomb.cu"),
    bomb("instantiations_that_double", "template <int N, int M> struct S { static constexpr int v = S<N - 1, 2 * M>::v + S<N - 1, 2 * M + 1>::v; };\n"
         "template <int M> struct S<0, M> { static constexpr int v = M; };\nint x = S<26, 1>::v;\n" + KERNEL, "bomb.cu"),
    bomb("instantiations_without_end", "template <int N> struct S { static constexpr int v = S<N + 1>::v; };\nint x = S<0>::v;\n" + KERNEL, "recursive template instantiation exceeded maximum depth"),
    bomb("many_long_constant_loops", LOOP + "".join(f"constexpr int x{i} = work(1000);\n" for i in range(300)) + KERNEL, LATE),
    bomb("a_sum_of_60000_terms", "__global__ void bad(float *p) { p[threadIdx.x] = " + " + ".join(["p[1]"] * 60000) + "; }\n", LATE),
    case("a_constant_sum_of_60000_terms_in_an_index", "bomb.cu", "kernel.cu", files={"bomb.cu": "__global__ void bad(float *p) { p[threadIdx.x + " + " + ".join(["1"] * 60000) + "] = 1; }\n"},
         code=(0, 1), silent=("not analysed",)),
    case("a_sum_of_60000_variables_in_an_index", "bomb.cu", "kernel.cu", files={"bomb.cu": "__global__ void bad(float *p, int a) { p[" + " + ".join(["a"] * 60000) + "] = 1; }\n"},
         code=(0, 1), silent=("not analysed",)),
    bomb("20000_statements", "__global__ void bad(float *p) {\n" + "".join(f"p[(threadIdx.x * {i}) % 977] += p[{i}];\n" for i in range(20000)) + "}\n", LATE_OR_LARGE),
    bomb("100000_parentheses", "int x = " + nested("(", ")", 100000) + ";\n" + KERNEL, "bracket nesting level exceeded maximum"),
    bomb("100000_blocks", "__global__ void bad(float *p) " + "{" * 100000 + "}" * 100000 + "\n", "bracket nesting level exceeded maximum"),
    bomb("200000_signs", "int x = " + "-~" * 200000 + "1;\n" + KERNEL, ("bomb.cu", "not analysed")),
    bomb("a_file_that_includes_itself", '#include "bomb.cu"\n' + KERNEL, "#include nested too deeply"),
    bomb("calls_that_double", "__device__ int f0(int x) { return x + 1; }\n" + "".join(f"__device__ __forceinline__ int f{i + 1}(int x) {{ return f{i}(x) + f{i}(x * 3); }}\n" for i in range(24)) +
         "__global__ void bad(int *p) { p[threadIdx.x] = f24(p[0]); }\n", "bomb.cu"),
    bomb("host_code_without_end", KERNEL + "int main() { long n = 0; for (;;) n += 1; bad<<<n, 32>>>(nullptr); }\n", (), code=(0, 1, 2)),
    bomb("conditions_20000_deep", "__global__ void bad(int *p) { " + "if (p[0]) " * 20000 + "p[1] = 1; }\n", "bomb.cu", code=(1, 2)),
    where_bounded(case("too_little_memory_for_anything", "--max-memory=16", "kernel.cu", says="it needs more than 16 MiB of memory (--max-memory allows more)", good=False)),
    case("too_little_time_for_anything", "--timeout=0.001", "kernel.cu", says="time limit of 0.001 s (--timeout)", good=False),
    # what describes a run
    case("a_deep_database", "-p", "deep.json", "kernel.cu", files={"deep.json": deep_json(200000)}, says="nested deeper than 256 levels"),
    case("a_deep_baseline", "--baseline=deep.json", "kernel.cu", files={"deep.json": deep_json(200000)}, says="nested deeper than 256 levels", code=2, good=False),
    case("a_deep_recording", "--launches=deep.json", "kernel.cu", files={"deep.json": deep_json(200000)}, says="--launches", good=False),
    case("a_deep_line_filter", "--line-filter=-", "kernel.cu", run=deep_json(200000), says="nested deeper than 256 levels", good=False),
    case("a_deep_configuration", "kernel.cu", files={".smem-lint.yaml": "Checks: " + deep_json(200000)}, says="nested too deep", good=False),
    case("a_configuration_of_one_line", "kernel.cu", files={".smem-lint.yaml": "- " * 200000}, says="nested too deep", good=False),
    case("a_long_configuration", "kernel.cu", files={".smem-lint.yaml": "# \n" * 500000}, says="it is larger than 1 MiB", good=False),
    *[case(f"an_expression_that_{what}", "kernel.cu", files={".smem-lint.yaml": f"HeaderFilterRegex: '{text}'\n"}, says=("HeaderFilterRegex", says), good=False)
      for what, text, says in (("repeats_repetitions", "((((a{99}){99}){99}){99})", "repeats something more than 1000 times"), ("is_long", "a" * 2000, "longer than 1000 characters"),
                               ("refers_back", "(a*)*\\1", "back references are not supported"), ("is_deep", nested("(", ")+", 40), "nested deeper than 10 levels"))],
    case("an_options_file_that_names_itself", "kernel.cu", "--", "--options-file=o.txt", files={"o.txt": "--options-file=o.txt " * 100}, says="options file", good=False),
    case("options_files_that_double", "kernel.cu", "--", "--options-file=o0.txt", files={f"o{i}.txt": f"--options-file=o{i + 1}.txt " * 9000 for i in range(6)}, says="options file", good=False),
]
