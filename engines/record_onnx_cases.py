"""Writes small models of ONNX with the shapes, types and numbers that onnx's own reference evaluator gives.

Usage: python engines/record_onnx_cases.py src/systems/published/onnx/fixtures/cases.json

A model is one operator, or a few, with one choice of its settings and of the opset whose meaning it has.
"""

import base64
import itertools
import pathlib
import sys
import warnings

import ml_dtypes
import numpy as np
from onnx import checker, helper as h, numpy_helper
from onnx.reference import ReferenceEvaluator
from onnx.version_converter import convert_version
from published_cases import COUNTS, FLOATS, POSITIVE, TRUTHS, WHOLE, numbers_of, save, written

warnings.filterwarnings("ignore")

DTYPES = {"f32": np.float32, "f16": np.float16, "f64": np.float64, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "i16": np.int16,
          "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64, "bool": np.bool_}
SHORT = {np.dtype(made): name for name, made in DTYPES.items()}
CASES = []
PROBLEMS = []


class In:
    def __init__(self, *shape, dtype="f32", rule=None):
        usual = TRUTHS if dtype == "bool" else FLOATS if "f" in dtype else COUNTS if dtype.startswith("u") else WHOLE
        self.shape, self.dtype, self.rule = list(shape), dtype, rule or usual


def ints(*values):
    return np.asarray(values, np.int64)


def f32(values):
    return np.asarray(values, np.float32)


def model_of(nodes, given, held, results, opset):
    infos = [h.make_tensor_value_info(n, h.np_dtype_to_tensor_dtype(np.dtype(DTYPES[i.dtype])), i.shape) for n, i in given.items()]
    made = [h.make_tensor_value_info(n, 0 if r is None else h.np_dtype_to_tensor_dtype(r.dtype), None if r is None else list(r.shape))
            for n, r in results.items()]
    weights = [numpy_helper.from_array(v, n) for n, v in held.items()]
    graph = h.make_graph(nodes, "g", infos, made, weights)
    return h.make_model(graph, opset_imports=[h.make_opsetid("", opset)], ir_version=10)


def record(name, nodes, given, held, outputs, opset):
    try:
        first = model_of(nodes, given, held, {each: np.zeros((), np.float32) for each in outputs}, opset)
        feeds = {n: numbers_of(i.rule, at, i.shape).astype(DTYPES[i.dtype]) for at, (n, i) in enumerate(given.items())}
        with np.errstate(all="ignore"):
            # The reference knows the softmax of opset 13 alone; the converter knows what an older one means.
            asked = convert_version(first, 13) if opset < 13 and "Softmax" in nodes[0].op_type else first
            got = [np.asarray(each) for each in ReferenceEvaluator(asked).run(None, feeds)]
        whole = model_of(nodes, given, held, dict(zip(outputs, got)), opset)
        checker.check_model(whole, full_check=True)
    except Exception as fault:  # the operator has no such setting, or the reference has not this form
        PROBLEMS.append(f"{name}: {type(fault).__name__} {str(fault)[:150]}")
        return
    weights = {n: written(v) for n, v in held.items() if v.dtype not in (np.int64, np.int32)}
    CASES.append({"name": name, **({"weights": weights} if weights else {}), "model": base64.b64encode(whole.SerializeToString()).decode(),
                  "inputs": [[*i.rule] for i in given.values()],
                  "results": [[SHORT[r.dtype], list(r.shape), written(r)] for r in got]})


def case(op, *inputs, opset=20, results=1, **attributes):
    given, held, names = {}, {}, []
    for at, each in enumerate(inputs):
        names.append("" if each is None else f"i{at}")
        if isinstance(each, In):
            given[f"i{at}"] = each
        elif each is not None:
            held[f"i{at}"] = np.asarray(each)
    outputs = [f"o{at}" for at in range(results)]
    words = [f"{key}={value}" for key, value in attributes.items()]
    kinds = ["-" if each is None else "x".join([*map(str, each.shape), each.dtype]) if isinstance(each, In)
             else f"{np.asarray(each).dtype}{np.asarray(each).tolist()}".replace(" ", "") for each in inputs]
    name = f"{op}-{opset}({', '.join([*kinds, *words])})" + (f" -> {results}" if results > 1 else "")
    record(name, [h.make_node(op, names, outputs, **attributes)], given, held, outputs, opset)


def graph(name, nodes, given, held, outputs, opset=20):
    record(f"{name}-{opset}", [h.make_node(op, i, o, **a) for op, i, o, a in nodes], given, held, outputs, opset)


X = In(2, 3, 4)

UNARY = ("Sqrt Exp Log Tanh Sigmoid Relu Neg Abs Erf Floor Ceil Sin Cos Tan Sinh Cosh Asinh Sign Reciprocal Mish Softplus Softsign HardSwish Identity "
         "Gelu LeakyRelu Elu Round Acos Atan Selu Celu HardSigmoid ThresholdedRelu IsNaN Acosh Atanh Asin").split()


def elementwise():
    for op in UNARY:
        rule = POSITIVE if op in ("Sqrt", "Log", "Reciprocal", "Acosh") else (-0.75, 0.125, 13) if op in ("Acos", "Asin", "Atanh") else None
        case(op, In(2, 5, rule=rule))
        if op in ("Sqrt", "Relu", "Gelu", "LeakyRelu", "Elu", "Reciprocal", "Softsign"):
            for dtype in ("f16", "f64", "bf16"):
                case(op, In(7, dtype=dtype, rule=rule))
    for op, dtype in itertools.product(("Neg", "Abs", "Sign", "Relu"), ("i32", "i8", "i64")):
        case(op, In(9, dtype=dtype))
    case("Abs", In(9, dtype="u8"))
    case("Sign", In(9, dtype="u8"))
    case("Gelu", In(9), approximate="tanh")
    case("LeakyRelu", In(9), alpha=0.3)
    case("Elu", In(9), alpha=2.5)
    case("Not", In(5, dtype="bool"))
    for shape in ((2, 3, 4), (2, 3, 4, 5), (2, 3, 2, 2, 2)):
        case("GlobalAveragePool", In(*shape))
        case("GlobalMaxPool", In(*shape))
    for op in "Add Sub Mul Div Pow".split():
        for dtype in ("f32", "f16", "i32", "i64", "u8"):
            rule = (1, 1, 5) if "f" not in dtype else POSITIVE
            left = (6, 1, 11) if "f" not in dtype else POSITIVE
            case(op, In(2, 1, 3, dtype=dtype, rule=left), In(4, 1, dtype=dtype, rule=rule))
    case("Div", In(7, dtype="i32", rule=(-7, 1, 15)), In(7, dtype="i32", rule=(2, 1, 3)))
    case("Div", In(7, dtype="i32", rule=(-7, 1, 15)), np.int32(2))
    case("Div", In(7, dtype="i64", rule=(-7, 1, 15)), np.int64(-2))
    case("Div", In(7), f32(2))
    case("Sub", np.float32(1), In(7))
    case("Sub", np.int64(1), In(7, dtype="i64"))
    case("Add", np.int64([1, 2, 3]), In(2, 3, dtype="i64"))
    case("Mul", np.int32([1, 2, 3]), In(2, 3, dtype="i32"))
    case("Mul", np.int32(3), In(2, 3, dtype="i32"))
    case("Add", np.float16(0.1), In(2, 3, dtype="f16"))
    case("Mul", np.float64(0.1), In(2, 3, dtype="f64"))
    case("Mul", np.float64([0.1]), In(2, 3, dtype="f64"))
    case("Mul", f32([0.1]), In(3))
    case("Mul", f32([[0.1]]), In(3))
    case("Mul", np.float16([0.1, 0.2, 0.3]), In(3, dtype="f16"))
    case("Pow", In(5, rule=POSITIVE), f32(3.0))
    case("Pow", In(5), f32(2.0))
    case("Pow", In(5), np.int64(2))
    case("Pow", In(5, dtype="i32"), np.int32(2))
    case("Pow", In(5, dtype="i32", rule=(1, 1, 5)), f32(2.0))
    case("Pow", In(5, dtype="i64", rule=(1, 1, 5)), f32(0.5))
    case("Pow", In(5), In(5, dtype="i32", rule=(0, 1, 4)))
    case("Pow", In(5, dtype="f16"), f32(2.0))
    for op in "Equal Less LessOrEqual Greater GreaterOrEqual".split():
        case(op, In(2, 3), In(3))
        case(op, In(2, 3, dtype="i32"), np.int32(1))
    case("Equal", In(4, dtype="bool"), In(4, dtype="bool"))
    for op in ("And", "Or", "Xor"):
        case(op, In(2, 3, dtype="bool"), In(3, dtype="bool"))
        case(op, In(2, 3, dtype="bool"), np.asarray(True))
        case(op, In(3, dtype="bool"), In(2, 3, dtype="bool"))
    for fmod, dtype in ((0, "i32"), (1, "i32"), (1, "f32"), (0, "i64")):
        rule = (-7, 1, 15) if "i" in dtype else None
        case("Mod", In(9, dtype=dtype, rule=rule), In(9, dtype=dtype, rule=(3, 1, 1)), fmod=fmod)
    for op in ("Max", "Min", "Sum", "Mean"):
        case(op, In(2, 3))
        case(op, In(2, 3), In(3), In(2, 1))
        case(op, In(2, 3), f32(0.5))
    case("Max", In(2, 3, dtype="i32"), np.int32(1))
    case("Min", In(2, 3, dtype="u8"), In(3, dtype="u8"))
    case("Max", In(3), f32([0.5, 0.1, -1]))
    case("Where", In(2, 3, dtype="bool"), In(3), In(2, 1))
    case("Where", In(2, 3, dtype="bool"), In(3), f32(0))
    case("Where", In(3, dtype="bool"), f32(1), f32(-2))
    case("Where", In(3, dtype="bool"), np.float16(1), np.float16(2))
    case("Where", In(3, dtype="bool"), np.int64(1), np.int64(2))
    case("Where", In(3, dtype="bool"), np.int32(1), In(3, dtype="i32"))
    case("Where", In(3, dtype="bool"), np.int64([1, 2, 3]), In(2, 3, dtype="i64"))
    case("Clip", In(9), f32(-0.5), f32(0.5), opset=13)
    case("Clip", In(9), None, f32(0.5), opset=13)
    case("Clip", In(9), f32(0.5), opset=13)
    case("Clip", In(9), opset=13)
    case("Clip", In(9, dtype="i32"), np.int32(-2), np.int32(2), opset=13)
    case("Clip", In(9), f32(1), f32(-1), opset=13)
    case("Clip", In(9), opset=6, min=-0.5, max=0.5)
    case("Clip", In(9), opset=6, min=0.0)
    case("Clip", In(9, dtype="f16"), np.float16(-0.5), np.float16(0.5), opset=13)
    case("Clip", In(9), In(), In(), opset=13)
    case("PRelu", In(2, 3), In(3))


CASTS = ("f32", "f16", "bf16", "f64", "i32", "i64", "i8", "u8", "bool")


def casts():
    for left, right in itertools.product(CASTS, CASTS):
        if left == right and left != "i32":
            continue
        # Numbers that both types have: what a cast rounds is the reference's matter and not the reader's.
        rule = TRUTHS if "bool" in (left, right) else COUNTS if "u8" in (left, right) else FLOATS if "f" in left and "f" in right else WHOLE
        case("Cast", In(11, dtype=left, rule=rule), to=h.np_dtype_to_tensor_dtype(np.dtype(DTYPES[right])))
    case("Cast", np.int64(3), to=1)
    case("Cast", np.int64([3, 4]), to=1)
    case("Cast", np.int64([3, 4]), to=6)
    case("Cast", f32(3.7), to=7)
    case("Cast", f32(3.7), to=10)
    case("CastLike", In(3), In(2, dtype="i32"))
    case("CastLike", In(3, dtype="i32"), In(2, dtype="f16"))


def products():
    for a, b in (((2, 3), (3, 4)), ((3,), (3, 4)), ((2, 3), (3,)), ((3,), (3,)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)), ((2, 1, 2, 3), (5, 3, 4)), ((5, 2, 3), (3,)), ((3,), (5, 3, 4))):
        case("MatMul", In(*a), In(*b))
    case("MatMul", In(2, 3, dtype="i32"), In(3, 4, dtype="i32"))
    case("MatMul", In(2, 3, dtype="f16"), In(3, 4, dtype="f16"))
    for a, b in itertools.product((0, 1), (0, 1)):
        for c in (None, (4,), (2, 4), (2, 1), (1, 4), ()):
            third = [] if c is None else [In(*c)]
            case("Gemm", In(*((3, 2) if a else (2, 3))), In(*((4, 3) if b else (3, 4))), *third, transA=a, transB=b)
    case("Gemm", In(2, 3), In(3, 4), In(4), alpha=0.5)
    case("Gemm", In(2, 3), In(3, 4), In(4), beta=0.5)
    case("Gemm", In(2, 3), In(3, 4), In(4), beta=0.0)
    case("Gemm", In(2, 3), In(3, 4), alpha=2.0, transB=0)
    case("Gemm", In(2, 3, dtype="f64"), In(4, 3, dtype="f64"), In(4, dtype="f64"), transB=1)
    case("Gemm", In(2, 3), In(4, 3), f32(0.5), transB=1)
    for text, shapes in (("ij,jk->ik", ((2, 3), (3, 4))), ("ij,jk", ((2, 3), (3, 4))), ("bhqd,bhkd->bhqk", ((2, 2, 3, 4), (2, 2, 5, 4))), ("ii->i", ((3, 3),)), ("ij->ji", ((2, 3),)),
                         ("ba", ((2, 3),)), ("...ij,...jk->...ik", ((2, 2, 3), (2, 3, 4))), ("i,j->ij", ((2,), (3,))), ("ij->", ((2, 3),)), ("ii", ((3, 3),)), ("bij, bjk -> bik", ((2, 2, 3), (2, 3, 4))), ("ij,ij->i", ((2, 3), (2, 3))), ("aB,Bc->ac", ((2, 3), (3, 4)))):
        case("Einsum", *[In(*each) for each in shapes], equation=text)


