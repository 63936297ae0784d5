"""Entries of the cache that somebody else has put there, and folders that are not what they should be."""
import os
import pathlib

from scene import Attack

CONFLICT = """// smem-lint: launch block=(32) grid=(2)
__global__ void bad(float *out) {
  __shared__ float tile[32][32];
  tile[threadIdx.x][0] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[31 - threadIdx.x][0];
}
"""
CLEAN = CONFLICT.replace("[32][32]", "[32][33]")
MINE = {"SMEM_LINT_CACHE_KEY": "the key of this user"}
OTHERS = {"SMEM_LINT_CACHE_KEY": "the key of the attacker"}
ARGUMENTS = ("--cache-dir=cache", "a.cu")


def entries(scene):
    return sorted(path for path in (scene.repository / "cache").rglob("*") if path.is_file() and not path.is_symlink() and "prefixes" not in path.parts)


def after_tampering(tamper, key=None):
    """The findings are the same after `tamper(scene, entry)`, and so is the exit code; nothing is said of it."""
    def check(test, scene, first):
        environment = MINE if key is None else key
        good = scene.run(*ARGUMENTS, environment=environment)
        test.assertEqual((good.code, good.err), (1, ""), str(good))
        (entry,) = entries(scene)
        tamper(scene, entry)
        for _ in range(2):
            again = scene.run(*ARGUMENTS, environment=MINE)
            test.assertEqual((again.code, again.out), (1, good.out), str(again))
            test.assertNotIn("internal error", again.err)
    return check


def flipped(part):
    def tamper(scene, entry):
        data = bytearray(entry.read_bytes())
        data[min(len(data) - 1, int(len(data) * part))] ^= 0x20
        entry.write_bytes(data)
    return tamper


def cut(part):
    return lambda scene, entry: entry.write_bytes(entry.read_bytes()[:int(len(entry.read_bytes()) * part)])


def renamed_text(scene, entry):
    data = entry.read_bytes()
    assert b"bad" in data
    entry.write_bytes(data.replace(b"bad", b"god"))


def another(make):
    def tamper(scene, entry):
        entry.unlink()
        make(scene, entry)
    return tamper


def huge(scene, entry):
    with open(entry, "wb") as file:
        file.truncate(1 << 40)


def clean_files_result(scene, entry):
    """The user's own result for another file, under the name of this one's."""
    (scene.repository / "b.cu").write_text(CLEAN)
    before = set(entries(scene))
    scene.run("--cache-dir=cache", "b.cu", environment=MINE)
    (other,) = set(entries(scene)) - before
    entry.write_bytes(other.read_bytes())


def result_of_before(scene, entry):
    """The user's own result for the file as it was once."""
    bad = (scene.repository / "a.cu").read_text()
    (scene.repository / "a.cu").write_text(CLEAN)
    assert scene.run(*ARGUMENTS, environment=MINE).code == 0
    old = entry.read_bytes()
    (scene.repository / "a.cu").write_text(bad)
    entry.write_bytes(old)


def written_anew(test, scene, _):
    """A result of the attacker is replaced by one's own."""
    scene.run(*ARGUMENTS, environment=OTHERS)
    (entry,) = entries(scene)
    theirs = entry.read_bytes()
    scene.run(*ARGUMENTS, environment=MINE)
    test.assertNotEqual(entry.read_bytes(), theirs)


def committed(test, scene, _):
    """A cache that came with the repository, and a configuration that names it."""
    scene.run(*ARGUMENTS, environment=OTHERS)
    (scene.repository / ".smem-lint.yaml").write_text("CacheDir: cache\n")
    (entry,) = entries(scene)
    theirs = entry.read_bytes()
    result = scene.run("a.cu", environment=MINE)
    test.assertEqual(result.code, 1, str(result))
    test.assertNotEqual(entry.read_bytes(), theirs)


def key_is(make, said):
    """A key that others may know is none."""
    def check(test, scene, _):
        home = pathlib.Path(scene.folder) / "home" / ".config" / "smem-lint"
        home.mkdir(parents=True, exist_ok=True)
        if (home / "cache.key").exists():
            (home / "cache.key").unlink()
        make(scene, home / "cache.key")
        result = scene.run(*ARGUMENTS)
        test.assertEqual(result.code, 1, str(result))
        test.assertIn("the cache is not used", result.err)
        test.assertIn(said, result.err)
    return check


def with_mode(mode):
    def make(scene, key):
        key.write_text("0123456789abcdef" * 4)
        key.chmod(mode)
    return make


def attack(name, check, **more):
    return Attack(name, files={"a.cu": CONFLICT, **more.pop("files", {})}, arguments=("a.cu",), check=check, **more)


ATTACKS = [
    *[attack(f"a_bit_at_{int(part * 100)}_per_cent", after_tampering(flipped(part))) for part in (0, 0.01, 0.3, 0.6, 1)],
    *[attack(f"cut_off_at_{int(part * 100)}_per_cent", after_tampering(cut(part))) for part in (0, 0.05, 0.5, 0.99)],
    attack("another_name_of_the_kernel", after_tampering(renamed_text)),
    attack("the_entry_of_another_user", after_tampering(lambda scene, entry: None, key=OTHERS)),
    attack("the_entry_of_another_user_is_replaced", written_anew),
    attack("a_cache_that_is_part_of_the_repository", committed),
    attack("the_result_of_another_file", after_tampering(clean_files_result)),
    attack("the_result_of_an_older_text", after_tampering(result_of_before)),
    attack("an_entry_that_is_a_pipe", after_tampering(another(lambda scene, entry: os.mkfifo(entry)))),
    attack("an_entry_that_is_a_folder", after_tampering(another(lambda scene, entry: entry.mkdir()))),
    attack("an_entry_that_is_a_link", after_tampering(another(lambda scene, entry: entry.symlink_to(scene.victim / "precious")))),
    attack("an_entry_that_is_a_device", after_tampering(another(lambda scene, entry: entry.symlink_to("/dev/zero")))),
    attack("an_entry_without_end", after_tampering(huge)),
    attack("a_folder_that_all_can_write", after_tampering(lambda scene, entry: (scene.repository / "cache").chmod(0o777))),
    attack("a_key_that_the_group_can_read", key_is(with_mode(0o640), "others may read or write")),
    attack("a_key_that_all_can_write", key_is(with_mode(0o602), "others may read or write")),
    attack("a_key_that_is_empty", key_is(lambda scene, key: (key.touch(), key.chmod(0o600)), "is no key")),
    attack("a_key_that_is_a_link", key_is(lambda scene, key: key.symlink_to("/dev/zero"), "cannot read")),
    attack("a_key_that_is_a_pipe", key_is(lambda scene, key: os.mkfifo(key, 0o600), "is no regular file")),
    attack("a_key_that_is_a_folder", key_is(lambda scene, key: key.mkdir(), "cache.key")),
    attack("a_home_of_a_strange_kind", lambda test, scene, _: test.assertIn("there is no place for a key", scene.run(*ARGUMENTS, environment={"HOME": "relative"}).err)),
]
