"""The public names that modules of MindSpore 2.10 have, as a JSON object: python record_mindspore_names.py > ../src/systems/mindspore/bindings/public-names.json"""
import importlib
import json

MODULES = "mindspore nn ops ops.operations mint mint.nn mint.nn.functional mint.linalg mint.special mint.distributed mint.optim communication parallel numpy _checkparam"


def dotted(name):
    return name if name == "mindspore" else f"mindspore.{name}"


names = {}
for each in MODULES.split():
    module = importlib.import_module(dotted(each))
    names[dotted(each)] = " ".join(sorted(name for name in dir(module) if not name.startswith("_")))
names["mindspore.Tensor"] = " ".join(sorted(name for name in dir(importlib.import_module("mindspore").Tensor) if not name.startswith("_")))
print(json.dumps(names, indent=2))
