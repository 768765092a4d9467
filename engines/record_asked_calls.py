"""Which of the calls of a table PyTorch takes: python record_asked_calls.py ../src/systems/torch/bindings/asked-calls.json

The calls of the table are asked again, of a tensor of (8, 16) of floats, and written back under `taken` and `refused`.
"""
import json
import sys
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F


def is_taken(call):
    try: eval(call, {"torch": torch, "nn": nn, "F": F, "x": torch.randn(8, 16)})
    except Exception: return False
    return True


def main(path):
    warnings.simplefilter("ignore")
    table = json.load(open(path))
    calls = [*table["refused"], *table["taken"]]
    asked = {"refused": [each for each in calls if not is_taken(each)], "taken": [each for each in calls if is_taken(each)]}
    with open(path, "w") as file: file.write(json.dumps(asked, indent=2) + "\n")


main(sys.argv[1])
