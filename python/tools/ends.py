"""Other classes of a family's layers: what differs from the family's text, and the text that both make."""

from __future__ import annotations

import re
from dataclasses import replace

from family import CLOSE, Family, text_of
from holding import held
from merging import merged


def end_of(family: Family, name: str, text: str) -> str:
    """The lines of a class that the family's text has not: a comment, further sizes, classes, the call.

    Raises ValueError where the family's text with these lines has other numbers than the class.
    """
    ended = _ended(family, name)
    body, names, apart = merged(ended)
    if apart > CLOSE:
        raise ValueError(f"{name}: numbers differ by {apart:.1e} of the largest")
    # A row without padding ends in its last token, whatever pads others.
    whole = text_of(ended, body, names).replace("\npad_token_id = None\n", "\npad_token_id = 0\n")
    own, known = _blocks(whole), _blocks(text)
    sizes = [line for line in own[1].split("\n") if line not in known[1].split("\n")]
    lines = {line for each in known if not _class(each) for line in each.split("\n")}
    new = [each for each in own[2:-1] if (each not in known if _class(each) else not set(each.split("\n")) <= lines)]
    made = [own[0].split("\n")[0], *["\n".join(sizes)][: len(sizes)], *new, own[-1]]
    end = "\n\n".join(made) + "\n"
    whole_end = ended_text(text, end)
    if held(ended, whole_end) == 0 and set(_blocks(whole_end)[2:]) != set(own[2:]):
        raise ValueError(f"{name}: its text could not be held at other sizes")
    return end


def _ended(family: Family, name: str) -> Family:
    """The family whose model is the class."""
    sizes, fixed = dict(family.sizes), dict(family.fixed)
    if "Classification" in name:
        sizes["num_labels"] = [11, 13, 9]
    if name.endswith("ForSequenceClassification") and family.model.endswith(("CausalLM", "LMHeadModel")):
        sizes["pad_token_id"] = [27, 31, 34]
    if name.endswith("WithProjection"):
        sizes["projection_dim"] = [21, 27, 35]
    if name.endswith("EncoderModel") or name == "T5ForTokenClassification":
        return replace(family, model=name, sizes={key: value for key, value in sizes.items() if "decoder" not in key}, derived={}, inputs="ids-only", untied=[])
    if name.endswith("ForImageClassification") and family.inputs == "both":
        sizes = {key: value for key, value in sizes.items() if key.startswith("vision_") or key == "num_labels"}
        return replace(family, model=name, sizes=sizes, inputs="pixels")
    if name.endswith("MultipleChoice"):
        family = replace(family, inputs="choices")
    switches = [key for key in family.switches if key != "tie_word_embeddings"]
    results = 2 if name.endswith(("QuestionAnswering", "ForPreTraining")) else 1
    return replace(family, model=name, sizes=sizes, fixed=fixed, switches=switches, untied=[], results=results)


def ended_text(text: str, end: str) -> str:
    """The family's text with the end of another class: its blocks in place of those of the same class, else last."""
    known, own = _blocks(text), _blocks(end)
    comment, tail = own[0], own[-1]
    sizes = [each for each in own[1:-1] if not _class(each)]
    classes = {_class(each): each for each in own[1:-1] if _class(each)}
    kept = [classes.pop(_class(each), each) for each in known[2:-1]]
    head = [re.sub(r"^.*", lambda _: comment, known[0], count=1), "\n".join([known[1], *sizes])]
    blocks = [*kept, *classes.values(), tail]
    while (left := _used(blocks)) != blocks:
        blocks = left
    return "\n\n".join([*head, *blocks]) + "\n"


def _blocks(text: str) -> list[str]:
    """What stands between blank lines at the margin."""
    return re.split(r"\n\n(?=\S)", text.rstrip("\n"))


def _used(blocks: list[str]) -> list[str]:
    """The blocks without classes, functions and constants that no other block names."""
    made = []
    for at, block in enumerate(blocks):
        rest = "\n".join(blocks[:at] + blocks[at + 1:])
        lines = [line for line in block.split("\n") if not re.match(r"constant_\d+ = ", line) or re.search(rf"\b{line.split()[0]}\b", rest)]
        name = re.match(r"(?:class|def) (\w+)", block)
        if lines and (name is None or re.search(rf"\b{name[1]}\b", rest)):
            made.append("\n".join(lines))
    return made


def _class(block: str) -> str:
    found = re.match(r"class (\w+)", block)
    return found[1] if found else ""
