"""Names, source lines and values that are commands to whatever shows them."""
import dataclasses
import os
import pathlib
import pty
import subprocess
import sys

from scene import Attack

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sinks"))
import grammar  # noqa: E402  # pylint: disable=wrong-import-position

CONFLICT = """// smem-lint: launch block=(32) grid=(2)
__global__ void bad(float *out) {{
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = threadIdx.x; // {0}
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][1];
}}
"""
NAMES = {
    "a_line_of_its_own": "x\n::error file=a.cu::pwned\n.cu",
    "a_workflow_command": "::error file=a.cu,title=x::pwned.cu",
    "an_old_workflow_command": "##[add-matcher]m.cu",
    "azures_command": "##vso[task.setvariable variable=a]b.cu",
    "a_title_of_the_terminal": "\033]0;pwned\007.cu",
    "an_erased_screen": "\033[2J\033[Hall is well.cu",
    "a_control_of_eight_bits": "\u009b31m.cu",
    "a_stray_byte": "\udc9b31m\udcff.cu",
    "another_direction": "\u202euc.x\u2066.cu",
    "a_carriage_return": "x\rno findings \r.cu",
    "a_table": "a|b`c|<br>|.cu",
    "a_mention": "@someone #1 [x](y) ![z](w).cu",
    "an_element": "<img src=x onerror=alert(1)>.cu",
    "properties": "a,line=1%0A::error::x.cu",
}
FORMATS = tuple(grammar.OF_FORMAT)
SOME = ("text", "github", "markdown")
# What a case has is analysed for the first of its formats; the others are made of the same results.
RESULTS = {"SMEM_LINT_CACHE_DIR": "{tools}/../results", "SMEM_LINT_CACHE_KEY": "of the tests, not a user's"}


def everything_plain(test, scene, result):
    grammar.plain(result.raw_out)
    grammar.plain(result.raw_err)


def run_in(scene, *words, environment=None):
    return subprocess.run([scene.smem_lint, *words], cwd=scene.repository, capture_output=True, check=False, env=scene.environment(environment))


def of_all_formats(arguments, formats=FORMATS):
    """One run for each format; the attack's own run is the first."""
    def check(test, scene, result):
        everything_plain(test, scene, result)
        for name in formats[1:]:
            done = scene.run(f"--format={name}", *arguments, environment=RESULTS)
            try:
                grammar.OF_FORMAT[name](done.raw_out)
                grammar.plain(done.raw_err)
            except AssertionError as error:
                raise AssertionError(f"--format={name}: {error}\n{done}") from error
    return check


def in_turns(names, formats):
    """The same of files that take long, each in one more format, and in all of them each week: what has an error is analysed each time, with several sets of headers."""
    if os.environ.get("SMEM_LINT_LONG_TESTS"):
        return of_all_formats(names, formats)

    def check(test, scene, result):
        for number, name in enumerate(formats[1:]):
            of_all_formats(names[number::len(formats) - 1], (formats[0], name))(test, scene, result)
    return check


def diffs(test, scene, _):
    """What has got worse in a file of a hostile name."""
    path = scene.repository / NAMES["a_line_of_its_own"]
    path.write_text(CONFLICT.format("x"))
    for words in (("diff", "HEAD"), ("diff", "--format=markdown", "HEAD")):
        done = run_in(scene, words[0], "--cuda-path=none", *words[1:])
        test.assertEqual(done.returncode, 1, done.stderr)
        (grammar.markdown if "--format=markdown" in words else grammar.plain)(done.stdout)
        grammar.plain(done.stderr)


def doctors(test, scene, _):
    hostile = str(scene.repository / "x\n::error::\033[31mtoolkit")
    for variable in ("CUDA_PATH", "CUDA_HOME"):
        os.makedirs(hostile + "/include", exist_ok=True)
        (pathlib.Path(hostile) / "include" / "cuda_runtime.h").touch()
        done = run_in(scene, "--doctor", environment={variable: hostile})
        grammar.plain(done.stdout)
        grammar.plain(done.stderr)