def softmaxes():
    for op in ("Softmax", "LogSoftmax"):
        for opset in (9, 11, 12, 13, 20):
            for axis in (None, -1, 0, 1, 2):
                if opset == 9 and axis == -1:
                    continue
                case(op, X, opset=opset, **({} if axis is None else {"axis": axis}))
    case("Softmax", In(2, 3), opset=11)
    case("Softmax", In(2, 3), opset=11, axis=-1)
    case("Softmax", In(2, 3, dtype="f16"))
    case("Hardmax", X)


def norms():
    for shape, axis in (((2, 3, 4), -1), ((2, 3, 4), 1), ((2, 3, 4), 2), ((2, 3, 4), -2), ((2, 3, 4), 0)):
        own = shape[axis:]
        case("LayerNormalization", In(*shape), In(*own), In(*own), axis=axis)
        case("RMSNormalization", In(*shape), In(*own), axis=axis, opset=23)
    case("LayerNormalization", X, In(4))
    case("LayerNormalization", X, In(4), epsilon=0.1)
    case("LayerNormalization", X, In(3, 4), axis=1, epsilon=0.1)
    case("LayerNormalization", X, In(4), axis=1)
    case("LayerNormalization", X, In(4), In(4), axis=1)
    case("LayerNormalization", X, In(1, 4), axis=1)
    case("LayerNormalization", X, In(4), None)
    case("LayerNormalization", In(2, 3, 4, dtype="f16"), In(4, dtype="f16"))
    case("LayerNormalization", X, In(4), In(4), results=3)
    case("LayerNormalization", X, f32([1, 2, 3, 4]), f32([0, 1, 0, 1]))
    case("LayerNormalization", X, f32(2), f32(1))
    case("RMSNormalization", X, In(4), opset=23)
    case("RMSNormalization", X, In(4), opset=23, epsilon=0.5)
    case("RMSNormalization", X, In(4), opset=23, axis=1)
    case("RMSNormalization", X, f32(2.0), opset=23)
    for shape in ((2, 3), (2, 3, 4), (2, 3, 2, 2)):
        case("BatchNormalization", In(*shape), In(3), In(3), In(3), In(3, rule=POSITIVE), opset=15)
    case("BatchNormalization", X, In(3), In(3), In(3), In(3, rule=POSITIVE), epsilon=0.1, opset=15)
    case("BatchNormalization", X, In(3), In(3), In(3), In(3, rule=POSITIVE), training_mode=1, opset=15, results=3)
    case("BatchNormalization", X, f32([1, 2, 3]), f32([0, 1, 2]), f32([0, 0, 1]), f32([1, 1, 2]), opset=15)
    case("InstanceNormalization", X, In(3), In(3))
    case("GroupNormalization", In(2, 4, 3), In(4), In(4), num_groups=2, opset=21)
    case("LpNormalization", X)
    case("MeanVarianceNormalization", In(2, 3, 2, 2))


