"""What MindSpore 2.10 says that the inputs of its primitives are: writes `primitive-inputs.json` again, for the
primitives that it has and those named on the command line.

Every primitive is called with dictionaries, which none takes; its refusal lists what each input may be. Each net is
compiled in a process of its own. Of primitives that Python alone describes, the number of inputs is known. The others
are called with too few and too many tensors: their refusals name the number, and `+` says that it is the least one.
"""
import inspect
import itertools
import json
import os
import re
import sys
from pathlib import Path

from mindspore_compiler import StandardError, leave

import mindspore as ms
import numpy as np
from mindspore import Tensor, context, nn
from mindspore.common.api import _cell_graph_executor
from mindspore.ops import operations
from mindspore.ops.auto_generate import gen_ops_prim
from mindspore.ops.primitive import Primitive

KINDS = {"int": "number", "float": "number", "Number": "number", "bool": "number", "string": "text", "mindspore.dtype": "text", "Tensor": "tensor", "list of tensor": "tensors", "tuple of Tensor": "tensors"}
DESCRIBED = re.compile(r"init_prim_io_names\(\s*inputs=\[([^\]]*)\]")
# What is left out is no input, or may be left out without a word.
OPEN = "Unstack PadV3 Custom GetNext DropoutDoMask TypeAs BatchNorm Conv2DTranspose Conv2DBackpropInput".split()
VALUES = [0, (1,), 1.0, "a", ((0, 1),), True]


def made(primitive):
    """An instance; the arguments that it must have are the first that it takes."""
    needed = [each for each in list(inspect.signature(primitive.__init__).parameters.values())[1:] if each.default is inspect._empty and each.kind is each.POSITIONAL_OR_KEYWORD]
    for values in itertools.product(VALUES, repeat=len(needed)):
        try:
            return primitive(*values)
        except Exception:  # the next ones
            continue
    raise TypeError(primitive)


class Asked(nn.Cell):
    def __init__(self, primitive, count):
        super().__init__()
        self.primitive, self.places = made(primitive), tuple(range(count))

    def construct(self, x):
        return self.primitive(*[{"x": x} for _ in self.places])


class AskedOfTensors(Asked):
    def construct(self, x):
        return self.primitive(*[x for _ in self.places])


def refusal(primitive, count, net=Asked):
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        with StandardError():
            try:
                context.set_context(mode=context.GRAPH_MODE)
                _cell_graph_executor.compile(net(primitive, count), Tensor(np.ones((2, 2)), ms.float32), phase="train")
                said = ""
            except BaseException as error:
                said = str(error)
        os.write(sending, said.encode()[:60000])
        os._exit(0)
    os.close(sending)
    with os.fdopen(receiving, "rb") as out:
        said = out.read().decode()
    os.waitpid(child, 0)
    return said


def generated(primitive):
    inputs = list(inspect.signature(primitive.__call__).parameters.values())[1:]
    listed = re.search(r'valid calling should be: ?\n?"([^\n]*)"', refusal(primitive, len(inputs)))
    kinds = re.findall(r"\w+=<([^>]*)>", listed[1]) if listed else []
    if len(kinds) != len(inputs):
        return None
    words = ["|".join(sorted({KINDS.get(each, each.split(" ")[0]) for each in kind.split(", ")})) for kind in kinds]
    return " ".join(word + ("" if each.default is inspect._empty else "?") for word, each in zip(words, inputs))


def described(name, primitive):
    """How many inputs a primitive of Python has, by its signature, its inference or the names of its inputs."""
    try:
        source = inspect.getsource(primitive)
    except (OSError, TypeError):
        return None
    signature = getattr(primitive, "__mindspore_signature__", None)
    listed = DESCRIBED.search(source)
    count = len(signature) if signature else len(re.findall(r"'[^']+'|\"[^\"]+\"", listed[1])) if listed else 0
    isExact = bool(signature) or name in ("Cast", "TopK", "EmbeddingLookup", "SparseGatherV2")
    return None if name in OPEN or count == 0 else " ".join("any" if isExact or at == 0 else "any?" for at in range(count))


COUNT = re.compile(
    r"(?:number|numbers|length of input|args size) must be (?P<kind>equal to|greater than or equal to)? ?(?P<first>\d+)"
    r"|(?:number of inputs?|size of input)(?: \(including default arguments\))? should be (?P<second>\d+)"
)


def counted(primitive):
    """How many inputs a primitive has, by the refusals of calls with other numbers of tensors."""
    for count in (1, 2, 9):
        found = COUNT.search(refusal(primitive, count, AskedOfTensors))
        if found:
            least = int(found["first"] or found["second"])
            isOpen = (found["kind"] or "").startswith("greater")
            return " ".join(["any"] * least + ["+"] * isOpen)
    return None


def joined(asked, found):
    """What the compiler says of the number, with the most inputs that the definition names if it says only the least."""
    if asked is None or found is None or not asked.endswith("+"):
        return asked or found
    least, most = asked.count("any"), len(found.split(" "))
    return " ".join("any" if at < least else "any?" for at in range(most)) if most >= least else asked


RECORD = Path(__file__).parent / "../src/systems/mindspore/bindings/primitive-inputs.json"
# Neither says how many inputs it has; their inference takes so many.
inputs = {"Tile": "any any", "MaxPool": "any"}
for name in sorted({*json.loads(RECORD.read_text()), *sys.argv[1:]}):
    primitive = getattr(operations, name, None) or getattr(gen_ops_prim, name)
    if not inspect.isclass(primitive) or not issubclass(primitive, Primitive):
        raise SystemExit(f"{name} is no primitive of MindSpore's")
    isGenerated = primitive.__module__.endswith("gen_ops_prim") and "__call__" in primitive.__dict__
    found = generated(primitive) if isGenerated else described(name, primitive)
    if name not in OPEN and not (isGenerated and found):
        found = joined(counted(primitive), found)
    if found:
        inputs.setdefault(name, found)
RECORD.write_text(json.dumps(dict(sorted(inputs.items())), indent=2) + "\n")
leave(0)
