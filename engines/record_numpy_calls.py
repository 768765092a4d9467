"""What NumPy 2.4 says of calls of arrays: python record_numpy_calls.py 6 > ../src/systems/torch/bindings/numpy-calls.json

By the call what it gives: the shape of an array or of a number, a list of what a tuple or a list holds, the name of a class
of anything else, and `refused` where NumPy raises. Methods are called with arguments that are made out of the lists below,
and functions of NumPy with an array before them. The number says how many calls are passed over: of six one is recorded.

    python record_numpy_calls.py types 5 > ../src/systems/torch/bindings/numpy-dtypes.json

records by the call the data type of what it gives.
"""
import itertools
import json
import sys
import warnings

import numpy as np

# What a text begins with: the names that calls use.
HEAD = """import numpy as np
a = np.zeros((2, 3))
c = np.ones((2, 3, 4))
i = np.arange(6).reshape(2, 3)
v = np.array([3, 1, 2])
m = a > 0
"""

REDUCTIONS = "sum prod mean std var max min all any argmax argmin cumsum cumprod".split()
OVER = ["", "0", "1", "-1", "axis=0", "axis=None", "axis=(0, 1)", "axis=(0,)", "(0, 1)", "None", "2", "axis=-3", "axis=(0, 0)", "keepdims=True", "axis=0, keepdims=True",
        "axis=1, out=None", "dtype=np.float32", "axis=0, dtype=np.float32", "ddof=1", "axis=0, ddof=1", "initial=0", "axis=0, initial=1.5", "where=m", "axis=0, where=m, initial=0", "dim=0",
        "keepdim=True", "foo=1", "0, None", "0, None, None", "'a'", "1.5", "axis=1.0", "axis='x'", "a", "[0]", "correction=1", "0, True"]
