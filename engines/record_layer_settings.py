"""Writes what PyTorch says of every setting of every layer of torch.nn, by the signatures of their constructors.

Usage: python engines/record_layer_settings.py src/systems/torch/library/layer-settings.json

Of a layer: the call that makes it, its inputs, and for each parameter of its constructor (and for each
argument of its forward that the table below names) a value that is not the default, with the shape of
its first result and the elements of its parameters; or that PyTorch refuses the value with these inputs. `numbers`
has a call with `_` for each parameter that refuses some of NUMBERS: a word for each of them, with `!` where PyTorch raises.
"""

import inspect
import json
import re
import sys
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore")

IMAGE, LINE, CUBE, ROWS, WORDS = "torch.rand(2, 4, 9, 9)", "torch.rand(2, 4, 9)", "torch.rand(2, 4, 5, 5, 5)", "torch.rand(3, 8)", "torch.randint(0, 5, (2, 3))"
SPACE = {"1d": LINE, "2d": IMAGE, "3d": CUBE}
SIGNS = "torch.rand(3, 8).sign()"
PAIR = f"{ROWS}, {ROWS}"
TOKENS = "torch.rand(6, 2, 8)"

# By the beginnings of their names: what a layer is made with, and what it is called on.
CALLS = {
    "AdaptiveLogSoftmaxWithLoss": ("8, 20, [5, 10]", "torch.rand(3, 8), torch.randint(0, 20, (3,))"),
    "Adaptive": ("3", None), "AvgPool": ("3", None), "MaxPool": ("3", None), "LPPool": ("2, 3", None),
    "BatchNorm": ("4", None), "InstanceNorm": ("4", None), "SyncBatchNorm": ("4", None), "GroupNorm": ("2, 4", IMAGE), "LayerNorm": ("8", ROWS),
    "RMSNorm": ("8", ROWS), "LocalResponseNorm": ("2", IMAGE), "CrossMapLRN2d": ("2", IMAGE),
    "ConvTranspose": ("4, 6, 3", None), "Conv": ("4, 6, 3", None), "Linear": ("8, 6", ROWS), "Bilinear": ("8, 8, 6", PAIR), "Identity": ("", ROWS),
    "EmbeddingBag": ("10, 4", WORDS), "Embedding": ("10, 4", WORDS),
    "BCELoss": ("", PAIR), "BCEWithLogitsLoss": ("", PAIR), "CrossEntropyLoss": ("", "torch.rand(3, 8), torch.randint(0, 8, (3,))"),
    "NLLLoss": ("", "torch.rand(3, 8), torch.randint(0, 8, (3,))"), "MultiMarginLoss": ("", "torch.rand(3, 8), torch.randint(0, 8, (3,))"),
    "MultiLabelMarginLoss": ("", "torch.rand(3, 8), torch.randint(0, 8, (3, 8))"), "CosineEmbeddingLoss": ("", f"{PAIR}, torch.ones(3)"),
    "MarginRankingLoss": ("", f"torch.rand(3), torch.rand(3), torch.ones(3)"), "TripletMargin": ("", f"{PAIR}, {ROWS}"),
    "GaussianNLLLoss": ("", f"{PAIR}, {ROWS}"), "CTCLoss": ("", "torch.rand(9, 2, 5), torch.ones(2, 3, dtype=torch.long), torch.tensor([9, 9]), torch.tensor([3, 3])"),
    "HingeEmbeddingLoss": ("", f"{ROWS}, {SIGNS}"), "L1Loss": ("", PAIR), "MSELoss": ("", PAIR), "HuberLoss": ("", PAIR), "SmoothL1Loss": ("", PAIR),
    "KLDivLoss": ("", PAIR), "PoissonNLLLoss": ("", PAIR), "SoftMarginLoss": ("", PAIR), "MultiLabelSoftMarginLoss": ("", PAIR),
    "CosineSimilarity": ("", PAIR), "PairwiseDistance": ("", PAIR),
    "Threshold": ("0.5, 2.0", ROWS), "Softmax2d": ("", IMAGE), "Unflatten": ("1, (2, 4)", ROWS), "Flatten": ("", IMAGE),
    "PixelShuffle": ("2", IMAGE), "PixelUnshuffle": ("3", IMAGE), "ChannelShuffle": ("2", IMAGE), "Upsample": ("scale_factor=2", IMAGE), "Upsampling": ("scale_factor=2", IMAGE),
    "Unfold": ("3", IMAGE), "Fold": ("9, 3", "torch.rand(2, 36, 49)"), "ConstantPad": ("1, 0.5", None), "ReflectionPad": ("1", None),
    "ReplicationPad": ("1", None), "ZeroPad": ("1", None), "CircularPad": ("1", None), "Dropout": ("", None), "AlphaDropout": ("", ROWS), "FeatureAlphaDropout": ("", IMAGE),
    "LSTMCell": ("8, 6", ROWS), "GRUCell": ("8, 6", ROWS), "RNNCell": ("8, 6", ROWS), "LSTM": ("8, 6", TOKENS), "GRU": ("8, 6", TOKENS), "RNN": ("8, 6", TOKENS),
    "MultiheadAttention": ("8, 2", f"{TOKENS}, {TOKENS}, {TOKENS}"), "TransformerEncoderLayer": ("8, 2", TOKENS), "TransformerDecoderLayer": ("8, 2", f"{TOKENS}, {TOKENS}"),
    "Transformer": ("8, 2, 1, 1, 16", f"{TOKENS}, {TOKENS}"),
}
# Of most activations: no argument, rows. What is no layer, or is made of others.
ROWWISE = "CELU ELU GELU GLU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU LogSigmoid LogSoftmax Mish PReLU RReLU ReLU ReLU6 SELU SiLU Sigmoid Softmax Softmin Softplus Softshrink Softsign Tanh Tanhshrink".split()
OTHERS = {"weight": "torch.rand(8)", "pos_weight": "torch.rand(8)", "padding_mode": "'reflect'", "approximate": "'tanh'", "reduction": "'sum'", "dim": "0", "norm": "None",
          "kdim": "8", "vdim": "8", "max_norm": "1.0", "padding_idx": "0", "stride": "2", "padding": "1", "size": "(7, 5)", "mode": "'bilinear'", "dtype": "torch.float64", "device": "'cpu'",
          "activation": "'gelu'", "nonlinearity": "'relu'", "size_average": "False", "reduce": "False", "dilation": "2", "groups": "2", "start_dim": "2", "end_dim": "2", "num_layers": "2",
          "ignore_index": "1", "elementwise_affine": "False", "proj_size": "4", "divisor_override": "2", "align_corners": "True", "recompute_scale_factor": "True"}
