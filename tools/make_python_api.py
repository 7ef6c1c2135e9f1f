#!/usr/bin/env python3
"""Write the API page of the Python package from its docstrings. Usage: make_python_api.py > docs/python/api.md

Needs the package installed. Every public name of every public module is on the page; one without a
docstring is an error.
"""
import dataclasses
import inspect
import re
import sys

import rankine

MODULES = [rankine, rankine.metrics, rankine.model_selection, rankine.datasets, rankine.plot]
HEAD = """# The Python package, name by name

Made from the docstrings by `make docs`; a test keeps it so. [guide.md](guide.md) tells how to use it.
"""
# Methods of scikit-learn's base classes: documented there, and absent without it.
INHERITED = {"get_metadata_routing", "get_params", "set_params"}


def public_names(module):
    if hasattr(module, "__all__"):
        return [name for name in module.__all__ if not name.startswith("_") and not inspect.ismodule(getattr(module, name))]
    return [name for name, value in vars(module).items()
            if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__]


def signature(function):
    """As Python writes it, with annotations that are kept as text unquoted."""
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(function)))


def rst_to_markdown(text):
    """NumPy's sections become bold words; roles and double backticks become code."""
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", text.replace("``", "`"))
    lines, out, index = text.splitlines(), [], 0
    while index < len(lines):
        line = lines[index]
        if index + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[index + 1].strip()):
            out += ["", f"**{line.strip()}**", ""]
            index += 2
            continue
        if line.startswith(">>>"):
            block = []
            while index < len(lines) and lines[index].strip():
                block.append(lines[index])
                index += 1
            out += ["```python", *block, "```"]
            continue
        described = index + 1 < len(lines) and lines[index + 1].startswith("    ")
        if line[:1].strip() and (described or re.match(r"[\w, ]+ : ", line)):
            out.append(f"- `{line}`")
        elif line.startswith("    "):
            out.append("  " + line.strip())
        else:
            out.append(line)
        index += 1
    return re.sub(r"\n{3,}", "\n\n", "\n".join(out)).strip()


def documented(name, value):
    text = inspect.getdoc(value)
    if not text:
        sys.exit(f"make_python_api: {name} has no docstring")
    return rst_to_markdown(text)


def describe_class(title, cls):
    yield f"### `{title}{'' if dataclasses.is_dataclass(cls) or issubclass(cls, (tuple, Warning)) else signature(cls)}`"
    yield documented(title, cls)
    methods = [name for name, value in inspect.getmembers(cls)
               if not name.startswith("_") and name not in INHERITED and not re.match(r"set_\w+_request", name)
               and inspect.isfunction(value)]
    for name in methods:
        function = inspect.getattr_static(cls, name)
        yield f"#### `{title}.{name}{signature(getattr(cls, name))}`"
        yield documented(f"{title}.{name}", function)


def page():
    yield HEAD.strip()
    for module in MODULES:
        yield f"## {module.__name__}"
        yield documented(module.__name__, module)
        for name in public_names(module):
            value = getattr(module, name)
            title = f"{module.__name__}.{name}"
            if inspect.isclass(value):
                yield from describe_class(title, value)
            elif inspect.isfunction(value):
                yield f"### `{title}{signature(value)}`"
                yield documented(title, value)


if __name__ == "__main__":
    print("\n\n".join(page()))