METHODS = {
    "reshape": ["6", "3, 2", "(3, 2)", "[3, 2]", "-1", "(-1,)", "2, -1", "2, -1, order='C'", "(2, -1), order='F'", "4, 5", "-1, -1", "shape=(3, 2)", "'a'", "2.0, 3", "3, 2, 1", "", "-1, 5", "0", "newshape=6", "(3, 2), 'C'"],
    "transpose": ["", "1, 0", "(1, 0)", "[1, 0]", "None", "0", "0, 0", "2, 0", "axes=(1, 0)", "-1, 0", "'a'", "1.0, 0", "(0, 1), 2", "0, 1"],
    "repeat": ["2", "2, 0", "2, axis=0", "2, axis=1", "2, axis=None", "[1, 2], axis=0", "[2], axis=1", "[1, 2, 3], axis=0", "[1, 2, 3]", "0", "-1", "2, 5", "2, 3, 4", "repeats=3", "", "1.5", "v, axis=1", "np.array([1, 2]), axis=0", "'a'", "dim=0", "2, axis=-1"],
    "flatten": ["", "'C'", "'F'", "order='C'", "0", "1, 2", "start_dim=1", "'x'", "order=None"],
    "ravel": ["", "'C'", "order='F'", "0", "dim=1"],
    "squeeze": ["", "0", "axis=0", "1", "axis=(0,)", "axis=None", "dim=0", "5", "'a'"],
    "swapaxes": ["0, 1", "1, 0", "-1, 0", "0", "0, 5", "axis1=0, axis2=1", "", "0, 1, 2", "0, 'a'", "0, 0"],
    "clip": ["0, 1", "0", "min=0", "max=1", "min=0, max=1", "a_min=0, a_max=1", "None, 1", "0, None", "", "None, None", "'a'", "a, 1", "0, 1, None", "0, 1, 2, 3", "v, 9", "min=v"],
    "astype": ["np.float32", "'float32'", "float", "int", "np.int64", "bool", "'a'", "", "dtype=np.float32", "np.float32, copy=False", "np.float32, 'C'", "foo=1", "'i4'", "'f8'", "None", "a.dtype", "np.float16", "device='cpu'"],
    "copy": ["", "'C'", "order='K'", "0", "True", "deep=True"],
    "view": ["", "np.float64", "np.int64", "'float64'", "2, 3", "-1", "6", "(3, 2)", "dtype=np.int64", "a", "'x'"],
    "fill": ["0", "1.5", "", "'a'", "value=3", "0, 1", "[1, 2, 3]"],
    "sort": ["", "0", "axis=0", "-1", "axis=1", "axis=None", "5", "kind='stable'", "descending=True", "0, 'quicksort'", "dim=0", "'a'", "axis=0, stable=True"],
    "argsort": ["", "0", "axis=0", "axis=None", "-1", "5", "kind='stable'", "descending=True", "dim=0", "stable=True"],
    "argpartition": ["1", "1, axis=0", "9", "", "1, None"],
    "partition": ["1", "1, axis=0", "9", ""],
    "take": ["0", "[0, 1]", "v, axis=1", "[0, 1], 0", "[0, 1], axis=1", "9", "[0, 9]", "0, axis=0", "[[0, 1], [1, 0]]", "", "indices=[0]", "[5], axis=1", "0, 1", "-1, axis=1", "'a'", "[0, 1], axis=5", "[1, 1], mode='clip'"],
    "dot": ["a", "a.T", "2", "v", "[1, 2, 3]", "", "b=2", "a, a", "'a'", "[1, 2]"],
    "diagonal": ["", "1", "offset=1", "0, 0, 1", "0, 0, 0", "axis1=0, axis2=1", "dim1=0", "-1", "5", "0, 0", "0, 1, 0"],
    "trace": ["", "1", "offset=1", "0, 0, 1", "0, 0, 0", "dim=0"],
    "round": ["", "2", "decimals=2", "'a'", "1.5", "-1", "2, None"],
    "nonzero": ["", "0", "as_tuple=True"],
    "tolist": ["", "0"],
    "item": ["", "0", "5", "6", "0, 1", "(0, 1)", "(1, 5)", "-1", "'a'"],
    "conj": ["", "0"], "conjugate": [""],
    "searchsorted": ["1", "[1, 2]", "v", "", "1, side='right'", "1, 'x'"],
    "compress": ["[True, False], axis=0", "[True, False]", ""],
    "choose": ["[1, 2]", ""],
    "tobytes": ["", "'C'", "3"], "put": ["0, 1", "[0, 1], [5, 6]", ""], "byteswap": ["", "True"], "setflags": ["", "write=False"], "resize": ["3, 2", "(3, 2)", "'a'"], "dumps": [""],
}
# Names that only tensors of PyTorch have, and attributes of arrays.
NAMES = """T mT shape size ndim dtype itemsize nbytes strides flat real imag base data flags device dim() numel() unsqueeze(0) permute(1,0) cuda() cpu() numpy() long() float() to('cpu') expand(2,3) size() size(0)
view_as(a) contiguous() detach() clone() softmax(0) matmul(a) mm(a) add(1) mul(2) exp() sqrt() abs() pow(2) tanh() relu() norm() type() requires_grad grad backward() is_cuda T() shape() shape[0] shape[-1] shape[5] T.shape T[0]
unbind() split(1) chunk(2) topk(1) gather(0,i) masked_fill(m,0) index_select(0,v) narrow(0,0,1) t() flip(0) roll(1) tril() half() double() int() bool() element_size() is_contiguous() new_zeros(2) median() mode() floor() log() sign() ptp() tostring() newbyteorder() to_device('cpu') __len__() asnumpy() expand_dims(0) broadcast_to((2,3)) asinstance(int)
max(0)[0] max(0).shape min(1)[0] argmax(0)[0] nonzero()[0] nonzero()[1] sort(axis=0).shape T.reshape(-1) sum(0)[1] mean(0).shape[0] mean().item() sum().astype(int) max().item()""".split("\n")
OPERATORS = """a + a|a + 1|1 + a|a + [1, 2, 3]|[1, 2, 3] + a|a * (1, 2, 3)|a - [[1], [2]]|a + [1, 2]|a + 'a'|a + None|a @ a.T|a @ a|a @ [1, 2, 3]|a > [0, 1, 2]|a == [0, 1, 2]|a ** 2|2 ** a|a // 2|a % 2|-a|~m|~a|m & m|m | m|m ^ m|a & a|i & 1
i << 1|a << 1|a + {}|a + np|a + len|a / v|v / 2|i / 2|i // 2|a + c|c + a|c + v|m + m|-m|m - m|m * 2|a + v|a[0]|a[0, 1]|a[:, 1]|a[..., 1]|a[None]|a[::-1]|a[:, ::-1]|a[0:1, ::2]|a[5]|a[0, 0, 0]|a[[0, 1]]|a[[0, 1], [1, 2]]|a[[0, 9]]|a[[0, 1], [0, 1, 2]]
a[m]|a[a > 0].shape|a[v]|a[:, v]|a['a']|a[1.5]|a[(0, 1)]|a[{}]|a[True]|v[v]|v[[2, 0]]|v[::-1]|c[:, 0]|c[..., None]|c[0][1]|c[0, ..., 1]|c[1:, :, 2]|c[:, [0, 1]]|c[:, None, 0]|len(a)|len(c[0])|abs(a)|a.T @ a|a()|list(a)|list(v)[0]|[r for r in a]|sum(v)|max(v)|min(v)|a if v is None else v|float(a)|int(v)|float(v[0])|int(v[0])
bool(a)|a == None|a is None|a.shape == (2, 3)|a.size == 6|a.size + 1|a.size // 2|a.ndim == 2|a.dtype == np.float64|isinstance(a, np.ndarray)|tuple(a.shape)|a.shape + (1,)|a.mean() > 0|round(a.mean(), 2)|a.sum() / a.size|np.asarray(a).sum()|3 in v|sorted(v)|zip(a, a)|divmod(i, 2)|a < v|a != v|v >= [1, 2, 3]|a.reshape(-1) @ np.ones(6)|a.T + v|c @ np.ones(4)|c.transpose(0, 2, 1) @ c|c.transpose(2, 0, 1)|c.transpose(0, 1)|c.transpose()|c.T|c.mean((0, 2))|c.sum(axis=(0, -1), keepdims=True)|c.max((1, 2))|c.max(axis=(0, 1, 2), keepdims=True)|c.std((0, 1), ddof=1)|c.squeeze(0)|c[:1].squeeze(0)|c[:1].squeeze()|c.swapaxes(0, 2)|c.repeat(3, axis=1)|c.repeat([1, 2, 3], axis=1)|c.repeat(2)|c.argmax()|c.argmax(1)|c.argmax(axis=2, keepdims=True)|c.take([0, 1], axis=2)|c.diagonal()|c.diagonal(axis1=1, axis2=2)|c.trace()|c.dot(np.ones(4))|c.dot(np.ones((4, 5)))|c.dot(np.ones((3, 5)))|c.cumsum()|c.cumsum(1)|c.reshape(2, -1)|c.reshape(4, -1, order='F')|c.flatten()|c.ravel()|c.sum(-1)|c.sum(2)|c.sum(3)|c.prod(axis=1)|c.any(axis=(0, 1))|c.sort(1)|c.argsort(axis=None)|c.nonzero()|c.round(1)|c.clip(0.5, None)|c.astype(int)""".replace("\n", "|").split("|")
UNARY = "exp log sqrt abs square sign tanh sin cos floor ceil round isnan isfinite isinf negative log2 log10 log1p expm1 rint trunc reciprocal cbrt absolute degrees radians arctan sinh logical_not positive fabs".split()
BINARY = "add subtract multiply divide power maximum minimum mod matmul dot arctan2 logical_and logical_or equal less greater not_equal floor_divide fmod hypot greater_equal less_equal true_divide remainder outer".split()
FUNCTIONS = {
    "reshape": ["a, (3, 2)", "a, -1", "a, 6", "a, (4, 5)", "a, (3, 2), order='F'", "a", "a, newshape=6", "a, shape=(3, 2)", "a, 3, 2"],
    "transpose": ["a", "a, (1, 0)", "a, axes=(1, 0)", "c, (2, 0, 1)", "a, (0, 0)", "a, 1, 0", "c", "c, [0, 2, 1]", "a, None"],
    "concatenate": ["[a, a]", "(a, a)", "[a, a], axis=1", "[a, a], 1", "[a, a], axis=-1", "[a, a], axis=5", "[a, v]", "[a, c]", "a, a", "[a, a], axis=None", "[v, [1, 2]]", "[]", "[a, a], dim=0", "([1], [2, 3])"],
    "stack": ["[a, a]", "[a, a], axis=1", "[a, a], axis=-1", "[a, a], 2", "[a, v]", "a", "[]", "[a, a], axis=9", "[a, a], dim=0", "[v, [1, 2, 3]]", "([1, 2], [3, 4])"],
    "vstack": ["[a, a]", "[v, v]", "(a, v)", "a, a", "[[1, 2], [3, 4]]"], "hstack": ["[a, a]", "[v, v]", "(a, v)", "[[1], [2, 3]]"], "dstack": ["[a, a]"], "column_stack": ["[v, v]", "[a, a]"],
    "split": ["a, 2", "a, 3, axis=1", "a, 2, axis=1", "a, [1]", "a, [1, 2], axis=1", "a", "a, 5", "a, 3, 1"], "array_split": ["v, 2", "a, 2", "a, 2, axis=1"],
    "expand_dims": ["a, 0", "a, axis=-1", "a, (0, 1)", "a", "a, 5", "a, axis=1", "v, axis=(0, 2)", "a, dim=0"], "squeeze": ["a", "a, 0", "c[:1], axis=0", "c[:1]", "c, axis=0"],
    "tile": ["a, 2", "a, (2, 1)", "a, (2, 2, 2)", "v, 3", "v, (2, 1)", "a", "a, reps=2", "[1, 2], 2"], "repeat": ["a, 2", "a, 2, axis=0", "v, 2", "v, [1, 2, 3]", "a, 2, 1", "a", "3, 4", "[1, 2], 2", "a, 2, axis=5"],
    "where": ["m, a, 0", "m, a, a", "m", "a > 0, 1, 0", "m, a", "m, v, 0", "m, 'a', 0", "m, c, a", "v > 1, v, [1, 2, 3]", "a, a, a"],
    "clip": ["a, 0, 1", "a, None, 1", "a, 0", "a, a_min=0, a_max=1", "a, 0, None", "a", "a, min=0, max=1", "[1, 5], 0, 2"],
    "zeros": ["3", "(2, 3)", "[2, 3]", "(2, 3), dtype=np.float32", "(2, 3), np.int64", "2, 3", "", "-1", "2.5", "'a'", "shape=(2,)", "(2, 'a')", "(), 'f4'", "size=3", "a.shape", "(2, 3), dtype='float16'", "(2,), float", "(2,), bool", "(2, 3), order='F'", "None"],
    "ones": ["3", "(2, 3)", "(2, 3), dtype=np.float32", "2, 3", "", "a.shape", "shape=4"], "empty": ["3", "(2, 3)", "2, 3", "(2,), np.int32"],
    "full": ["(2, 3), 1.5", "3, 7", "(2, 3)", "(2,), fill_value=0", "(2, 3), 0, dtype=np.int32", "(2, 3), np.inf", "2, 3, 4", "(2, 3), [1, 2, 3]"],
    "zeros_like": ["a", "a, dtype=int", "v", "", "a, 3, 4, 5, 6, 7, 8", "[1, 2]", "c, np.float32"], "ones_like": ["a", "c", "a, dtype=bool"], "full_like": ["a, 3", "a, 1.5, dtype=int", "a"], "empty_like": ["a"],
    "arange": ["5", "1, 5", "0, 5, 2", "0, 1, 0.25", "5, 0, -1", "", "5.5", "'a'", "stop=5", "0, 5, 0", "5, 0", "5, dtype=np.float32", "1, 2, 3, 4, 5"],
    "linspace": ["0, 1", "0, 1, 5", "0, 1, num=5", "0, 1, 5, endpoint=False", "0", "0, 1, -1", "0, 1, 'a'", "0, 1, steps=5", "start=0, stop=1", "0, 1, 4, dtype=np.float32"], "logspace": ["0, 1, 5", "0, 1"], "geomspace": ["1, 10, 4"],
    "eye": ["3", "3, 4", "3, k=1", "", "3, dtype=np.float32", "-1", "'a'"], "identity": ["3"], "diag": ["v", "a", "a, 1", "v, k=1", "c"], "tri": ["3", "3, 4"], "tril": ["a", "a, -1", "a, k=1", "v"], "triu": ["a", "a, 1", "c"],
    "array": ["[1, 2, 3]", "[[1, 2], [3, 4]]", "3", "a", "[1, 2], dtype=np.float32", "[1, 2], float", "[a, a]", "[v, [1, 2, 3]]", "", "[[1, 2], [3]]", "(1, 2)", "range(4)", "[1.5], dtype=int", "[True, False]", "[]", "1, 2", "a, ndmin=3"],
    "asarray": ["[1, 2]", "a", "a, dtype=np.float32", "3", ""], "copy": ["a"], "ascontiguousarray": ["a"], "atleast_1d": ["3", "a"], "atleast_2d": ["v", "3", "a"], "atleast_3d": ["a"],
    "einsum": ["'ij,kj->ik', a, a", "'ij->ji', a", "'ij,j', a, v", "'ij,jk', a, a", "'ii', a", "'ij'", "'ij->', a", "'bij,bjk->bik', c, c", "'ij,ij->i', a, a"],
    "meshgrid": ["v, v", "v, np.arange(4)", "v, np.arange(4), indexing='ij'", "v", "v, v, foo=1"], "outer": ["v, v", "a, v", "v"], "inner": ["v, v", "a, v", "a, a", "a, a.T"], "tensordot": ["a, a, axes=2", "a, a.T, axes=1", "a, a.T", "a, a, axes=([1], [1])"], "kron": ["a, a"], "cross": ["v, v", "a, a"], "vdot": ["a, a"],
    "linalg.norm": ["a", "a, axis=1", "a, 2, 1", "v", "a, axis=-1, keepdims=True", "a, ord=1, axis=0", "a, dim=1", "a, 'fro'"], "linalg.inv": ["np.eye(3)", "a"], "linalg.det": ["np.eye(3)", "a"], "linalg.svd": ["a", "a, full_matrices=False"], "linalg.solve": ["np.eye(3), v", "a, v"], "linalg.qr": ["a"], "linalg.eigh": ["np.eye(3)"], "linalg.matrix_rank": ["a"], "linalg.pinv": ["a"],
    "moveaxis": ["c, 0, -1", "c, [0, 1], [-1, -2]", "c, 0", "c, 5, 0"], "rollaxis": ["c, 2"], "swapaxes": ["c, 0, 1", "c, 0", "c, 0, 5"], "flip": ["a", "a, 0", "a, axis=1", "a, (0, 1)", "a, 5"], "fliplr": ["a", "v"], "flipud": ["a"], "roll": ["a, 1", "a, 1, axis=0", "a, (1, 1), axis=(0, 1)", "a", "a, 1, 5", "a, shift=1"], "rot90": ["a", "a, 2", "v"],
    "pad": ["a, 1", "a, (1, 2)", "a, ((1, 1), (2, 2))", "a, 1, mode='edge'", "a, ((0, 0), (1, 0)), constant_values=5", "a, ((1, 1),)", "v, (0, 2)", "a, 'a'", "a", "a, ((1, 1), (2, 2), (3, 3))", "a, -1", "a, 1, 'foo'", "a, 1, value=3"],
    "sort": ["a", "a, axis=0", "v", "a, axis=None", "a, 5", "[3, 1, 2]"], "argsort": ["a", "v", "a, axis=0", "a, axis=None", "-v", "[3, 1]"], "argwhere": ["a"], "nonzero": ["a"], "flatnonzero": ["a"], "count_nonzero": ["a", "a, axis=0", "m"], "unique": ["v", "v, return_counts=True", "v, return_inverse=True"], "searchsorted": ["v, 1", "v, [1, 2]"], "bincount": ["v", "v, minlength=10"], "histogram": ["v", "v, bins=5"], "digitize": ["v, [1, 2]"], "diff": ["v", "a", "a, axis=0", "v, 2", "a, n=1, axis=-1"], "gradient": ["v"], "interp": ["1.5, [1, 2], [3, 4]", "v, [1, 2], [3, 4]"], "convolve": ["v, v", "v, [1, 1], 'same'", "v, v, mode='valid'"], "correlate": ["v, v"], "percentile": ["v, 50", "a, 50, axis=0", "a, [25, 75], axis=1"], "quantile": ["v, 0.5", "a, 0.5, axis=0"], "median": ["v", "a, axis=0", "a, axis=1, keepdims=True", "a"], "average": ["a", "a, axis=0", "v, weights=v", "a, axis=1, weights=v"], "nanmean": ["a", "a, axis=0"], "nansum": ["a", "a, axis=0"], "nanmax": ["a"], "cov": ["a"], "corrcoef": ["a"], "ptp": ["a", "a, axis=0"], "cumsum": ["a", "a, axis=0", "v", "a, 5", "[1, 2, 3]"], "cumprod": ["v"], "trace": ["a", "np.eye(3)"], "diagonal": ["a"], "take": ["a, 0", "a, [0, 1], axis=1", "v, [0, 2]"], "take_along_axis": ["a, i % 2, axis=0", "a, i % 2, 1", "a, i"], "put_along_axis": ["a, i % 2, 1, axis=0"], "isin": ["v, [1, 2]"], "in1d": ["v, [1]"], "allclose": ["a, a", "a, 0", "a, c"], "isclose": ["a, a"], "array_equal": ["a, a", "a, v"], "may_share_memory": ["a, a"], "shape": ["a", "[1, 2]", "3", ""], "size": ["a", "a, 1", "[1, 2]"], "ndim": ["a", "3"], "ravel": ["a", "a, 'C'", "[[1, 2]]"], "broadcast_to": ["v, (2, 3)", "v, (2, 4)", "a, (4, 2, 3)", "a", "3, (2,)", "v, shape=(2, 3)"], "broadcast_arrays": ["a, v"], "float32": ["3", "a", "'1.5'", ""], "int64": ["3", "a", "2.5"], "dtype": ["'float32'", "np.float32"], "prod": ["[2, 3]", "(2, 3, 4)", "a.shape"], "random.rand": ["2, 3", "", "3", "(2, 3)"], "random.randn": ["2, 3", "", "3", "(2, 3)"], "random.randint": ["5", "0, 5", "0, 5, (2, 3)", "0, 5, size=3", "", "5, size=(2,)", "5, 0"], "random.uniform": ["", "0, 1", "0, 1, (2, 3)", "size=3", "0, 1, 2, 3"], "random.normal": ["", "0, 1", "0, 1, (2, 3)", "size=(3,)", "loc=0, scale=2, size=4"], "random.choice": ["5", "v", "v, 2", "5, size=3, replace=False", "v, (2, 2)"], "random.permutation": ["5", "v", "a"], "random.seed": ["0", ""], "random.random": ["", "3", "(2, 3)", "size=4"], "random.standard_normal": ["3", "(2, 3)"], "random.default_rng": ["0"],
}


