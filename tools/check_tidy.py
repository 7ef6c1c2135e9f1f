#!/usr/bin/env python3
"""Run clang-tidy (names, and a few mistakes). Usage: check_tidy.py PROJECT_DIR [FILE or FOLDER...]

A file that passed is not looked at again until it, a project header it includes, the configuration
or this program changes: its hash is kept in build/tidy. Needs no configured build.
"""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import subprocess
import sys

CLANG_TIDY = "clang-tidy-14"
FOLDERS = ["src", "cli", "tests", "benchmarks", "examples"]
# Programs against libraries that only the benchmarks install.
LEFT_OUT = ["benchmarks/peer_programs"]
INCLUDE_FOLDERS = ["include", "src", "cli", "tests", "."]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)


def project_includes(path, project_dir):
    """The project's files that `path` includes, directly."""
    for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
        for folder in [path.parent, *(project_dir / f for f in INCLUDE_FOLDERS)]:
            if (folder / name).is_file():
                yield (folder / name).resolve()
                break


def content_key(path, project_dir):
    """A hash of all that decides the verdict on `path`, short of the system's own headers."""
    reached, waiting = set(), [path.resolve()]
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached.add(file)
            waiting.extend(project_includes(file, project_dir))
    digest = hashlib.sha256()
    for file in [project_dir / ".clang-tidy", pathlib.Path(__file__), *sorted(reached)]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def run_clang_tidy(path, project_dir):
    includes = [f"-I{project_dir / folder}" for folder in INCLUDE_FOLDERS]
    done = subprocess.run(
        [CLANG_TIDY, "--quiet", str(path), "--", "-xc++", "-std=c++20", *includes,
         "-DRANKINE_BUILDING", "-DRANKINE_CHECK_CONTRACTS", '-DRANKINE_TEST_DATA="."', '-DRANKINE_SOURCE_DIR="."'],
        cwd=project_dir, capture_output=True, text=True,
    )
    return done.returncode, done.stdout + (done.stderr if done.returncode else "")


def check(path, project_dir, cache_dir):
    """Prints what is wrong with `path`; returns whether it passed."""
    stamp = cache_dir / content_key(path, project_dir)
    if stamp.exists():
        return True
    status, output = run_clang_tidy(path, project_dir)
    if status == 0:
        stamp.touch()
        return True
    print(f"{path}:\n{output}", flush=True)
    return False


def main(project_dir, names):
    project_dir = project_dir.resolve()
    cache_dir = project_dir / "build" / "tidy"
    cache_dir.mkdir(parents=True, exist_ok=True)
    paths = [project_dir / name for name in names or FOLDERS]
    files = sorted(p for path in paths for p in ([path] if path.is_file() else path.rglob("*.cpp")))
    left_out = [project_dir / folder for folder in LEFT_OUT]
    files = [file for file in files if not any(folder in file.parents for folder in left_out)]
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        passed = list(pool.map(lambda path: check(path, project_dir, cache_dir), files))
    print(f"{sum(passed)} of {len(passed)} files clean")
    return 0 if passed and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
