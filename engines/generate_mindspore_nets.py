"""Nets of functional operators of MindSpore and of primitives with strategies, drawn by a seed.

    python generate_mindspore_nets.py SEED COUNT > PROGRAMS.jsonl

A line is {name, program}, as record_mindspore_nets.py reads it. Every net is called once, in semi-automatic parallel
mode, on 4 or 8 devices; what one step makes the next ones read.
"""
import json
import random
import sys

HEAD = """import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, context, mint, nn, ops
from mindspore.ops import operations as P
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num={devices}, dataset_strategy="full_batch")
"""
SAME = """ops.relu ops.gelu ops.sigmoid ops.tanh ops.exp ops.abs ops.sqrt ops.square ops.neg ops.silu ops.log ops.softmax ops.rsqrt
ops.erf ops.floor ops.reciprocal ops.leaky_relu ops.softplus ops.elu ops.sin ops.cos ops.log1p ops.mish ops.relu6 ops.hardswish
mint.nn.functional.gelu mint.nn.functional.silu mint.nn.functional.relu mint.exp mint.tanh mint.sigmoid mint.sqrt mint.neg
mint.erf mint.square mint.rsqrt mint.nn.functional.softplus mint.nn.functional.leaky_relu mint.nn.functional.elu""".split()
METHODS = "abs() exp() sqrt() square() sigmoid() tanh() log() neg() reciprocal() astype(ms.float16).astype(ms.float32) erf()".split()
NUMBERS = ["{x} + 1.0", "{x} * 2.0", "2.0 * {x}", "{x} / 2.0", "1.0 - {x}", "{x} ** 2", "-{x}", "1.0 / {x}", "ops.pow({x}, 2)", "ops.add({x}, 1.0)", "ops.mul({x}, 0.5)", "ops.div({x}, 8.0)", "mint.add({x}, 1.0)", "mint.mul({x}, 2.0)", "mint.sub({x}, 1.0)", "mint.div({x}, 4.0)", "mint.pow({x}, 2)", "ops.clamp({x}, 0, 1)", "mint.clamp({x}, -1, 1)", "ops.maximum({x}, 0.0)", "ops.minimum({x}, 1.0)", "{x}.clip(0, 1)", "ops.sub({x}, 1)"]
PAIRS = ["{x} + {y}", "{x} * {y}", "{x} - {y}", "{x} / {y}", "ops.add({x}, {y})", "ops.mul({x}, {y})", "ops.sub({x}, {y})", "ops.maximum({x}, {y})", "ops.minimum({x}, {y})", "mint.add({x}, {y})", "mint.sub({x}, {y})", "mint.mul({x}, {y})", "mint.div({x}, {y})", "ops.where({x} > 0, {x}, {y})", "ops.select({x} > {y}, {x}, {y})", "mint.where({x} > {y}, {x}, {y})", "ops.pow({x}, {y})", "ops.lerp({x}, {y}, 0.5)", "{x}.add({y})"]