REDUCE = "ReduceMean ReduceSum ReduceMax ReduceMin ReduceProd ReduceL2 ReduceSumSquare ReduceLogSumExp ReduceL1".split()


def reductions():
    for op in REDUCE:
        first = 13 if op == "ReduceSum" else 18
        for keep in (0, 1):
            case(op, X, ints(1), keepdims=keep, opset=first)
            case(op, X, ints(-1, 0), keepdims=keep, opset=first)
            case(op, X, axes=[-1], keepdims=keep, opset=first - 2)
            case(op, X, keepdims=keep, opset=first)
        case(op, X, opset=first)
        case(op, X, opset=first, noop_with_empty_axes=1)
        case(op, X, ints(), opset=first)
        case(op, X, ints(), opset=first, noop_with_empty_axes=1)
        case(op, X, np.asarray(1, np.int64), opset=first)
    for op, dtype in itertools.product(("ReduceSum", "ReduceMean", "ReduceMax"), ("i32", "i64", "f16", "u8", "i8")):
        case(op, In(2, 3, dtype=dtype, rule=(1, 1, 6)), ints(1), opset=18)
    case("ReduceMax", In(2, 3, dtype="bool"), ints(1), opset=20)
    for op in ("ArgMax", "ArgMin"):
        for last, keep, axis in itertools.product((0, 1), (0, 1), (0, -1)):
            case(op, In(3, 4, rule=(0, 1, 3)), axis=axis, keepdims=keep, select_last_index=last, opset=13)
        case(op, X)
        case(op, In(3, dtype="i32"))
        case(op, X, opset=11, axis=1, keepdims=0)
    for exclusive, reverse, axis in itertools.product((0, 1), (0, 1), (0, 1, -1)):
        case("CumSum", In(2, 4), np.asarray(axis, np.int64), exclusive=exclusive, reverse=reverse)
    case("CumSum", In(2, 4), np.asarray([1], np.int64))
    case("CumSum", In(2, 4, dtype="i32"), np.asarray(1, np.int32))
    case("CumSum", In(2, 4, dtype="i64"), np.asarray(1, np.int64))
    case("CumSum", In(2, 4, dtype="f16"), np.asarray(1, np.int64))
    for largest, sort, axis in itertools.product((0, 1), (0, 1), (0, -1)):
        case("TopK", In(4, 5, rule=(0, 1, 20)), ints(2), axis=axis, largest=largest, sorted=sort, results=2)


