#!/usr/bin/env python3
"""Nothing is printed or written around the sinks: nothing_around_test.py SOURCE_FOLDER. Looks for calls that would, in the code of the programs."""
import pathlib
import re
import sys

PRINTS = r"\bf?printf\s*\(|\bf?puts\s*\(|\bputchar\s*\(|\bfwrite\s*\(|\bperror\s*\(|std::c(out|err|log)\b|\b(llvm::)?(outs|errs|dbgs)\(\)"
WRITES = r"\bo?fstream\b(?!>)|\bstd::ofstream\b|\bfopen\s*\(|raw_fd_ostream|writeToOutput|writeFileAtomically|fs::(rename|create_directories|copy_file|permissions)\s*\("
# Tools of developers, which are not installed; and what writes to temporary folders of its own.
ELSEWHERE = {
    "analyzer/frontend/dump_main.cpp", "analyzer/ir/smem_lower_main.cpp", "analyzer/nvcc/nvcc_stage_main.cpp", "analyzer/analysis/smem_races_main.cpp",
    "analyzer/sass/disassembler/disassemble_main.cpp",
    # runs inside of the program that is measured, or reads what that has written
    "validate/measure/record_file.h", "validate/measure/counting.cpp", "validate/measure/command.cpp", "validate/measure/measured_program.cpp",
}
# smem-validate prints to std::cout and std::cerr, which its main() puts behind sinks::PrintedStream.
ALLOWED_PRINTS = {"validate/main.cpp", "validate/doctor/command.cpp", "validate/doctor/probe.cpp", "validate/catalogue/command.cpp", "validate/measure/command.cpp", "validate/compare/command.cpp",
                  "analyzer/lsp/no_server.cpp"}  # a text of its own, in place of the program
# Folders for what is built and measured, named by the user; the messages to an editor, which are JSON, whole.
ALLOWED_WRITES = {"validate/catalogue/command.cpp", "analyzer/lsp/serve.cpp"}


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)


def main():
    root = pathlib.Path(sys.argv[1])
    found = []
    for path in sorted([*root.glob("analyzer/**/*.cpp"), *root.glob("analyzer/**/*.h"), *root.glob("validate/**/*.cpp"), *root.glob("validate/**/*.h")]):
        name = path.relative_to(root).as_posix()
        if name in ELSEWHERE or name.startswith("analyzer/headers/"):
            continue
        for number, line in enumerate(without_comments(path.read_text(encoding="utf-8")).splitlines(), 1):
            prints = re.search(PRINTS, line) and name not in ALLOWED_PRINTS
            writes = re.search(WRITES, line) and "ifstream" not in line and name not in ALLOWED_WRITES and "#include" not in line
            if prints or writes:
                found.append(f"{name}:{number}: {line.strip()}")
    print("\n".join(found) or "nothing")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