def calls():
    """Every call, once, in one order."""
    found = []
    for name, args in itertools.product(REDUCTIONS, OVER): found += [f"a.{name}({args})"]
    for name, lists in METHODS.items(): found += [f"a.{name}({args})" for args in lists]
    for name in "sort argsort repeat take max sum mean".split(): found += [f"v.{name}()", f"v.{name}(0)", f"v.{name}(1)"]
    found += [f"i.{name}({args})" for name in "sum mean std max prod var cumsum argmax".split() for args in ["", "0", "axis=1"]]
    found += [f"a.{name}" for line in NAMES for name in line.split()]
    found += OPERATORS
    for name in UNARY: found += [f"np.{name}({args})" for args in ["a", "v", "2.5", "[1, 2]", "", "a, a, a, a", "'a'", "None", "a, dtype=np.float32", "a, foo=1", "a, dim=0"]]
    for name in BINARY: found += [f"np.{name}({args})" for args in ["a, a", "a, 2", "2, a", "a, v", "a, [1, 2, 3]", "v, v", "a", "", "a, 'a'", "a, c", "a, [1, 2]", "2, 3", "a, None", "a, a.T", "[1, 2], [3, 4]"]]
    for name, args in itertools.product([*REDUCTIONS, "amax", "amin"], OVER): found += [f"np.{name}(a{', ' if args else ''}{args})"]
    for name, args in itertools.product(REDUCTIONS, ["[1, 2, 3]", "[[1, 2], [3, 4]], 0", "c, (0, 2)", "v", "3", "", "axis=0", "'a'", "[a, a], axis=0"]): found += [f"np.{name}({args})"]
    for name, lists in FUNCTIONS.items(): found += [f"np.{name}({args})" for args in lists]
    return list(dict.fromkeys(found))