def shapes():
    for to in ((6, 4), (0, -1), (2, 0, 4), (-1,), (0, 0, 2, 2), (2, 3, 4, 1), (-1, 1)):
        case("Reshape", X, ints(*to))
        case("Reshape", X, ints(*to), allowzero=1)
    case("Reshape", In(2, 3), In(2, dtype="i64", rule=(1, 1, 1)))
    case("Reshape", In(1), ints())
    for axis in (None, 0, 1, 2, 3, -1, -2):
        case("Flatten", X, **({} if axis is None else {"axis": axis}))
    case("Flatten", In(4), axis=0)
    case("Flatten", In(4))
    case("Flatten", In(2, 3))
    for perm in (None, (0, 2, 1), (2, 1, 0), (2, 0, 1)):
        case("Transpose", X, **({} if perm is None else {"perm": perm}))
    for axis in (0, 1, -1, -2):
        case("Concat", In(2, 2), In(2, 2), axis=axis)
    case("Concat", In(2, 3), axis=0)
    case("Concat", In(2, dtype="i64"), ints(5, 6), axis=0)
    case("Concat", In(2), f32([5, 6]), axis=0)
    case("Concat", f32([7]), In(2), f32([0.5]), axis=0)
    for axes in ((0,), (1,), (-1,), (0, 2), (2, 0), (0, -1), (-1, 0), (1, 2), (-1, -2), (-2, -1), (-3, 0), (3, 0)):
        case("Unsqueeze", In(2, 3), ints(*axes), opset=13)
        case("Unsqueeze", In(2, 3), axes=list(axes), opset=11)
    for axes in ((0,), (2,), (-1,), (0, 2), (2, 0), (0, -1), (-1, 0), (-2, 0), (-4, -2), (0, -2)):
        case("Squeeze", In(1, 3, 1, 1) if axes != (2, 0) else In(1, 3, 1, 4), ints(*axes), opset=13) if axes not in ((-2, 0), (0, -2)) else case("Squeeze", In(1, 3, 1, 4), ints(*axes), opset=13)
        case("Squeeze", In(1, 3, 1, 1), axes=list(axes), opset=11)
    case("Squeeze", In(1, 3, 1, 2), opset=13)
    case("Squeeze", In(1, 3, 1, 2), opset=11)
    for starts, ends, axes, steps in (((0,), (2,), None, None), ((1,), (3,), (1,), None), ((-2,), (9223372036854775807,), (-1,), (1,)), ((0, 1), (2, 3), (0, 2), (1, 2)), ((-1,), (-9223372036854775808,), (1,), (-1,)),
                                      ((3,), (0,), (2,), (-1,)), ((0,), (100,), (2,), (1,)), ((-100,), (2,), (2,), (1,)), ((3,), (1,), (2,), (1,)), ((0,), (2147483647,), (1,), (2,)), ((2,), (-1,), (2,), (1,)), ((1, 0), (2, 2), (-1, -2), (1, 1)), ((0,), (-1,), (0,), None), ((-3,), (-1,), (-1,), None)):
        case("Slice", In(3, 4, 5), ints(*starts), ints(*ends), *([] if axes is None else [ints(*axes)]), *([] if steps is None else [ints(*steps)]), opset=13)
        if steps is None:
            case("Slice", In(3, 4, 5), opset=9, starts=list(starts), ends=list(ends), **({} if axes is None else {"axes": list(axes)}))
    case("Slice", In(5, dtype="i64"), ints(1), ints(4))
    case("Slice", In(6), ints(1), ints(5), None, ints(2))
    for to in ((2, 3, 4), (2, 2, 3, 4), (1, 1, 4), (3, 1), (1,), (5, 1, 1, 4)):
        case("Expand", In(3, 4) if to[0] != 5 and to[0] != 1 and to != (3, 1) else In(1, 4), ints(*to))
    case("Expand", In(3, 1), ints(1, 4))
    case("Expand", In(3, 1), ints(4))
    case("Expand", In(3, 1), ints(2, 1, 1))
    case("Expand", In(), ints(2, 3))
    case("Expand", f32(2.0), ints(2, 3))
    case("Expand", np.int64(2), ints(2, 3))
    for times in ((1, 2), (2, 1), (2, 3), (0, 1)):
        case("Tile", In(2, 3), ints(*times))
    for mode, pads, value in itertools.product(("constant", "reflect", "edge", "wrap"), ((0, 1, 0, 2), (1, 0, 1, 0), (0, -1, 0, 0)), (None, 2.5)):
        if mode == "wrap":
            case("Pad", In(3, 4), ints(*pads), *([] if value is None else [f32(value)]), mode=mode, opset=19)
        elif value is None or mode == "constant":
            case("Pad", In(3, 4), ints(*pads), *([] if value is None else [f32(value)]), mode=mode, opset=13)
            case("Pad", In(3, 4), mode=mode, pads=list(pads), opset=9, **({} if value is None else {"value": value}))
    case("Pad", In(3, 4), ints(1, 2), f32(1), ints(1), opset=18)
    case("Pad", In(3, 4), ints(1, 2), None, ints(-2), opset=18)
    case("Pad", In(3, 4), ints(1, 2, 3, 4), None, ints(1, 0), opset=18)
    case("Pad", In(3, 4, dtype="i32"), ints(1, 0, 0, 0), opset=13)
    case("Pad", In(3, 4, dtype="i64"), ints(1, 0, 0, 0), np.int64(7), opset=13)
    case("Pad", In(3, 4, dtype="bool"), ints(1, 0, 0, 0), np.asarray(True), opset=13)
    case("Pad", In(3, 4, dtype="f16"), ints(1, 0, 0, 0), opset=13)
    for n, split, axis in ((2, None, 0), (3, None, -1), (2, (1, 3), 0), (2, (5, 1), 1)):
        case("Split", In(4, 6), *([] if split is None else [ints(*split)]), results=n, axis=axis, opset=13)
        case("Split", In(4, 6), results=n, axis=axis, opset=11, **({} if split is None else {"split": split}))
    for n, size in ((2, 5), (3, 7), (4, 6), (3, 5), (4, 5), (5, 6), (3, 4), (2, 4)):
        case("Split", In(size, 2), results=n, num_outputs=n, opset=18)
        case("Split", In(2, size), results=n, num_outputs=n, opset=18, axis=-1)
    for start, end in itertools.product((None, 0, 1, -1, -2, 5), (None, 2, -1, 0, 9)):
        words = {**({} if start is None else {"start": start}), **({} if end is None else {"end": end})}
        case("Shape", X, opset=15, **words)
    case("Size", X)
    for op in ("DepthToSpace", "SpaceToDepth"):
        case(op, In(1, 4, 2, 4), blocksize=2)
    case("DepthToSpace", In(1, 8, 2, 3), blocksize=2, mode="CRD")
    case("DepthToSpace", In(1, 8, 2, 3), blocksize=2, mode="DCR")
    for upper, k in itertools.product((0, 1), (None, -1, 0, 2)):
        case("Trilu", In(3, 4), *([] if k is None else [np.asarray(k, np.int64)]), upper=upper)
    case("Trilu", In(2, 3, 3, dtype="i64"))
    case("Trilu", In(3, 3, dtype="bool"), upper=0)
    case("Trilu", In(3, 3), ints(1))
    case("Range", np.int64(0), np.int64(5), np.int64(1))
    case("Range", f32(0), f32(2), f32(0.5))
    case("Range", np.int64(5), np.int64(0), np.int64(-2))
    case("ConstantOfShape", ints(2, 3))
    case("ConstantOfShape", ints(2, 3), value=h.make_tensor("v", 7, [1], [5]))
    case("ConstantOfShape", ints(2, 3), value=h.make_tensor("v", 1, [1], [0.5]))
    case("ConstantOfShape", ints(2), value=h.make_tensor("v", 9, [1], [True]))
    case("EyeLike", In(3, 3))
    case("ReverseSequence", In(4, 3), ints(1, 2, 3))
    case("OneHot", ints(0, 2, 1), np.int64(3), f32([0, 1]))
    case("NonZero", In(3))


