"""Writes functions of JAX as StableHLO and as jaxprs, with the shapes, types and numbers that JAX gives.

Usage: python engines/record_jax_cases.py src/systems/published/stablehlo/fixtures/cases.json src/systems/published/jaxpr/fixtures/cases.json

Each case is one function on one choice of shapes and settings, on the CPU and without numbers of 64 bits.
"""

import os
import pathlib
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from published_cases import COUNTS, FLOATS, POSITIVE, TRUTHS, WHOLE, numbers_of, save, written

SHORT = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "int32": "i32", "int8": "i8", "int16": "i16", "uint8": "u8", "uint32": "u32", "uint16": "u16", "bool": "bool"}
CASES, PROBLEMS = [], []
MENDED = {"sum i32", "sum i8", "sum u8", "sum bool", "prod i32", "cumsum i32", "conv f16 to f32", "scan of scan", "gather constant out", "attention causal",
          "any axis 0", "all i32", "reduce_precision", "reshape order", "take fill", "reduce two sums", "count_nonzero axis None", "abs", "exp"}


class In:
    def __init__(self, *shape, dtype="float32", rule=None):
        usual = TRUTHS if dtype == "bool" else FLOATS if "float" in dtype else COUNTS if dtype.startswith("u") else WHOLE
        self.shape, self.dtype, self.rule = shape, dtype, rule or usual


def case(name, function, *inputs):
    try:
        given = [jnp.asarray(numbers_of(each.rule, at, each.shape)).astype(each.dtype) for at, each in enumerate(inputs)]
        got = jax.tree.leaves(jax.jit(function)(*given))
        text = jax.jit(function, keep_unused=True).lower(*given).as_text()
        jaxpr = str(jax.make_jaxpr(function)(*given))
        results = [[SHORT[str(r.dtype)], list(r.shape), written(np.asarray(r, np.float64))] for r in got]
    except Exception as fault:
        PROBLEMS.append(f"{name}: {type(fault).__name__} {str(fault)[:120]}")
        return
    rules = [[*each.rule] for each in inputs]
    CASES.append({"name": name, "model": text, "jaxpr": jaxpr, "inputs": rules, "results": results})


X, P, I, B = In(3, 4), In(3, 4, rule=POSITIVE), In(3, 4, dtype="int32"), In(3, 4, dtype="bool")
H = In(3, 4, dtype="float16")
ids = In(5, dtype="int32", rule=(0, 1, 3))

for name in "abs negative sign floor ceil exp expm1 sin cos tan tanh sinh cosh arctan square rint trunc isnan isfinite isinf positive exp2 deg2rad sinc conj i0 round cbrt".split():
    case(name, getattr(jnp, name), X)
for name in "log log1p log2 log10 sqrt reciprocal arcsinh".split():
    case(name, getattr(jnp, name), P)
for name in "relu gelu silu softplus sigmoid log_sigmoid elu celu selu leaky_relu relu6 hard_tanh hard_sigmoid hard_swish soft_sign softmax log_softmax standardize logsumexp swish mish squareplus glu".split():
    case(name, getattr(jax.nn, name), X)
case("gelu exact", lambda x: jax.nn.gelu(x, approximate=False), X)
case("rsqrt", lax.rsqrt, P)
case("erf", lax.erf, X)
case("erfc", lax.erfc, X)
case("erf_inv", lax.erf_inv, In(5, rule=(-0.5, 0.125, 9)))
case("logistic", lax.logistic, X)
for name in "abs negative sign square positive invert".split():
    case(f"{name} i32", getattr(jnp, name), I)
case("not bool", jnp.logical_not, B)
case("invert bool", jnp.invert, B)
case("popcount", lax.population_count, In(5, dtype="uint8"))
for name in "add subtract multiply divide power maximum minimum arctan2 hypot logaddexp fmod remainder floor_divide equal not_equal less less_equal greater greater_equal copysign nextafter fmax fmin heaviside ldexp float_power true_divide".split():
    case(name, getattr(jnp, name), P, In(4, rule=POSITIVE))
for name in "add subtract multiply divide maximum minimum remainder floor_divide equal less bitwise_and bitwise_or bitwise_xor left_shift right_shift power fmod".split():
    case(f"{name} i32", getattr(jnp, name), In(3, 4, dtype="int32", rule=(3, 1, 11)), In(4, dtype="int32", rule=(1, 1, 4)))