# Arrays of several data types, beside those of HEAD.
TYPED_HEAD = HEAD + """f = np.ones((2, 3), dtype=np.float32)
h = np.ones((2, 3), dtype='float16')
u = np.zeros((2, 3), dtype=np.uint8)
"""
# How texts say a data type, and calls that take one.
TYPES = "bool int float np.bool_ np.int32 np.float32 np.float16 np.uint8 'float32' 'int8' 'f4' 'i8' np.dtype('int16') np.double np.single np.half np.intp np.int_ 'float' 'int' np.uint16 np.byte np.longlong None".split()
TYPED = """np.zeros((2, 3), %s)|np.ones(3, dtype=%s)|np.empty((2,), %s)|np.full((2,), 1, %s)|np.full((2,), 1.5, dtype=%s)|np.zeros_like(a, %s)|np.ones_like(f, dtype=%s)|np.full_like(f, 2, %s)|np.eye(3, dtype=%s)|np.identity(3, %s)|np.eye(3, 4, 0, %s)
np.arange(4, dtype=%s)|np.array([1, 0], %s)|np.asarray([1.5, 2], dtype=%s)|np.asarray(a, dtype=%s)|np.array(f, %s)|np.linspace(0, 1, 5, dtype=%s)|a.astype(%s)|i.astype(%s)|m.astype(%s)|a.sum(0, dtype=%s)|i.sum(0, dtype=%s)""".replace("\n", "|").split("|")
OF_ONE = """np.ones_like(%s)|np.full_like(%s, 2)|%s.sum(0)|%s.mean(0)|%s.std(0)|%s.max(0)|%s.cumsum(0)|%s.argmax(0)|%s.prod(0)|%s.any(0)|np.all(%s, 0)|np.sqrt(%s)|np.exp(%s)|np.log1p(%s)|np.abs(%s)|%s * 2|%s * 2.0|%s / 2|%s // 2|%s + True|np.where(m, %s, 0)|np.where(m, %s, 0.5)|np.median(%s, 0)
np.linalg.norm(%s, axis=0)|np.maximum(%s, 1)|np.minimum(%s, 0.5)|np.tril(%s)|np.concatenate([%s, i])|np.stack([%s, a])|np.isnan(%s)|np.clip(%s, 0, 1)|10000 ** (%s / 8)""".replace("\n", "|").split("|")
OF_TWO = "%s + %s|%s * %s|%s / %s|np.maximum(%s, %s)|np.where(m, %s, %s)|np.concatenate([%s, %s])|%s > %s|np.arctan2(%s, %s)|np.hypot(%s, %s)".split("|")


