"""Options of the compiler, out of configurations, compilation databases, options files and the command line."""
from scene import Attack

ATTACKS = [
    Attack("an_ordinary_database_says_nothing",
           files={"compile_commands.json": [{"directory": "{repository}", "file": "kernel.cu",
                                             "command": "nvcc -DX=1 -Iinc -O3 -std=c++17 -MD -MF {victim}/kernel.d -c kernel.cu -o {victim}/kernel.o"}]},
           silent=("note:", "warning: '"), code=1, analysed=True),
]
