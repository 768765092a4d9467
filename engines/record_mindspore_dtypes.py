"""The data types that MindSpore 2.10 gives to results: writes by the call what its compiler says.

    python record_mindspore_dtypes.py 5 > ../src/systems/mindspore/bindings/result-dtypes.json

By the data types of x and y, joined by `,`, and the call: the data type of the first result, or `refused`.
The number says how many calls are passed over: of five one is recorded. Each call is compiled in a process of its own.
"""
import glob
import itertools
import json
import os
import re
import sys
from pathlib import Path

from mindspore_compiler import StandardError, leave, work

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, context, mint, nn, ops
from mindspore.common.api import _cell_graph_executor
from mindspore.ops import operations as P

TYPES = "float32 float16 int32 int64 uint8 bool".split()

# Of one tensor of shape (4, 8).
ONE = """ops.relu(x)|ops.gelu(x)|ops.silu(x)|ops.sigmoid(x)|ops.tanh(x)|ops.exp(x)|ops.log(x)|ops.sqrt(x)|ops.rsqrt(x)|ops.abs(x)|ops.neg(x)|ops.square(x)|ops.sin(x)|ops.softmax(x, -1)|ops.log_softmax(x, -1)
ops.floor(x)|ops.ceil(x)|ops.round(x)|ops.sign(x)|ops.erf(x)|ops.reciprocal(x)|ops.logical_not(x)|ops.isnan(x)|ops.isfinite(x)|x.sum()|x.sum(0)|x.mean(0)|x.max()|x.min(0)|x.argmax(0)|x.argmin(1)|x.any()|x.all(0)|ops.cumsum(x, 0)|x.prod(0)|x.std(0)|x.var(0)
P.ReduceSum()(x, 0)|P.ReduceMean()(x, 0)|P.ReduceMax()(x, 0)|P.Argmax()(x)|P.CumSum()(x, 0)|ops.norm(x)|ops.zeros_like(x)|ops.ones_like(x)|x.T|x.reshape(8, 4)|ops.tril(x)|x[0]|x[:, 1]|ops.sort(x)[0]|ops.sort(x)[1]|ops.topk(x, 2)[0]|ops.topk(x, 2)[1]|ops.argsort(x)
x.half()|x.float()|x.int()|x.long()|x.bool()|x.astype(ms.float16)|x.astype('float16')|x.astype(ms.int32)|x.astype(bool)|x.astype(float)|x.astype(int)|x.to(ms.float16)|ops.cast(x, ms.float16)|ops.cast(x, ms.int64)|P.Cast()(x, ms.bool_)|x.type_as(ops.cast(x, ms.float16))|ops.cast(x, ms.float16) * 2|ops.cast(x, ms.float16) + x
x + 2|x + 2.5|x + True|2 / x|x / 2|x // 2|x % 2|x ** 2|x ** 0.5|-x|x > 0|x == 1|2 - x|2.5 * x|x / 2.5|ops.pow(x, 2)|ops.maximum(x, 1)|ops.minimum(x, 0.5)|ops.clamp(x, 0, 1)|ops.where(x > 0, x, 0)|ops.where(x > 0, x, 0.5)|ops.masked_fill(x, x > 0, 0.0)|ops.add(x, 1)|ops.mul(x, 1.5)|ops.div(x, 2)|ops.sub(1, x)
mint.sum(x)|mint.sum(x, dim=0)|mint.mean(x, dim=0)|mint.max(x)|mint.argmax(x, dim=0)|mint.nn.functional.softmax(x, dim=-1)|mint.cumsum(x, 0)|mint.prod(x)|mint.exp(x)|mint.sqrt(x)|mint.add(x, 1)|mint.mul(x, 1.5)|mint.div(x, 2)|mint.sin(x)|mint.sigmoid(x)|mint.nn.functional.gelu(x)|mint.nn.functional.silu(x)|mint.floor(x)|mint.abs(x)|mint.square(x)|mint.zeros_like(x)|mint.isfinite(x)|mint.pow(x, 2)|mint.any(x)|mint.all(x)|mint.std(x)|mint.clamp(x, 0, 1)|mint.topk(x, 2)[1]|mint.sort(x)[1]|mint.where(x > 0, x, 0.5)
ops.one_hot(ops.cast(x, ms.int32), 8)|ops.matmul(x, x.T)|x @ x.T|P.MatMul()(x, x.T)|ops.concat((x, x))|ops.stack((x, x))|ops.expand_dims(x, 0)|ops.tile(x, (2, 1))|ops.gather(x, Tensor([0, 1]), 0)|ops.zeros((2, 2), ms.float16) + x|ops.ones((4, 8), ms.int32) * x|ops.full((4, 8), 1.5, dtype=ms.float16)|ops.arange(8)|ops.arange(0, 8, 1, dtype=ms.float16)|ops.eye(3, 3, ms.float16)
ops.mean(x)|ops.mean(x, 0)|ops.sum(x)|ops.sum(x, 0)|ops.max(x)[0]|ops.amax(x, 0)|ops.prod(x)|ops.argmax(x, 0)|ops.any(x)|ops.all(x)|ops.std(x)|ops.var(x)|ops.logsumexp(x, 0)|ops.count_nonzero(x)|ops.nonzero(x)|ops.unique(x)[0]|ops.unique(x)[1]|ops.split(x, 2)[0]|ops.flip(x, (0,))|ops.roll(x, 1, 0)|ops.repeat_interleave(x, 2, 0)|ops.broadcast_to(x, (2, 4, 8))""".replace("\n", "|").split("|")
# Of two, both of shape (4, 8).
TWO = """x + y|x - y|x * y|x / y|x // y|x % y|x ** y|x > y|x == y|ops.maximum(x, y)|ops.where(x > 0, x, y)|ops.concat((x, y))|ops.stack((x, y))|ops.matmul(x, y.T)|P.MatMul()(x, y.T)|P.Add()(x, y)|P.Mul()(x, y)|P.RealDiv()(x, y)|P.Sub()(x, y)|mint.add(x, y)|mint.mul(x, y)|mint.matmul(x, y.T)|ops.select(x > 0, x, y)|ops.logical_and(x, y)|ops.atan2(x, y)|ops.pow(x, y)|x.type_as(y)|ops.minimum(x, y)|ops.equal(x, y)|ops.less(x, y)|ops.bitwise_and(x, y)""".replace("\n", "|").split("|")

