# Goldens of smem-lint's text report: each test is a kernel whose comments say what is printed about its lines.
import os

import lit.formats

config.name = "smem-lint"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

# Nothing of the caller's environment reaches the output.
config.environment.clear()
config.environment.update(PATH=os.path.join(config.llvm_tools, "") + os.pathsep + "/usr/bin:/bin", NO_COLOR="1", LC_ALL="C.UTF-8")

# %lint: the headers that smem-lint ships, whether a toolkit is installed or not. %lint-bare leaves that choice open too.
config.substitutions += [
    ("%lint-bare", config.smem_lint),
    ("%lint", f"{config.smem_lint} --cuda-path=none"),
    ("%kernels", config.kernels),
    ("%python", config.python),
]