MODES = {"EmbeddingBag": "'sum'", "Upsample": "'bilinear'"}


def call_of(name):
    if name in ROWWISE:
        return "", ROWS
    for start in sorted(CALLS, key=len, reverse=True):
        if name.startswith(start):
            given, inputs = CALLS[start]
            return given, inputs or SPACE.get(name[-2:].lower(), IMAGE)
    return None


def another(layer, name, default):
    if name == "mode":
        return MODES.get(layer, "'sum'")
    if name == "weight":
        return "torch.rand(8)"
    if name in OTHERS:
        return OTHERS[name]
    if isinstance(default, bool):
        return str(not default)
    if isinstance(default, (int, float)):
        return str(default * 2 + (1 if isinstance(default, int) else 0.25))
    return None


def answer(line, inputs):
    try:
        torch.manual_seed(0)
        names = {"torch": torch, "nn": nn}
        module = eval(line, names)
        made = eval(f"module({inputs})", {**names, "module": module})
    except Exception:
        return {"refused": True}
    first, part = made, ""
    while not isinstance(first, torch.Tensor):
        first, part = first[0], part + "[0]"
    return {"shape": list(first.shape), "parameters": sum(each.numel() for each in module.parameters()), **({"part": part} if part else {})}


NUMBERS = ["-1", "0", "2", "100", "-0.5", "1.5", "-2"]
# No number unless it is given one.
OPEN = "max_norm padding_idx divisor_override stride dim output_size kernel_size margin".split()
# Whether the places that are drawn lie in the table.
DRAWN = "num_embeddings n_classes".split()


def numbers_of(name, layer, given, inputs):
    """Of each parameter that is a number, which numbers PyTorch refuses, where it refuses some and not all."""
    written = eval(f"bind({given})", {"bind": inspect.signature(layer).bind}).arguments
    written = {key: value for key, value in written.items() if key not in ("args", "kwargs")}
    defaults = {key: parameter.default for key, parameter in parameters_of(layer).items()}
    found = []
    for key in dict.fromkeys([*written, *defaults]):
        usual = written.get(key, defaults.get(key))
        is_number = isinstance(usual, (int, float)) and not isinstance(usual, bool)
        if key in DRAWN or not is_number and not (usual is None and key in OPEN):
            continue
        values = {**{each: repr(value) for each, value in written.items()}, key: "_"}
        form = f"nn.{name}({', '.join(f'{each}={value}' for each, value in values.items())})"
        words = [number + ("!" if "refused" in answer(re.sub(r"\b_\b", number, form), inputs) else "") for number in NUMBERS]
        if 0 < sum(word.endswith("!") for word in words) < len(words):
            found.append([form, " ".join(words)])
    return found


def parameters_of(layer):
    found = {}
    for base in reversed(layer.__mro__):
        if "__init__" in vars(base) and base is not nn.Module and issubclass(base, nn.Module):
            found.update(inspect.signature(base.__init__).parameters)
    own = inspect.signature(layer.__init__).parameters
    if all(each.kind is not each.VAR_POSITIONAL for each in own.values()):
        found = own
    return {n: p for n, p in found.items() if p.default is not p.empty and not n.startswith("_") and n != "mode" or n == "mode" and layer.__name__ in MODES}


def main(path):
    rows = []
    for name in sorted(dir(nn)):
        layer = getattr(nn, name)
        if not (inspect.isclass(layer) and issubclass(layer, nn.Module)) or name.startswith("Lazy"):
            continue
        call = call_of(name)
        if call is None:
            continue
        given, inputs = call
        settings = {}
        for key, parameter in parameters_of(layer).items():
            value = another(name, key, parameter.default)
            if value is None or f"{key}=" in given:
                continue
            line = f"nn.{name}({', '.join(filter(None, [given, f'{key}={value}']))})"
            settings[f"{key}={value}"] = answer(line, inputs)
        base = answer(f"nn.{name}({given})", inputs)
        if "refused" not in base:
            rows.append({"layer": name, "given": given, "inputs": inputs, "is": base, "settings": settings, "numbers": numbers_of(name, layer, given, inputs)})
    lines = [json.dumps(row) for row in rows]
    with open(path, "w") as table:
        table.write("[\n" + ",\n".join(lines) + "\n]\n")


main(sys.argv[1])