# Of float32, and never passed over.
ALWAYS = "mint.split(x, 0)|mint.chunk(x, 0)".split("|")


def asked():
    """Every call with its data types, once, in one order."""
    ones = [(each, call) for call in ONE for each in TYPES]
    return ones + [(f"{one},{two}", call) for call in TWO for one, two in itertools.product(TYPES, repeat=2)]


def compiled(types, call):
    scope = {"ms": ms, "ops": ops, "mint": mint, "nn": nn, "P": P, "Tensor": Tensor}
    names = ["x", "y"][: len(types)]
    source = f"class Net(nn.Cell):\n    def construct(self, {', '.join(names)}):\n        return {call}\n"
    path = Path(work) / "net.py"
    path.write_text("import mindspore as ms\nfrom mindspore import Tensor, mint, nn, ops\nfrom mindspore.ops import operations as P\n" + source)
    sys.path.insert(0, str(work))
    from net import Net
    context.set_context(mode=context.GRAPH_MODE)
    given = [Tensor(np.ones((4, 8)), getattr(ms, "bool_" if each == "bool" else each)) for each in types]
    _cell_graph_executor.compile(Net(), *given, phase="train")
    text = Path(max(glob.glob(f"{work}/graphs/**/*validate*.ir", recursive=True))).read_text()
    return re.findall(r"Return\([^\n]*\n\s*: \((.*)\)\n", text)[-1]


def answer(types, call):
    """What a process of its own says, which leaves nothing behind."""
    receiving, sending = os.pipe()
    child = os.fork()
    if child == 0:
        with StandardError():
            try:
                said = compiled(types.split(","), call)
            except BaseException:
                said = "refused"
        os.write(sending, said[:2000].encode())
        os._exit(0)
    os.close(sending)
    said = b"".join(iter(lambda: os.read(receiving, 4096), b"")).decode()
    os.close(receiving)
    os.waitpid(child, 0)
    found = re.search(r"Tensor\[(\w+)\]|<(\w+), NoShape>", said)
    return "refused" if found is None else (found[1] or found[2]).lower()


if __name__ == "__main__":
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rows = {f"{types} {call}": answer(types, call) for types, call in asked()[::every] + [("float32", call) for call in ALWAYS]}
    print("{\n" + ",\n".join(f"  {json.dumps(row)}: {json.dumps(told)}" for row, told in rows.items()) + "\n}")
    leave(0)
