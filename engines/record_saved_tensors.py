"""What PyTorch keeps between the passes of small programs: src/systems/torch/library/saved-tensors.json.

    python engines/record_saved_tensors.py

Each program is run as far as `train(...)`. What is alive there is counted once by storage: parameters,
inputs, what autograd saved, and the loss. It runs on a CPU; three things are
made as a GPU has them: dropout keeps a mask of one byte an element, attention is the fused kernel, norms
of rows keep f32 statistics, and under autocast the operators of CUDA's list run in f32.
"""

import json
import pathlib
import random
import sys
import weakref

import torch
import torch.nn.functional as F

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\nmesh = Mesh(p=1)\n"
B, T, D = 4, 16, 32

# --- as on a GPU ------------------------------------------------------------------------------


def dropout(x, p=0.5, training=True, inplace=False):
    return torch.native_dropout(x, p, True)[0] if training and p > 0 else x


class Norm(torch.autograd.Function):
    """Of the last dim; statistics are f32, as many of each row as it takes."""

    @staticmethod
    def forward(ctx, x, weight, bias, count):
        rows = [torch.ones(x.shape[:-1]) for _ in range(count)]
        ctx.save_for_backward(x, weight, *rows)
        return x * 1

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None, None, None


def norm(count, x, shape, weight=None, bias=None, eps=None):
    if torch.is_autocast_enabled("cpu"):
        x, weight, bias = [each if each is None else each.float() for each in (x, weight, bias)]
    return Norm.apply(x, weight, bias, count)


F.dropout = dropout
F.layer_norm = lambda *args, **options: norm(2, *args, **options)
F.rms_norm = lambda x, shape, weight=None, eps=None: norm(1, x, shape, weight, None, eps)
keys = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)
in_f32 = """group_norm exp expm1 log log10 log2 log1p reciprocal rsqrt tan pow.Tensor_Scalar
pow.Tensor_Tensor softplus logsumexp nll_loss nll_loss_nd
cosh sinh cosine_similarity mse_loss l1_loss smooth_l1_loss huber_loss
binary_cross_entropy_with_logits kl_div"""
to_f32 = "softmax.int log_softmax.int sum sum.dim_IntList cumsum prod linalg_vector_norm"


def aten(name):
    base, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, base), overload or "default")


def full(value):
    if isinstance(value, torch.Tensor) and value.dtype == torch.bfloat16:
        return value.float()
    return [full(each) for each in value] if isinstance(value, (list, tuple)) else value


def without_autocast(op, change):
    def run(*args, **options):
        with torch._C._ExcludeDispatchKeyGuard(keys):
            return change(op, args, options)

    return run


def cast_first(op, args, options):
    return op(*[full(each) for each in args], **{key: full(each) for key, each in options.items()})


def cast_result(op, args, options):
    if isinstance(args[0], torch.Tensor) and args[0].dtype == torch.bfloat16:
        options = {"dtype": torch.float32, **options}
    return op(*args, **options)


autocast = torch.library.Library("aten", "IMPL")
for names, change in ((in_f32, cast_first), (to_f32, cast_result)):
    for name in names.split():
        autocast.impl(name, without_autocast(aten(name), change), "AutocastCPU")

# --- a program, run -----------------------------------------------------------------------------


class Kept:
    """What the graph of autograd holds while it is there itself."""

    def __init__(self, tensor):
        self.tensor = tensor


class Ready(Exception):
    pass


def storage(tensor):
    return tensor.untyped_storage()


def kept(text):
    """Bytes by kind; nothing where PyTorch refuses the program."""
    inputs, found = {}, {}

    def made(shape=(), dtype="f32"):
        kinds = {"f32": torch.float32, "float32": torch.float32, "bfloat16": torch.bfloat16}
        x = torch.randn(shape).to(kinds[dtype]) if dtype in kinds else torch.randint(0, 4, shape)
        inputs[storage(x)._cdata] = storage(x).nbytes()
        return x

    def train(loss, **_):
        parts = [("inputs", inputs)]
        weights = {}
        for value in space.values():
            if isinstance(value, torch.nn.Module):
                for each in [*value.parameters(), *value.buffers()]:
                    weights[storage(each)._cdata] = storage(each).nbytes()
        named = {storage(loss)._cdata: storage(loss).nbytes()}
        saved = {storage(each.tensor)._cdata: storage(each.tensor).nbytes() for each in held}
        counted = set()
        for name, lying in (("parameters", weights), *parts, ("saved", saved), ("loss", named)):
            found[name] = sum(size for at, size in lying.items() if at not in counted)
            counted |= set(lying)
        found["gradient"] = loss.requires_grad
        if loss.requires_grad:
            loss.backward()
        raise Ready

    held = weakref.WeakSet()

    def pack(tensor):
        kept = Kept(tensor)
        held.add(kept)
        return kept

    text = text.replace('torch.autocast("cuda"', 'torch.autocast("cpu"')
    space = {"Tensor": made, "train": train, "Mesh": lambda **_: None}
    try:
        with torch.autograd.graph.saved_tensors_hooks(pack, lambda each: each.tensor):
            exec(compile(text, "program", "exec"), space)
    except Ready:
        pass
    return found


