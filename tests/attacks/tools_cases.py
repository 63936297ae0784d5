"""Programs that --as-compiled and `diff` run, and what a configuration has written: none of it is for the repository to choose."""
import os

from scene import Attack, Link, Program

CONFIG = ".smem-lint.yaml"
PRETENDED_NVCC = 'echo "$@" >> "$ASKED"; [ "$1" != --version ] || exit 0; while [ "$1" != -o ]; do shift; done; printf "\\177ELFcode" > "$2"'
# The user's own tools: they write down what they are asked.
TOOLS = {"nvcc": PRETENDED_NVCC, "nvdisasm": "exit 1"}
TOOLKIT = {"include/cuda_runtime.h": "", "include/cuda.h": "#define CUDA_VERSION 13000\n", "bin/nvcc": Program(PRETENDED_NVCC), "bin/nvdisasm": Program(), "bin/ptxas": Program(),
           "nvvm/libdevice/libdevice.10.bc": ""}
REAL_NVCC = "/usr/local/cuda/bin/nvcc"
NO_NVCC = "" if os.path.exists(REAL_NVCC) else "no nvcc"


def not_asked(*words):
    """The user's nvcc was run, and nobody asked it for any of this."""
    def check(test, scene, result):
        asked = (scene.folder / "asked").read_text()
        test.assertIn("-cubin", asked, str(result))
        for word in words:
            test.assertNotIn(scene.text(word), asked, str(result))
    return check


def asked(*words):
    def check(test, scene, result):
        text = (scene.folder / "asked").read_text()
        for word in words:
            test.assertIn(scene.text(word), text, str(result))
    return check


def database(flags):
    return [{"directory": "{repository}", "file": "kernel.cu", "arguments": ["nvcc", *flags, "-c", "kernel.cu", "-o", "kernel.o"]}]


def listed(name, flags, *named, **more):
    """Flags of a compilation database that nvcc must not see."""
    return Attack(f"nvcc_{name}", files={"compile_commands.json": database(flags), **more.pop("files", {})}, arguments=("--as-compiled", "kernel.cu"), tools=TOOLS,
                  environment={"ASKED": "{victim}/../asked"}, says=("note:", "not handed to nvcc", *named), check=not_asked(*named), **more)


def for_a_shell(name, text, named=""):
    """The same with the nvcc of the machine, which does start a shell."""
    return Attack(f"shell_{name}", files={"compile_commands.json": database([text])}, arguments=("--as-compiled", "kernel.cu"), environment={"PATH": f"{os.path.dirname(REAL_NVCC)}:/usr/bin:/bin"},
                  says=("note:", "not handed to nvcc", named or text), skip=NO_NVCC)


def named_file(name, file):
    return Attack(f"file_{name}", files={file: "__global__ void k(int *p) { p[threadIdx.x] = 1; }\n"}, arguments=("--as-compiled", "./" + file), tools=TOOLS, environment={"ASKED": "{victim}/../asked"},
                  says=("error:", "nvcc hands names to a shell"), code=2,
                  check=lambda test, scene, result: test.assertFalse((scene.folder / "asked").exists(), str(result)))


def elsewhere(name, key, value, **more):
    return Attack(f"written_{name}", files={CONFIG: f"FailOn: never\n{key}: '{value}'\n", **more.pop("files", {})}, says=(f"{CONFIG}:2:", "error:", key, "is not a place in"), code=2, **more)


PRETENDED_GIT = {"evil/HEAD": "ref: refs/heads/main\n", "evil/config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = {repository}/monitor\n", "evil/objects/x": "", "evil/refs/x": "",
                 "monitor": Program()}

