"""Options of the compiler, out of configurations, compilation databases, options files and the command line."""
from scene import Attack

CONFIG = ".smem-lint.yaml"
NOT_ALLOWED = "is not allowed; flags may be about"
NOT_USED = "not used of the compiler flags"


def quoted(flag):
    return "'" + flag.replace("'", "''") + "'"


def configured(name, flags, named, key="ExtraArgs", line=1):
    """`flags` in a configuration: an error at its place, nothing is analysed."""
    return Attack(f"configured_{name}", files={CONFIG: f"{key}: [{', '.join(quoted(flag) for flag in flags)}]\n"},
                  says=(f"{CONFIG}:{line}:", "error:", key, named, NOT_ALLOWED), code=2)


def database(flags, compiler="nvcc"):
    return [{"directory": "{repository}", "file": "kernel.cu", "arguments": [compiler, *flags, "-c", "kernel.cu", "-o", "kernel.o"]}]


def listed(name, flags, named, **more):
    """`flags` in a compilation database: they are named, and the file is analysed without them."""
    return Attack(f"listed_{name}", files={"compile_commands.json": database(flags), **more.pop("files", {})}, says=("note:", NOT_USED, named), code=1, analysed=True, **more)


def xclang(*words):
    return [part for word in words for part in ("-Xclang", word)]