class Net:
    def __init__(self, rng):
        self.rng, self.made, self.lines, self.inputs = rng, [], [], []
        self.devices = rng.choice([8, 8, 8, 4])
        self.count = 0

    def given(self, shape, dtype="float32"):
        name = f"x{len(self.inputs)}"
        self.inputs.append((name, shape, dtype))
        return name

    def cut(self, shape):
        """Pieces for every dim, which the devices are enough for."""
        left, pieces = self.devices, [1] * len(shape)
        for dim in self.rng.sample(range(len(shape)), len(shape)):
            choices = [n for n in (1, 2, 4, 8) if n <= left and shape[dim] % n == 0]
            pieces[dim] = self.rng.choice(choices)
            left //= pieces[dim]
        return tuple(pieces)

    def primitive(self, made, strategy):
        name = f"p{len(self.made)}"
        self.made.append(f"self.{name} = P.{made}.shard({strategy})")
        return f"self.{name}"

    def put(self, text):
        name = f"h{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        return name

    def step(self, x, shape):
        choice = self.rng.random()
        if choice < 0.28:
            return self.with_strategy(x, shape)
        if choice < 0.42:
            return self.put(f"{self.rng.choice(SAME)}({x})"), shape
        if choice < 0.48:
            return self.put(f"{x}.{self.rng.choice(METHODS)}"), shape
        if choice < 0.58:
            return self.put(self.rng.choice(NUMBERS).format(x=x)), shape
        if choice < 0.68:
            other = self.given(self.rng.choice([shape, shape[-1:], shape, shape]))
            return self.put(self.rng.choice(PAIRS).format(x=x, y=other)), shape
        if choice < 0.78:
            return self.product(x, shape)
        return self.shaped(x, shape)

    def with_strategy(self, x, shape):
        rng = self.rng
        kind = rng.choice(["same", "same", "pair", "matmul", "softmax", "transpose", "sum", "norm"])
        if kind == "same":
            made = rng.choice(["ReLU", "Exp", "GeLU", "Sigmoid", "Tanh", "Square", "Neg", "Abs"])
            return self.put(f"{self.primitive(made + '()', (self.cut(shape),))}({x})"), shape
        if kind == "pair":
            cut, other = self.cut(shape), self.given(shape)
            return self.put(f"{self.primitive(rng.choice(['Add', 'Mul', 'Sub', 'Maximum']) + '()', (cut, cut))}({x}, {other})"), shape
        if kind == "matmul" and len(shape) == 2:
            columns = rng.choice([16, 32, 64])
            m, k, n = self.cut((shape[0], shape[1], columns))
            w = self.given((shape[1], columns))
            return self.put(f"{self.primitive('MatMul()', ((m, k), (k, n)))}({x}, {w})"), (shape[0], columns)
        if kind == "matmul" and len(shape) == 3:
            columns = rng.choice([16, 32])
            b, m, k, n = self.cut((*shape, columns))
            w = self.given((shape[0], shape[2], columns))
            return self.put(f"{self.primitive('BatchMatMul()', ((b, m, k), (b, k, n)))}({x}, {w})"), (shape[0], shape[1], columns)
        if kind == "softmax":
            cut = (*self.cut(shape[:-1]), 1)
            return self.put(f"{self.primitive('Softmax()', (cut,))}({x})"), shape
        if kind == "transpose":
            order = tuple(rng.sample(range(len(shape)), len(shape)))
            return self.put(f"{self.primitive('Transpose()', (self.cut(shape),))}({x}, {order})"), tuple(shape[dim] for dim in order)
        if kind == "sum" and len(shape) > 2:
            dim = rng.randrange(len(shape))
            return self.put(f"{self.primitive('ReduceSum()', (self.cut(shape),))}({x}, {dim})"), shape[:dim] + shape[dim + 1 :]
        if kind == "norm":
            cut = (*self.cut(shape[:-1]), 1)
            g, b = self.given(shape[-1:]), self.given(shape[-1:])
            return self.put(f"{self.primitive('LayerNorm(-1, -1)', (cut, (1,), (1,)))}({x}, {g}, {b})[0]"), shape
        return self.put(f"ops.relu({x})"), shape

    def product(self, x, shape):
        rng = self.rng
        columns = rng.choice([16, 32, 64])
        if len(shape) == 2:
            form = rng.choice(["ops.matmul({x}, {w})", "mint.matmul({x}, {w})", "{x} @ {w}", "{x}.matmul({w})", "ops.matmul({x}, {w})"])
            return self.put(form.format(x=x, w=self.given((shape[1], columns)))), (shape[0], columns)
        if len(shape) == 3:
            form = rng.choice(["ops.bmm({x}, {w})", "mint.bmm({x}, {w})", "ops.matmul({x}, {w})", "{x} @ {w}", "mint.matmul({x}, {w})", "{x}.bmm({w})"])
            return self.put(form.format(x=x, w=self.given((shape[0], shape[2], columns)))), (shape[0], shape[1], columns)
        return self.put(f"ops.gelu({x})"), shape

    def shaped(self, x, shape):
        rng, rank = self.rng, len(shape)
        size = 1
        for each in shape:
            size *= each
        dim = rng.randrange(rank)
        kinds = ["transpose", "reshape", "reduce", "slice", "concat", "split", "expand", "softmax", "stack", "swap", "cumsum", "mask", "flatten", "where"]
        kind = rng.choice(kinds)
        if kind == "transpose":
            order = tuple(rng.sample(range(rank), rank))
            form = rng.choice(["ops.transpose({x}, {order})", "ops.permute({x}, {order})", "{x}.transpose({order})", "{x}.permute({order})", "mint.permute({x}, {order})"])
            return self.put(form.format(x=x, order=order)), tuple(shape[each] for each in order)
        if kind == "swap" and rank > 1:
            a, b = rng.sample(range(rank), 2)
            form = rng.choice(["ops.swapaxes({x}, {a}, {b})", "mint.transpose({x}, {a}, {b})", "{x}.swapaxes({a}, {b})"])
            swapped = list(shape)
            swapped[a], swapped[b] = shape[b], shape[a]
            return self.put(form.format(x=x, a=a, b=b)), tuple(swapped)
        if kind == "reshape":
            options = [(size // 32, 32), (size // 64, 64)] + ([(16, size // 16 // 8, 8)] if size % 128 == 0 else []) + ([(8, size // 8 // 16, 16)] if size % 128 == 0 else [])
            wanted = rng.choice([each for each in options if min(each) >= 8] or [shape])
            form = rng.choice(["ops.reshape({x}, {to})", "{x}.reshape({to})", "{x}.view({to})", "mint.reshape({x}, {to})"])
            return self.put(form.format(x=x, to=wanted)), wanted
        if kind == "reduce" and rank > 2:
            form = rng.choice(["ops.sum({x}, {dim})", "{x}.sum({dim})", "{x}.mean({dim})", "ops.mean({x}, {dim})", "mint.sum({x}, {dim})", "mint.mean({x}, {dim})", "ops.amax({x}, {dim})", "{x}.max(axis={dim})", "ops.max({x}, {dim})[0]", "ops.logsumexp({x}, {dim})"])
            return self.put(form.format(x=x, dim=dim)), shape[:dim] + shape[dim + 1 :]
        if kind == "slice" and shape[dim] >= 16:
            half = shape[dim] // 2
            keys = ", ".join(f":{half}" if each == dim else ":" for each in range(rank))
            form = rng.choice(["{x}[{keys}]", "ops.split({x}, {half}, {dim})[0]", "mint.split({x}, {half}, {dim})[0]", "ops.chunk({x}, 2, {dim})[1]", "mint.narrow({x}, {dim}, 0, {half})", "ops.narrow({x}, {dim}, 0, {half})"])
            return self.put(form.format(x=x, keys=keys, half=half, dim=dim)), (*shape[:dim], half, *shape[dim + 1 :])
        if kind == "concat" and size < 1 << 16:
            form = rng.choice(["ops.concat(({x}, {y}), {dim})", "ops.cat(({x}, {y}), {dim})", "mint.cat(({x}, {y}), {dim})", "mint.concat(({x}, {y}), {dim})"])
            return self.put(form.format(x=x, y=self.given(shape), dim=dim)), (*shape[:dim], shape[dim] * 2, *shape[dim + 1 :])
        if kind == "expand" and rank < 4:
            form = rng.choice(["ops.expand_dims({x}, 1)", "ops.unsqueeze({x}, 1)", "{x}.expand_dims(1)", "mint.unsqueeze({x}, 1)"])
            wide = self.put(form.format(x=x))
            back = rng.choice(["ops.squeeze({x}, 1)", "{x}.squeeze(1)", "mint.squeeze({x}, 1)"])
            return self.put(back.format(x=self.put(f"ops.relu({wide})"))), shape
        if kind == "softmax":
            form = rng.choice(["ops.softmax({x}, {dim})", "ops.softmax({x}, axis={dim})", "{x}.softmax({dim})", "mint.softmax({x}, {dim})", "mint.nn.functional.softmax({x}, dim={dim})", "ops.log_softmax({x}, {dim})"])
            return self.put(form.format(x=x, dim=dim)), shape
        if kind == "stack" and rank < 4 and size < 1 << 16:
            form = rng.choice(["ops.stack(({x}, {y}), {dim})", "mint.stack(({x}, {y}), {dim})"])
            stacked = self.put(form.format(x=x, y=self.given(shape), dim=dim))
            return self.put(f"ops.sum({stacked}, {dim})"), shape
        if kind == "cumsum":
            form = rng.choice(["ops.cumsum({x}, {dim})", "mint.cumsum({x}, {dim})", "{x}.cumsum({dim})"])
            return self.put(form.format(x=x, dim=dim)), shape
        if kind == "mask":
            mask = self.given(shape, "bool_")
            return self.put(rng.choice(["ops.masked_fill({x}, {m}, 0.0)", "{x}.masked_fill({m}, -1.0)"]).format(x=x, m=mask)), shape
        if kind == "flatten" and rank > 2:
            form = rng.choice(["ops.flatten({x})", "{x}.flatten(start_dim=1)", "{x}.reshape({lead}, -1)"])
            return self.put(form.format(x=x, lead=shape[0])), (shape[0], size // shape[0])
        return self.put(rng.choice(["ops.tril({x})", "ops.triu({x})", "ops.relu({x})", "ops.isnan({x}).astype(ms.float32)"]).format(x=x)), shape


def program(seed):
    rng = random.Random(seed)
    net = Net(rng)
    shape = rng.choice([(16, 32), (32, 64), (16, 16, 32), (8, 16, 32), (16, 8, 16)])
    x = net.given(shape)
    for _ in range(rng.randint(4, 8)):
        x, shape = net.step(x, shape)
    names = ", ".join(name for name, _, _ in net.inputs)
    fed = ", ".join(f"Tensor(np.ones({list(shape)}), ms.{dtype})" for _, shape, dtype in net.inputs)
    made = "\n".join(f"        {line}" for line in net.made)
    lines = "\n".join(f"        {line}" for line in net.lines)
    return f"""{HEAD.format(devices=net.devices)}class Net(nn.Cell):
    def __init__(self):
        super().__init__()
{made}
    def construct(self, {names}):
{lines}
        return {x}
net = Net()
net({fed})
"""


first, count = int(sys.argv[1]), int(sys.argv[2])
for each in range(first, first + count):
    print(json.dumps({"name": f"seed {each}", "program": program(each)}))