def baselines(test, scene, _):
    """Entries that are gone are listed in reports."""
    for name in NAMES.values():
        (scene.repository / name).write_text(CONFLICT.format("x"))
    names = [os.fsdecode(name) for name in os.listdir(os.fsencode(scene.repository)) if name.endswith(b".cu")]
    scene.run("--baseline=b.json", "--update-baseline", *["./" + name for name in names])
    for name in names:
        (scene.repository / name).write_text("// nothing\n")
    for name in FORMATS:
        done = scene.run(f"--format={name}", "--baseline=b.json", *["./" + file for file in names], environment=RESULTS)
        grammar.OF_FORMAT[name](done.raw_out)
        grammar.plain(done.raw_err)


def progress(test, scene, _):
    """The line that says what is at work, on a terminal."""
    master, terminal = pty.openpty()
    with subprocess.Popen([scene.smem_lint, "--cuda-path=none", *NAMES.values()], cwd=scene.repository, stdout=subprocess.DEVNULL, stderr=terminal, env=scene.environment()) as process:
        os.close(terminal)
        data = b""
        try:
            while part := os.read(master, 4096):
                data += part
        except OSError:  # that is how a terminal ends
            pass
        os.close(master)
    test.assertIn(b"\r\x1b[K[1/", data)
    lines = data.replace(b"\r\x1b[K", b"\n").replace(b"\r\n", b"\n")
    test.assertIsNotNone(process.returncode)
    grammar.plain(lines, colors=True)


HOSTILE = "::error::x\n##[error]y \033[31mz\u202e"
QUOTED = "\033]0;pwned\007 \u009b2J \u202e ##[add-matcher]x \x7f\b <script>alert(1)</script> @someone | `"

