"""Long lines of a text over several, as a person would break them."""

from __future__ import annotations

import re

_WIDTH = 112


def reflowed(text: str) -> str:
    """Long calls over two or more lines, cut at commas of the outermost brackets."""
    made = []
    for line in text.split("\n"):
        made += _cut(line) if len(line) > _WIDTH else [line]
    return "\n".join(made)


_LIST = re.compile(r"^( *)(self\.\w+ = nn\.ModuleList\(\[)(.*) (for \w+ in range\([^\n]*\))\]\)$")


def _cut(line: str) -> list[str]:
    layers = _LIST.match(line)
    if layers:
        indent, start, each, loop = layers.groups()
        made = f"{indent}    {each}"
        return [indent + start, *(_cut(made) if len(made) > _WIDTH else [made]), f"{indent}    {loop}", f"{indent}])"]
    depth, at = 0, -1
    start = line.find("(")
    if start < 0:
        return [line]
    pieces, depth, begin = [], 0, start + 1
    end = len(line)
    quoted = False
    for k in range(start, len(line)):
        quoted = quoted != (line[k] == '"')
        if quoted:
            continue
        if line[k] in "([{":
            depth += 1
        elif line[k] in ")]}":
            depth -= 1
            if depth == 0:
                end = k
                break
        elif line[k] == "," and depth == 1:
            pieces.append(line[begin:k + 1].strip())
            begin = k + 1
    pieces.append(line[begin:end].strip())
    indent = " " * (len(line) - len(line.lstrip()))
    if len(pieces) < 2 or line[end + 1:].count("(") > 3:
        return [line]
    whole = f"{indent}    {' '.join(pieces)}"
    if len(whole) <= _WIDTH:
        return [line[: start + 1], whole, f"{indent}){line[end + 1:]}"]
    return [line[: start + 1], *[f"{indent}    {piece}" for piece in pieces[:-1]], f"{indent}    {pieces[-1]},", f"{indent}){line[end + 1:]}"]
