# Goldens of smem-lint's text report: each test is a kernel whose comments say what is printed about its lines.
import os

import lit.formats

config.name = "smem-lint"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".cu", ".ll", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)

# Nothing of the caller's environment reaches the output.
config.environment.clear()
config.environment.update(PATH=os.path.join(config.llvm_tools, "") + os.pathsep + "/usr/bin:/bin", NO_COLOR="1", LC_ALL="C.UTF-8", SMEM_LINT_PREFIXES="")

# %lint: all that the text report has, with the headers that smem-lint ships, whether a toolkit is installed or not. %lint-short: as it is printed
# by default. %lint-bare leaves the choice of headers open too, %lint-cub takes a toolkit that has CUB. %stage runs one stage of the compiler model,
# %races looks for races in shared memory.
if config.toolkit_with_cub:
    config.available_features.add("cub")
    config.substitutions.append(("%lint-cub", f"{config.smem_lint} --cuda-path={config.toolkit_with_cub} --table"))
config.substitutions += [
    ("%lint-bare", f"{config.smem_lint} --table"),
    ("%lint-short", f"{config.smem_lint} --cuda-path=none"),
    ("%stage", config.smem_nvcc_stage),
    ("%races", config.smem_races),
    ("%lint", f"{config.smem_lint} --cuda-path=none --table"),
    ("%kernels", config.kernels),
    ("%python", config.python),
]
