"""Sources that talk to the compiler."""
from scene import GOOD, Attack

TITLE = "\x1b]0;title\x07"


def debugging(name, text, *silent):
    """A pragma for those who debug Clang: it does nothing."""
    return Attack(f"debugging_{name}", files={"kernel.cu": text + "\n" + GOOD}, silent=(TITLE, "MacroState", "VarDecl", "LLVM ERROR", "crashed", "diagnostic state", *silent), code=1, analysed=True)


ATTACKS = [
    debugging("prints_a_macro", f'#define X "{TITLE} ::error::forged"\n#pragma clang __debug macro X', "::error::forged"),
    debugging("prints_a_declaration", "int forged;\n#pragma clang __debug dump forged", "forged"),
    debugging("prints_tokens", f'#pragma clang __debug dump "{TITLE}"'),
    debugging("prints_settings", "#pragma clang __debug diag_mapping"),
    debugging("by_an_operator", '_Pragma("clang __debug diag_mapping")'),
    debugging("crashes", "#pragma clang __debug crash"),
    debugging("crashes_the_parser", "#pragma clang __debug parser_crash"),
    debugging("ends_llvm", "#pragma clang __debug llvm_fatal_error"),
    debugging("overflows_the_stack", "#pragma clang __debug overflow_stack"),
    debugging("in_the_middle_of_a_kernel", "__global__ void k(int *p) {\n#pragma clang __debug captured\n  p[threadIdx.x] = 1;\n}"),
]