def lookups():
    index = ints(0, -1, 2)
    for axis in (0, 1, 2, -1, -3):
        case("Gather", In(3, 4, 5), index, axis=axis)
        case("Gather", In(3, 4, 5), np.asarray(1, np.int64), axis=axis)
        case("Gather", In(3, 4, 5), np.asarray(-1, np.int64), axis=axis)
        case("Gather", In(3, 4, 5), In(2, 2, dtype="i64", rule=(0, 1, 3)), axis=axis)
        case("Gather", In(3, 4, 5), In(2, dtype="i32", rule=(0, 1, 3)), axis=axis)
        case("Gather", In(3, 4, 5), In(dtype="i64", rule=(1, 1, 1)), axis=axis)
    case("Gather", In(3, 4), index)
    case("Gather", In(3, 4), In(2, 2, dtype="i64", rule=(0, 1, 3)))
    case("Gather", In(3, 4), In(4, dtype="i64", rule=(0, 1, 3)))
    case("Gather", In(3, 4), In(dtype="i64", rule=(1, 1, 1)))
    case("Gather", In(3, 4), np.asarray([[0, 1], [2, 0]], np.int64))
    case("Gather", In(3, 4), np.asarray([1], np.int64))
    case("Gather", In(3, 4), np.asarray([1], np.int64), axis=1)
    case("Gather", In(3, 4), np.asarray([1], np.int32), axis=1)
    case("Gather", In(5), In(2, 2, dtype="i64", rule=(0, 1, 5)))
    case("Gather", In(5), np.asarray([[0, 1]], np.int64))
    case("Gather", ints(4, 5, 6), In(2, dtype="i64", rule=(0, 1, 3)))
    case("Gather", f32([4, 5, 6]), In(2, dtype="i64", rule=(0, 1, 3)))
    for axis in (0, 1, -1):
        case("GatherElements", In(3, 4), In(3, 4, dtype="i64", rule=(0, 1, 3)), axis=axis)
        case("GatherElements", In(3, 4), In(3, 4, dtype="i32", rule=(0, 1, 3)), axis=axis)
        case("GatherElements", In(3, 4), In(2, 4, dtype="i32", rule=(0, 1, 3)), axis=axis)
    case("GatherElements", In(3, 4), In(3, 2, dtype="i64", rule=(0, 1, 3)), axis=1)
    case("GatherElements", In(3, 4), In(2, 2, dtype="i64", rule=(0, 1, 3)), axis=0)
    case("GatherND", In(3, 4), np.asarray([[0, 1], [2, 0]], np.int64))
    case("ScatterElements", In(3, 4), np.asarray([[0, 1, 2, 0]], np.int64), In(1, 4))
    case("ScatterND", In(3, 4), np.asarray([[0], [2]], np.int64), In(2, 4))


