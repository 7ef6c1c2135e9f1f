"""The site: its pages are laid out as they lie in the project, and MkDocs finds nothing wrong with them."""
import functools
import importlib.machinery
import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def docs_site(monkeypatch):
    loader = importlib.machinery.SourceFileLoader("docs_site", str(PROJECT / "tools" / "docs_site"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("docs_site", loader))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(module)
    return module


@pytest.fixture
def laid_out(docs_site, tmp_path):
    """laid_out({path: text}) lays such a project out; returns the text of each page by its path."""

    def run(files):
        project, out = tmp_path / "project", tmp_path / "out"
        for name, text in files.items():
            path = project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        docs_site.Layout(project, out).run()
        return {path.relative_to(out).as_posix(): path.read_text(encoding="utf-8")
                for path in out.rglob("*") if path.is_file()}

    return run


def test_pages_and_pictures_keep_their_places(laid_out):
    files = {"README.md": "[guide](docs/guide.md#part)\n", "docs/guide.md": "# Part\n", "docs/a/b.svg": "<svg/>"}
    assert laid_out({**files, "src/left_out.md": ""}) == files


def test_a_source_that_is_linked_becomes_a_page(laid_out):
    pages = laid_out({"docs/guide.md": "[it](../include/a.hpp)\n", "include/a.hpp": "int a;\n"})
    assert pages["docs/guide.md"] == "[it](../include/a.hpp.md)\n"
    assert "````cpp\nint a;\n````" in pages["include/a.hpp.md"]


def test_a_folder_that_is_linked_becomes_a_list_of_its_sources(laid_out):
    pages = laid_out({"docs/guide.md": "[all](../examples)\n", "examples/a.py": "a = 1\n", "examples/b.txt": ""})
    assert pages["docs/guide.md"] == "[all](../examples/README.md)\n"
    assert "[a.py](a.py.md)" in pages["examples/README.md"]
    assert "a = 1" in pages["examples/a.py.md"]
    assert "b.txt" not in pages["examples/README.md"]


def test_code_blocks_and_web_addresses_stay_as_they_are(laid_out):
    text = "[web](https://example.org/a.hpp)\n\n```md\n[it](../include/a.hpp)\n```\n"
    assert laid_out({"docs/guide.md": text, "include/a.hpp": ""}) == {"docs/guide.md": text}


def test_bars_in_the_code_of_tables_are_shown_without_their_backslash(laid_out):
    pages = laid_out({"docs/options.md": "| `--a x\\|<y>` | text |\n"})
    assert pages["docs/options.md"] == "| <code>--a x&#124;&lt;y&gt;</code> | text |\n"


@functools.cache
def environment_problem():
    """Why MkDocs cannot be had here, or None: a machine without the package index may lack it."""
    done = subprocess.run([PROJECT / "tools" / "install_dependencies", "docs"], capture_output=True, text=True,
                          check=False)
    return None if done.returncode == 0 else (done.stdout + done.stderr).strip().splitlines()[-1]


@pytest.fixture(scope="module")
def site():
    """The folder of the built site."""
    if environment_problem():
        pytest.skip(f"skipped: MkDocs could not be installed: {environment_problem()}")
    done = subprocess.run([PROJECT / "tools" / "docs_site"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return PROJECT / "build" / "site"


def test_the_site_builds_in_strict_mode_with_every_page(site):
    for page in (PROJECT / "docs").rglob("*.md"):
        place = site / page.relative_to(PROJECT).with_suffix(".html")
        assert (place.with_name("index.html") if page.name == "README.md" else place).is_file(), page


def test_nothing_is_fetched_from_elsewhere_when_a_page_is_viewed(site):
    fetched = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"?(?:https?:)?//", re.IGNORECASE)
    pages = list(site.rglob("*.html"))
    assert pages
    for page in pages:
        assert not fetched.search(page.read_text(encoding="utf-8")), page
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:@import|url\()\s*[\"']?(?:https?:)?//", style.read_text(encoding="utf-8")), style


@pytest.mark.parametrize("files, told", [
    ({"index.md": "# Page\n[x](gone.md)\n"}, "gone.md"),
    ({"index.md": "# Page\n[x](#gone)\n"}, "#gone"),
    ({"index.md": "# Page\n", "other.md": "# No way leads here\n"}, "other.md"),
])
def test_strict_mode_refuses_what_leads_nowhere(docs_site, site, tmp_path, files, told):
    settings = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[0] + "\nnav: [index.md]\n"
    settings = settings.replace("build/site_pages", "pages").replace("build/site", "site")
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    (tmp_path / "pages").mkdir()
    for name, text in files.items():
        (tmp_path / "pages" / name).write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=told):
        docs_site.build_site(tmp_path)
