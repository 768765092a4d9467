"""Writes which numbers PyTorch refuses for arguments of its functions, layers, optimizers, schedulers and loaders.

Usage: python engines/record_refused_numbers.py src/systems/torch/bindings/refused-numbers.json

Of each form, in which `_` stands for a number, a word for each number that was asked, with `!` behind it where PyTorch
raises, in the call or at the first use of what is made. Forms whose numbers are all taken are left out, and so is what
depends on elements that are drawn.
"""

import ast
import inspect
import json
import re
import signal
import sys
import warnings

import torch
import torch.nn.functional as F
import torch.utils.data as D
from torch import nn

warnings.filterwarnings("ignore")
NUMBERS = ["-1", "0", "2", "100", "-0.5", "1.5"]
LETTERS = {"x": "4, 4", "y": "4, 4", "z": "4, 4", "u": "4", "v": "4", "a": "2, 4, 4", "b": "2, 4, 4", "l": "2, 4, 8", "kl": "4, 4, 3", "p": "2, 4, 8, 8",
           "k": "4, 4, 3, 3", "o": "2, 4, 4, 4, 4", "ko": "4, 4, 2, 2, 2"}
DRAWN = {"i": "torch.zeros(4, 4, dtype=torch.long)", "t": "torch.zeros(4, dtype=torch.long)", "m": "torch.ones(4, 4, dtype=torch.bool)"}

# Functions with the arguments that they are asked with; every number of them, and every other number that they take, is varied.
FUNCTIONS = """
sum(x, 1) prod(x, 1) topk(x, 2) kthvalue(x, 2) sort(x, 1) unsqueeze(x, 1) squeeze(x, 1) transpose(x, 0, 1) flatten(x, 0) unflatten(x, 0, (2, 2)) chunk(x, 2) split(x, 2)
tensor_split(x, 2) hsplit(x, 2) vsplit(x, 2) dsplit(a, 2) narrow(x, 0, 0, 2) select(x, 0, 1) unbind(x, 0) roll(x, 1, 0) rot90(x, 1) repeat_interleave(x, 2) repeat_interleave(x, 2, 1)
linspace(0, 1, 5) eye(3) tril_indices(3, 3) triu_indices(3, 3) normal(0.0, 1.0, (2, 3)) bernoulli(x, 0.5) histc(x, 4) cat((x, y), 0) stack((x, y), 0) cumsum(x, 0) cumprod(x, 0) cummax(x, 0)
logcumsumexp(x, 0) softmax(x, 0) log_softmax(x, 0) logsumexp(x, 0) norm(x, 2, 0) renorm(x, 2, 0, 1.0) diagonal(x) diag_embed(x) tril(x, 0) gather(x, 0, i) scatter(x, 0, i, y) index_select(x, 0, t)
index_add(x, 0, t, y) index_copy(x, 0, t, y) index_fill(x, 0, t, 1.0) scatter_reduce(x, 0, i, y, 'sum') std(x, 0) var(x, 0) mean(x, 0) nansum(x, 0) median(x, 0) mode(x, 0) quantile(x, 0.5, 0) nanquantile(x, 0.5)
max(x, 0) argmax(x, 0) argsort(x, 0) amax(x, 0) aminmax(x, dim=0) any(x, 0) all(x, 0) count_nonzero(x, 0) movedim(x, 0, 1) swapaxes(x, 0, 1) diff(x, 1) trapezoid(x, dim=0) gradient(x, dim=0)
tensordot(x, y, 1) cdist(x, y, 2.0) isclose(x, y) combinations(v, 2) polygamma(1, x) mvlgamma(x, 1) select_scatter(x, v, 0, 0) slice_scatter(x, y, 0) randint_like(x, 5) randint(0, 5, (3, 4)) alpha_dropout(x, 0.5, True)
F.dropout(x, 0.5) F.dropout1d(x, 0.5) F.dropout2d(p, 0.5) F.dropout3d(o, 0.5) F.alpha_dropout(x, 0.5) F.feature_alpha_dropout(p, 0.5) F.max_pool1d(l, 2) F.max_pool2d(p, 2) F.max_pool3d(o, 2) F.avg_pool1d(l, 2)
F.avg_pool2d(p, 2) F.avg_pool3d(o, 2) F.lp_pool1d(l, 2, 2) F.lp_pool2d(p, 2, 2) F.lp_pool3d(o, 2, 2) F.adaptive_avg_pool1d(l, 2) F.adaptive_avg_pool2d(p, 2) F.adaptive_max_pool2d(p, 2) F.conv1d(l, kl) F.conv2d(p, k)
F.conv3d(o, ko) F.conv_transpose1d(l, kl) F.conv_transpose2d(p, k) F.conv_transpose3d(o, ko) F.unfold(p, 2) F.fold(torch.rand(2,16,49), 8, 2) F.pad(p, (1, 1, 1, 1), 'circular') F.pad(p, (1, 1, 1, 1), 'reflect')
F.interpolate(p, size=4) F.interpolate(p, scale_factor=2) F.interpolate(p, size=4, mode='bilinear') F.pixel_shuffle(p, 2) F.pixel_unshuffle(p, 2) F.glu(x, 0) F.celu(x, 1.0) F.rrelu(x, 0.1, 0.3) F.hardtanh(x, -1.0, 1.0)
F.softshrink(x, 0.5) F.softmin(x, 0) F.normalize(x, 2.0, 1) F.local_response_norm(p, 2) F.group_norm(p, 2) F.batch_norm(p, u, u, v, v, True) F.batch_norm(p, v, v) F.embedding(i, x) F.embedding_bag(i, x)
F.cosine_similarity(x, y) F.pdist(x) F.cross_entropy(x, t) F.nll_loss(x, t) F.smooth_l1_loss(x, y) F.huber_loss(x, y) F.multi_margin_loss(x, t) F.triplet_margin_loss(x, y, z) F.triplet_margin_with_distance_loss(x, y, z)
x.new_zeros(2, 3) x.new_full((2, 3), 1.0) x.uniform_(0.0, 1.0) x.normal_(0.0, 1.0) x.random_(0, 5) x.bernoulli_(0.5) x.exponential_(1.0) x.unfold(0, 2, 1) x.all(0) x.any(0) x.median(0) x.diff(1) x.quantile(0.5)
nn.init.uniform_(x, 0.0, 1.0) nn.init.normal_(x, 0.0, 1.0) nn.init.trunc_normal_(x, 0.0, 1.0, -2.0, 2.0) nn.init.dirac_(k, 1) nn.init.xavier_uniform_(x, 1.0) nn.init.xavier_normal_(x, 1.0) nn.init.sparse_(x, 0.1, 0.01)
"""