# What the flags are to do, the flags, and what the message has to name.
WRITES = [
    ("dependencies", xclang("-dependency-file", "{victim}/precious", "-MT", "touch$IFS/x;#"), "-Xclang -dependency-file -Xclang {victim}/precious"),
    ("dependency_graph", xclang("-dependency-dot", "{victim}/graph.dot"), "-dependency-dot"),
    ("dependencies_by_the_preprocessor", ["-Wp,-dependency-file,{victim}/precious"], "-Wp,-dependency-file"),
    ("dependencies_word_by_word", ["-Xpreprocessor", "-dependency-file", "-Xpreprocessor", "{victim}/precious"], "-Xpreprocessor -dependency-file"),
    ("module_dependencies", ["-module-dependency-dir", "{victim}/dir"], "-module-dependency-dir {victim}/dir"),
    ("diagnostics", ["--serialize-diagnostics", "{victim}/precious"], "--serialize-diagnostics {victim}/precious"),
    ("diagnostics_inside", xclang("-serialize-diagnostic-file", "{victim}/precious"), "-serialize-diagnostic-file"),
    ("a_log", xclang("-diagnostic-log-file", "{victim}/precious"), "-diagnostic-log-file"),
    ("headers", xclang("-header-include-file", "{victim}/precious", "-H"), "-header-include-file"),
    ("statistics", xclang("-stats-file={victim}/precious"), "-stats-file={victim}/precious"),
    ("saved_statistics", ["-save-stats=obj"], "-save-stats=obj"),
    ("a_time_trace", ["-ftime-trace={victim}/precious"], "-ftime-trace={victim}/precious"),
    ("optimisation_records", ["-foptimization-record-file={victim}/precious"], "-foptimization-record-file={victim}/precious"),
    ("optimisation_records_inside", xclang("-opt-record-file", "{victim}/precious"), "-opt-record-file"),
    ("a_profile", ["-fprofile-generate={victim}/profile"], "-fprofile-generate={victim}/profile"),
    ("coverage", xclang("-coverage-notes-file={victim}/precious", "-coverage-data-file={victim}/precious"), "-coverage-notes-file="),
    ("modules", ["-fmodules", "-fmodules-cache-path={victim}/cache"], "-fmodules"),
    ("a_crash_report", ["-fcrash-diagnostics-dir={victim}"], "-fcrash-diagnostics-dir={victim}"),
    ("stack_usage", xclang("-stack-usage-file", "{victim}/precious"), "-stack-usage-file"),
    ("debugging_information", xclang("-split-dwarf-output", "{victim}/precious"), "-split-dwarf-output"),
    ("an_output", xclang("-emit-obj", "-o", "{victim}/precious"), "-emit-obj"),
    ("a_rewritten_source", xclang("-fixit", "-fix-what-you-can"), "-fixit"),
    ("symbol_graphs", ["-extract-api", "--symbol-graph-dir={victim}"], "--symbol-graph-dir={victim}"),
    ("a_secure_log", xclang("-as-secure-log-file", "{victim}/precious"), "-as-secure-log-file"),
    ("by_an_option_of_llvm", ["-mllvm", "-info-output-file={victim}/precious", "-mllvm", "-time-passes"], "-mllvm -info-output-file={victim}/precious"),
    ("a_dot_file_of_llvm", xclang("-mllvm", "-dot-cfg-dir={victim}"), "-mllvm"),
    ("where_it_works", ["-working-directory={victim}"], "-working-directory={victim}"),
]
LOADS = [
    ("a_plugin", ["-fplugin={plugin}"], "-fplugin={plugin}"),
    ("a_plugin_inside", xclang("-load", "{plugin}"), "-Xclang -load -Xclang {plugin}"),
    ("a_pass_plugin", ["-fpass-plugin={plugin}"], "-fpass-plugin={plugin}"),
    ("a_pass_plugin_inside", xclang("-fpass-plugin={plugin}"), "-fpass-plugin={plugin}"),
    ("by_an_option_of_llvm", ["-mllvm", "-load={plugin}"], "-mllvm -load={plugin}"),
    ("bitcode", xclang("-mlink-builtin-bitcode", "{plugin}"), "-mlink-builtin-bitcode"),
    ("a_syntax_tree", xclang("-ast-merge", "{plugin}"), "-ast-merge"),
    ("a_precompiled_header", ["-include-pch", "{plugin}"], "-include-pch {plugin}"),
    ("a_module", ["-fmodule-file={plugin}"], "-fmodule-file={plugin}"),
    ("a_file_system", ["-ivfsoverlay", "{repository}/overlay.yaml"], "-ivfsoverlay"),
    ("a_map_of_files", xclang("-remap-file", "{repository}/kernel.cu;{victim}/precious"), "-remap-file"),
    ("layouts", xclang("-foverride-record-layout={victim}/precious"), "-foverride-record-layout="),
    ("a_list_of_sanitizers", ["-fsanitize-ignorelist={victim}/precious"], "-fsanitize-ignorelist={victim}/precious"),
    ("a_profile", ["-fprofile-use={victim}/precious"], "-fprofile-use={victim}/precious"),
    ("options", ["--config={repository}/evil.cfg"], "--config={repository}/evil.cfg"),
    ("specifications", ["-specs={repository}/evil.specs"], "-specs={repository}/evil.specs"),
]
RUNS = [
    ("what_finds_gpus", ["--offload-arch=native", "--nvptx-arch-tool={repository}/tool"], "--nvptx-arch-tool={repository}/tool"),
    ("what_finds_other_gpus", ["--amdgpu-arch-tool={repository}/tool"], "--amdgpu-arch-tool={repository}/tool"),
    ("programs_of_a_folder", ["-B{repository}"], "-B{repository}"),
    ("another_ptxas", ["--ptxas-path={repository}/tool"], "--ptxas-path={repository}/tool"),
    ("another_linker", ["--ld-path={repository}/tool"], "--ld-path={repository}/tool"),
    ("another_gcc", ["-ccc-gcc-name", "{repository}/tool"], "-ccc-gcc-name {repository}/tool"),
    ("another_driver", ["--driver-mode=cl"], "--driver-mode=cl"),
    ("what_prints", ["-print-search-dirs"], "-print-search-dirs"),
    ("what_prints_processors", ["-mcpu=help"], "-mcpu=help"),
    ("what_shows_commands", ["-###"], "-###"),
]

