"""Counts by PyTorch the parameters of configurations that no text of a family was made from.

    python python/tools/held_back.py

Each line of held-back.jsonl is a config.json as published, its `parameters`, and what the app says
that its text is not. `class` is the class that is counted where it is not the file's own: another
name of it, or that of the language part of a model of several parts. Ends with 1 where a count is
another one.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import torch
import transformers

LINES = Path(__file__).resolve().parents[2] / "src" / "systems" / "published" / "config" / "fixtures" / "held-back.jsonl"


def counted(config: dict[str, Any], name: str | None) -> int:
    """The parameters of the model, tied ones once; the output layer of T5 is untied where the file says so."""
    model_class = getattr(transformers, name or config["architectures"][0])
    of = model_class.config_class
    keys = config.get("text_config", config) if name and of.model_type != config["model_type"] else config
    apart = {"quantization_config", "auto_map", "model_type", "rope_scaling"}
    with torch.device("meta"):
        model = model_class(of(**{key: value for key, value in keys.items() if key not in apart}))
    model.tie_weights()
    is_whole = of.model_type in ("t5", "mt5") and not model_class.__name__.endswith("EncoderModel")
    own = 0 if config.get("tie_word_embeddings", True) or not is_whole else config["vocab_size"] * config["d_model"]
    return own + sum(weight.numel() for weight in model.parameters())


def main() -> None:
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    wrong = 0
    for row in map(json.loads, LINES.read_text().splitlines()):
        count = counted(row["config"], row.get("class"))
        wrong += count != row["parameters"]
        print(f"{row['name']}: {count:,}" + ("" if count == row["parameters"] else f", not {row['parameters']}"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