ATTACKS = [
    *[Attack(f"name_is_{what}", files={name: CONFLICT.format("x")}, arguments=(name if not name.startswith("-") else "./" + name,), code=1,
             check=of_all_formats((name,), ("text", "github"))) for what, name in NAMES.items()],
    Attack("names_of_all_kinds", files={name: CONFLICT.format("x") for name in NAMES.values()}, arguments=tuple(NAMES.values()), code=1, check=of_all_formats(tuple(NAMES.values()))),
    Attack("names_of_files_that_do_not_exist", arguments=tuple(NAMES.values()), code=2, check=of_all_formats(tuple(NAMES.values()))),
    Attack("names_of_files_that_do_not_parse", files={name: "#error no\n" for name in NAMES.values()}, arguments=tuple(NAMES.values()), code=2, check=in_turns(tuple(NAMES.values()), SOME)),
    Attack("colours_do_not_open_a_door", files={NAMES["an_erased_screen"]: CONFLICT.format(QUOTED)}, arguments=("--color=always", NAMES["an_erased_screen"]), code=1,
           check=lambda test, scene, result: (grammar.plain(result.raw_out, colors=True), grammar.plain(result.raw_err, colors=True))),
    Attack("a_quoted_source_line", files={"a.cu": CONFLICT.format(QUOTED)}, arguments=("a.cu",), code=1, check=of_all_formats(("a.cu",))),
    Attack("a_quoted_source_line_of_stray_bytes", files={"a.cu": CONFLICT.format("").encode().replace(b"// ", b"// \x9b2J\xff\xfe\xc0\x80 \x1b[2J ")}, arguments=("a.cu",), code=1,
           check=of_all_formats(("a.cu",), SOME)),
    Attack("an_error_of_the_sources_own", files={"a.cu": "#error " + QUOTED + "\n#warning " + QUOTED + "\n"}, arguments=("a.cu",), code=2, check=of_all_formats(("a.cu",), SOME)),
    Attack("a_pragma_message", files={"a.cu": '#pragma message("\\n::error::pwned\\033[2J")\n' + CONFLICT.format("x")}, arguments=("a.cu",), check=of_all_formats(("a.cu",), SOME)),
    Attack("a_static_assertion", files={"a.cu": 'static_assert(false, "\\n::error::pwned\\033[2J##[error]");\n'}, arguments=("a.cu",), code=2, check=of_all_formats(("a.cu",), SOME)),
    Attack("a_line_directive", files={"a.cu": '#line 7 "\\n::error::x\\033[2J.cu"\n' + CONFLICT.format("x")}, arguments=("a.cu",), check=of_all_formats(("a.cu",), SOME)),
    Attack("an_include_of_a_hostile_name", files={"a.cu": '#include "::error::\033[2J.h"\n'}, arguments=("a.cu",), code=2, check=of_all_formats(("a.cu",), SOME)),
    Attack("a_macro_in_an_expression", files={"a.cu": CONFLICT.format("x").replace("tile[threadIdx.x][1]", 'tile[threadIdx.x][sizeof("\033[2J|`@x") * 0 + 1]')}, arguments=("a.cu",), code=1,
           check=of_all_formats(("a.cu",), SOME)),
    Attack("comments_that_are_suppressions", files={"a.cu": CONFLICT.format("NOLINT(smem-bank-conflict): \033[2J ##[error] @x | `")}, arguments=("a.cu",), check=of_all_formats(("a.cu",), SOME)),
    Attack("comments_of_unknown_words", files={"a.cu": CONFLICT.format("x").replace("block=(32)", "block=(32) \033[2J##[error]=1")}, arguments=("a.cu",), check=of_all_formats(("a.cu",), SOME)),
    Attack("an_expectation_of_unknown_words", files={"a.cu": CONFLICT.format("smem-lint: expect \033[2J##[error]<=1")}, arguments=("a.cu",), check=of_all_formats(("a.cu",), SOME)),
    Attack("a_key_of_the_configuration", files={".smem-lint.yaml": '"::error::x\\n\\e[2J": 1\n'}, code=2, check=everything_plain),
    Attack("values_of_the_configuration", files={".smem-lint.yaml": 'Checks: "\\n::error::x\\e[2J"\nArch: "sm_90\\n::error::"\nFailOn: "\\n::error::"\n'}, code=2, check=everything_plain),
    Attack("a_configuration_that_is_shown", files={".smem-lint.yaml": 'HeaderFilterRegex: "a\\n::error::x\\e[2J##[error]\\u202e"\n'}, arguments=("--dump-config",), code=0, check=everything_plain),
    Attack("a_baseline_of_the_configuration", files={".smem-lint.yaml": 'Baseline: "b\\n::error::x\\e[2J.json"\n'}, code=2, check=everything_plain),
    Attack("a_launch_of_the_configuration", files={".smem-lint.yaml": 'Launches:\n  - "\\n::error::x\\e[2J:block=32"\n'}, check=everything_plain),
    Attack("a_database_of_hostile_flags", files={"compile_commands.json": [{"directory": "{repository}", "file": "kernel.cu", "arguments": ["nvcc", "--" + HOSTILE, "-D" + HOSTILE, "-arch=" + HOSTILE, "kernel.cu"]}]},
           check=of_all_formats(("kernel.cu",), SOME)),
    Attack("a_database_that_is_none", files={"compile_commands.json": '[{"\\n::error::x\\u001b[2J": '}, check=everything_plain),
    Attack("launches_of_hostile_kernels", files={"m.jsonl": '{"schema_version": "\\n::error::x\\u001b[2J"}\n'}, arguments=("--launches=m.jsonl", "kernel.cu"), check=everything_plain),
    Attack("options_of_hostile_names", arguments=("--" + HOSTILE, "kernel.cu"), code=2, check=everything_plain),
    Attack("kernels_of_hostile_names", arguments=("--kernel=" + HOSTILE, "kernel.cu"), code=2, check=everything_plain),
    Attack("launches_of_the_command_line", arguments=("--launch=" + HOSTILE + ":block=32", "kernel.cu"), code=2, check=everything_plain),
    Attack("a_revision_of_a_hostile_name", git=True, arguments=("diff", HOSTILE), code=2, check=everything_plain),
    Attack("a_part_of_a_hostile_name", files={"x\n::error::y": "no part"}, arguments=("merge", "x\n::error::y"), code=2, check=everything_plain),
    Attack("differences_of_hostile_names", git=True, check=diffs),
    Attack("a_toolkit_of_a_hostile_name", check=doctors),
    Attack("a_line_of_progress", files={name: CONFLICT.format("x") for name in NAMES.values()}, check=progress),
    Attack("entries_of_a_baseline", files={}, check=baselines),
    Attack("a_listing_of_hostile_text", files={"k.sass": "::error::x\n\033[2J##[error]\n"}, arguments=("--as-compiled=k.sass", "kernel.cu"), check=of_all_formats(("--as-compiled=k.sass", "kernel.cu"))),
]
ATTACKS = [dataclasses.replace(attack, environment={**RESULTS, **attack.environment}) for attack in ATTACKS]