for name in "floor_divide remainder fmod divide".split():
    case(f"{name} negative", getattr(jnp, name), In(15, dtype="int32", rule=(-7, 1, 15)), In(15, dtype="int32", rule=(2, 1, 3)))
    case(f"{name} negative floats", getattr(jnp, name), In(15), In(15, rule=(-1.25, 0.5, 5)))
case("lax.div i32", lax.div, In(15, dtype="int32", rule=(-7, 1, 15)), In(15, dtype="int32", rule=(2, 1, 3)))
case("lax.rem i32", lax.rem, In(15, dtype="int32", rule=(-7, 1, 15)), In(15, dtype="int32", rule=(2, 1, 3)))
case("lax.rem f32", lax.rem, In(15), In(15, rule=(-1.25, 0.5, 5)))
for name in "logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor equal maximum minimum add multiply".split():
    case(f"{name} bool", getattr(jnp, name), B, In(4, dtype="bool"))
case("less bool", lambda x, y: x < y, B, In(4, dtype="bool"))
case("weak add", lambda x: x + 1, I)
case("weak float", lambda x: x * 0.1, I)
case("weak f16", lambda x: x * 0.1 + 2, H)
case("f16 and f32", lambda x, y: x + y, H, X)
case("i32 and f16", lambda x, y: x + y, I, H)
case("bool and i32", lambda x, y: x + y, B, I)
case("where", lambda c, x: jnp.where(c, x, 0), B, X)
case("where 3", lambda c, x, y: jnp.where(c, x, y), B, X, In(4))
case("select_n 3", lambda w, x, y, z: lax.select_n(w, x, y, z), In(3, 4, dtype="int32", rule=(0, 1, 3)), X, X, X)
case("clip", lambda x: jnp.clip(x, -0.5, 0.5), X)
case("clip tensors", lambda x, a, b: jnp.clip(x, a, b), X, In(4), In(4))
case("lax.clamp", lambda a, x, b: lax.clamp(a, x, b), In(), X, In(rule=(1, 1, 1)))
case("lax.clamp bounds", lambda x: lax.clamp(-0.5, x, 0.25), X)
case("clip i32", lambda x: jnp.clip(x, -1, 2), I)
for n in (-3, -2, -1, 0, 1, 2, 3, 7, 9):
    case(f"integer_pow {n}", lambda x: x**n, P)
case("integer_pow 2 i32", lambda x: x**2, I)
case("integer_pow 3 i32", lambda x: lax.integer_pow(x, 3), I)
case("integer_pow 0 i32", lambda x: lax.integer_pow(x, 0), I)
case("integer_pow 10 i32", lambda x: lax.integer_pow(x, 10), In(4, dtype="int32", rule=(-1, 1, 3)))
case("pow 0.5", lambda x: x**0.5, P)
case("pow i32 f32", lambda x: 2.0**x, I)
case("pow f32 i32", lambda x, y: lax.pow(x, y), P, In(3, 4, dtype="int32", rule=(0, 1, 3)))
for a in "float32 float16 bfloat16 int32 uint8 bool".split():
    for b in "float32 float16 int32 bool int8".split():
        rule = TRUTHS if "bool" in (a, b) else COUNTS
        case(f"astype {a} {b}", lambda x: x.astype(b), In(5, dtype=a, rule=rule))
case("int of negative float", lambda x: x.astype(jnp.int32).astype(jnp.float32), In(4, rule=(-2, 1, 5)))
case("bool of float", lambda x: (x != 0).astype(jnp.float32), X)

for name in "sum mean max min prod any all argmax argmin var std median ptp count_nonzero nansum nanmax cumsum cumprod average".split():
    for axis in (None, 0, -1, (0, 1)):
        if axis == (0, 1) and name in ("argmax", "argmin", "cumsum", "cumprod"):
            continue
        if axis is None or name in ("sum", "mean", "max", "prod", "any", "argmax", "var", "cumsum", "all", "min") :
            case(f"{name} axis {axis}", lambda x: getattr(jnp, name)(x, axis=axis), X)
for name in "sum mean max min prod any all cumsum argmax".split():
    case(f"{name} i32", lambda x: getattr(jnp, name)(x, axis=1), I)
    case(f"{name} bool", lambda x: getattr(jnp, name)(x, axis=1), B)
    case(f"{name} f16", lambda x: getattr(jnp, name)(x, axis=1), H)
for name in "sum max min".split():
    case(f"{name} u8", lambda x: getattr(jnp, name)(x, axis=1), In(3, 4, dtype="uint8"))
    case(f"{name} i8", lambda x: getattr(jnp, name)(x, axis=1), In(3, 4, dtype="int8"))