# --- programs -----------------------------------------------------------------------------------

# What is done to `x` of shape (B, T, D); `r` is an earlier one, `p` a parameter of D numbers.
OPERATORS = """
x + r | x - r | x * r | x / (r * r + 1) | 1 - x | x * 2 | -x | x / 2 | x * p | x + p | x * x | x + 1
F.relu(x) | F.gelu(x) | F.gelu(x, approximate="tanh") | F.silu(x) | torch.tanh(x) | torch.sigmoid(x)
F.softplus(x) | F.leaky_relu(x) | F.elu(x) | F.hardswish(x) | F.mish(x) | F.relu6(x)
torch.exp(x) | torch.expm1(x) | x.abs() | x.square() | x ** 2 | x.pow(3) | (x * x + 1).sqrt()
(x * x + 1).rsqrt() | (x * x + 1).log() | (x * x).log1p() | x.sin() | x.cos() | x.clamp(min=0)
x.clamp(-1, 1) | (x * x + 1).reciprocal() | torch.erf(x) | x.sign() * x
F.softmax(x, dim=-1) | F.log_softmax(x, dim=1) | F.dropout(x, 0.1) | F.dropout(x, 0.0)
F.layer_norm(x, (32,)) | F.layer_norm(x, (32,), p, p) | F.rms_norm(x, (32,)) | F.rms_norm(x, (32,), p)
F.normalize(x, dim=-1)
x.transpose(1, 2).contiguous().transpose(1, 2) | x.view(4, 32, 16).view(4, 16, 32)
x.transpose(1, 2).reshape(4, 16, 32) | x.contiguous() | x.clone() | x.flatten(1).view(4, 16, 32)
torch.cat(x.chunk(2, -1), -1) | torch.cat([x[:, 1:], x[:, :1]], 1) | torch.cat([x, r], 1)[:, :16]
x.chunk(2, -1)[0].repeat(1, 1, 2) | torch.stack([x, r]).sum(0) | torch.stack([x, r], 2).flatten(2)[..., :32]
x.roll(1, 1) | x.flip(1) | F.pad(x, (0, 0, 1, 0))[:, :-1] | x[:, :1].expand(4, 16, 32) | x.unsqueeze(1).squeeze(1)
x.masked_fill(x > 0, 0.0) | torch.where(x > 0, x, r) | torch.where(x > 0, x, 0.0) | torch.tril(x) | x.cumsum(1)
torch.maximum(x, r) | torch.minimum(x, r) | torch.lerp(x, r, 0.5) | torch.addcmul(x, r, r)
x - x.mean(-1, keepdim=True) | x / x.norm(dim=-1, keepdim=True) | x * x.sum(1, keepdim=True)
x * x.var(-1, keepdim=True) | x - x.amax(-1, keepdim=True) | x - x.logsumexp(-1, keepdim=True)
x * x.std(-1, keepdim=True) | x * x.pow(2).mean(-1, keepdim=True)
x @ x.transpose(1, 2) @ x | torch.einsum("btd,bsd->bts", x, r) @ x | torch.bmm(x, x.mT) @ r
F.linear(x, w) | F.linear(x, w, p) | x @ w | torch.einsum("btd,de->bte", x, w)
torch.matmul(x, w.t()) | torch.addmm(p, x.view(-1, 32), w).view(4, 16, 32) | (x.float() * 2).to(x.dtype)
x.to(torch.bfloat16).to(x.dtype) | F.relu(x + 1, inplace=True) | (x + 1).mul_(r) | (x * 2).add_(r) | (x + 1).relu_()
F.scaled_dot_product_attention(x.view(4, 16, 2, 16).transpose(1, 2), r.view(4, 16, 2, 16).transpose(1, 2), r.view(4, 16, 2, 16).transpose(1, 2), is_causal=True).transpose(1, 2).reshape(4, 16, 32)
F.conv1d(x, w.view(32, 32, 1)[:16, :16]) | F.conv2d(x.view(4, 1, 16, 32), w.view(1, 1, 32, 32)[..., :3, :3], padding=1).view(4, 16, 32)
F.max_pool2d(x, 2).repeat(1, 2, 2) | F.avg_pool2d(x, 2).repeat(1, 2, 2) | F.group_norm(x, 4) | F.batch_norm(x, None, None, training=True)
F.instance_norm(x) | F.interpolate(x.unsqueeze(1), scale_factor=2)[:, 0, :16, :32] | F.glu(torch.cat([x, r], -1))
F.one_hot(x.argmax(-1), 32) * x | x * torch.arange(32) | x.index_select(1, torch.arange(16)) | x[:, torch.arange(16)]
x.gather(1, torch.zeros(4, 16, 32, dtype=torch.int64)) | torch.sort(x, dim=-1)[0] | torch.topk(x, 16, dim=-1)[0].repeat(1, 1, 2)
x.detach() * r | F.softmax(x.masked_fill(torch.ones(16, 32).tril() == 0, float("-inf")), -1)
"""

