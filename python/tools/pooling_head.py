"""The head of an encoder of images whose result a model computes and does not read.

A trace has none of it: its classes are those of SigLIP's own text, and what makes and calls it is
written into the encoder behind a switch.
"""

from __future__ import annotations

import re
from pathlib import Path

SWITCH = "vision_use_head"
CLASSES = ["MultiheadAttention", "SiglipMultiheadAttentionPoolingHead"]


def with_pooling_head(text: str, siglip: Path) -> str:
    """The text of a model of images and words with the head that its configuration may ask for."""
    known = re.split(r"\n\n(?=\S)", siglip.read_text())
    made = []
    for block in re.split(r"\n\n(?=\S)", text.rstrip("\n")):
        if re.match(r"vision_\w+ = |B, S = ", block):
            block = re.sub(r"^(vision_patch_size = .*)$", rf"\1\n{SWITCH} = False", block, flags=re.M)
        if block.startswith("class SiglipVisionModel("):
            made += [_here(each) for name in CLASSES for each in known if each.startswith(f"class {name}(")]
            block = re.sub(r"^(        self\.post_layernorm = .*)$", rf"\1\n        if {SWITCH}:\n            self.head = {CLASSES[1]}()", block, flags=re.M)
            block = re.sub(r"^        return (.*)$", rf"        x = \1\n        if {SWITCH}:\n            self.head(x)\n        return x", block, flags=re.M)
        made.append(block)
    return "\n\n".join(made) + "\n"


def _here(block: str) -> str:
    """A class of SigLIP's text where each row of words has one image, and the layers take no sizes."""
    block = re.sub(r"\bN\b", "B", block)
    return re.sub(r"SiglipMLP\([^()]*\)", "SiglipMLP()", block)