case("sum keepdims", lambda x: jnp.sum(x, axis=1, keepdims=True), X)
case("sum initial", lambda x: jnp.sum(x, axis=1, initial=2.0), X)
case("max initial", lambda x: jnp.max(x, axis=1, initial=0.0), X)
case("min initial", lambda x: jnp.min(x, axis=1, initial=0.0), X)
case("prod initial", lambda x: jnp.prod(x, axis=1, initial=2.0), X)
case("max where", lambda x, c: jnp.max(x, axis=1, where=c, initial=-9.0), X, B)
case("sum where", lambda x, c: jnp.sum(x, axis=1, where=c), X, B)
case("argmax keepdims", lambda x: jnp.argmax(x, axis=1, keepdims=True), X)
case("argmax ties", lambda x: jnp.argmax(x, axis=1), In(3, 5, rule=(0, 1, 2)))
case("argmin ties", lambda x: jnp.argmin(x, axis=0), In(5, 3, rule=(0, 1, 2)))
case("reduce_and", lambda x: lax.reduce(x, np.int32(-1), lax.bitwise_and, (1,)), I)
case("reduce_or", lambda x: lax.reduce(x, np.int32(0), lax.bitwise_or, (1,)), I)
case("reduce_xor", lambda x: lax.reduce(x, np.int32(0), lax.bitwise_xor, (1,)), I)
case("reduce sub", lambda x: lax.reduce(x, np.float32(0), lax.sub, (1,)), X)
case("reduce two", lambda x, y: lax.reduce((x, y), (np.float32(0), np.float32(1)), lambda a, b: (a[0] + b[0], a[1] * b[1]), (1,)), X, X)
case("reduce two sums", lambda x, y: lax.reduce((x, y), (np.float32(0), np.float32(0)), lambda a, b: (a[0] + b[0], a[1] + b[1]), (1,)), X, X)
case("reduce two crossed", lambda x, y: lax.reduce((x, y), (np.float32(0), np.float32(0)), lambda a, b: (jnp.maximum(a[0], b[0]), a[1] + b[1]), (1,)), X, X)
case("argmax of abs", lambda x: jnp.argmax(jnp.abs(x), 1), X)
for name in "cumsum cumprod cummax cummin cumlogsumexp".split():
    for reverse in (False, True):
        case(f"lax.{name} {reverse}", lambda x: getattr(lax, name)(x, 1, reverse), X)
case("cumsum i32", lambda x: jnp.cumsum(x, 0), I)
case("cumsum flat", lambda x: jnp.cumsum(x), X)

for a, b, dims in (((2, 3), (3, 4), (((1,), (0,)), ((), ()))), ((2, 3), (4, 3), (((1,), (1,)), ((), ()))), ((3, 2), (3, 4), (((0,), (0,)), ((), ()))), ((5, 2, 3), (5, 3, 4), (((2,), (1,)), ((0,), (0,)))),
                   ((2, 5, 3), (3, 5, 4), (((2,), (0,)), ((1,), (1,)))), ((2, 3, 4), (3, 4, 5), (((1, 2), (0, 1)), ((), ()))), ((2, 3, 4), (4, 3, 5), (((1, 2), (1, 0)), ((), ()))), ((3,), (3,), (((0,), (0,)), ((), ()))),
                   ((2, 3), (3,), (((1,), (0,)), ((), ()))), ((3,), (3, 4), (((0,), (0,)), ((), ()))), ((2,), (3,), (((), ()), ((), ()))), ((2, 3), (2, 3), (((), ()), ((0, 1), (0, 1)))), ((2, 3), (2, 3), (((1,), (1,)), ((0,), (0,)))),
                   ((5, 2, 3), (3, 4), (((2,), (0,)), ((), ()))), ((2, 3, 4), (2, 3, 5, 4), (((2,), (3,)), ((0, 1), (0, 1)))), ((2, 3, 4), (3, 2, 4), (((2,), (2,)), ((0, 1), (1, 0)))), ((2, 3, 4), (2, 5, 4), (((2,), (2,)), ((0,), (0,)))), ((5, 2, 3), (4, 3), (((2,), (1,)), ((), ())))):
    case(f"dot_general {a} {b} {dims}", lambda x, y: lax.dot_general(x, y, dims), In(*a), In(*b))
