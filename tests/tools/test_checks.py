"""Every check of tools/ passes a good tree and fails a bad one: a check that cannot fail is none."""
import json
import pathlib
import shutil
import subprocess
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def run_check(name, *arguments):
    return subprocess.run(
        [sys.executable, PROJECT / "tools" / f"{name}.py", *map(str, arguments)],
        capture_output=True, text=True,
    )


@pytest.fixture
def tree(tmp_path):
    """A function that writes files, given as path=text, and returns their root."""

    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


GOOD_LAYERS = {
    "include/rankine/read.hpp": '#include <span>\n#include "rankine/array.hpp"\n',
    "include/rankine/array.hpp": "#include <vector>\n",
    "src/base/map.cpp": '#include "base/map.hpp"\n#include <zlib.h>\n',
    "src/base/parallel.cpp": "#include <oneapi/tbb/parallel_for.h>\n",
    "src/data/reader.cpp": '#include "base/map.hpp"\n#include <rankine/read.hpp>\n',
    "src/compute/registry.cpp": '#include "compute/cpu/sweep.hpp"\n',
    "cli/main.cpp": '#include <rankine/read.hpp>\n#include <CLI/CLI.hpp>\n#include "command.hpp"\n',
}


def test_layers_accepts_folders_that_point_one_way(tree):
    assert run_check("check_layers", tree(GOOD_LAYERS)).returncode == 0


@pytest.mark.parametrize("path, include, message", [
    ("src/base/map.cpp", '"data/reader.hpp"', "base/ may not include data/"),
    ("src/metrics/ndcg.cpp", '"data/reader.hpp"', "metrics/ may not include data/"),
    ("src/data/reader.cpp", '"../metrics/ndcg.hpp"', "root of src/"),
    ("src/data/reader.cpp", "<oneapi/tbb/parallel_for.h>", "threads come from"),
    ("src/objectives/risk.cpp", '"compute/cpu/sweep.hpp"', "compute/cpu/ is for compute/ alone"),
    ("src/stuff/thing.cpp", "<vector>", "stuff/ is not a folder of the architecture"),
    ("include/rankine/read.hpp", '"base/map.hpp"', "public header may not include"),
    ("include/rankine/read.hpp", "<tbb/tbb.h>", "public header may not include"),
    ("cli/main.cpp", '"data/reader.hpp"', "cli/ may include public headers only"),
    ("python/bindings/model.cpp", '"data/reader.hpp"', "python/ may include public headers only"),
    ("cli/main.cpp", '"../src/data/reader.hpp"', "cli/ may include public headers only"),
])
def test_layers_names_the_line_that_points_the_wrong_way(tree, path, include, message):
    done = run_check("check_layers", tree(GOOD_LAYERS | {path: f"// head\n#include {include}\n"}))
    assert done.returncode == 1
    assert message in done.stdout
    assert path in done.stdout


def test_layers_wants_every_public_header_in_the_umbrella(tree):
    umbrella = "include/rankine/rankine.hpp"
    both = '#include "rankine/array.hpp"\n#include "rankine/read.hpp"\n'
    assert run_check("check_layers", tree(GOOD_LAYERS | {umbrella: both})).returncode == 0
    one = '#include "rankine/read.hpp"\n'
    done = run_check("check_layers", tree(GOOD_LAYERS | {umbrella: one}))
    assert done.returncode == 1
    assert "does not include array.hpp" in done.stdout


GOOD_TESTS = {
    "src/base/map.cpp": "",
    "src/base/CMakeLists.txt": "target_sources(objects PRIVATE\n  map.cpp)\n",
    "tests/base/map_test.cpp": "",
    "tests/base/CMakeLists.txt": "program(base map_test.cpp)\n",
}


def test_tests_accepts_a_source_with_its_twin(tree):
    assert run_check("check_tests", tree(GOOD_TESTS)).returncode == 0