FORMS = [each.strip() for line in OPERATORS.strip().splitlines() for each in line.split(" | ")]


def module(lines, dtype, loss):
    """A module with two weights around some lines; the test writes the same."""
    body = "".join(f"        {line}\n" for line in lines)
    cast = ".to(torch.bfloat16)" if dtype == "bf16" else ""
    given = ', "bfloat16"' if dtype == "bf16" else ""
    call = f"loss = {loss}\n"
    if dtype == "autocast":
        call = f'with torch.autocast("cuda", dtype=torch.bfloat16):\n    {call}'
    return f"""{HEAD}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(32, 32), nn.Linear(32, 32, bias=False)
        self.p = nn.Parameter(torch.ones(32))
        self.w = nn.Parameter(torch.ones(32, 32))
    def forward(self, x):
        p, w = self.p, self.w
        r = self.one(x)
        x = self.two(x)
{body}        return x

i = Tensor((4, 16, 32){given})
net = Net(){cast}
{call}train(loss, optimizer="sgd")
"""


def rows():
    for at, form in enumerate(FORMS):
        for dtype in ("f32", "autocast", *(["bf16"] if at % 4 == 0 else [])):
            # A CPU keeps these norms' statistics in the dtype of the rows.
            if dtype == "f32" or not any(name in form for name in UNLIKE):
                yield [f"x = {form}", "x = self.two(x) + r"], dtype, "net(i).sum()"
    dice = random.Random(7)
    for _ in range(60):
        lines = []
        for _ in range(dice.randint(3, 7)):
            lines.append(f"x = {dice.choice(FORMS)}")
            if dice.random() < 0.3:
                lines.append("r = x")
        lines.append("x = x + r")
        is_unlike = any(name in line for line in lines for name in UNLIKE)
        dtype = "f32" if is_unlike else dice.choice(["f32", "bf16", "autocast"])
        yield lines, dtype, dice.choice(LOSSES)


UNLIKE = ("group_norm", "batch_norm", "instance_norm")
LOSSES = [
    "net(i).sum()",
    "net(i).float().mean()",
    "F.mse_loss(net(i), i)",
    "F.cross_entropy(net(i).view(-1, 32), i.view(-1, 32).argmax(-1))",
]


def main():
    torch.manual_seed(0)
    modules = {}
    for lines, dtype, loss in rows():
        try:
            found = kept(module(lines, dtype, loss))
        except Exception as fault:  # what PyTorch refuses is no row
            print("refused", lines, str(fault).splitlines()[0][:100], file=sys.stderr)
            continue
        if found.pop("gradient"):
            row = {"lines": lines, "dtype": dtype, "loss": loss, "kept": sum(found.values())}
            modules[json.dumps(row)] = row
    blocks = []
    for path in sorted((HERE / "saved-tensors").glob("*.py")):
        found = kept(path.read_text())
        del found["gradient"]
        blocks.append({"name": path.stem, "kept": sum(found.values())})
    lines = ",\n".join(f"    {row}" for row in modules)
    table = {"torch": torch.__version__.split("+")[0]}
    text = json.dumps({**table, "blocks": blocks}, indent=2)[:-2]
    OUT.write_text(f'{text},\n  "modules": [\n{lines}\n  ]\n}}\n')
    print(len(modules), "modules", len(blocks), "blocks", file=sys.stderr)


HERE = pathlib.Path(__file__).parent
OUT = HERE.parent / "src/systems/torch/library/saved-tensors.json"

if __name__ == "__main__":
    main()