ATTACKS = [
    *(configured(f"writes_{name}", flags, named) for name, flags, named in WRITES),
    *(configured(f"loads_{name}", flags, named) for name, flags, named in LOADS),
    *(configured(f"runs_{name}", flags, named) for name, flags, named in RUNS),
    *(listed(f"writes_{name}", flags, named) for name, flags, named in WRITES),
    *(listed(f"loads_{name}", flags, named) for name, flags, named in LOADS),
    *(listed(f"runs_{name}", flags, named) for name, flags, named in RUNS),

    configured("before_all_others", xclang("-dependency-file", "{victim}/precious"), "-dependency-file", key="ExtraArgsBefore"),
    Attack("configured_names_the_line", files={CONFIG: "ExtraArgs:\n  - -DX\n  - -fplugin={plugin}\n"}, says=(f"{CONFIG}:3:5: error:", "-fplugin={plugin}"), code=2),
    Attack("configured_swallows_the_next_flag", files={CONFIG: "ExtraArgsBefore: ['-Xclang']\n", "compile_commands.json": database(["-load", "{plugin}"])},
           says=(f"{CONFIG}:1:19: error:", "argument to '-Xclang' is missing"), code=2),
    Attack("configured_in_the_parent", files={CONFIG: "ExtraArgs: ['-fplugin={plugin}']\n", "sub/.smem-lint.yaml": "InheritParentConfig: true\n", "sub/kernel.cu": "int x;\n"},
           arguments=("sub/kernel.cu",), says=(f"{CONFIG}:1:13: error:", "-fplugin"), code=2),
    Attack("configured_by_an_options_file", files={CONFIG: "ExtraArgs: ['--options-file=evil.rsp']\n", "evil.rsp": "-Xclang -load -Xclang {plugin}\n"},
           says=(f"{CONFIG}:1:13: error:", "-load"), code=2),
    Attack("verified", files={CONFIG: "ExtraArgs: ['-fplugin={plugin}']\n"}, arguments=("--verify-config",), says=("error:", "-fplugin={plugin}"), code=2),
    # Another driver would take `/Fo...` for an option.
    Attack("a_value_that_looks_like_another_driver", files={"compile_commands.json": database(["-include", "--driver-mode=cl", "-isystem", "--driver-mode=cl"]), "--driver-mode=cl": ""},
           code=1, analysed=True),
    listed("in_an_options_file", ["--options-file", "evil.rsp"], "-Xclang -load -Xclang {plugin}", files={"evil.rsp": "-Xclang -load -Xclang {plugin}\n"}),
    listed("in_a_response_file", ["@evil.rsp"], "-fplugin={plugin}", files={"evil.rsp": "-fplugin={plugin}\n"}),
    listed("in_a_nested_response_file", ["@one.rsp"], "-fplugin={plugin}", files={"one.rsp": "@two.rsp\n", "two.rsp": "-fplugin={plugin}\n"}),
    listed("behind_a_folder_of_headers", ["-I", "-Xclang", "-Xclang", "-load", "-Xclang", "{plugin}"], "-load"),
    listed("joined", ["-Xclang=-load", "-Xclang={plugin}"], "-Xclang=-load"),
    listed("for_the_device", ["-Xarch_device", "-fplugin={plugin}"], "-fplugin={plugin}"),
    Attack("listed_for_the_host_compiler", files={"compile_commands.json": database(["-Xcompiler", "-fplugin={plugin}", "-Xcompiler=-Wp,-MD,{victim}/precious"])}, code=1, analysed=True),
    Attack("listed_dependencies_of_every_build", files={"compile_commands.json": database(["-Wp,-MD,{victim}/precious", "-MD", "-MF", "{victim}/precious", "-MJ", "{victim}/precious", "-ftime-trace",
                                                                                          "-save-temps=obj", "-gsplit-dwarf", "--coverage", "-fprofile-arcs"])},
           silent=("note:",), code=1, analysed=True),
    Attack("beside_the_build", files={"build/compile_commands.json": [{"directory": "{repository}/build", "file": "../kernel.cu", "command": "nvcc -fplugin={plugin} -c ../kernel.cu"}]},
           says=("note:", NOT_USED, "-fplugin={plugin}"), code=1, analysed=True),
    Attack("on_the_command_line", arguments=("kernel.cu", "--", "-fplugin={plugin}", *xclang("-dependency-file", "{victim}/precious")),
           says=("note:", NOT_USED, "-fplugin={plugin}", "-dependency-file"), code=1, analysed=True),
    Attack("as_an_extra_argument", arguments=("kernel.cu", "--extra-arg=-fplugin={plugin}", "--extra-arg-before=-fcrash-diagnostics-dir={victim}"),
           says=("note:", NOT_USED, "-fplugin={plugin}", "-fcrash-diagnostics-dir={victim}"), code=1, analysed=True),
    Attack("trust_is_about_tools", arguments=("--trust", "kernel.cu"), files={"compile_commands.json": database(["-fplugin={plugin}"])},
           says=("note:", NOT_USED, "-fplugin={plugin}"), code=1, analysed=True),
    Attack("not_even_in_machine_readable_output", arguments=("--format=json", "kernel.cu"), files={"compile_commands.json": database(["-print-resource-dir", "-v", "-H", "-ftime-report"])},
           code=1, analysed=True, check=lambda test, scene, result: test.assertTrue(result.out.startswith("{"), str(result))),
    Attack("an_ordinary_database_says_nothing",
           files={"compile_commands.json": [{"directory": "{repository}", "file": "kernel.cu",
                                             "command": "nvcc -DX=1 -Iinc -O3 -std=c++17 -MD -MF {victim}/kernel.d -c kernel.cu -o {victim}/kernel.o"}]},
           silent=("note:", "warning: '"), code=1, analysed=True),
]
