"""Exports small functions of PyTorch, with the shapes, types and numbers that PyTorch gives.

Usage: python engines/record_pt2_cases.py src/systems/published/pt2/fixtures/cases.json

Of an archive the program alone is kept, without the stack traces of its operators.
"""

import base64
import io
import json
import logging
import pathlib
import sys
import warnings
import zipfile

import numpy as np
import torch
import torch.nn.functional as F
from published_cases import COUNTS, FLOATS, POSITIVE, TRUTHS, WHOLE, numbers_of, save, written

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
SHORT = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.float64: "f64", torch.int64: "i64", torch.int32: "i32", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool"}
DTYPES = {name: dtype for dtype, name in SHORT.items()}
CASES, PROBLEMS = [], []
MENDED = {"torch.rsub(x, 1, alpha=3)", "x.clamp(y, y + 1) of two", "x.logical_not() i32", "x.var(1, unbiased=False)"}


class In:
    def __init__(self, *shape, dtype="f32", rule=None):
        usual = TRUTHS if dtype == "bool" else FLOATS if "f" in dtype else COUNTS if dtype == "u8" else WHOLE
        self.shape, self.dtype, self.rule = shape, dtype, rule or usual


class Own(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *given):
        made = self.function(*given)
        return tuple(made) if isinstance(made, tuple) else made


