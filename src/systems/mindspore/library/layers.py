# Layers of `mindspore.nn` by the signatures of 2.10, as the primitives that it compiles them to.
import mindspore._function_primitives as P
from mindspore import Parameter, nn, ops
from mindspore._training import has_open_sizes, open_size
from mindspore.common.initializer import initializer

def _sized(layer, name, size):
    return open_size(layer, name) if size is None else size

# Words of other modules, which no Cell has.
_no_words_of_cells = "type float half double bfloat16 eval train cuda cpu forward modules children parameters npu".split()

class CellDict(nn.Cell):
    def __init__(self, *args, **kwargs):
        super().__init__()
        if len(args) > 0:
            self.update(args[0])
    def update(self, cells):
        if not hasattr(cells, "__iter__"):
            raise TypeError(f"CellDict.update() should be called with an iterable of key-value pairs, but got {type(cells).__name__}")
        for name, cell in cells.items() if hasattr(cells, "items") else cells:
            self[name] = cell
    def __setitem__(self, name, cell):
        if not isinstance(name, str):
            raise TypeError(f"For 'CellDict', the type of key should be string but got {type(name).__name__}.")
        if name not in self and name not in _no_words_of_cells and hasattr(self, name):
            raise KeyError(f"For 'CellDict', the key can not be same with the attributes of Cell, but got key {name}.")
        if name == "" or "." in name:
            raise KeyError(f"For 'CellDict', key can not be empty or contain \".\", but got key {name}")
        if cell is None:
            raise TypeError("For 'CellDict', cell can not be None.")
        if not isinstance(cell, nn.Cell):
            raise TypeError(f"For 'CellDict', the type of cell should be Cell, but got {type(cell).__name__}.")
        if isinstance(cell, (CellDict, nn.CellList, nn.SequentialCell)):
            raise TypeError(f"For 'CellDict', the type of cell can not be CellDict, CellList or SequentialCell, but got {type(cell).__name__}.")
        setattr(self, name, cell)
    def __getitem__(self, name):
        return self._cells[name]
    def get(self, name, default=None):
        return self[name] if name in self else default
    def __delitem__(self, name):
        if name not in self:
            raise KeyError(name)
        delattr(self, name)
    def pop(self, name):
        cell = self[name]
        del self[name]
        return cell
    def clear(self):
        for name in list(self._cells):
            del self[name]
    def __len__(self):
        return len(self._cells)
    def __iter__(self):
        return iter(self._cells)
    def __contains__(self, name):
        return name in self._cells
    def keys(self):
        return list(self._cells)
    def values(self):
        return list(self._cells.values())
    def items(self):
        return list(self._cells.items())

class GELU(nn.Cell):
    def __init__(self, approximate=True):
        super().__init__()
        self.approximate = "tanh" if approximate else "none"
    def construct(self, x):
        return ops.gelu(x, approximate=self.approximate)

class Flatten(nn.Cell):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim
    def construct(self, x):
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)

class AdaptiveAvgPool2d(nn.Cell):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size
    def construct(self, input):
        return ops.adaptive_avg_pool2d(input, self.output_size)

class AdaptiveMaxPool2d(nn.Cell):
    def __init__(self, output_size, return_indices=False):
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices
    def construct(self, input):
        return ops.adaptive_max_pool2d(input, self.output_size, self.return_indices)

class Upsample(nn.Cell):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size, self.scale_factor, self.mode = size, scale_factor, mode
        self.align_corners, self.recompute_scale_factor = align_corners, recompute_scale_factor
    def construct(self, x):
        return ops.interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor)

class LogSigmoid(nn.Cell):
    def __init__(self):
        super().__init__()
        self.mul, self.exp, self.add, self.rec, self.log = P.Mul(), P.Exp(), P.Add(), P.Reciprocal(), P.Log()
    def construct(self, input_x):
        return self.log(self.rec(self.add(self.exp(self.mul(input_x, -1)), 1)))

class Softmin(nn.Cell):
    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis
    def construct(self, x):
        return P.Softmax(self.axis)(P.Muls()(x, -1))

class LeakyReLU(nn.Cell):
    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = alpha
    def construct(self, x):
        return ops.leaky_relu(x, self.alpha)

class Tanhshrink(nn.Cell):
    def construct(self, x):
        return ops.tanhshrink(x)

class Hardtanh(nn.Cell):
    def __init__(self, min_val=-1.0, max_val=1.0):
        super().__init__()
        if min_val >= max_val:
            raise ValueError(f"For Hardtanh, min_val should be less than max_val, but got {min_val} and {max_val}")
        self.min_val, self.max_val = min_val, max_val
    def construct(self, x):
        return ops.hardtanh(x, self.min_val, self.max_val)

class GLU(nn.Cell):
    def __init__(self, axis=-1):
        super().__init__()
        self.dim = axis
        self.spilt, self.sigmoid = P.Split(axis, 2), P.Sigmoid()
    def construct(self, x):
        value, gate = self.spilt(x)
        return P.Mul()(value, self.sigmoid(gate))