case("dot f16 to f32", lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type=jnp.float32), In(2, 3, dtype="float16"), In(3, 4, dtype="float16"))
case("dot i8 to i32", lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32), In(2, 3, dtype="int8"), In(3, 4, dtype="int8"))
case("dot i32", lambda x, y: x @ y, In(2, 3, dtype="int32"), In(3, 4, dtype="int32"))
case("dot bf16", lambda x, y: x @ y, In(2, 3, dtype="bfloat16"), In(3, 4, dtype="bfloat16"))
case("matmul batch", jnp.matmul, In(5, 1, 2, 3), In(4, 3, 2))
for text, shapes in (("bhqd,bhkd->bhqk", ((2, 2, 3, 4), (2, 2, 5, 4))), ("ij,jk,kl->il", ((2, 3), (3, 4), (4, 2))), ("ii->i", ((3, 3),)), ("ij->ji", ((2, 3),)), ("i,j->ij", ((2,), (3,))), ("bij,bjk->bki", ((2, 2, 3), (2, 3, 4))), ("ij->j", ((2, 3),))):
    case(f"einsum {text}", lambda *x: jnp.einsum(text, *x), *[In(*s) for s in shapes])
case("tensordot", lambda x, y: jnp.tensordot(x, y, axes=2), In(2, 3, 4), In(3, 4, 5))
case("outer", jnp.outer, In(3), In(4))
case("kron", jnp.kron, In(2, 2), In(2, 3))
case("vdot", jnp.vdot, X, X)
case("trace", jnp.trace, In(3, 3))

for label, words, shapes in (("plain", {}, ((1, 2, 5, 6), (3, 2, 3, 3))), ("same", {"padding": "SAME"}, ((1, 2, 5, 6), (3, 2, 3, 3))), ("same even", {"padding": "SAME", "window_strides": (2, 2)}, ((1, 2, 6, 6), (3, 2, 3, 3))), ("stride", {"window_strides": (2, 1)}, ((1, 2, 5, 6), (3, 2, 3, 3))),
                             ("pads", {"padding": ((1, 0), (0, 2))}, ((1, 2, 5, 6), (3, 2, 3, 3))), ("dilated", {"rhs_dilation": (2, 1)}, ((1, 2, 5, 6), (3, 2, 2, 2))), ("lhs dilated", {"lhs_dilation": (2, 2)}, ((1, 2, 3, 3), (3, 2, 2, 2))), ("groups", {"feature_group_count": 2}, ((1, 4, 5, 5), (6, 2, 3, 3))), ("batch groups", {"batch_group_count": 2}, ((2, 2, 4, 4), (4, 2, 2, 2))),
                             ("nhwc", {"dimension_numbers": ("NHWC", "HWIO", "NHWC")}, ((1, 5, 6, 2), (3, 3, 2, 4))), ("hwnc", {"dimension_numbers": ("HWNC", "OIHW", "NHWC")}, ((5, 6, 1, 2), (4, 2, 3, 3))), ("negative pads", {"padding": ((-1, 0), (0, 0))}, ((1, 2, 5, 6), (3, 2, 2, 2))), ("1d", {"window_strides": (2,)}, ((1, 2, 7), (3, 2, 3))), ("3d", {"window_strides": (1, 1, 1)}, ((1, 1, 3, 4, 4), (2, 1, 2, 2, 2)))):
    settings = {"window_strides": (1, 1), "padding": "VALID", **words}
    case(f"conv {label}", lambda x, w: lax.conv_general_dilated(x, w, **settings), In(*shapes[0]), In(*shapes[1]))
case("conv f16 to f32", lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "VALID", preferred_element_type=jnp.float32), In(1, 2, 4, 4, dtype="float16"), In(3, 2, 2, 2, dtype="float16"))
case("conv_transpose", lambda x, w: lax.conv_transpose(x, w, (2, 2), "SAME"), In(1, 3, 3, 2), In(2, 2, 2, 4))
case("conv gradient", jax.grad(lambda x, w: lax.conv_general_dilated(x, w, (1, 1), "SAME").sum()), In(1, 2, 4, 4), In(3, 2, 3, 3))
case("conv weight gradient", jax.grad(lambda w, x: (lax.conv_general_dilated(x, w, (1, 1), "SAME") ** 2).sum()), In(3, 2, 3, 3), In(1, 2, 4, 4))
for label, init, op in (("max", -np.inf, lax.max), ("sum", 0.0, lax.add), ("min", np.inf, lax.min), ("prod", 1.0, lax.mul)):
    for window, strides, padding, more in (((1, 2, 2, 1), (1, 2, 2, 1), "VALID", {}), ((1, 2, 2, 1), (1, 1, 1, 1), "SAME", {}), ((1, 1, 2, 2), (1, 1, 1, 2), "VALID", {}), ((1, 2, 2, 1), (1, 1, 1, 1), "VALID", {"window_dilation": (1, 2, 1, 1)}), ((1, 2, 2, 1), (1, 2, 2, 1), ((0, 0), (1, 0), (0, 1), (0, 0)), {}), ((1, 2, 2, 1), (1, 1, 1, 1), "VALID", {"base_dilation": (1, 2, 1, 1)})):
        case(f"reduce_window {label} {window} {strides} {padding} {more}", lambda x: lax.reduce_window(x, np.float32(init), op, window, strides, padding, **more), In(1, 4, 4, 2))
