#!/usr/bin/env python3
"""A real editor: neovim opens a kernel, sees the diagnostic, applies the fix, and sees it vanish.

    tests/lsp/neovim_test.py SMEM-LINT        exit code 77: there is no neovim
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

KERNEL = """\
// ü 🚀
__global__ void columns(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = /* 🚀 */ tile[threadIdx.x][threadIdx.y];
}
int main() {
  columns<<<1, dim3(32, 32)>>>(nullptr);
}
"""


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    editor = shutil.which("nvim")
    if not editor:
        print("skipped: there is no nvim")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        kernel, result = pathlib.Path(folder, "k.cu"), pathlib.Path(folder, "result.json")
        kernel.write_text(KERNEL, encoding="utf-8")
        environment = {**os.environ, "TOOL": str(tool), "KERNEL": str(kernel), "RESULT": str(result), "LC_ALL": "C.UTF-8",
                       "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "XDG_STATE_HOME": folder}
        script = pathlib.Path(__file__).resolve().with_name("neovim.lua")
        run = subprocess.run([editor, "--headless", "-n", "-i", "NONE", "--clean", "-c", f"luafile {script}"], env=environment, cwd=folder,
                             capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
        assert result.exists(), run.stdout + run.stderr
        seen = json.loads(result.read_text(encoding="utf-8"))
        assert "failure" not in seen, (seen, run.stderr)
        assert seen["filetype"] == "cuda", seen
        assert seen["before"]["line"] == 6 and seen["before"]["message"].startswith("32-way bank conflict"), seen["before"]
        assert seen["before"]["source"] == "smem-lint", seen["before"]
        assert "32x" in seen["hover"], seen["hover"]
        assert seen["text"] == KERNEL.rstrip("\n").replace("tile[32][32]", "tile[32][33]"), seen["text"]
        print(f"{editor}: '{seen['before']['message'].splitlines()[0]}' is gone after '{seen['action']}'")
    return 0


if __name__ == "__main__":
    sys.exit(main())
