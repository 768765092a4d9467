"""Traces the families of transformers: small ones with their numbers, published ones on the meta device.

    python trace_models.py FOLDER [small | full] [FAMILY ...]

For each family FOLDER/NAME has
    small.py      the traced text, cut over the batch; experts have room for all tokens, as in the model
    full.py       the traced text of the first published configuration
    facts.json    of both: the parameters by path with their shapes, their number, the shape of the result;
                  of the small one the inputs, and of its numbers where each tensor begins in numbers.bin;
                  what torch makes of each expression of the text: its place in the text, and the same
    numbers.bin   inputs, parameters, result and what is made on the way in 32 bits, one behind the other
and `refused`, the sentence by which a trace was refused, in place of a text.
"""
import json, re, sys, time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python" / "tools")]

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from family import BATCH, LENGTH, in_front, inputs_of, model_of
from further_families import FAMILIES
from shardboard import tracing
from shardboard.hub import images_in_front
from shardboard.proof import carry
from shardboard.tracing import trace
from shardboard.words import namespace

AT = 2   # the configuration whose batch two devices share


def shapes(model):
    """The parameters by path, those of tied ones once."""
    return {path: list(weight.shape) for path, weight in model.named_parameters()}


class Followed(TorchFunctionMode):
    """What torch makes of each expression of a text, in order: where it begins and ends, and its tensors."""

    def __init__(self, text):
        super().__init__()
        self.made, self.last, self.places = [], None, {}
        self.starts = [0]
        for line in text.split("\n"): self.starts.append(self.starts[-1] + len(line) + 1)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        tensors = [each for each in (made if isinstance(made, (tuple, list)) else [made]) if isinstance(each, torch.Tensor)]
        frame, within = sys._getframe(1), None
        while frame is not None and frame.f_code.co_filename != "<text>": frame, within = frame.f_back, frame
        if frame is None or not tensors: return made
        code = frame.f_code
        if code not in self.places: self.places[code] = list(code.co_positions())
        line, end, column, stop = self.places[code][frame.f_lasti // 2]
        # Of a module or a word that calls torch several times what it makes last is its result.
        now = (frame, frame.f_lasti, within is not None)
        if now == self.last and within is not None: self.made.pop()
        self.last = now
        self.made.append(([self.starts[line - 1] + column, self.starts[end - 1] + stop], tensors))
        return made


def followed(text, model, given):
    """The text run by torch on the weights of the model, and what it makes on the way."""
    names, lines = namespace(given), text.split("\n")
    at = next(k for k, line in enumerate(lines) if line.startswith("model = ")) + 1
    exec(compile("\n".join(lines[:at]), "<text>", "exec"), names)
    carry(model, names["model"].eval())
    with torch.no_grad(), Followed(text) as run: exec(compile("\n" * at + "\n".join(lines[at:]), "<text>", "exec"), names)
    return run.made


def small(family, folder):
    """A small model with its numbers."""
    keys = {key: values[AT] for key, values in family.sizes.items()}
    for key in family.switches:
        keys.setdefault(key, family.published[next(iter(family.published))].get(key))
    model = model_of(family, {key: value for key, value in keys.items() if value is not None})
    kwargs, tensors = inputs_of(family, model.config, AT)
    kwargs = in_front(family, kwargs, tensors)
    proved, ran = [], tracing.ran

    def kept(text, model, given, room):
        """Runs the text, and keeps what it is given: its constants, then the inputs."""
        proved[:] = given
        return ran(text, model, given, room)

    tracing.ran = kept
    with images_in_front(model):
        try: text = trace(model, mesh="dp=2", **kwargs)
        finally: tracing.ran = ran
        with torch.no_grad(): made = model(**kwargs)
    room = BATCH[AT] * LENGTH[AT]
    names = re.findall(r"^(\w+) = Tensor\(", text, re.M)
    places = "".join(f'place({name}, layout("dp"{", None" * (each.dim() - 1)}))\n' for name, each in zip(names[-len(tensors):], tensors))
    text = re.sub(r"capacity=[\w.]+", f"capacity={room}", text)
    (folder / "small.py").write_text(text + places)
    result = (family.outputs or (lambda made: [made[0]]))(made)[0]
    weights = dict(model.named_parameters()) | dict(model.named_buffers())
    at, where, whole, steps = 0, {}, [], []

    def kept_at(value):
        """Where a tensor begins in numbers.bin, and its shape."""
        nonlocal at
        whole.append(value.detach().to(torch.float32).numpy().ravel())
        at += value.numel()
        return [at - value.numel(), list(value.shape)]

    for name, value in [*zip(names, proved), *weights.items(), ("result", result)]: where[name] = kept_at(value)
    for place, tensors in followed(text, model, proved): steps.append([*place, [kept_at(each) for each in tensors]])
    np.concatenate(whole).astype("<f4").tofile(folder / "numbers.bin")
    return {"inputs": names, "numbers": where, "steps": steps, "parameters": shapes(model), "count": sum(each.numel() for each in model.parameters()), "result": list(result.shape), "said": text.split("\n")[1]}


def full(family, folder):
    """The first published configuration."""
    published = next(iter(family.published.values()))
    model = model_of(family, {key: value for key, value in published.items() if key != "parameters"}, "meta")
    kwargs, tensors = inputs_of(family, model.config, AT)
    kwargs = in_front(family, kwargs, tensors)
    kwargs = {key: value.to("meta") if isinstance(value, torch.Tensor) else value for key, value in kwargs.items()}
    with images_in_front(model): (folder / "full.py").write_text(trace(model, **kwargs))
    return {"parameters": shapes(model), "count": sum(each.numel() for each in model.parameters())}


def attempt(make, family, folder):
    """What a trace gives, or why it does not."""
    start = time.time()
    try: made = make(family, folder)
    except Exception as error: made = {"refused": f"{type(error).__name__}: {str(error)[:300]}"}
    return {**made, "seconds": round(time.time() - start, 1)}


def main():
    out, wanted = Path(sys.argv[1]), [each for each in sys.argv[2:] if each not in ("small", "full")]
    sizes = {name: make for name, make in (("small", small), ("full", full)) if name in sys.argv[2:] or not {"small", "full"} & set(sys.argv[2:])}
    for family in FAMILIES:
        if wanted and family.name not in wanted: continue
        folder = out / family.name
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "facts.json"
        facts = json.loads(file.read_text()) if file.exists() else {}
        for size, make in sizes.items(): facts[size] = attempt(make, family, folder)
        file.write_text(json.dumps(facts))
        print(json.dumps({"name": family.name, **{size: facts[size].get("refused") or facts[size]["seconds"] for size in sizes}}), flush=True)


if __name__ == "__main__":
    main()
