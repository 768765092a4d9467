"""`python -m shardboard`: a model as text, as a link, or planned.

    python -m shardboard model.py:GPT --call "torch.randint(0, 100, (2, 16))"
    python -m shardboard model.py:forward --call "params, jnp.zeros((2, 16), int)"
    python -m shardboard path/to/config.json --batch 1 --length 128
    python -m shardboard meta-llama/Llama-3.1-8B
    python -m shardboard … --as link | text | plan | optimize
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import re
import sys
import warnings
from pathlib import Path
from typing import Any

from . import link, optimize, plan, trace


def parser() -> argparse.ArgumentParser:
    """The arguments of the command."""
    made = argparse.ArgumentParser(prog="shardboard", description="A model of PyTorch or JAX as a program that Shardboard reads.")
    made.add_argument("model", help="FILE.py:CLASS, FILE.py:NAME of a model or a function, a config.json, a name on Hugging Face's hub, or FILE.py with a text")
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
    warnings.simplefilter("ignore")
    try:
        text = text_of(given)
        print(shown(text, given))
    except Exception as error:  # the model's own lines raise anything
        print(f"shardboard: {sentence(error)}", file=sys.stderr)
        return 1
    return 0


def sentence(error: Exception) -> str:
    """What went wrong in one line; the kind of error too where it is not one of ours."""
    if isinstance(error, ImportError):
        return f"{error}; install it beside shardboard"
    said = " ".join(str(error).split())
    own = isinstance(error, (OSError, ValueError, NotImplementedError, RuntimeError)) and not isinstance(error, UnicodeError)
    return said if own and said else f"{type(error).__name__}: {said}"


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
    is_published = re.fullmatch(r"[\w.-]+/[\w.-]+", given.model) and not Path(given.model).exists()
    if given.model.endswith(".json") or is_published:
        model, args = configured(given.model, given.batch, given.length)
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
    names = {**known(), **vars(module)}
    is_class = isinstance(made, type)
    model = evaluated(f"_made({given.make})", {**names, "_made": made}, "--make") if is_class else made
    args, kwargs = evaluated(f"_taken({given.call})", {**names, "_taken": lambda *args, **kwargs: (args, kwargs)}, "--call")
    return trace(model, *args, mesh=given.mesh, **kwargs)


def known() -> dict[str, Any]:
    """Modules that the arguments of a call may name, of those that are there."""
    found = {}
    for name, module in (("torch", "torch"), ("jax", "jax"), ("jnp", "jax.numpy"), ("nnx", "flax.nnx")):
        try:
            found[name] = importlib.import_module(module)
        except ImportError:
            continue
    return found


def evaluated(text: str, names: dict[str, Any], word: str) -> Any:
    """Python that stands in an argument of the command."""
    try:
        return eval(text, names)
    except (SyntaxError, NameError, TypeError) as error:
        raise ValueError(f"{word} is not right: {error}") from None


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


def configured(name: str, batch: int, length: int) -> tuple[Any, tuple]:
    """The model of a config.json, or of a name on the hub, by `transformers`, on the meta device, and token ids."""
    import torch
    import transformers

    if name.endswith(".json"):
        raw = json.loads(Path(name).read_text(encoding="utf-8"))
        config = transformers.AutoConfig.for_model(**{**raw, "model_type": raw.get("model_type", "")})
    else:
        config = transformers.AutoConfig.from_pretrained(name)
    names = getattr(config, "architectures", None) or []
    make = getattr(transformers, names[0], None) if names else None
    with torch.device("meta"):
        model = make(config) if make is not None else transformers.AutoModelForCausalLM.from_config(config)
        ids = torch.zeros((batch, length), dtype=torch.long)
    return model.eval(), (ids,)


if __name__ == "__main__":
    sys.exit(main())