@pytest.mark.parametrize("change, message", [
    ({"src/base/pool.cpp": "", "src/base/CMakeLists.txt": "target_sources(o map.cpp pool.cpp)"},
     "pool.cpp: has no tests/base/pool_test.cpp"),
    ({"tests/base/CMakeLists.txt": "program(base # map_test.cpp\n)"}, "map_test.cpp: is not listed"),
    ({"src/base/CMakeLists.txt": "target_sources(o other_map.cpp)"}, "map.cpp: is not listed"),
])
def test_tests_names_the_file_left_out(tree, change, message):
    done = run_check("check_tests", tree(GOOD_TESTS | change))
    assert done.returncode == 1
    assert message in done.stdout


@pytest.mark.parametrize("flag, status", [
    ("-O3", 0), ("-ffp-contract=off", 0), ("-march=native", 1), ("-mavx2", 1), ("-ffast-math", 1),
    ("-mtune=native", 1), ("-ffp-contract=fast", 1),
])
def test_flags_refuses_what_ties_a_binary_to_a_machine(tmp_path, flag, status):
    commands = tmp_path / "compile_commands.json"
    commands.write_text(json.dumps([{"file": "a.cpp", "command": f"g++ {flag} -c a.cpp"}]))
    assert run_check("check_flags", commands).returncode == status


def test_flags_refuses_an_empty_list(tmp_path):
    (tmp_path / "compile_commands.json").write_text("[]")
    assert run_check("check_flags", tmp_path / "compile_commands.json").returncode == 1


@pytest.mark.parametrize("source, status", [
    ("namespace rankine { struct Data {}; void read(Data) {} }", 0),
    ("namespace rankine { struct Data { struct Held { virtual void read(); }; }; void Data::Held::read() {} }", 0),
    ("namespace rankine { void secret() {} }", 1),
    ("namespace rankine { struct Secret { struct Data { virtual void read(); }; }; void Secret::Data::read() {} }", 1),
    ("namespace other { void read() {} }", 1),
    ('extern "C" void read() {}', 1),
    ("#include <vector>\ntemplate class std::vector<long>;", 1),
    ("static void unused() {} void (*rankine_pointer)() = unused;", 1),
])
def test_symbols_refuses_what_no_public_header_declares(tmp_path, source, status):
    include = tmp_path / "include"
    include.mkdir()
    (include / "read.hpp").write_text("void read(Data);")
    (tmp_path / "lib.cpp").write_text(source)
    library = tmp_path / "lib.so"
    subprocess.run(["g++", "-shared", "-fPIC", tmp_path / "lib.cpp", "-o", library], check=True)
    assert run_check("check_symbols", library, include).returncode == status


GOOD_DOCS = {
    "README.md": "# Top\n[guide](docs/guide.md) [part](docs/guide.md#a-part-of-it) [up](#top)\n"
                 "[web](https://example.org) `[code](none.md)`\n",
    "docs/guide.md": "# Guide\n## A part, of it\n[home](../README.md)\n```\n[no](link.md)\n```\n",
}


def test_docs_accepts_links_that_resolve(tree):
    done = run_check("check_docs", tree(GOOD_DOCS))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("link", ["docs/gone.md", "docs/guide.md#gone", "#gone"])
def test_docs_names_a_link_that_leads_nowhere(tree, link):
    done = run_check("check_docs", tree(GOOD_DOCS | {"README.md": f"# Top\n[x]({link})\n"}))
    assert done.returncode == 1
    assert link in done.stdout


INDEXED_DOCS = GOOD_DOCS | {"docs/README.md": "# All\n[guide](guide.md#guide) [deep](a/deep.md)\n", "docs/a/deep.md": "# D\n"}


def test_docs_accepts_an_index_of_every_page(tree):
    done = run_check("check_docs", tree(INDEXED_DOCS))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("page", ["docs/lost.md", "docs/a/lost.md"])
def test_docs_names_a_page_that_the_index_leaves_out(tree, page):
    done = run_check("check_docs", tree(INDEXED_DOCS | {page: "# Lost\n", "README.md": f"# Top\n[x]({page})\n"}))
    assert done.returncode == 1
    assert f"does not link to {page.removeprefix('docs/')}" in done.stdout


CODE_TREE = GOOD_DOCS | {"src/base/map.hpp": "", "src/base/map.cpp": "", "cli/main.cpp": ""}