OPTIMIZERS = ["SGD(w, lr=_)", "SGD(w, momentum=_)", "SGD(w, weight_decay=_)", "AdamW(w, lr=_)", "AdamW(w, eps=_)", "AdamW(w, weight_decay=_)", "AdamW(w, betas=(_, 0.999))", "Adam(w, betas=(0.9, _))"]
SCHEDULERS = ["StepLR(s, _)", "ConstantLR(s, _)", "LinearLR(s, _)", "LinearLR(s, 0.5, _)", "CosineAnnealingLR(s, _)", "CosineAnnealingWarmRestarts(s, _)", "CosineAnnealingWarmRestarts(s, 5, _)",
              "CyclicLR(s, 0.01, 0.1, _)", "OneCycleLR(s, 0.1, _)", "OneCycleLR(s, 0.1, 10, pct_start=_)", "OneCycleLR(s, 0.1, 10, div_factor=_)", "ReduceLROnPlateau(s, factor=_)", "LambdaLR(s, _)", "MultiStepLR(s, _)"]
LOADERS = ["DataLoader(d, batch_size=_)", "DataLoader(d, num_workers=_)", "DataLoader(d, drop_last=_)", "DataLoader(d, sampler=_)", "BatchSampler([0, 1], _, False)", "RandomSampler(d, num_samples=_)",
           "WeightedRandomSampler([1.0], _)", "DistributedSampler(d, 2, _)", "random_split(d, [0.5, _])"]