class Identity(nn.Cell):
    def __init__(self, *args, **kwargs):
        super().__init__()
    def construct(self, input):
        return input

class Dropout(nn.Cell):
    def __init__(self, keep_prob=0.5, p=None, dtype=None):
        super().__init__()
        if p is None and (keep_prob <= 0 or keep_prob > 1):
            raise ValueError(f"For 'Dropout', the 'keep_prob' must be a number in range (0, 1], but got {keep_prob}.")
        if p is not None and (p < 0 or p >= 1):
            raise ValueError(f"For 'Dropout', the 'p' must be a number in range [0, 1), but got {p}.")
        self.p, self.keep_prob = p, keep_prob
        self.dropout = P.Dropout(keep_prob if p is None else 1.0 - p)
    def construct(self, x):
        if self.keep_prob == 1 or self.p == 0:
            return x
        return self.dropout(x)[0]

class Linear(nn.Cell):
    def __init__(self, in_features=None, out_features=None, bias=True, weight_init=None, bias_init=None, dtype=None):
        super().__init__()
        in_features, out_features = _sized("Linear", "in_features", in_features), _sized("Linear", "out_features", out_features)
        self.in_features, self.out_features, self.has_bias = in_features, out_features, bias
        self.dense = P.Dense()
        self.weight = Parameter(initializer("normal", (out_features, in_features), dtype), name="weight")
        self.bias = Parameter(initializer("zeros", (out_features,), dtype), name="bias") if bias else None
    def construct(self, x):
        return self.dense(x, self.weight) if self.bias is None else self.dense(x, self.weight, self.bias)

class Embedding(nn.Cell):
    def __init__(self, vocab_size=None, embedding_size=None, use_one_hot=False, embedding_table="normal", dtype="float32", padding_idx=None):
        super().__init__()
        vocab_size, embedding_size = _sized("Embedding", "vocab_size", vocab_size), _sized("Embedding", "embedding_size", embedding_size)
        self.vocab_size, self.embedding_size, self.use_one_hot = vocab_size, embedding_size, use_one_hot
        self.embedding_table = Parameter(initializer(embedding_table, (vocab_size, embedding_size), dtype), name="embedding_table")
        self.gather, self.one_hot, self.array_mul = P.Gather(), P.OneHot(), P.MatMul()
        self.reshape_flat, self.reshape = P.Reshape(), P.Reshape()
    def construct(self, ids):
        if has_open_sizes(ids) and not self.use_one_hot:
            return self.gather(self.embedding_table, ids, 0)
        flat = self.reshape_flat(ids, (-1,))
        if self.use_one_hot:
            found = self.array_mul(self.one_hot(flat, self.vocab_size, 1.0, 0.0), self.embedding_table)
        else:
            found = self.gather(self.embedding_table, flat, 0)
        return self.reshape(found, tuple(ids.shape) + (self.embedding_table.shape[-1],))

def _padded(pad_mode, x, rank):
    return pad_mode not in ("valid", "same", "VALID", "SAME") or x.ndim != rank

class MaxPool2d(nn.Cell):
    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False, ceil_mode=False, data_format="NCHW"):
        super().__init__()
        self.pad_mode = pad_mode
        self.max_pool = P.MaxPool(kernel_size, stride, pad_mode, data_format)
    def construct(self, x):
        return P.MaxPool3DWithArgmax()(x) if _padded(self.pad_mode, x, 4) else self.max_pool(x)

class AvgPool2d(nn.Cell):
    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True, divisor_override=None, data_format="NCHW"):
        super().__init__()
        self.pad_mode = pad_mode
        self.avg_pool = P.AvgPool(kernel_size, stride, pad_mode, data_format)
    def construct(self, x):
        return P.AvgPool3DOfPadded()(x) if _padded(self.pad_mode, x, 4) else self.avg_pool(x)

class MaxPool1d(nn.Cell):
    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False, ceil_mode=False):
        super().__init__()
        self.pad_mode = pad_mode
        self.max_pool = P.MaxPool((1, kernel_size), (1, stride), pad_mode)
        self.expand, self.squeeze = P.ExpandDims(), P.Squeeze(2)
    def construct(self, x):
        if _padded(self.pad_mode, x, 3):
            return P.MaxPool3DWithArgmax()(x)
        return self.squeeze(self.max_pool(self.expand(x, 2)))

class AvgPool1d(nn.Cell):
    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True):
        super().__init__()
        self.pad_mode = pad_mode
        self.avg_pool = P.AvgPool((1, kernel_size), (1, stride), pad_mode)
        self.expand, self.squeeze = P.ExpandDims(), P.Squeeze(2)
    def construct(self, x):
        if _padded(self.pad_mode, x, 3):
            return P.AvgPool3DOfPadded()(x)
        return self.squeeze(self.avg_pool(self.expand(x, 2)))