@pytest.mark.parametrize("path", [
    "base/map", "src/base/map.cpp", "base/map.hpp", "src/base/", "cli/main.cpp",
    "other/place", "build/logs", "MQ2007/Fold1",  # none of our folders
])
def test_docs_accepts_a_path_of_code_that_is_there(tree, path):
    done = run_check("check_docs", tree(CODE_TREE | {"README.md": f"# Top\nsee `{path}`\n"}))
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", ["base/gone", "src/base/gone.cpp", "base/map.txt", "cli/gone.cpp", "src/gone/"])
def test_docs_names_a_path_of_code_that_is_gone(tree, path):
    done = run_check("check_docs", tree(CODE_TREE | {"docs/guide.md": f"# Guide\n## A part, of it\n`{path}`\n"}))
    assert done.returncode == 1
    assert path.rstrip("/") in done.stdout


@pytest.mark.parametrize("page", ["CHANGELOG.md", "docs/notes/old.md"])
def test_docs_lets_what_tells_of_the_past_name_what_is_gone(tree, page):
    assert run_check("check_docs", tree(CODE_TREE | {page: "# Old\n`base/gone`\n"})).returncode == 0


needs_ruff = pytest.mark.skipif(not (PROJECT / "build" / "venv" / "bin" / "ruff").exists(), reason="no ruff in build/venv")


@needs_ruff
@pytest.mark.parametrize("source, status", [
    ('"""A module."""\nimport os\n\nprint(os.sep)\n', 0),
    ('"""A module."""\nimport os\n', 1),
    ("print(1)\n", 1),
    ('"""A module."""\nprint(missing)\n', 1),
])
def test_python_accepts_and_refuses(tree, source, status):
    root = tree({"tools/a.py": source, "pyproject.toml": (PROJECT / "pyproject.toml").read_text(encoding="utf-8")})
    done = run_check("check_python", root)
    assert done.returncode == status, done.stdout


@needs_ruff
def test_python_mends_what_can_be_mended(tree):
    settings = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    root = tree({"tools/a.py": '"""A module."""\nimport os\n', "pyproject.toml": settings})
    assert run_check("check_python", root, "--fix").returncode == 0
    assert (root / "tools" / "a.py").read_text(encoding="utf-8") == '"""A module."""\n'


@needs_ruff
def test_python_looks_at_programs_without_an_ending_too(tree):
    settings = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    for path in (PROJECT / "tools").iterdir():
        if path.is_file() and path.read_text(encoding="utf-8").startswith("#!/usr/bin/env python3"):
            assert path.suffix == ".py" or f'"tools/{path.name}"' in settings, path
    root = tree({"tools/run_tests": '"""A module."""\nimport os\n', "pyproject.toml": settings})
    assert run_check("check_python", root).returncode == 1


@pytest.fixture
def styled_tree(tree):
    """`tree` with the project's own style files in it."""

    def write(files):
        root = tree(files)
        for name in [".clang-format", ".clang-tidy"]:
            shutil.copy(PROJECT / name, root)
        return root

    return write


def test_format_accepts_and_refuses_and_mends(styled_tree):
    root = styled_tree({"src/base/map.cpp": "int  main( ) {\nreturn 0;}\n"})
    assert run_check("check_format", root).returncode != 0
    assert run_check("check_format", root, "--fix").returncode == 0
    assert run_check("check_format", root).returncode == 0


@pytest.mark.parametrize("source, status", [
    ("namespace rankine { int num_rows() { return 1; } }\n", 0),
    ("namespace rankine { int NumRows() { return 1; } }\n", 1),
    ("namespace rankine { class row_map { int size = 0; }; }\n", 1),
    ("namespace rankine { constexpr int limit = 3; }\n", 1),
])
def test_tidy_holds_names_to_the_house_style(styled_tree, source, status):
    root = styled_tree({"src/base/map.cpp": source})
    assert run_check("check_tidy", root).returncode == status


def test_tidy_looks_again_when_an_included_header_changes(styled_tree):
    files = {"src/base/map.cpp": '#include "base/map.hpp"\n', "src/base/map.hpp": "struct Map {};\n"}
    assert run_check("check_tidy", styled_tree(files)).returncode == 0
    root = styled_tree(files | {"src/base/map.hpp": "struct map_of_rows {};\n"})
    assert run_check("check_tidy", root).returncode == 1
