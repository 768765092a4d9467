"""Writes what torchvision says of its models into the table that holds those written here.

Usage: python engines/record_torchvision_models.py src/systems/torch/library/torchvision-models.json

A row is a model: its `parameters` (elements), a `digest` of the names and shapes of all its
parameters, the side of the square `image` it is given, two of them, and the `shape` it answers with
in evaluation. Everything is made on the meta device, so that nothing is computed.
"""

import hashlib
import json
import sys
import warnings

import torch

warnings.filterwarnings("ignore")

# What torchvision registers kernels for; where its compiled part does not load, they are declared here.
declared = torch.library.Library("torchvision", "DEF")
for operator in ("nms", "qnms"):
    try:
        declared.define(operator + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    except RuntimeError:
        pass

from torchvision import models  # noqa: E402
from torchvision.models import regnet, segmentation  # noqa: E402

unread = ("maxvit", "swin_v2")


def widths_on_cpu(made):
    """The widths of a RegNet are numbers, which the meta device has none of."""

    def computed(cls, *args, **options):
        with torch.device("cpu"):
            return made(cls, *args, **options)

    return classmethod(computed)


regnet.BlockParams.from_init_params = widths_on_cpu(regnet.BlockParams.from_init_params.__func__)


def row(name, home):
    side = 299 if name == "inception_v3" else 224
    options = {"weights_backbone": None} if home == "segmentation." else {}
    with torch.device("meta"):
        model = models.get_model(name, **options).eval()
        answer = model(torch.empty(2, 3, side, side))
    if isinstance(answer, dict):
        answer = answer["out"]
    named = dict(model.named_parameters())
    lines = sorted(f"{key} {','.join(map(str, value.shape))}" for key, value in named.items())
    return {
        "name": home + name,
        "image": side,
        "parameters": sum(value.numel() for value in named.values()),
        "digest": hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16],
        "shape": list(answer.shape),
    }


def main(path):
    homes = {"": models, "segmentation.": segmentation}
    rows = [
        json.dumps(row(name, home))
        for home, module in homes.items()
        for name in models.list_models(module=module)
        if not name.startswith(unread)
    ]
    with open(path, "w") as table:
        table.write("[\n  " + ",\n  ".join(rows) + "\n]\n")


main(sys.argv[1])
