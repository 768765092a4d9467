"""One family of models: what is known of it, its models, and their texts at small configurations."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
warnings.filterwarnings("ignore")

import torch  # noqa: E402
import transformers  # noqa: E402

from batches import own_batch  # noqa: E402
from pooling_head import SWITCH  # noqa: E402
from slopes import slopes_by_formula  # noqa: E402

from shardboard.holes import plain  # noqa: E402
from shardboard.hub import experts_as_words, images_in_front  # noqa: E402
from shardboard.proof import difference, ran  # noqa: E402
from shardboard.record import record  # noqa: E402
from shardboard.text import Text  # noqa: E402

#: What the base of angles is called, of all layers or of those with a window.
ANGLES = ("rope_theta", "rope_local_base_freq", "global_rope_theta", "local_rope_theta")
#: How far the text's numbers may be from the model's, over the largest of them; both are 32-bit floats.
CLOSE = 2e-5


@dataclass
class Family:
    """What the script is told of a family.

    `holds` has values at which the text is the model, of keys that are no sizes of it.
    `where` has values of keys that a configuration must have to be of it; None where it must say null.
    `others` has values of keys with which the type is another net, which has no text.
    `unread` has keys that the model does not read; `repeats` lists that go on like this over all layers;
    `every` lists that have a 0 once in so many layers, each with the size that says how many, and else 1.
    `places` lists of the places of one in so many layers, each with the size that says how many.
    `optional` has sizes that may be None, with which the text is held against the model too.
    `untied` has weights of their own in what is published, which this version of the package ties.
    `missing` has what the model has of keys that a configuration does not say, where the class's fields do not tell.
    `spread` is how far the weights of the small models lie apart.
    `results` is how many of the tensors that the model gives are those of the text.
    `ends` has further classes of the same layers, each with the class that it is traced as.
    `language` has the types of models of several parts whose language part is of the family.
    `same` has keys that must be as others are, and that the model does not read.
    `sizes` has a value per key and traced configuration. `switches` are keys of which either value
    gives another structure. `headed` has a head that `pooling_head.py` writes. `published` are configurations as published, the first one the default.
    """

    name: str
    title: str
    model_type: list[str]
    config: str
    model: str
    sizes: dict[str, list[Any]]
    published: dict[str, dict[str, Any]]
    fixed: dict[str, Any] = field(default_factory=dict)
    switches: list[str] = field(default_factory=list)
    derived: dict[str, str] = field(default_factory=dict)
    architectures: list[str] = field(default_factory=list)
    nested: dict[str, str] = field(default_factory=dict)
    also: dict[str, str] = field(default_factory=dict)
    inputs: str = "ids"
    attention: str = "sdpa"
    notes: list[str] = field(default_factory=list)
    outputs: Any = None
    length: int = 4096
    holds: dict[str, Any] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    spread: float = 0.2
    unread: list[str] = field(default_factory=list)
    repeats: dict[str, list[str]] = field(default_factory=dict)
    every: dict[str, str] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    optional: list[str] = field(default_factory=list)
    untied: list[str] = field(default_factory=list)
    missing: dict[str, Any] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)
    language: list[str] = field(default_factory=list)
    where: dict[str, Any] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)
    headed: bool = False
    results: int = 1


BATCH, LENGTH = [3, 5, 2], [17, 19, 23]
#: Images beside `BATCH` rows of text, and the length of rows that a decoder makes.
IMAGES, DECODED = [7, 11, 13], [13, 29, 11]
#: Rows of which one is chosen.
CHOICES = [2, 4, 3]


@dataclass
class Traced:
    env: dict[str, Any]
    lines: list[str]
    slots: list[list[tuple[Any, str]]]
    apart: float
    unknown: dict[str, list[str]]


def with_angles(rotary: dict[str, Any], angles: dict[str, Any]) -> dict[str, Any]:
    """`rope_parameters` with these angles, for each kind of layer where it has several."""
    if rotary and all(isinstance(each, dict) for each in rotary.values()):
        return {kind: {**each, **angles} for kind, each in rotary.items()}
    return {**rotary, **angles}


def configured(family: Family, keys: dict[str, Any]) -> Any:
    """A configuration from flat keys; those of nested configurations by `nested`."""
    flat = {**family.fixed, **keys}
    for key, other in family.same.items():
        if "." not in key and other in flat:
            flat.setdefault(key, flat[other])
    inner: dict[str, Any] = {}
    for path, name in family.nested.items():
        if name in flat:
            where, key = path.rsplit(".", 1)
            inner.setdefault(where, {})[key] = flat.pop(name)
    if "rope_parameters" in flat:
        moved = {key: flat.pop(key) for key in ("rope_theta", "partial_rotary_factor") if key in flat}
        flat["rope_parameters"] = with_angles(flat["rope_parameters"], moved)
    for where, given in inner.items():
        flat[where] = {**given, **flat.get(where, {})}
    config = getattr(transformers, family.config)(**flat)
    config._attn_implementation = family.attention
    return config


def model_of(family: Family, keys: dict[str, Any], device: str = "cpu") -> torch.nn.Module:
    """The family's model at a configuration, with weights that tell everything apart."""
    config = configured(family, keys)
    with torch.device(device):
        model = getattr(transformers, family.model)(config).eval()
    for module in model.modules():
        if hasattr(getattr(module, "config", None), "_experts_implementation"):
            module.config._experts_implementation = "eager"
    if hasattr(model, "tie_weights"):
        model.tie_weights()
    for path in family.untied:
        where, _, name = path.rpartition(".")
        setattr(model.get_submodule(where), name, torch.nn.Parameter(model.get_parameter(path).detach().clone()))
    if device == "cpu":
        torch.manual_seed(0)
        with torch.no_grad():
            for weight in model.parameters():
                weight.copy_(torch.randn_like(weight) * family.spread + (1.0 if weight.dim() == 1 else 0.0))
            for name, buffer in model.named_buffers():
                if buffer.is_floating_point() and ("bias" in name):
                    buffer.copy_(torch.randn_like(buffer) * 0.1)
    return model


