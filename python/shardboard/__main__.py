"""`python -m shardboard`: a model as text, as a link, or planned.

    python -m shardboard model.py:GPT --call "torch.randint(0, 100, (2, 16))"
    python -m shardboard path/to/config.json --batch 1 --length 128
    python -m shardboard … --as link | text | plan | optimize
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

from . import link, optimize, plan, trace


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(prog="shardboard", description="A PyTorch model as a program that Shardboard reads.")
    made.add_argument("model", help="FILE.py:CLASS, FILE.py:NAME of a model, a config.json, or FILE.py with a text")
    made.add_argument("--call", help="arguments of the model's call, as Python: 'torch.zeros(2, 16, dtype=torch.long)'")
    made.add_argument("--make", default="", help="arguments of the class, as Python")
    made.add_argument("--batch", type=int, default=2, help="sequences, with a config.json")
    made.add_argument("--length", type=int, default=32, help="tokens of each, with a config.json")
    made.add_argument("--mesh", default="dp=8, tp=8", help="axes of the mesh: 'dp=8, tp=8'")
    made.add_argument("--as", dest="form", choices=["text", "link", "plan", "optimize"], default="text", help="what is printed")
    made.add_argument("--app", help="where the app is served, in links")
    made.add_argument("--checkout", help="a checkout of Shardboard, whose command line plans")
    return made


def main(argv: list[str] | None = None) -> int:
    """Prints what was asked for; 1 and a sentence where that cannot be."""
    given = parser().parse_args(argv)
    try:
        text = text_of(given)
        print(shown(text, given))
    except (OSError, ValueError, RuntimeError, NotImplementedError, AttributeError) as error:
        print(f"shardboard: {error}", file=sys.stderr)
        return 1
    return 0


def shown(text: str, given: argparse.Namespace) -> str:
    """A text in the form that was asked for."""
    if given.form == "text":
        return text
    if given.form == "link":
        return link(text, given.app)
    ask = plan if given.form == "plan" else optimize
    return json.dumps(ask(text, checkout=given.checkout), indent=2)


def text_of(given: argparse.Namespace) -> str:
    """The program: traced from a model, or as it stands in a file."""
    if given.model.endswith(".json"):
        model, args = configured(Path(given.model), given.batch, given.length)
        return trace(model, *args, mesh=given.mesh)
    file, _, name = given.model.rpartition(":")
    if not file:
        return Path(given.model).read_text(encoding="utf-8")
    if given.call is None:
        raise ValueError('--call is missing: the arguments of the model\'s call, as in --call "torch.zeros(2, 16)"')
    module = loaded(Path(file))
    made = getattr(module, name, None)
    if made is None:
        raise ValueError(f"{file} has no {name}")
    names = {**vars(module), "torch": importlib.import_module("torch")}
    model = eval(f"_made({given.make})", {**names, "_made": made}) if isinstance(made, type) else made
    args, kwargs = eval(f"_taken({given.call})", {**names, "_taken": lambda *args, **kwargs: (args, kwargs)})
    return trace(model, *args, mesh=given.mesh, **kwargs)


def loaded(path: Path) -> Any:
    """A file of Python as a module."""
    if not path.exists():
        raise OSError(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise OSError(f"{path} is no Python")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    spec.loader.exec_module(module)
    return module


def configured(path: Path, batch: int, length: int) -> tuple[Any, tuple]:
    """The model of a config.json by `transformers`, on the meta device, and token ids."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise RuntimeError(f"a config.json needs transformers and torch: {error}") from None
    raw = json.loads(path.read_text(encoding="utf-8"))
    names = raw.get("architectures") or []
    config = transformers.AutoConfig.for_model(**{**raw, "model_type": raw.get("model_type", "")})
    make = getattr(transformers, names[0], None) if names else None
    with torch.device("meta"):
        model = make(config) if make is not None else transformers.AutoModelForCausalLM.from_config(config)
        ids = torch.zeros((batch, length), dtype=torch.long)
    return model.eval(), (ids,)


if __name__ == "__main__":
    sys.exit(main())