def typed_calls():
    """Every call whose data type is asked, once, in one order."""
    found = [call % each for each in TYPES for call in TYPED]
    found += [call % each for each in "afimhu" for call in OF_ONE]
    found += [call % pair for pair in itertools.product("afimhu", repeat=2) for call in OF_TWO]
    return list(dict.fromkeys(found))


def type_told(call):
    names = {}
    exec(TYPED_HEAD, names)
    try: return str(eval(call, names).dtype)
    except Exception: return "refused"


def told(value):
    """The shape of a result, a list of them, or the name of its class."""
    if value is None: return "None"
    if isinstance(value, (tuple, list)): return [told(each) for each in value]
    if isinstance(value, np.ndarray): return "x".join(map(str, value.shape)) or "()"
    if isinstance(value, (bool, int, float, np.generic)): return "()"
    return type(value).__name__


def answer(call):
    names = {}
    exec(HEAD, names)
    try: return told(eval(call, names))
    except Exception: return "refused"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    are_types = "types" in sys.argv
    every = next((int(each) for each in sys.argv[1:] if each.isdigit()), 1)
    asked = (typed_calls() if are_types else calls())[::every]
    answered = {call: type_told(call) if are_types else answer(call) for call in asked}
    print("{\n" + ",\n".join(f"  {json.dumps(call)}: {json.dumps(each)}" for call, each in answered.items()) + "\n}")