def inputs_of(family: Family, config: Any, at: int) -> tuple[dict[str, Any], list[torch.Tensor]]:
    """The arguments of the model's call, and those of them that are tensors."""
    batch, length = BATCH[at], LENGTH[at]
    torch.manual_seed(1)
    if family.inputs == "ids":
        ids = torch.randint(0, config.vocab_size, (batch, length))
        return {"input_ids": ids, "use_cache": False}, [ids]
    if family.inputs == "ids-only":
        ids = torch.randint(0, config.vocab_size, (batch, length))
        return {"input_ids": ids}, [ids]
    if family.inputs == "choices":
        ids = torch.randint(0, config.vocab_size, (batch, CHOICES[at], length))
        return {"input_ids": ids}, [ids]
    if family.inputs == "pixels":
        vision = getattr(config, "vision_config", config)
        pixels = torch.randn(batch, vision.num_channels, vision.image_size, vision.image_size)
        return {"pixel_values": pixels}, [pixels]
    if family.inputs == "pair":
        pair = [torch.randint(0, config.vocab_size, (batch, each)) for each in (length, DECODED[at])]
        return {"input_ids": pair[0], "decoder_input_ids": pair[1], "use_cache": False}, pair
    if family.inputs == "sound":
        sound = torch.randn(batch, config.num_mel_bins, 2 * config.max_source_positions)
        ids = torch.randint(0, config.vocab_size, (batch, length))
        return {"input_features": sound, "decoder_input_ids": ids, "use_cache": False}, [sound, ids]
    if family.inputs == "both":
        vision = config.vision_config
        pixels = torch.randn(IMAGES[at], 3, vision.image_size, vision.image_size)
        ids = torch.randint(0, config.text_config.vocab_size, (batch, length))
        return {"input_ids": ids, "pixel_values": pixels}, [ids, pixels]
    if family.inputs == "image":
        vision, text = config.vision_config, config.text_config
        pixels = torch.randn(batch, 3, vision.image_size, vision.image_size)
        ids = torch.randint(0, config.image_token_id, (batch, length))
        image = torch.full((batch, config.mm_tokens_per_image), config.image_token_id)
        return {"input_ids": torch.cat((image, ids), dim=1), "pixel_values": pixels, "use_cache": False}, [ids, pixels]
    raise ValueError(family.inputs)


def further_sizes(family: Family, at: int) -> dict[str, int]:
    """Sizes of inputs besides batch and sequence: the tokens of a decoder, and images beside texts."""
    return {"pair": {"T": DECODED[at]}, "both": {"N": IMAGES[at]}, "choices": {"C": CHOICES[at]}}.get(family.inputs, {})


def in_front(family: Family, kwargs: dict[str, Any], tensors: list[torch.Tensor]) -> dict[str, Any]:
    """The arguments while images stand in front: the tokens without those that stand for them."""
    return {**kwargs, "input_ids": tensors[0]} if family.inputs == "image" else kwargs


