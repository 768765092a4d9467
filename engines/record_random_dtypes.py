"""Writes small random programs with the dtypes that PyTorch gives their values.

Usage: python engines/record_random_dtypes.py src/systems/torch/library/random-dtypes.json [count] [seed]

A program makes tensors of several dtypes and modules, and computes with them: lines that PyTorch refuses are left
out. Some of it runs under `torch.autocast`, on the CPU or on a GPU of which only the shapes and dtypes are there.
"""

import json
import logging
import random
import sys
import warnings
from contextlib import nullcontext

import torch
import torch.nn.functional as F
from torch import nn
from torch._subclasses.fake_tensor import FakeTensorMode

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

SHORT = {torch.float32: "f32", torch.bfloat16: "bf16", torch.float16: "f16", torch.float64: "f64", torch.int64: "i64",
         torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool"}
FLOATS = ["float32", "bfloat16", "float16", "float64"]
TYPES = FLOATS + ["float32", "bfloat16", "int64", "int32", "uint8", "bool"]

# A and B stand for tensors of 4 by 4, T for a dtype.
FORMS = """
torch.exp(A) | torch.log1p(A) | A.float() | A.half() | A.bfloat16() | A.double() | A.long() | A.int() | A.bool() | A.to(torch.T) | A.to(dtype=torch.T) | A.type(torch.T) | A.type_as(B) | A.to(B) | A.to(B.dtype)
torch.relu(A) | F.gelu(A) | F.silu(A) | F.softplus(A) | torch.sigmoid(A) | A.tanh() | torch.sqrt(A) | A.rsqrt() | A.reciprocal() | A.abs() | -A | ~A | ~(A > 0) | A.round() | torch.floor(A) | torch.sign(A) | A.square()
F.softmax(A, dim=-1) | A.softmax(-1, dtype=torch.T) | F.log_softmax(A, dim=0) | torch.softmax(A, -1, torch.T) | A.cumsum(0) | A.cumprod(0) | A.cumsum(1, dtype=torch.T) | torch.cummax(A, 0)[1] | A.logsumexp(-1, keepdim=True) + B
torch.isnan(A) | A > 0 | A == B | A != 1 | A <= 0.5 | torch.logical_not(A) | torch.logical_and(A, B) | torch.isclose(A, A) | A & B | A | B | A ^ B
A.T | A.t() | A[0] + B | A[:, 1:2] * B | A.reshape(16).view(4, 4) | A.flip(0) | torch.triu(A) | A.unsqueeze(0)[0] | A.roll(1, 0) | A.expand(4, 4) | A.repeat(1, 1) | A.clone() | A.contiguous().mul(B) | A.detach() + 1
A + 1 | A + 1.5 | A * 2 | A * True | A / 2 | 1 / A | 2 - A | 1.5 - A | A ** 2 | A ** 0.5 | 2 ** A | A // 2 | A % 3 | A << 1 | A + B | A - B | A * B | A / B | A ** B | A // B | A % B | torch.add(A, B, alpha=2) | A.mul(B) | torch.div(A, B, rounding_mode='floor')
torch.maximum(A, B) | torch.fmod(A, B) | torch.atan2(A, B) | torch.where(A > 0, A, B) | torch.where(A > 0, A, 0) | torch.where(B > 0, 1.5, A) | A.masked_fill(B > 0, 0) | A.masked_fill(A == 0, float('-inf')) | torch.lerp(A, B, 0.5) | torch.addcmul(A, A, B) | A.clamp(0, 1) | A.clamp(min=0.5) | A.clamp(max=2) | torch.clip(A, -1, 1)
A.sum() + B | A.mean() * B | A.sum(-1, keepdim=True) + B | A.mean(-1, keepdim=True) * B | A.max() + B | A.max(-1, keepdim=True)[0] * B | A.max(-1, keepdim=True).indices + B | A.argmax(-1, keepdim=True) * B | A.norm() + B | A.std(-1, keepdim=True) + B | A.var(0) * B | A.prod() * B | A.amax(0) + B | A.any() + B | A.all(-1, keepdim=True) * B | A.sum(dtype=torch.T) * B | A.count_nonzero() + B | A.min().item() + B
A.argsort(-1) | A.sort(-1)[0] | A.sort(-1)[1] | A.topk(4)[0] | A.topk(4).indices | torch.searchsorted(A, B) | torch.bucketize(A, B[0]) | torch.histc(A, 4) * B | torch.bincount(A[0], minlength=4) + B
A @ B | torch.matmul(A, B) | torch.mm(A, B) | F.linear(A, B) | F.linear(A, B, B[0]) | torch.einsum('ij,jk->ik', A, B) | torch.outer(A[0], B[0]) | torch.mv(A, B[0]) + B | torch.dot(A[0], B[0]) + A | torch.addmm(A, A, B) | torch.bmm(A[None], B[None])[0] | F.scaled_dot_product_attention(A[None], B[None], B[None])[0] | torch.baddbmm(A[None], A[None], B[None])[0]
torch.cat([A, B])[:4] | torch.stack([A, B]).sum(0) | torch.stack([A, B]).any(0) | torch.stack([A, B])[0] | torch.hstack([A, B])[:, :4] | torch.chunk(A, 2)[0].repeat(2, 1) | torch.split(A, 2)[1].repeat(2, 1)
torch.zeros_like(A) | torch.ones_like(A, dtype=torch.T) | torch.full_like(A, 2) | A.new_zeros(4, 4) | A.new_ones(4, 4, dtype=torch.T) | A.new_full((4, 4), 1) | torch.zeros(4, 4) + A | torch.ones(4, 4, dtype=torch.T) * A | torch.arange(4) * A | torch.arange(4.0) * A | torch.arange(0, 1, 0.25) + A | torch.tensor(2) * A | torch.tensor(2.5) * A | torch.tensor([1, 0, 1, 0]) * A | torch.tensor([True, False, True, False]) & A | torch.full((4, 4), 3) + A | torch.full((4, 4), 0.5) * A | torch.linspace(0, 1, 4) * A | torch.eye(4) @ A | torch.eye(4, dtype=A.dtype) @ A | torch.randint(0, 3, (4, 4)) + A | torch.rand(4, 4, dtype=torch.T) + A
F.layer_norm(A, (4,)) | F.rms_norm(A, (4,)) | F.normalize(A, dim=-1) | F.dropout(A, 0.1) | F.mse_loss(A, B) + A | F.l1_loss(A, B) * B | F.cross_entropy(A, torch.arange(4)) + B | F.kl_div(A, B) + A | F.binary_cross_entropy_with_logits(A, B) * A | F.cosine_similarity(A, B) + A | F.smooth_l1_loss(A, B) + B | F.nll_loss(A, torch.arange(4)) + A
F.embedding(torch.arange(4), A) | torch.gather(A, 1, (B > 0).long()) | A.index_select(0, torch.arange(4)) | A[torch.arange(4)] | torch.take_along_dim(A, (B > 0).long(), 1) | F.one_hot(torch.arange(4), 4) + A | torch.scatter_add(A, 1, (A > 0).long(), B)
A if A.dtype == B.dtype else A.to(B.dtype) | A.masked_fill(B > 0, torch.finfo(A.dtype).min) if A.is_floating_point() else A + 1 | A + 1 if A.dtype == torch.int64 else A * 0.5 | A.float() if A.dtype in (torch.float16, torch.bfloat16) else A.half() | A.to(torch.promote_types(A.dtype, B.dtype)) | A.to(torch.result_type(A, B)) | A.to(torch.get_default_dtype()) | (A * A.dtype.itemsize).to(B.dtype) | torch.is_floating_point(A) * B
linear(A) | norm(A) | rms(A) | net(A) | linear(A.to(linear.weight.dtype)) | norm(A.to(norm.weight.dtype)) | net(A.type_as(net[0].weight)) | A @ linear.weight.T | A * rms.weight | table(torch.arange(4)) + A | scaled(A) | lowered(A)
"""
ALL = [form.strip() for line in FORMS.strip().split("\n") for form in line.split(" | ") if form.strip()]


HEAD = ["import torch", "from torch import nn", "import torch.nn.functional as F",
        "def scaled(x):", "    return (x.float() * x.float().pow(2).mean(-1, keepdim=True).rsqrt()).type_as(x)"]


def opening(rng):
    lines = []
    if rng.random() < 0.25:
        lines.append(f"torch.set_default_dtype(torch.{rng.choice(FLOATS)})")
    for at in range(4):
        lines.append(f"v{at} = torch.ones(4, 4, dtype=torch.{rng.choice(TYPES)})")
    made = lambda text: rng.choice([text, f"{text}.to(torch.{rng.choice(FLOATS)})", text + rng.choice([".half()", ".bfloat16()", ".double()", ".float()"])])
    typed = rng.choice(["", f", dtype=torch.{rng.choice(FLOATS)}"])
    lines += [f"linear = {made(f'nn.Linear(4, 4{typed})')}", f"norm = {made('nn.LayerNorm(4)')}", f"rms = {made(f'nn.RMSNorm(4{typed})')}",
              f"net = {made('nn.Sequential(nn.Linear(4, 4), nn.GELU(), nn.Linear(4, 4, bias=False))')}", f"table = {made('nn.Embedding(4, 4)')}"]
    device = rng.choice(["cuda", "cuda", "cpu"])
    low = rng.choice(["bfloat16", "bfloat16", "float16"])
    lines += [f"@torch.autocast('{device}', dtype=torch.{low})", "def lowered(x):", "    return F.softmax(x @ x.T, dim=-1) @ x"]
    return lines, device, low


def tensors_of(names):
    return {name: value for name, value in names.items() if isinstance(value, torch.Tensor)}


def program(seed):
    rng = random.Random(seed)
    lines, device, low = opening(rng)
    head = "\n".join([*HEAD, *lines])
    names = {}
    with torch.device(device), FakeTensorMode() if device == "cuda" else nullcontext(), torch.no_grad():
        exec(head, names)
        for name in ("linear", "norm", "rms", "net", "table"):
            names[name].requires_grad_(False)
        types = {}
        inside = 0
        for at in range(4, 4 + rng.randint(6, 12)):
            start = rng.random()
            if inside == 0 and start < 0.2:
                lines.append(f"with torch.autocast('{device}', dtype=torch.{low}):")
                inside = rng.randint(2, 4)
                off = False
            elif inside > 0 and start < 0.1:
                lines.append(f"    with torch.autocast('{device}', enabled=False):")
                off = True
            for _ in range(40):
                known = [name for name in names if name[0] == "v" and name[1:].isdigit()]
                form = rng.choice(ALL).replace("torch.T", f"torch.{rng.choice(TYPES)}")
                a, b = rng.choice(known[-5:]), rng.choice(known)
                text = f"v{at} = " + "".join(a if c == "A" and not form[max(0, i - 1)].isalnum() and not form[min(len(form) - 1, i + 1)].isalnum() else b if c == "B" and not form[max(0, i - 1)].isalnum() and not form[min(len(form) - 1, i + 1)].isalnum() else c for i, c in enumerate(form))
                before = list(tensors_of(names).values())
                try:
                    with cast(device, low, inside > 0 and not off):
                        exec(text, names)
                except Exception:
                    names.pop(f"v{at}", None)
                    continue
                made = names[f"v{at}"]
                if not isinstance(made, torch.Tensor) or tuple(made.shape) != (4, 4) or made.dtype not in SHORT:
                    names.pop(f"v{at}")
                    continue
                if not any(made is each for each in before):
                    types[f"v{at}"] = SHORT[made.dtype]
                break
            else:
                text = "pass"
            lines.append(("        " if inside and off else "    " if inside else "") + text)
            if inside:
                inside -= 1
                off = False
    torch.set_default_dtype(torch.float32)
    return {"text": "\n".join(lines), "types": " ".join(f"{name} {dtype}" for name, dtype in types.items())}


class cast:
    """`torch.autocast`, also where its device is not there."""

    def __init__(self, device, low, on):
        self.device, self.low, self.on = device, getattr(torch, low), on

    def __enter__(self):
        torch.set_autocast_enabled(self.device, self.on)
        torch.set_autocast_dtype(self.device, self.low)
        torch.autocast_increment_nesting()

    def __exit__(self, *_):
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_enabled(self.device, False)


class decorator:
    """The same as a decorator."""

    def __init__(self, device, dtype=None, enabled=True):
        self.setting = device, str(dtype).replace("torch.", ""), enabled

    def __call__(self, function):
        def inside(*args):
            was = torch.is_autocast_enabled(self.setting[0])
            with cast(*self.setting):
                made = function(*args)
            torch.set_autocast_enabled(self.setting[0], was)
            return made
        return inside


def strictly(function):
    """A product as devices have it: where only shapes are there, operands of several dtypes pass."""
    def inside(*args):
        device = args[0].device.type
        low = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else None
        own = [each.dtype for each in args if isinstance(each, torch.Tensor)]
        read = {low if low and each.is_floating_point and each != torch.float64 else each for each in own}
        if len(read) > 1:
            raise RuntimeError("operands of several dtypes")
        return function(*args)
    return inside


torch.autocast = decorator
torch.addmm, F.linear = strictly(torch.addmm), strictly(F.linear)


def converted(module, convert, recurse=True):
    """`Module._apply` without swapping, which parameters that are not there do not allow."""
    for each in module.modules():
        for name, parameter in each._parameters.items():
            each._parameters[name] = parameter if parameter is None else nn.Parameter(convert(parameter), False)
    return module


nn.Module._apply = converted
# Nothing is drawn where there is no device: only dtypes are asked.
for each in ("kaiming_uniform_", "uniform_", "normal_"):
    setattr(nn.init, each, lambda tensor, *args, **options: tensor)


def main():
    count, seed = (int(each) for each in (sys.argv[2:] + ["200", "0"][len(sys.argv) - 2:])[:2])
    programs = [program(seed + at) for at in range(count)]
    with open(sys.argv[1], "w") as file:
        rows = ",\n".join(json.dumps(each) for each in programs)
        file.write(f'{{"head": {json.dumps(chr(10).join(HEAD))},\n"programs": [\n{rows}\n]}}\n')


main()