case("reduce_window start", lambda x: lax.reduce_window(x, np.float32(2), lax.add, (2,), (1,), "VALID"), In(6))
case("average pool", lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4, In(1, 4, 4, 2))
case("max pool gradient", jax.grad(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID").sum()), In(1, 4, 4, 2))

case("reshape", lambda x: x.reshape(2, 6), X)
case("reshape order", lambda x: jnp.reshape(x, (4, 3), order="F"), X)
case("transpose", lambda x: x.transpose(2, 0, 1), In(2, 3, 4))
case("swapaxes", lambda x: jnp.swapaxes(x, 0, 2), In(2, 3, 4))
case("moveaxis", lambda x: jnp.moveaxis(x, 0, -1), In(2, 3, 4))
case("squeeze", lambda x: jnp.squeeze(x, 1), In(3, 1, 4))
case("expand_dims", lambda x: jnp.expand_dims(x, (0, 2)), X)
case("broadcast_to", lambda x: jnp.broadcast_to(x, (2, 3, 4)), In(3, 1))
case("broadcast_in_dim", lambda x: lax.broadcast_in_dim(x, (3, 4, 2), (0,)), In(3))
case("broadcast_in_dim turned", lambda x: lax.broadcast_in_dim(x, (3, 4, 2), (0, 2)), In(3, 2))
case("tile", lambda x: jnp.tile(x, (2, 1, 3)), X)
case("repeat", lambda x: jnp.repeat(x, 2, axis=1), X)
case("concatenate", lambda x, y: jnp.concatenate([x, y, x], axis=-1), X, X)
case("stack", lambda x, y: jnp.stack([x, y], axis=1), X, X)
case("split", lambda x: jnp.split(x, [1, 3], axis=1), X)
case("lax.split", lambda x: lax.split(x, [1, 3], axis=1), X)
case("flip", lambda x: jnp.flip(x, 1), X)
case("flip all", lambda x: jnp.flip(x), X)
case("rot90", jnp.rot90, X)
case("roll", lambda x: jnp.roll(x, 1, axis=1), X)
case("roll both", lambda x: jnp.roll(x, (1, -1), axis=(0, 1)), X)
case("pad", lambda x: jnp.pad(x, ((1, 0), (0, 2))), X)
case("pad value", lambda x: jnp.pad(x, ((1, 0), (0, 2)), constant_values=2.5), X)
case("pad edge", lambda x: jnp.pad(x, ((1, 0), (0, 2)), mode="edge"), X)
case("pad reflect", lambda x: jnp.pad(x, ((1, 0), (0, 2)), mode="reflect"), X)
case("lax.pad inner", lambda x: lax.pad(x, np.float32(7), ((1, 0, 1), (0, 1, 0))), X)
case("lax.pad negative", lambda x: lax.pad(x, np.float32(7), ((-1, 0, 0), (0, -2, 0))), X)
case("lax.pad mixed", lambda x: lax.pad(x, np.float32(7), ((-1, 2, 0), (1, -2, 0))), X)
case("pad i32", lambda x: jnp.pad(x, 1, constant_values=3), I)
case("pad operand", lambda x, v: lax.pad(x, v, ((1, 0, 0), (0, 0, 0))), X, In())
case("tril", jnp.tril, In(4, 4))
case("triu", lambda x: jnp.triu(x, 1), X)
case("eye", lambda x: x + jnp.eye(3, 4, 1), X)
case("diag", jnp.diag, In(3))
case("diagonal", jnp.diagonal, In(3, 3))
case("arange", lambda x: x + jnp.arange(4), X)
case("arange floats", lambda x: x + jnp.arange(0, 2, 0.5), X)
case("linspace", lambda x: x + jnp.linspace(0, 1, 4), X)
case("iota", lambda x: x + lax.broadcasted_iota(jnp.float32, (3, 4), 1), X)
case("iota 0", lambda x: x + lax.broadcasted_iota(jnp.float32, (3, 4), 0), X)
case("constant array", lambda x: x * np.float32([1, 2, 3, 4]), X)
case("constant ints", lambda x: x + np.int32([1, 2, 3, 4]), I)
case("constant matrix", lambda x: x @ np.float32([[1, 2], [3, 4], [5, 6], [7, 8]]), X)
case("large constant", lambda x: x + np.arange(400, dtype=np.float32).reshape(1, 400)[:, :4], X)
case("one hot", lambda i: jax.nn.one_hot(i, 4), ids)
case("meshgrid", lambda x, y: jnp.meshgrid(x, y), In(3), In(2))
for label, cut in (("[1]", lambda x: x[1]), ("[-1]", lambda x: x[-1]), ("[:, 1:3]", lambda x: x[:, 1:3]), ("[::2]", lambda x: x[::2]), ("[::-1]", lambda x: x[::-1]), ("[1:, ::2]", lambda x: x[1:, ::2]), ("[..., None]", lambda x: x[..., None]), ("[3:1:-1]", lambda x: x[:, 3:1:-1]), ("[[0, 2]]", lambda x: x[jnp.array([0, 2])]), ("[[0, -1]]", lambda x: x[jnp.array([0, -1])]), ("[:, [0, 2]]", lambda x: x[:, jnp.array([0, 2])]), ("[[0, 1], [2, 3]]", lambda x: x[jnp.array([0, 1]), jnp.array([2, 3])])):
    case(f"x{label}", cut, X)
case("x[ids]", lambda x, i: x[i], X, ids)
case("x[:, ids]", lambda x, i: x[:, i], X, ids)
case("x[i]", lambda x, i: x[i], X, In(dtype="int32", rule=(1, 1, 1)))
case("x[:, i]", lambda x, i: x[:, i], X, In(dtype="int32", rule=(2, 1, 1)))
case("take axis 0", lambda x, i: jnp.take(x, i, axis=0), X, ids)
case("take axis 1", lambda x, i: jnp.take(x, i, axis=1), In(3, 4, 2), ids)
case("take flat", lambda x, i: jnp.take(x, i), X, ids)
case("take clip", lambda x, i: jnp.take(x, i, axis=0, mode="clip"), X, In(5, dtype="int32", rule=(0, 1, 3)))
case("take fill", lambda x, i: jnp.take(x, i, axis=0, mode="fill", fill_value=7.0), X, In(5, dtype="int32", rule=(0, 1, 6)))
case("take wrap", lambda x, i: jnp.take(x, i, axis=0, mode="wrap"), X, In(5, dtype="int32", rule=(0, 1, 6)))
case("take 2d ids", lambda x, i: jnp.take(x, i, axis=0), X, In(2, 2, dtype="int32", rule=(0, 1, 3)))
case("take_along_axis", lambda x, i: jnp.take_along_axis(x, i, axis=1), X, In(3, 2, dtype="int32", rule=(0, 1, 4)))
case("take_along_axis 0", lambda x, i: jnp.take_along_axis(x, i, axis=0), X, In(2, 4, dtype="int32", rule=(0, 1, 3)))
case("gather windows", lambda x, i: lax.gather(x, i, lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 2)), X, In(2, 1, dtype="int32", rule=(0, 1, 2)))
case("gather clip", lambda x, i: lax.gather(x, i, lax.GatherDimensionNumbers((1,), (0,), (0,)), (1, 4), mode="clip"), X, In(4, 1, dtype="int32", rule=(0, 1, 3)))
case("gather constant out", lambda x: lax.gather(x, np.int32([5]), lax.GatherDimensionNumbers((0,), (0,), (0,)), (1, 4), mode="clip"), X)
case("dynamic_slice", lambda x: lax.dynamic_slice(x, (2, 1), (2, 2)), X)
case("dynamic_slice negative", lambda x: lax.dynamic_slice(x, (-2, -1), (2, 2)), X)
case("dynamic_slice given", lambda x, i: lax.dynamic_slice(x, (i, 0), (2, 4)), X, In(dtype="int32", rule=(1, 1, 1)))
case("dynamic_index", lambda x: lax.dynamic_index_in_dim(x, 1, 0, keepdims=False), X)
case("dynamic_update", lambda x, y: lax.dynamic_update_slice(x, y, (0, 1)), X, In(3, 2))
case("dynamic_update corner", lambda x, y: lax.dynamic_update_slice(x, y, (1, 1)), X, In(2, 2))
case("dynamic_update beyond", lambda x, y: lax.dynamic_update_slice(x, y, (2, 0)), X, In(2, 4))
for how in "set add multiply max min".split():
    case(f"at[1].{how}", lambda x, y: getattr(x.at[1], how)(y), X, In(4))
    case(f"at[:, 1:3].{how}", lambda x, y: getattr(x.at[:, 1:3], how)(y), X, In(3, 2))
    case(f"at[ids].{how}", lambda x, y, i: getattr(x.at[i], how)(y), X, In(3, 4), In(3, dtype="int32", rule=(0, 1, 3)))
case("at[:, ids].add", lambda x, y, i: x.at[:, i].add(y), X, In(3, 2), In(2, dtype="int32", rule=(0, 1, 3)))
case("at[1].add constant", lambda x: x.at[1].add(2.0), X)
case("at[9].add drop", lambda x, y: x.at[9].add(y), X, In(4))
case("segment_sum", lambda x, i: jax.ops.segment_sum(x, i, 3), In(5, 4), ids)
case("bincount", lambda i: jnp.bincount(i, length=3), ids)
case("take gradient", jax.grad(lambda x, i: (x[i] ** 2).sum()), X, ids)

case("sort", lambda x: jnp.sort(x, axis=1), X)
case("sort descending", lambda x: jnp.sort(x, axis=1, descending=True), X)
case("argsort", lambda x: jnp.argsort(x, axis=1), X)
case("lax.sort two", lambda x, y: lax.sort((x, y), dimension=1, num_keys=1), X, X)
case("top_k", lambda x: lax.top_k(x, 2), In(3, 5))
case("top_k i32", lambda x: lax.top_k(x, 2), In(3, 5, dtype="int32"))
case("searchsorted", jnp.searchsorted, In(5, rule=(0, 1, 5)), In(3))
case("unique mask", lambda x: jnp.where(x > 0, x, 0).sum(), X)

case("scan", lambda x: lax.scan(lambda c, v: (c + v, c * v), jnp.zeros(4), x), X)
case("scan reverse", lambda x: lax.scan(lambda c, v: (c * 0.5 + v, c + v), jnp.zeros(4), x, reverse=True), X)
case("scan without xs", lambda x: lax.scan(lambda c, _: (c * 0.5 + 1, None), x, None, length=3), X)
case("scan constants", lambda x, w: lax.scan(lambda c, v: (jnp.tanh(c @ w + v), c), jnp.zeros(4), x), X, In(4, 4))
case("scan of a count", lambda x: lax.scan(lambda c, v: (c + 1, v * c), 0, x), X)
case("scan unrolled", lambda x: lax.scan(lambda c, v: (c + v, c * v), jnp.zeros(4), x, unroll=2), In(4, 4))
case("scan of scan", lambda x: lax.scan(lambda c, v: lax.scan(lambda d, w: (d + w, d), c, v), 0.0, x), X)
case("fori", lambda x: lax.fori_loop(0, 3, lambda i, c: c * 0.5 + i, x), X)
case("fori from", lambda x: lax.fori_loop(2, 5, lambda i, c: c + x[i - 2], jnp.zeros(4)), X)
case("while", lambda x: lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1] * 2), (0, x)), X)
case("while by two", lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 2, c[1] * 2 + c[0]), (0, x)), X)
case("while down", lambda x: lax.while_loop(lambda c: c[0] > 0, lambda c: (c[0] - 1, c[1] * 2), (3, x)), X)
case("while up to", lambda x: lax.while_loop(lambda c: c[0] <= 3, lambda c: (c[0] + 1, c[1] * 2), (0, x)), X)
case("while data", lambda x: lax.while_loop(lambda c: c.sum() < 9, lambda c: c * 2 + 1, jnp.abs(x)), X)
case("while never", lambda x: lax.while_loop(lambda c: c[0] < 0, lambda c: (c[0] + 1, c[1] * 2), (0, x)), X)
case("fori swap", lambda x, y: lax.fori_loop(0, 3, lambda i, c: (c[1], c[0] + 1), (x, y)), X, X)
case("cond", lambda x: lax.cond(x.sum() > 0, lambda v: v + 1, lambda v: v * 2, x), X)
case("switch", lambda i, x: lax.switch(i, [lambda v: v, lambda v: v + 1, lambda v: v * 2], x), In(dtype="int32", rule=(1, 1, 1)), X)
case("map", lambda x: lax.map(lambda v: v * 2 + 1, x), X)
case("associative_scan", lambda x: lax.associative_scan(jnp.add, x), X)
case("vmap", jax.vmap(lambda v, w: v @ w, (0, None)), X, In(4, 2))
case("vmap dynamic", jax.vmap(lambda v, i: lax.dynamic_slice(v, (i,), (2,))), X, In(3, dtype="int32", rule=(0, 1, 3)))
case("grad", jax.grad(lambda x: (jnp.tanh(x) ** 2).sum()), X)
case("value and grad", jax.value_and_grad(lambda w, x: ((x @ w) ** 2).mean()), In(4, 2), X)
case("remat", jax.grad(lambda x: jax.checkpoint(lambda v: jnp.sin(v) * jnp.cos(v))(x).sum()), X)
case("remat forward", jax.checkpoint(lambda v: jnp.sin(v) * 2), X)