MADE = {"w": "[nn.Parameter(torch.rand(2))]", "s": "torch.optim.SGD([nn.Parameter(torch.rand(2))], lr=0.1, momentum=0.9)", "d": "D.TensorDataset(torch.rand(8, 4))"}
# Too many workers, and too much memory, for a machine that only asks.
SPARED = {("DataLoader(d, num_workers=_)", "2"), ("DataLoader(d, num_workers=_)", "100")}


def names():
    made = {"torch": torch, "nn": nn, "F": F, "D": D}
    return {**made, **{name: eval(text, made) for name, text in {**{n: f"torch.rand({s})" for n, s in LETTERS.items()}, **DRAWN, **MADE}.items()}}


class TakesLong(BaseException):
    """Nobody waits for what a number would make."""


def out_of_time(*_):
    raise TakesLong


def is_refused(call):
    """Whether a call raises; None of one that takes too long."""
    signal.setitimer(signal.ITIMER_REAL, 5)
    try:
        torch.manual_seed(0)
        known = names()
        made = eval(call, known)
        if ".lr_scheduler." in call: known["s"].step(); made.step(*([1.0] if "Plateau" in call else []))
        if "DataLoader" in call: next(iter(made))
    except TakesLong:
        return None
    except Exception:
        return True
    finally: signal.setitimer(signal.ITIMER_REAL, 0)
    return False


def is_number(node):
    return isinstance(node, ast.UnaryOp) or isinstance(node, ast.Constant) and type(node.value) in (int, float)


def other_parameters(tree, signatures):
    """The numbers that a call may be given and is not."""
    path = ast.unparse(tree.func)
    function, name = eval(path, names()), path.split(".")[-1]
    if inspect.isfunction(function):
        parameters = list(inspect.signature(function).parameters.values())[len(tree.args):]
        return [each.name for each in parameters if type(each.default) in (int, float) or each.name in ("stride", "divisor_override", "padding_idx", "dim") and each.default is None]
    forms = (path.startswith("F.") and signatures.get(f"F.{name}") or signatures.get(name, "")).split(" ", 1)[-1].split(";")
    return list({found[1] for form in forms for word in form.split(",") if (found := re.fullmatch(r"[ifsI]1?\\?? (\w+)=", word))})


def forms_of(call, signatures):
    tree = ast.parse(call, mode="eval").body
    hole = ast.Name("_")
    for row in [tree.args, *[each.elts for each in tree.args if isinstance(each, ast.Tuple)]]:
        for at, value in enumerate(row):
            if is_number(value):
                row[at] = hole
                yield ast.unparse(tree)
                row[at] = value
    for keyword in tree.keywords:
        value = keyword.value
        if is_number(value):
            keyword.value = hole
            yield ast.unparse(tree)
            keyword.value = value
    given = {each.arg for each in tree.keywords}
    for name in sorted(set(other_parameters(tree, signatures)) - given - {"_stacklevel"}):
        yield f"{ast.unparse(tree)[:-1]}, {name}=_)"


def main(path):
    signatures = json.load(open(path.replace("refused-numbers", "signatures")))
    calls = re.findall(r"\S+?\((?:[^()]|\([^()]*\))*\)(?=\s)", FUNCTIONS)
    calls = [call if call.startswith(("F.", "x.", "nn.")) else f"torch.{call}" for call in calls]
    forms = [form for call in calls for form in forms_of(call, signatures)]
    forms += [f"torch.optim.{each}" for each in OPTIMIZERS] + [f"torch.optim.lr_scheduler.{each}" for each in SCHEDULERS] + [f"D.{each}" for each in LOADERS]
    rows = []
    for form in dict.fromkeys(forms):
        asked = [number for number in NUMBERS if (form.removeprefix("D."), number) not in SPARED]
        answers = [(number, is_refused(re.sub(r"\b_\b", number, form))) for number in asked]
        words = [number + ("!" if refused else "") for number, refused in answers if refused is not None]
        if any(word.endswith("!") for word in words) and not all(word.endswith("!") for word in words): rows.append([form, " ".join(words)])
    made = {**{n: f"torch.rand({s})" for n, s in LETTERS.items()}, **DRAWN, **MADE}
    with open(path, "w") as file:
        file.write(json.dumps({"names": made, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    signal.signal(signal.SIGALRM, out_of_time)
    main(sys.argv[1])