def program_of(exported):
    """The archive with its program alone."""
    whole, small = io.BytesIO(), io.BytesIO()
    torch.export.save(exported, whole)
    archive = zipfile.ZipFile(whole)
    [name] = [each for each in archive.namelist() if each.endswith("models/model.json")]
    program = json.loads(archive.read(name))
    for node in program["graph_module"]["graph"]["nodes"]:
        node["metadata"] = {}
    with zipfile.ZipFile(small, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        made.writestr("m/models/model.json", json.dumps(program, separators=(",", ":")))
    return base64.b64encode(small.getvalue()).decode()


def case(name, function, *inputs):
    try:
        given = tuple(torch.from_numpy(np.array(numbers_of(each.rule, at, each.shape))).to(DTYPES[each.dtype]) for at, each in enumerate(inputs))
        module = function if isinstance(function, torch.nn.Module) else Own(function)
        got = torch.utils._pytree.tree_leaves(module(*given))
        model = program_of(torch.export.export(module, given))
        results = [[SHORT[r.dtype], list(r.shape), written(r.to(torch.float64).detach().numpy())] for r in got]
    except Exception as fault:
        PROBLEMS.append(f"{name}: {type(fault).__name__} {str(fault)[:150]}")
        return
    CASES.append({"name": name, "model": model, "inputs": [[*each.rule] for each in inputs], "results": results})


X, Y, P, I, B = In(3, 4), In(3, 4), In(3, 4, rule=POSITIVE), In(3, 4, dtype="i64"), In(3, 4, dtype="bool")
C = In(2, 3, 4)
J = In(3, 4, dtype="i32")
for text in """-x|x.abs()|torch.exp(x)|x.tanh()|x.sigmoid()|x.sin()|x.cos()|F.relu(x)|F.silu(x)|F.gelu(x)|F.gelu(x, approximate="tanh")|F.softplus(x)|F.softplus(x, beta=2.0)|F.leaky_relu(x, 0.3)|F.elu(x, 0.5)|F.hardtanh(x)
F.hardtanh(x, -0.5, 0.25)|F.mish(x)|x.square()|x.floor()|x.round()|x.ceil()|torch.erf(x)|x.sign()|x.clamp(-0.5, 0.5)|x.clamp(min=0.1)|x.clamp(max=0.1)|x + 1|1 - x|x - 2.5|2 / x.exp()|x * 0.5|x ** 2|2 ** x|x // 0.5|x % 0.5|torch.add(x, x, alpha=2)|torch.sub(x, 1, alpha=3)|torch.rsub(x, 1, alpha=3)
x.sum()|x.sum(1)|x.sum(-1, keepdim=True)|x.sum((0, 1))|x.mean()|x.mean(0)|x.mean((0, 1), keepdim=True)|x.mean(1, dtype=torch.float64)|x.sum(1, dtype=torch.float64)|x.max()|x.max(1)|x.max(1).values|x.min(0, keepdim=True)|x.amax(1)|x.amin((0, 1))|x.argmax(1)|x.argmax()|x.argmin(0, keepdim=True)|x.argmax(1, keepdim=True)|x.prod()|x.prod(1)|x.var()|x.var(1)|x.var(1, unbiased=False)|x.var(1, correction=0)|x.std(1)|x.cumsum(1)|x.cumsum(0, dtype=torch.float64)|x.any()|(x > 0).any(1)|(x > 0).all(1)|torch.var_mean(x, 1)|x.logsumexp(1)|x.norm()|x.median()
x.softmax(-1)|F.softmax(x, 1)|F.softmax(x, 0, dtype=torch.float64)|F.log_softmax(x, -1)|x.to(torch.float16)|x.half() + x|x.double()|x.type(torch.bfloat16)|x > 0|x >= 0.5|x == x|x != 0.125|~(x > 0)|(x > 0) & (x < 1)|(x > 0) \\| (x < -1)|torch.logical_not(x > 0)|torch.where(x > 0, x, 0.0)|torch.where(x > 0, 1, 0)|x.masked_fill(x > 0, -2.0)|x.isnan()
x.t()|x.transpose(0, 1)|x.permute(1, 0)|x.reshape(2, 6)|x.view(-1)|x.flatten()|x.unsqueeze(1)|x.unsqueeze(-1)|x.unsqueeze(0).squeeze(0)|x.unsqueeze(0).squeeze()|x.expand(2, 3, 4)|x.expand(2, -1, -1)|x.repeat(2, 1)|x.repeat(2, 1, 1)|x.repeat_interleave(2, dim=1)|torch.cat([x, x], 1)|torch.cat([x, x], -1)|torch.stack([x, x], 1)|torch.stack([x, x])|x.split(2, 1)|x.split([1, 3], 1)|x.split(2)|x.chunk(2, -1)|x.chunk(3, 1)|torch.chunk(x, 2)|x.unbind(0)|x.unbind(1)|x.unflatten(1, (2, 2))|torch.tensor_split(x, 2, 1)
x[1]|x[-1]|x[:, 1]|x[:, -1]|x[:, 1:3]|x[1:, ::2]|x[:, -2:]|x[..., 1:]|x[..., -1]|x[None]|x[:, None]|x[[0, 2]]|x[:, [0, 2]]|x[x > 0].sum()|x.select(1, 2)|x.select(-2, 1)|x.narrow(1, 1, 2)|x[-2:, :-1]|x[0, 1]|x.tril()|x.triu(1)|x.tril(-1)|x.flip(1)|x.flip(0, 1)|x.roll(1, 1)|x.roll((1, 2), (0, 1))|x.roll(1)|x.diff()|x.diff(dim=0)|x.topk(2)|x.topk(2, largest=False)|x.topk(2, dim=0)|x.sort()|x.sort(descending=True)|x.argsort()|torch.sort(x, dim=0)|x.diagonal()
F.pad(x, (1, 2))|F.pad(x, (1, 0, 0, 2), value=2.5)|F.pad(x, (-1, 0))|F.layer_norm(x, (4,))|F.layer_norm(x, (3, 4), eps=0.1)|F.rms_norm(x, (4,))|F.rms_norm(x, (4,), eps=0.1)|F.normalize(x)|torch.zeros_like(x)|torch.ones_like(x) + x|torch.full_like(x, 2.5)|torch.zeros_like(x, dtype=torch.int64)|x + torch.arange(4)|x + torch.arange(1, 9, 2)|x + torch.arange(0, 2, 0.5)|x + torch.full((4,), 2.0)|x + torch.zeros(4)|x + torch.eye(3, 4)|x + torch.ones(3, 1)|x.new_zeros(2, 3)|x.new_ones(3, dtype=torch.int64)|x.clone()|x.detach() * 2|x.contiguous()|F.dropout(x, 0.5, False)|x.float()|x.type_as(x.double())|torch.outer(x[0], x[:, 0])|torch.einsum("ij,kj->ik", x, x)|torch.einsum("ij->j", x)|x.matmul(x.t())|x @ x[0]|x.mm(x.t())|x.log1p()|x.expm1()|x.atan()|x.reciprocal()|x.neg()|torch.addmm(x, x, torch.ones(4, 4))|torch.addmm(x, x, torch.ones(4, 4), beta=0.5, alpha=2)|x.lerp(x + 1, 0.5)|torch.addcmul(x, x, x, value=0.5)|x.scatter(1, torch.tensor([[0, 1], [2, 3], [1, 0]]), 5.0)|x.index_select(1, torch.tensor([0, 2]))|x.gather(1, torch.tensor([[0], [1], [2]]))|x.add_(1) * 1|x.mul(2).relu_()|x.clone().fill_(3)|x.cumprod(1)|torch.bmm(x[None], x.t()[None])|x.pow(3)|x.pow(0.5)|x.rsqrt()|x.nan_to_num()|F.one_hot((x > 0).long(), 3)|x.size(0) * x|x.numel() + x|F.hardswish(x)|F.hardsigmoid(x)|F.threshold(x, 0.1, 7.0)|F.selu(x)|F.celu(x)|F.relu6(x)|F.logsigmoid(x)|F.glu(x)|F.softsign(x)|F.tanhshrink(x)|x.trunc()|x.frac()|torch.maximum(x, -x)|torch.minimum(x, x * 2)|x.fmod(0.5)|x.remainder(-0.5)|torch.div(x, 0.5, rounding_mode="floor")|torch.div(x, 0.5, rounding_mode="trunc")|torch.floor_divide(x, 0.5)|torch.scalar_tensor(2) + x|torch.tensor(3) * x|torch.tensor([1.0, 2.0, 3.0, 4.0]) * x|x.movedim(0, 1)|x.swapaxes(0, 1)|x.mT|torch.tile(x, (2,))|torch.broadcast_to(x, (2, 3, 4))|torch.cdist(x, x)|torch.cross(x[:, :3], x[:, 1:], dim=1)|x.count_nonzero()|x.triu().sum(0)""".replace("\n", "|").replace("\\|", "\\OR").split("|"):
    body = text.replace("\\OR", "|")
    rule = POSITIVE if any(word in body for word in ("log1p", "reciprocal", "pow(0.5)", "rsqrt")) else None
    case(body, eval(f"lambda x: {body}", {"torch": torch, "F": F}), In(3, 4, rule=rule))
for text in "x + 1|x * 2.5|x / 2|x // 2|x % 3|x.sum()|x.sum(1)|x.prod(1)|x.cumsum(1)|x.max()|x.max(1)|x.argmax(1)|-x|x.abs()|x > 0|x.float()|x.to(torch.int32)|x ** 2|x & 1|x \\OR 1|~x|x.any(1)|x.clamp(-1, 2)|torch.where(x > 0, x, 0)|x.mean(1, dtype=torch.float32)|torch.div(x, 2, rounding_mode=\"floor\")|torch.div(x, 2, rounding_mode=\"trunc\")|1 - x|x.sqrt().nan_to_num()|torch.exp(x)|x == 1|x << 1|x.logical_not()".split("|"):
    body = text.replace("\\OR", "|")
    for dtype in ("i64", "i32"):
        case(f"{body} {dtype}", eval(f"lambda x: {body}", {"torch": torch, "F": F}), In(3, 4, dtype=dtype))
for text in "x & y|x \\OR y|x ^ y|~x|x == y|x.sum(1)|x.any()|x.all(1)|x.float() * 2|x + y|x * y|torch.logical_and(x, y)|torch.logical_xor(x, y)|x.cumsum(0)".split("|"):
    body = text.replace("\\OR", "|")
    case(f"{body} bool", eval(f"lambda x, y: {body}", {"torch": torch}), B, In(3, 4, dtype="bool"))
for text in "x + y|x * y|x - y|x / y|torch.add(x, y, alpha=2)|torch.sub(x, y, alpha=0.5)|x @ y.t()|torch.where(x > 0, x, y)|torch.maximum(x, y)|x > y|torch.stack([x, y], -1)|torch.atan2(x, y)|x.masked_fill(y > 0, 0.5)|x.clamp(y, y + 1)|torch.lerp(x, y, 0.3)|torch.dot(x[0], y[0])|F.linear(x, y)|F.linear(x, y, y[:, 0])|F.mse_loss(x, y)|F.l1_loss(x, y)|F.cosine_similarity(x, y)|torch.baddbmm(x[None], x[None], torch.ones(1, 4, 4), beta=0.5)|torch.addcdiv(x, x, y, value=0.5)|x.pow(torch.floor(y))|torch.copysign(x, y)|torch.hypot(x, y)|torch.fmod(x, y)|torch.remainder(x, y)|x // y|x.copy_(y) + 0|x.index_add(0, torch.tensor([0, 2]), y[:2])|x.scatter_add(1, torch.tensor([[0, 1], [2, 3], [1, 0]]), y)|torch.tensordot(x, y, dims=2)".split("|"):
    case(f"{text} of two", eval(f"lambda x, y: {text}", {"torch": torch, "F": F}), X, In(3, 4, rule=POSITIVE))
for text in "x + y|x * y|x @ y.t()|torch.cat([x, y])|torch.where(x > 0, x, y)".split("|"):
    case(f"{text} f16", eval(f"lambda x, y: {text}", {"torch": torch}), In(3, 4, dtype="f16"), In(3, 4, dtype="f16"))
case("f16 and f32", lambda x, y: x + y, In(3, 4, dtype="f16"), X)
case("i64 and f16", lambda x, y: x * y, I, In(3, 4, dtype="f16"))
q = In(1, 2, 3, 4)
for name, words in (("plain", {}), ("causal", {"is_causal": True}), ("scaled", {"scale": 0.5})):
    case(f"attention {name}", lambda a, b, c: F.scaled_dot_product_attention(a, b, c, **words), q, q, q)
case("attention mask", lambda a, b, c, m: F.scaled_dot_product_attention(a, b, c, attn_mask=m), q, q, q, In(3, 3))
case("attention truths", lambda a, b, c: F.scaled_dot_product_attention(a, b, c, attn_mask=torch.ones(3, 3, dtype=torch.bool).tril()), q, q, q)
case("attention groups", lambda a, b, c: F.scaled_dot_product_attention(a, b, c, enable_gqa=True), In(1, 4, 3, 4), q, q)
case("attention dropout", lambda a, b, c: F.scaled_dot_product_attention(a, b, c, dropout_p=0.0), q, q, q)
image, kernel = In(1, 2, 6, 7), In(3, 2, 3, 3)
for name, words in (("plain", {}), ("stride", {"stride": 2}), ("strides", {"stride": (2, 1)}), ("padding", {"padding": 1}), ("paddings", {"padding": (1, 0)}), ("same", {"padding": "same"}), ("valid", {"padding": "valid"}), ("dilation", {"dilation": 2}), ("same dilated", {"padding": "same", "dilation": 2})):
    case(f"conv2d {name}", lambda x, w: F.conv2d(x, w, **words), image, kernel)
case("conv2d bias", lambda x, w, b: F.conv2d(x, w, b), image, kernel, In(3))
case("conv2d groups", lambda x, w: F.conv2d(x, w, groups=2), In(1, 4, 5, 5), In(6, 2, 3, 3))
case("conv1d", lambda x, w: F.conv1d(x, w, stride=2, padding=1), In(1, 2, 7), In(3, 2, 3))
case("conv3d", lambda x, w: F.conv3d(x, w), In(1, 1, 3, 4, 4), In(2, 1, 2, 2, 2))
case("conv_transpose2d", lambda x, w: F.conv_transpose2d(x, w, stride=2), In(1, 2, 3, 3), In(2, 3, 2, 2))
for name, words in (("plain", {}), ("stride", {"stride": 1}), ("padding", {"padding": 1}), ("ceil", {"ceil_mode": True, "stride": 2}), ("uncounted", {"padding": 1, "count_include_pad": False}), ("divisor", {"divisor_override": 3})):
    case(f"avg_pool2d {name}", lambda x: F.avg_pool2d(x, 2 if name != "ceil" else 3, **words), In(1, 2, 6, 6))
for name, words in (("plain", {}), ("stride", {"stride": 1}), ("padding", {"padding": 1}), ("ceil", {"ceil_mode": True, "stride": 2}), ("dilation", {"dilation": 2, "stride": 1})):
    case(f"max_pool2d {name}", lambda x: F.max_pool2d(x, 2 if name != "ceil" else 3, **words), In(1, 2, 6, 6))
case("adaptive_avg_pool2d", lambda x: F.adaptive_avg_pool2d(x, (2, 3)), In(1, 2, 4, 6))
case("adaptive_avg_pool2d 1", lambda x: F.adaptive_avg_pool2d(x, 1), In(1, 2, 4, 6))
case("interpolate", lambda x: F.interpolate(x, scale_factor=2), In(1, 1, 2, 3))
case("batch_norm", lambda x, m, v, w, b: F.batch_norm(x, m, v, w, b, False, 0.1, 1e-3), In(2, 3, 4), In(3), In(3, rule=POSITIVE), In(3), In(3))
case("group_norm", lambda x, w, b: F.group_norm(x, 2, w, b), In(2, 4, 3), In(4), In(4))
case("group_norm plain", lambda x: F.group_norm(x, 2, eps=0.1), In(2, 4, 3))
case("instance_norm", lambda x: F.instance_norm(x), In(2, 4, 3))
case("layer_norm bias", lambda x, w, b: F.layer_norm(x, (4,), w, b), X, In(4), In(4))
case("layer_norm weight", lambda x, w: F.layer_norm(x, (4,), w), X, In(4))
case("rms_norm weight", lambda x, w: F.rms_norm(x, (4,), w, 0.1), X, In(4))
ids = In(2, 3, dtype="i64", rule=(0, 1, 3))
case("embedding", lambda i, w: F.embedding(i, w), ids, X)
case("embedding padding", lambda i, w: F.embedding(i, w, padding_idx=1), ids, X)
case("x[ids]", lambda i, w: w[i], ids, X)
case("x[:, ids]", lambda i, w: w[:, i], ids, X)
case("x[a, b]", lambda i, j, w: w[i, j], In(2, dtype="i64", rule=(0, 1, 3)), In(2, dtype="i64", rule=(0, 1, 3)), X)
case("x[a, :, b]", lambda i, j, w: w[i, :, j], In(2, dtype="i64", rule=(0, 1, 3)), In(2, dtype="i64", rule=(0, 1, 3)), In(3, 4, 4))
case("index_put", lambda i, w: w.index_put((i,), torch.zeros(4)), In(2, dtype="i64", rule=(0, 1, 3)), X)
case("gather", lambda i, w: w.gather(1, i), In(3, 2, dtype="i64", rule=(0, 1, 4)), X)
case("one_hot", lambda i: F.one_hot(i, 4), ids)
case("cross_entropy", lambda i, x: F.cross_entropy(x, i), In(3, dtype="i64", rule=(0, 1, 4)), X)
case("nll", lambda i, x: F.nll_loss(F.log_softmax(x, 1), i), In(3, dtype="i64", rule=(0, 1, 4)), X)
for text in "x.sum((0, 2))|x.mean(-1)|x.flatten(1)|x.flatten(0, 1)|x.flatten(-2)|x.permute(2, 0, 1)|x.transpose(-1, -2)|x.transpose(1, 2)|x[:, :, 1]|x[:, -1]|x[..., 0]|x[0, :, 1:]|x[1, 2]|x.select(-1, 2)|x.select(-2, 0)|x.unbind(-1)|x.split(1, -2)|x.squeeze(0)|x.max(-1)|x.max(-2)|x.argmax(-1)|x.cumsum(-2)|x.matmul(x.transpose(1, 2))|x @ x[0].t()|x.view(2, -1)|x.view(-1, 4)|x.reshape(6, 2, 2)|x.expand(5, 2, 3, 4)|x.repeat(1, 2, 1)|x.sum(-1, keepdim=True)|x.var(-1, keepdim=True)|x.var((0, 1))|x.any(-1)|x.softmax(1)|x.tril()|x.flip(-1)|x.roll(1, -1)|x.unflatten(-1, (2, 2))|x.unflatten(0, (-1, 1))|x.chunk(2, 0)|x.narrow(-1, 1, 2)|x.diagonal(dim1=1, dim2=2)|x[:, 1:, -2:]|x[:, ::2]|x.mean((0, 1, 2))|x.amax((-1, -2))|x.swapaxes(0, 2)|x.stack if False else torch.stack([x, x], -1)|torch.cat([x, x], dim=-2)|x.select_scatter(x[:, 0], 1, 1)|x.index_select(-1, torch.tensor([1, 0]))".split("|"):
    case(f"{text} of 2x3x4", eval(f"lambda x: {text}", {"torch": torch}), C)

if "all" in sys.argv:
    print("\n".join(PROBLEMS))
# Every few of them: the table is to be small.
save(pathlib.Path(sys.argv[1]), CASES if "all" in sys.argv else [each for at, each in enumerate(CASES) if at % 5 == 0 or each["name"] in MENDED])