@jax.custom_jvp
def own(x):
    return x * 2 + 1


own.defjvp(lambda p, t: (own(p[0]), t[0] * 3))
own_vjp = jax.custom_vjp(lambda x: jnp.sin(x))
own_vjp.defvjp(lambda x: (jnp.sin(x), x), lambda r, g: (g * 5,))
case("custom_jvp", lambda x: own(x) + x, X)
case("custom_jvp gradient", jax.grad(lambda x: own(x).sum()), X)
case("custom_vjp", lambda x: own_vjp(x) + x, X)
case("custom_vjp gradient", jax.grad(lambda x: own_vjp(x).sum()), X)
case("jit inside", lambda x: jax.jit(lambda v: jnp.sin(v) + 1)(x) + jax.jit(lambda v: jnp.sin(v) + 1)(x * 2), X)
case("stop_gradient", lambda x: lax.stop_gradient(x) * 2, X)
case("optimization_barrier", lambda x: lax.optimization_barrier(x) + 1, X)
case("reduce_precision", lambda x: lax.reduce_precision(x, 5, 3), In(5, rule=(0.1, 0.1, 9)))
case("bitcast", lambda x: lax.bitcast_convert_type(x, jnp.int32), X)
case("unused", lambda x, y: x + 1, X, X)
case("twice the same", lambda x: (x, x + 1, x), X)
case("constant result", lambda x: (jnp.zeros((2, 3)), jnp.int32(4), x), X)
case("scalar result", lambda x: x.sum() * 2, X)
case("softmax f16", jax.nn.softmax, H)
case("softmax axis 0", lambda x: jax.nn.softmax(x, axis=0), X)
case("layer norm", lambda x, g: (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g, X, In(4))
case("attention", lambda q, k, v: jax.nn.dot_product_attention(q, k, v), In(1, 3, 2, 4), In(1, 3, 2, 4), In(1, 3, 2, 4))
case("attention causal", lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), In(1, 3, 2, 4), In(1, 3, 2, 4), In(1, 3, 2, 4))
case("cross entropy", lambda x, i: -jnp.take_along_axis(jax.nn.log_softmax(x), i[:, None], 1).mean(), X, In(3, dtype="int32", rule=(0, 1, 4)))
case("uniform", lambda x: x + jax.random.uniform(jax.random.key(0), (3, 4)), X)
case("cross", jnp.cross, In(2, 3), In(2, 3))
case("convolve", jnp.convolve, In(5), In(3))
case("interp", lambda x: jnp.interp(x, jnp.arange(4.0), jnp.arange(4.0) ** 2), X)
case("norm", lambda x: jnp.linalg.norm(x, axis=1), X)
case("complex", lambda x: jnp.abs(x + 1j), X)
case("fft", lambda x: jnp.abs(jnp.fft.fft(x)), X)
case("nan_to_num", jnp.nan_to_num, X)
case("where nan", lambda x: jnp.where(jnp.isnan(x), 0.0, x), X)
case("shift", lambda x: lax.shift_right_arithmetic(x, 1), I)
case("polyval", lambda x: jnp.polyval(jnp.array([1.0, 2.0, 3.0]), x), X)
case("digitize", lambda x: jnp.digitize(x, jnp.array([-1.0, 0.0, 1.0])), X)

if "all" in sys.argv:
    print("\n".join(PROBLEMS))
# Every few of them where the text is long: the tables are to be small.
for key, path in (("model", sys.argv[1]), ("jaxpr", sys.argv[2])):
    short = [each for at, each in enumerate(CASES) if "all" in sys.argv or len(each[key]) < 700 and (at % 2 == 0 or each["name"] in MENDED)]
    save(pathlib.Path(path), [{"name": each["name"], "model": each[key], "inputs": each["inputs"], "results": each["results"]} for each in short])