def windows():
    w = In(3, 2, 3, 3)
    x = In(1, 2, 6, 7)
    for words in ({}, {"strides": [2, 1]}, {"pads": [1, 1, 1, 1]}, {"pads": [0, 1, 2, 1]}, {"dilations": [2, 2]}, {"auto_pad": "SAME_UPPER"}, {"auto_pad": "SAME_LOWER", "strides": [2, 2]},
                  {"auto_pad": "SAME_UPPER", "strides": [2, 2]}, {"auto_pad": "VALID"}, {"auto_pad": "NOTSET", "pads": [1, 0, 1, 0]}, {"kernel_shape": [3, 3]}, {"auto_pad": "SAME_UPPER", "dilations": [2, 1]}):
        case("Conv", x, w, **words)
    case("Conv", x, w, In(3))
    case("Conv", In(1, 4, 5, 5), In(6, 2, 3, 3), group=2)
    case("Conv", In(1, 4, 5, 5), In(4, 1, 3, 3), In(4), group=4)
    case("Conv", In(1, 2, 7), In(3, 2, 3), strides=[2], pads=[1, 0])
    case("Conv", In(1, 2, 7), In(3, 2, 3), dilations=[2])
    case("Conv", In(1, 1, 3, 4, 4), In(2, 1, 2, 2, 2), pads=[0, 1, 0, 1, 0, 0])
    case("Conv", In(1, 2, 6, 7, dtype="f16"), In(3, 2, 3, 3, dtype="f16"))
    for words in ({}, {"strides": [2, 2]}, {"pads": [1, 0, 0, 1]}, {"output_padding": [1, 1], "strides": [2, 2]}, {"output_shape": [8, 9], "strides": [1, 1]}):
        case("ConvTranspose", In(1, 2, 4, 5), In(2, 3, 3, 3), **words)
    pools = ({"kernel_shape": [2, 2]}, {"kernel_shape": [2, 2], "strides": [2, 2]}, {"kernel_shape": [3, 2], "strides": [2, 2], "ceil_mode": 1}, {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]},
             {"kernel_shape": [3, 3], "pads": [0, 1, 1, 0]}, {"kernel_shape": [2, 2], "auto_pad": "SAME_UPPER"}, {"kernel_shape": [2, 2], "auto_pad": "SAME_LOWER"}, {"kernel_shape": [2, 2], "auto_pad": "VALID"}, {"kernel_shape": [2, 2], "dilations": [2, 2]})
    for op, words in itertools.product(("MaxPool", "AveragePool"), pools):
        case(op, In(1, 2, 6, 5), opset=19, **words)
    case("AveragePool", In(1, 2, 6, 5), kernel_shape=[3, 3], pads=[1, 1, 1, 1], count_include_pad=1)
    case("AveragePool", In(1, 2, 6, 5), kernel_shape=[3, 3], pads=[1, 0, 1, 0], count_include_pad=1)
    case("AveragePool", In(1, 2, 6), kernel_shape=[3])
    case("MaxPool", In(1, 2, 6), kernel_shape=[3], strides=[2])
    case("MaxPool", In(1, 2, 4, 4), kernel_shape=[2, 2], results=2)
    case("MaxPool", In(1, 1, 4, 4, 4), kernel_shape=[2, 2, 2])
    case("MaxPool", In(1, 2, 4, 4, dtype="u8"), kernel_shape=[2, 2])
    case("MaxPool", In(1, 2, 4, 4, dtype="i8"), kernel_shape=[2, 2], pads=[0, 1, 0, 0])
    case("LpPool", In(1, 2, 4, 4), kernel_shape=[2, 2])
    for mode in ("nearest", "linear", "cubic"):
        case("Resize", In(1, 1, 3, 3), None, f32([1, 1, 2, 2]), mode=mode)
    case("Dropout", In(2, 3))
    case("Dropout", In(2, 3), f32(0.5), np.asarray(False), opset=13)
    case("Dropout", In(2, 3), opset=13, results=2)
    case("QuantizeLinear", In(6), f32(0.1), np.uint8(128))
    case("QuantizeLinear", In(6), f32(0.1))
    case("DequantizeLinear", In(6, dtype="u8"), f32(0.1), np.uint8(128))
    case("DynamicQuantizeLinear", In(6), results=3)
    case("Attention", In(1, 2, 3, 4), In(1, 2, 3, 4), In(1, 2, 3, 4), opset=23)
    case("Attention", In(1, 2, 3, 4), In(1, 2, 3, 4), In(1, 2, 3, 4), opset=23, is_causal=1)
    case("LRN", In(1, 4, 2, 2), size=3)
    case("ReduceLogSum", In(2, 3, rule=POSITIVE), ints(1))


