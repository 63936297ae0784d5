"""Runs smem-lint and reads its JSON report. Shared by the test scripts."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "docs" / "schema" / "smem-lint-1.schema.json"

# What ends a run that hangs. Far above what any run needs: no test passes or fails by being fast.
SAFETY_SECONDS = 300


def environment():
    """The environment without what changes smem-lint's output."""
    env = dict(os.environ)
    for name in ("CUDA_PATH", "CUDA_HOME", "CLICOLOR_FORCE"):
        env.pop(name, None)
    env["NO_COLOR"] = "1"
    env["SMEM_LINT_CACHE_KEY"] = "of the tests, not a user's"
    return env


def run(tool, *arguments, stdin=subprocess.DEVNULL, seconds=SAFETY_SECONDS, **more):
    """The finished process; its output is bytes, because messages may quote what is not UTF-8."""
    command = [str(tool), *map(str, arguments)]
    if isinstance(stdin, bytes):
        more["input"] = stdin
    else:
        more["stdin"] = stdin
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds, env=environment(), check=False, **more)


def schema_errors(report):
    """What of a report is not as the published schema says, at most five of it."""
    import jsonschema
    with open(SCHEMA, encoding="utf-8") as file:
        schema = json.load(file)
    validator = jsonschema.Draft7Validator(schema)
    errors = sorted(validator.iter_errors(report), key=lambda error: [str(part) for part in error.path])
    return [f"{'/'.join(str(part) for part in error.path)}: {error.message[:200]}" for error in errors[:5]]


def exit_code_for(report):
    """What smem-lint has to return for the findings and messages that the report itself lists."""
    if any(file["parsed"] is False for file in report["files"]):
        return 2
    if any(message["severity"] == "error" for message in report["diagnostics"]):
        return 2
    return 1 if any(finding["severity"] in ("warning", "error") for finding in report["findings"]) else 0


def report_of(tool, file, *options):
    """(report, complaints) of one file; the report is None if there is none to speak of."""
    done = run(tool, "--format=json", *options, file)
    if done.returncode < 0:
        return None, [f"smem-lint died of signal {-done.returncode}: {text(done.stderr)}"]
    try:
        report = json.loads(done.stdout)
    except ValueError as error:
        return None, [f"exit code {done.returncode}, output is not JSON ({error}): {text(done.stderr)}"]
    complaints = [f"schema: {error}" for error in schema_errors(report)]
    if done.returncode != exit_code_for(report):
        complaints.append(f"exit code {done.returncode}, but the findings and messages ask for {exit_code_for(report)}: {text(done.stderr)}")
    elif done.returncode == 2:
        complaints.append(f"exit code 2: {text(done.stderr)}")
    return report, complaints


def text(output):
    return output.decode("utf-8", "replace").strip()[:2000]


def fail(lines):
    for line in lines:
        print(line, file=sys.stderr)
    return 1 if lines else 0