def half(model: torch.nn.Module, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The model with weights of 16 bits, so that every cast of its own is seen, and its arguments."""
    with torch.no_grad():
        for weight in model.parameters():
            weight.data = weight.data.to(torch.bfloat16)
    return {key: value.to(torch.bfloat16) if isinstance(value, torch.Tensor) and value.is_floating_point() else value
            for key, value in kwargs.items()}


def traced(family: Family, keys: dict[str, Any], at: int) -> Traced:
    """The family at one small configuration, its numbers compared with the model's."""
    model = model_of(family, keys)
    kwargs, tensors = inputs_of(family, model.config, at)
    with torch.no_grad():
        wanted = model(**kwargs)
    small = model_of(family, keys)
    given = half(small, in_front(family, kwargs, tensors))
    with experts_as_words(small, BATCH[at]), images_in_front(small), slopes_by_formula():
        graph = record(small, (), given)
    graph.outputs = graph.outputs[:family.results]
    text = Text(graph, sizes=[*family.sizes, *family.switches, *family.derived])
    outputs = (family.outputs or (lambda made: [*made.values()][:family.results]))(wanted)
    room = BATCH[at] * LENGTH[at]
    whole = text.written().replace("torch.bfloat16", "torch.float32")
    apart = difference(ran(whole, model, [*text.leaves(), *tensors], room)[: len(outputs)], outputs)
    values: list[tuple[Any, str]] = []

    def show(value: Any, hint: str) -> str:
        values.append((value, hint))
        return "\ue000"

    lines = text.written(show, dtype=".to(torch.bfloat16)").split("\n")
    slots, start = [], 0
    for line in lines:
        count = line.count("\ue000")
        slots.append(values[start:start + count])
        start += count
    env = {"B": BATCH[at], "S": LENGTH[at], **further_sizes(family, at), **keys}
    for name, rule in family.derived.items():
        env.setdefault(name, eval(rule, {}, dict(env)))
    return Traced(env, lines, slots, apart, text.unknown)


def header(family: Family) -> tuple[str, dict[str, Any]]:
    """Comment lines, and the sizes of the first published configuration, one a line."""
    first = next(iter(family.published))
    keys = keys_at(family, family.published[first])
    lines = [f"# {family.title}: {family.model} of transformers {transformers.__version__}, traced by torch {torch.__version__.split('+')[0]}.",
             f"# Sizes are those of {first}; each name is a key of its config.json."]
    lines += [f"# {note}" for note in family.notes]
    return "\n".join(lines) + "\n", keys


def keys_at(family: Family, published: dict[str, Any]) -> dict[str, Any]:
    """All keys at a configuration: those given, and the class's own where they are missing."""
    given = {key: value for key, value in published.items() if key != "parameters"}
    return {**defaults_of(family), **given}


def defaults_of(family: Family) -> dict[str, Any]:
    """The value of each key where a config.json does not have it."""
    plain_config = getattr(transformers, family.config)()
    made: dict[str, Any] = {}
    wanted = [*family.sizes, *family.switches, *([SWITCH] if family.headed else [])]
    for key in wanted:
        path = next((path for path, name in family.nested.items() if name == key), key)
        value: Any = plain_config
        for part in path.split("."):
            value = value.get(part) if isinstance(value, dict) else getattr(value, part, None)
        if value is None and key in (*ANGLES, "partial_rotary_factor"):
            holder = getattr(plain_config, path.rpartition(".")[0], plain_config)
            rotary = getattr(holder, "rope_parameters", None) or {}
            kind = "sliding_attention" if "local" in key else "full_attention"
            value = rotary.get(kind, rotary).get("rope_theta" if key in ANGLES else key)
        if key in family.derived:
            continue
        made[key] = value
    return made


def text_of(family: Family, body: str, names: list[str]) -> str:
    """The whole file."""
    head, keys = header(family)
    for path, name in family.nested.items():
        holder = keys
        for part in path.split(".")[:-1]:
            holder = holder.get(part) or {}
        if isinstance(holder, dict) and path.split(".")[-1] in holder:
            keys[name] = holder[path.split(".")[-1]]
    sizes = [f"B, S = 1, {family.length}" if "S" in names else "B = 1"]
    sizes += [f"{name} = {other}" for name, other in (("T", "S"), ("N", "B"), ("C", "2")) if name in names]
    for name in names:
        if name in ("B", "S", "T", "N", "C"):
            continue
        sizes.append(f"{name} = {family.derived[name] if keys.get(name) is None and name in family.derived else plain(keys.get(name))}")
    imports, rest = body.split("\n\n", 1)
    return own_batch(f"{head}{imports}\n\n" + "\n".join(sizes) + f"\n\n{rest}")