ATTACKS = [
    # Tools.
    Attack("toolkit_of_the_configuration", files={CONFIG: "CudaPath: toolkit\n", **{f"toolkit/{name}": text for name, text in TOOLKIT.items()}}, arguments=("--as-compiled", "--quiet", "kernel.cu"),
           tools=TOOLS, environment={"ASKED": "{victim}/../asked"}, code=2),
    Attack("toolkit_of_the_configuration_absolute", files={CONFIG: "CudaPath: '{repository}/toolkit'\n", **{f"toolkit/{name}": text for name, text in TOOLKIT.items()}},
           arguments=("--as-compiled", "kernel.cu"), tools=TOOLS, environment={"ASKED": "{victim}/../asked"}, code=2),
    Attack("disassembler_of_the_configuration", files={CONFIG: "CudaPath: toolkit\n", "k.cubin": b"\x7fELFcode", **{f"toolkit/{name}": text for name, text in TOOLKIT.items()}},
           arguments=("--as-compiled=k.cubin", "kernel.cu"), tools=TOOLS, code=2),
    Attack("toolkit_in_a_relative_folder_of_the_path", files={"nvcc": Program(PRETENDED_NVCC), "nvdisasm": Program()}, arguments=("--as-compiled", "--cuda-path=none", "kernel.cu"),
           environment={"PATH": ".::bin:/usr/bin:/bin", "CUDA_PATH": "", "CUDA_HOME": ""},
           says=("error:", "--as-compiled:") if NO_NVCC else ("as compiled (nvcc 1",), code=2 if NO_NVCC else 1),  # a real one may be in /usr/local/cuda
    Attack("git_in_a_relative_folder_of_the_path", files={"git": Program("exit 1")}, arguments=("diff", "HEAD"), environment={"PATH": ".::/usr/bin:/bin"}, git=True, code=0),
    # Flags for nvcc.
    listed("host_compiler", ["-ccbin={repository}/gcc"], "-ccbin={repository}/gcc", files={"gcc": Program()}),
    listed("host_compiler_in_two_words", ["--compiler-bindir", "{repository}"], "--compiler-bindir={repository}", files={"gcc": Program()}),
    listed("plugin_of_the_host_compiler", ["-Xcompiler", "-fplugin={plugin}"], "-fplugin={plugin}"),
    listed("plugin_in_a_list", ["-Xcompiler=-Wall,-fplugin={plugin}"], "-fplugin={plugin}"),
    listed("plugin_forwarded", ["-forward-unknown-to-host-compiler", "-fplugin={plugin}"], "-fplugin={plugin}"),
    listed("specifications_of_the_host_compiler", ["-Xcompiler", "-specs=evil.specs"], "-specs=evil.specs"),
    listed("programs_of_the_host_compiler", ["-Xcompiler", "-B{repository}"], "-B{repository}"),
    listed("output_of_ptxas", ["-Xptxas", "-o,{victim}/precious"], "-Xptxas=-o"),
    listed("options_of_ptxas", ["-Xptxas", "--options-file,evil.rsp"], "--options-file"),
    listed("libdevice", ["-ldir", "{repository}"], "-ldir={repository}"),
    listed("archiver", ["-arbin", "{repository}/ar"], "-arbin={repository}/ar"),
    listed("linker_script", ["-hls", "{victim}/precious"], "-hls={victim}/precious"),
    listed("backticks", ["-DX=`touch {victim}/executed`"], "`touch {victim}/executed`"),
    listed("dollar", ["-DX=$(touch {victim}/executed)"], "$(touch {victim}/executed)"),
    listed("variable", ["-DX=$HOME"], "-DX=$HOME"),
    listed("semicolon", ["-DX=a;touch {victim}/executed"], "-DX=a;touch"),
    listed("in_a_folder_name", ["-I`touch {victim}/executed`"], "`touch {victim}/executed`"),
    listed("in_an_included_file", ["-include", "$(touch {victim}/executed)"], "$(touch {victim}/executed)"),
    listed("in_a_list_of_macros", ["--define-macro", "A,B=`touch {victim}/executed`"], "`touch {victim}/executed`"),
    Attack("nvcc_in_the_standard", files={"compile_commands.json": database(["-std=c++17;touch {victim}/executed"])}, arguments=("--as-compiled", "kernel.cu"), tools=TOOLS, code=2),
    listed("in_a_number", ["-maxrregcount=`touch {victim}/executed`"], "`touch {victim}/executed`"),
    listed("backslash_and_quote", ['-DX=\\";touch {victim}/executed;\\"'], ';touch {victim}/executed;'),
    Attack("nvcc_runs_the_program", files={"compile_commands.json": database(["-run", "-run-args={victim}", "-keep", "-keep-dir={victim}", "-odir={victim}", "-objtemp", "-fdevice-time-trace={victim}/precious"])},
           arguments=("--as-compiled", "kernel.cu"), tools=TOOLS, environment={"ASKED": "{victim}/../asked"}, check=not_asked("-run", "-keep", "-odir", "-objtemp", "-fdevice-time-trace")),
    Attack("nvcc_of_the_configuration", files={CONFIG: "ExtraArgs: ['-ccbin={repository}/gcc', '-Xcompiler=-fplugin={plugin}', '-DX=`touch {victim}/executed`']\n", "gcc": Program()},
           arguments=("--as-compiled", "kernel.cu"), tools=TOOLS, environment={"ASKED": "{victim}/../asked"}, says=("not handed to nvcc", "-ccbin=", "-fplugin=", "`touch"),
           check=not_asked("-ccbin", "-fplugin", "touch")),
    Attack("nvcc_of_a_named_database", files={"db/compile_commands.json": database(["-ccbin={repository}/gcc"]), "gcc": Program()}, arguments=("--as-compiled", "-p", "db", "kernel.cu"), tools=TOOLS,
           environment={"ASKED": "{victim}/../asked"}, says=("not handed to nvcc", "-ccbin="), check=not_asked("-ccbin")),
    Attack("nvcc_gets_what_the_user_writes", arguments=("--as-compiled", "kernel.cu", "--", "-ccbin=/usr/bin/g++", "-DX=1"), tools=TOOLS, environment={"ASKED": "{victim}/../asked"},
           check=asked("-ccbin=/usr/bin/g++", "-DX=1")),
    Attack("nvcc_gets_everything_where_it_is_trusted", files={"compile_commands.json": database(["-ccbin=/usr/bin/g++", "-DX=1"])}, arguments=("--as-compiled", "--trust", "kernel.cu"), tools=TOOLS,
           environment={"ASKED": "{victim}/../asked"}, check=asked("-ccbin=/usr/bin/g++", "-DX=1")),
    Attack("nvcc_gets_an_ordinary_database", files={"compile_commands.json": database(["-forward-unknown-to-host-compiler", "-DX=1", "-Iinc", "-isystem=sys", "-O3", "-DNDEBUG", "-std=c++17",
                                                                                      "--generate-code=arch=compute_90,code=[compute_90,sm_90]", "-Xcompiler=-fPIC", "-MD", "-MT", "x", "-MF", "x.d", "-x", "cu"])},
           arguments=("--as-compiled", "kernel.cu"), tools=TOOLS, environment={"ASKED": "{victim}/../asked"}, silent=("note:",),
           check=asked("-DX=1", "-I{repository}/inc", "-isystem={repository}/sys", "-O3", "-DNDEBUG", "-std=c++17", "-x=cu")),
    # A shell that is really there.
    for_a_shell("backticks", "-DX=`touch {victim}/executed`"),
    for_a_shell("dollar", "-DX=$(touch {victim}/executed)"),
    for_a_shell("within_quotes", '-DX="$(touch {victim}/executed)"'),
    for_a_shell("backslash", '-DX=\\\\";touch {victim}/executed;\\\\"'),
    for_a_shell("folder", "-I$(touch {victim}/executed)", "$(touch {victim}/executed)"),
    Attack("shell_for_the_host_compiler", files={"compile_commands.json": database(["-Xcompiler", "-DX=`touch {victim}/executed`"])}, arguments=("--as-compiled", "kernel.cu"),
           environment={"PATH": f"{os.path.dirname(REAL_NVCC)}:/usr/bin:/bin"}, says=("not handed to nvcc", "`touch {victim}/executed`"), skip=NO_NVCC),
    # Names of files.
    named_file("backticks", "`touch executed`.cu"),
    named_file("dollar", "$(touch executed).cu"),
    named_file("semicolon", "a;touch executed;.cu"),
    named_file("quote", 'a";touch executed;".cu'),
    named_file("line", "a\ntouch executed\n.cu"),
    Attack("file_that_looks_like_a_file_of_options", files={"@kernel.cu": "__global__ void good(int *p) { p[threadIdx.x] = 1; }\n"}, arguments=("--as-compiled", "@kernel.cu"), tools=TOOLS,
           environment={"ASKED": "{victim}/../asked"}, check=asked(" ./@kernel.cu")),
    # What a configuration has written.
    elsewhere("cache", "CacheDir", "{victim}/cache"),
    elsewhere("cache_above", "CacheDir", "../victim/cache"),
    elsewhere("cache_through_a_link", "CacheDir", "link/cache", files={"link": Link("{victim}")}),
    elsewhere("cache_among_gits_files", "CacheDir", ".git/hooks", git=True),
    elsewhere("cache_is_the_repository", "CacheDir", "."),
    elsewhere("baseline", "Baseline", "{victim}/precious", arguments=("--update-baseline", "kernel.cu")),
    elsewhere("baseline_above", "Baseline", "../victim/new.json", arguments=("--update-baseline", "kernel.cu")),
    elsewhere("baseline_through_a_link", "Baseline", "link/new.json", files={"link": Link("{victim}")}, arguments=("--update-baseline", "kernel.cu")),
    elsewhere("baseline_that_is_a_link", "Baseline", "b.json", files={"b.json": Link("{victim}/precious")}, arguments=("--update-baseline", "kernel.cu")),
    elsewhere("baseline_that_is_a_link_to_nothing", "Baseline", "b.json", files={"b.json": Link("{victim}/new")}, arguments=("--update-baseline", "kernel.cu")),
    elsewhere("baseline_among_gits_files", "Baseline", ".git/config", git=True, arguments=("--update-baseline", "kernel.cu")),
    Attack("written_by_a_configuration_of_a_folder", files={"sub/.smem-lint.yaml": "CacheDir: '{victim}/cache'\n", "sub/kernel.cu": "int x;\n"}, arguments=("sub/kernel.cu",),
           says=("sub/.smem-lint.yaml:1:", "CacheDir", "is not a place in"), code=2),
    Attack("written_within_the_repository", files={CONFIG: "FailOn: never\nCacheDir: .cache/lint\nBaseline: b.json\n"}, arguments=("--update-baseline", "--table", "kernel.cu"), writes=(".cache", ".cache/*", "b.json"), code=0,
           analysed=True),
    # git.
    Attack("git_monitor", files=PRETENDED_GIT, arguments=("diff", "HEAD"), git=True, code=0),
    Attack("git_revision_that_is_an_option", arguments=("diff", "--", "--output={victim}/precious"), git=True, code=2),
    Attack("git_revision_with_a_command", arguments=("diff", "HEAD;touch {victim}/executed"), git=True, says=("there is no revision",), code=2),
]