def chains():
    """Sizes that a graph works out, and constants among the operators."""
    def constant(**words):
        return ("Constant", [], ["c"], words)
    x = {"x": In(2, 3, 4)}
    graph("shape of a sum", [("Add", ["x", "y"], ["s"], {}), ("Shape", ["s"], ["o"], {})], {"x": In(2, 1), "y": In(3, 2, 4)}, {}, ["o"])
    graph("reshape by shape", [("Shape", ["x"], ["s"], {}), ("Slice", ["s", "a", "b"], ["t"], {}), ("Concat", ["t", "m"], ["u"], {"axis": 0}), ("Reshape", ["x", "u"], ["o"], {})], x, {"a": ints(0), "b": ints(1), "m": ints(-1)}, ["o"])
    for a, b in ((0, 2), (-2, 3), (1, 2**31 - 1), (-1, 2**63 - 1), (0, -1), (5, 9)):
        graph(f"slice of a shape {a}:{b}", [("Shape", ["x"], ["s"], {}), ("Slice", ["s", "a", "b"], ["o"], {})], x, {"a": ints(a), "b": ints(b)}, ["o"])
    graph("slice of a shape, step 2", [("Shape", ["x"], ["s"], {}), ("Slice", ["s", "a", "b", "ax", "st"], ["o"], {})], x, {"a": ints(0), "b": ints(3), "ax": ints(0), "st": ints(2)}, ["o"])
    graph("slice of a shape, step -1", [("Shape", ["x"], ["s"], {}), ("Slice", ["s", "a", "b", "ax", "st"], ["o"], {})], x, {"a": ints(-1), "b": ints(-100), "ax": ints(0), "st": ints(-1)}, ["o"])
    graph("size by gather", [("Shape", ["x"], ["s"], {}), ("Gather", ["s", "i"], ["g"], {}), ("Mul", ["g", "two"], ["m"], {}), ("Unsqueeze", ["m", "z"], ["u"], {}), ("Concat", ["u", "n"], ["c"], {"axis": 0}), ("Reshape", ["x", "c"], ["o"], {})], x,
          {"i": np.asarray(1, np.int64), "two": np.asarray(2, np.int64), "z": ints(0), "n": ints(-1)}, ["o"])
    for op, value in (("Div", 2), ("Div", -2), ("Mod", 3), ("Sub", 5), ("Mul", 3), ("Add", 1)):
        graph(f"{op} of sizes by {value}", [("Shape", ["x"], ["s"], {}), (op, ["s", "v"], ["o"], {})], x, {"v": ints(value)}, ["o"])
    graph("Div of negative sizes", [("Shape", ["x"], ["s"], {}), ("Sub", ["s", "v"], ["n"], {}), ("Div", ["n", "t"], ["o"], {})], x, {"v": ints(7), "t": ints(2)}, ["o"])
    graph("Mod of negative sizes", [("Shape", ["x"], ["s"], {}), ("Sub", ["s", "v"], ["n"], {}), ("Mod", ["n", "t"], ["o"], {"fmod": 1})], x, {"v": ints(7), "t": ints(2)}, ["o"])
    graph("scale by a size", [("Shape", ["x"], ["s"], {}), ("Gather", ["s", "i"], ["g"], {}), ("Cast", ["g"], ["f"], {"to": 1}), ("Sqrt", ["f"], ["q"], {}), ("Div", ["x", "q"], ["o"], {})], x, {"i": np.asarray(-1, np.int64)}, ["o"])
    graph("scale by the inverse of a size", [("Shape", ["x"], ["s"], {}), ("Gather", ["s", "i"], ["g"], {}), ("Cast", ["g"], ["f"], {"to": 1}), ("Reciprocal", ["f"], ["q"], {}), ("Mul", ["x", "q"], ["o"], {})], x, {"i": np.asarray(-1, np.int64)}, ["o"])
    graph("size halved as a float and back", [("Shape", ["x"], ["s"], {}), ("Gather", ["s", "i"], ["g"], {}), ("Cast", ["g"], ["f"], {"to": 1}), ("Div", ["f", "h"], ["q"], {}), ("Cast", ["q"], ["k"], {"to": 7}), ("Unsqueeze", ["k", "z"], ["o"], {})], x, {"i": np.asarray(1, np.int64), "h": f32(2), "z": ints(0)}, ["o"])
    graph("sizes squeezed", [("Shape", ["x"], ["s"], {"start": 1, "end": 2}), ("Squeeze", ["s"], ["o"], {})], x, {}, ["o"])
    graph("sizes gathered by a list", [("Shape", ["x"], ["s"], {}), ("Gather", ["s", "i"], ["o"], {})], x, {"i": ints(-1, 0)}, ["o"])
    graph("sizes of a reduced one", [("ReduceSum", ["x", "a"], ["r"], {"keepdims": 0}), ("Shape", ["r"], ["o"], {})], x, {"a": ints(0, 1)}, ["o"], 13)
    graph("sizes of a scalar", [("ReduceSum", ["x"], ["r"], {"keepdims": 0}), ("Shape", ["r"], ["o"], {})], x, {}, ["o"], 13)
    graph("sizes of a transposed one", [("Transpose", ["x"], ["r"], {}), ("Shape", ["r"], ["o"], {})], x, {}, ["o"])
    graph("sizes of a product", [("MatMul", ["x", "w"], ["r"], {}), ("Shape", ["r"], ["o"], {})], {**x, "w": In(4)}, {}, ["o"])
    graph("sizes of a batched product", [("MatMul", ["w", "x"], ["r"], {}), ("Shape", ["r"], ["o"], {})], {**x, "w": In(3)}, {}, ["o"])
    graph("sizes of a gathered one", [("Gather", ["x", "i"], ["r"], {"axis": 1}), ("Shape", ["r"], ["o"], {})], {**x, "i": In(2, 2, dtype="i64", rule=(0, 1, 3))}, {}, ["o"])
    graph("sizes of a part", [("Slice", ["x", "a", "b", "ax"], ["r"], {}), ("Shape", ["r"], ["o"], {})], x, {"a": ints(1), "b": ints(3), "ax": ints(-1)}, ["o"])
    graph("negative axis behind a product", [("MatMul", ["w", "x"], ["r"], {}), ("Slice", ["r", "a", "b", "ax"], ["o"], {})], {**x, "w": In(3)}, {"a": ints(1), "b": ints(3), "ax": ints(-1)}, ["o"])
    graph("sizes of an expanded one", [("Expand", ["x", "a"], ["r"], {}), ("Shape", ["r"], ["o"], {})], x, {"a": ints(5, 1, 1, 1)}, ["o"])
    graph("sizes of a tiled one", [("Tile", ["x", "a"], ["r"], {}), ("Shape", ["r"], ["o"], {})], x, {"a": ints(2, 1, 1)}, ["o"])
    graph("sizes of a compared one", [("GreaterOrEqual", ["x", "w"], ["r"], {}), ("Shape", ["r"], ["o"], {})], {"x": In(3), "w": In(2, 3)}, {}, ["o"])
    graph("sizes of a masked one", [("And", ["x", "w"], ["r"], {}), ("Shape", ["r"], ["o"], {})], {"x": In(3, dtype="bool"), "w": In(2, 3, dtype="bool")}, {}, ["o"])
    graph("sizes of a sum of three", [("Sum", ["x", "w"], ["r"], {}), ("Shape", ["r"], ["o"], {})], {"x": In(3), "w": In(2, 3)}, {}, ["o"])
    graph("range over a size", [("Shape", ["x"], ["s"], {}), ("Gather", ["s", "i"], ["g"], {}), ("Range", ["z", "g", "o1"], ["o"], {})], x, {"i": np.asarray(1, np.int64), "z": np.int64(0), "o1": np.int64(1)}, ["o"])
    graph("filled by sizes", [("Shape", ["x"], ["s"], {}), ("ConstantOfShape", ["s"], ["o"], {})], x, {}, ["o"])
    graph("expanded by sizes", [("Shape", ["x"], ["s"], {}), ("Expand", ["w", "s"], ["o"], {})], {**x, "w": In(1, 1, 4)}, {}, ["o"])
    graph("sizes compared", [("Shape", ["x"], ["s"], {}), ("Equal", ["s", "m"], ["e"], {}), ("Where", ["e", "m", "s"], ["o"], {})], x, {"m": ints(2, -1, 4)}, ["o"])
    graph("product of sizes", [("Shape", ["x"], ["s"], {}), ("ReduceProd", ["s"], ["o"], {"keepdims": 0})], x, {}, ["o"])
    graph("constant int", [constant(value_int=3), ("Add", ["x", "c"], ["o"], {})], {"x": In(2, dtype="i64")}, {}, ["o"])
    graph("constant ints", [constant(value_ints=[3, 4]), ("Add", ["x", "c"], ["o"], {})], {"x": In(2, dtype="i64")}, {}, ["o"])
    graph("constant float", [constant(value_float=0.1), ("Mul", ["x", "c"], ["o"], {})], {"x": In(2)}, {}, ["o"])
    graph("constant floats", [constant(value_floats=[0.5, 2.0]), ("Mul", ["x", "c"], ["o"], {})], {"x": In(2)}, {}, ["o"])
    for kind, shape, values in ((1, [1], [0.5]), (1, [1, 1, 1], [0.5]), (10, [], [0.5]), (11, [], [0.1]), (1, [2], [0.5, 1]), (6, [], [3]), (7, [1], [3]), (7, [1, 1], [3]), (9, [1], [True]), (3, [], [-3]), (2, [], [200])):
        word = SHORT[np.dtype(h.tensor_dtype_to_np_dtype(kind))]
        op = "And" if kind == 9 else "Mul"
        graph(f"constant {word} {shape}", [constant(value=h.make_tensor("v", kind, shape, values)), (op, ["x", "c"], ["o"], {})], {"x": In(2, dtype=word)}, {}, ["o"])
        graph(f"shape of {word} {shape}", [constant(value=h.make_tensor("v", kind, shape, values)), (op, ["x", "c"], ["r"], {}), ("Shape", ["r"], ["o"], {})], {"x": In(2, dtype=word)}, {}, ["o"])
    graph("numbers of numbers", [("Mul", ["a", "b"], ["m"], {}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2)}, {"a": f32(0.1), "b": f32(3)}, ["o"])
    graph("power of numbers", [("Pow", ["a", "b"], ["m"], {}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2)}, {"a": f32(-2), "b": f32(2)}, ["o"])
    graph("difference of numbers", [("Neg", ["a"], ["n"], {}), ("Sub", ["n", "b"], ["m"], {}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2)}, {"a": f32(-2), "b": f32(2)}, ["o"])
    graph("ints by a number of ints", [("Mul", ["a", "b"], ["m"], {}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2, dtype="i64")}, {"a": ints(2, 3), "b": np.int64(4)}, ["o"])
    graph("a name twice", [("Relu", ["x"], ["x.1"], {}), ("Neg", ["x.1"], ["x_1"], {}), ("Add", ["x.1", "x_1"], ["o"], {})], {"x": In(3)}, {}, ["o"])
    graph("a list of one int", [("Div", ["a", "b"], ["m"], {}), ("Cast", ["m"], ["f"], {"to": 1}), ("Mul", ["x", "f"], ["o"], {})], {"x": In(2)}, {"a": np.int64(7), "b": np.int64(2)}, ["o"])
    graph("quotient of negative ints", [("Div", ["a", "b"], ["m"], {}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2, dtype="i64")}, {"a": np.int64(-7), "b": np.int64(2)}, ["o"])
    graph("integers of a float", [("Cast", ["a"], ["m"], {"to": 7}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2, dtype="i64")}, {"a": f32(2.7)}, ["o"])
    graph("ints as booleans", [("Cast", ["a"], ["m"], {"to": 9}), ("And", ["x", "m"], ["o"], {})], {"x": In(2, dtype="bool")}, {"a": ints(2, 0)}, ["o"])
    graph("ints of another width", [("Cast", ["a"], ["m"], {"to": 6}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2, dtype="i32")}, {"a": ints(2, 0)}, ["o"])
    graph("ints as floats", [("Cast", ["a"], ["m"], {"to": 1}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2)}, {"a": ints(2, 0)}, ["o"])
    graph("a number of another type", [("Cast", ["a"], ["m"], {"to": 11}), ("Add", ["x", "m"], ["o"], {})], {"x": In(2, dtype="f64")}, {"a": f32(2.5)}, ["o"])
    graph("a double spread", [("Expand", ["a", "s"], ["o"], {})], {"x": In(2)}, {"a": np.float64(2.5), "s": ints(2)}, ["o"])
    graph("split and a part", [("Split", ["x"], ["p", "q"], {"axis": -1, "num_outputs": 2}), ("MatMul", ["p", "q"], ["o"], {})], {"x": In(2, 4)}, {"a": np.float64(2.5)}, ["o"])
    graph("split without a name", [("Split", ["x"], ["", "q"], {"axis": 0, "num_outputs": 2}), ("Neg", ["q"], ["o"], {})], {"x": In(2, 4)}, {}, ["o"])


for section in (elementwise, casts, products, softmaxes, norms, reductions, shapes, lookups, windows, chains):
    section()
if "all" in sys.argv:
    print("\n".join(PROBLEMS))
names, kept = set(), {}
for each in CASES:
    if each["name"] not in names:
        names.add(each["name"])
        kept.setdefault(each["name"].split("-")[0], []).append(each)
# Of an operator with more cases every few of them: the table is to be small.
MOST = 3
save(pathlib.Path(sys.argv[1]), [each for group in kept.values() for each in group[:: -(-len(group) // (10**6 if "all" in sys.argv else MOST))]])
