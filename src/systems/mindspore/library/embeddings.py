# Tables of `mindspore.nn` that are laid over all devices by a word, as 2.10 compiles them.
import mindspore._function_primitives as P
from mindspore import Parameter, context, nn
from mindspore.common.initializer import initializer

def _devices():
    """How many devices there are, where the context has a mode with strategies when a layer is made."""
    mode = context.get_auto_parallel_context("parallel_mode")
    return context.get_auto_parallel_context("device_num") if mode in ("semi_auto_parallel", "auto_parallel") else None

def _is_full_batch():
    return context.get_auto_parallel_context("full_batch") or context.get_auto_parallel_context("dataset_strategy") == "full_batch"

class EmbeddingLookup(nn.Cell):
    BATCH_SLICE, FIELD_SLICE = "batch_slice", "field_slice"
    TABLE_ROW_SLICE, TABLE_COLUMN_SLICE = "table_row_slice", "table_column_slice"
    def __init__(self, vocab_size, embedding_size, param_init="normal", target="CPU", slice_mode="batch_slice", manual_shapes=None, max_norm=None, sparse=True, dtype="float32"):
        super().__init__()
        if target not in ("CPU", "DEVICE"):
            raise ValueError(f"For 'EmbeddingLookup', the 'target' must be 'CPU' or 'DEVICE', but got {target}.")
        if not sparse and target == "CPU":
            raise ValueError("For 'EmbeddingLookup', 'sparse' must be True when 'target' is \"CPU\"")
        self.target, self.embedding_size, self.max_norm = target, embedding_size, max_norm
        self.gatherv2 = P.SparseGatherV2() if sparse else P.Gather()
        self.embeddinglookup = P.EmbeddingLookup().set_device("CPU")
        self.embedding_table = Parameter(initializer(param_init, (vocab_size, embedding_size), dtype), name="embedding_table")
        self.is_unique = False
        count = _devices()
        if count is not None:
            self._lay(slice_mode, manual_shapes, count)
    def _lay(self, slice_mode, manual_shapes, count):
        strategies = {"field_slice": ((count, 1), (1, count)), "table_row_slice": ((count, 1), (1, 1)), "table_column_slice": ((1, count), (1, 1)), "batch_slice": ((1, 1), (count, 1))}
        if slice_mode not in strategies:
            raise ValueError(f"For 'EmbeddingLookup', the 'slice_mode' must be in {list(strategies)}, but got {slice_mode}.")
        if slice_mode == "field_slice":
            if not manual_shapes:
                raise ValueError("For 'EmbeddingLookup', the 'manual_shapes' should not be none when the 'slice_mode' is field_slice")
            if not isinstance(manual_shapes, tuple):
                raise TypeError("For 'EmbeddingLookup', the type of 'manual_shapes' must be tuple(int)")
            self.gatherv2.add_prim_attr("manual_split", manual_shapes)
            self.embeddinglookup.add_prim_attr("manual_split", manual_shapes)
        on_device = self.target == "DEVICE"
        self.is_unique = on_device and (slice_mode == "table_column_slice" or (slice_mode == "table_row_slice" and not _is_full_batch()))
        self.gatherv2.shard(strategies[slice_mode])
        self.embeddinglookup.shard(strategies[slice_mode])
    def _found(self, indices):
        # Without repeats there are as many rows as the values of the indices say.
        if self.is_unique or self.max_norm is not None:
            return P.unread("EmbeddingLookup")
        if self.target == "CPU":
            return self.embeddinglookup(self.embedding_table, indices, 0)
        return self.gatherv2(self.embedding_table, indices, 0)
    def construct(self, indices):
        return self._found(indices)

class MultiFieldEmbeddingLookup(EmbeddingLookup):
    OPERATOR_SUM, OPERATOR_MEAN, OPERATOR_MAX = "SUM", "MEAN", "MAX"
    def __init__(self, vocab_size, embedding_size, field_size, param_init="normal", target="CPU", slice_mode="batch_slice", feature_num_list=None, max_norm=None, sparse=True, operator="SUM", dtype="float32"):
        super().__init__(vocab_size, embedding_size, param_init, target, slice_mode, feature_num_list, max_norm, sparse, dtype)
        if operator not in ("SUM", "MAX", "MEAN"):
            raise ValueError(f"For 'MultiFieldEmbeddingLookup', the 'operator' must be in ['SUM', 'MAX', 'MEAN'], but got {operator}.")
        self.field_size, self.operator = field_size, operator
        self.bias_add, self.mul, self.abs, self.cast, self.reshape = P.Add(), P.Mul(), P.Abs(), P.Cast(), P.Reshape()
        self.merge_op = P.UnsortedSegmentMax() if operator == "MAX" else P.UnsortedSegmentSum()
        self.count_op, self.expand, self.div_no_nan = P.UnsortedSegmentSum(), P.ExpandDims(), P.DivNoNan()
        self.equal, self.inf_mask_mul, self.inf_add, self.max_mask_mul, self.max_no_equal = P.Equal(), P.Mul(), P.Add(), P.Mul(), P.NotEqual()
        count = _devices()
        if count is None:
            return
        if slice_mode == "field_slice":
            raise ValueError("For 'MultiFieldEmbeddingLookup', the 'slice_mode' must be in ['table_row_slice', 'batch_slice' and 'table_column_slice'], but got field_slice.")
        rows, columns = (1, count) if slice_mode == "table_column_slice" else (count, 1)
        is_max = operator == "MAX"
        self.merge_op.shard(((rows, columns), (rows,)) if is_max else ((rows, 1, columns), (rows, 1)))
        self.count_op.shard(((rows,), (rows,)) if is_max else ((rows, 1), (rows, 1)))
        self.bias_add.shard(((1, 1), (1, 1)))
        self.mul.shard(((rows, 1, 1), (rows, 1, columns)))
        self.expand.shard(((rows,),))
        self.div_no_nan.shard(((rows, columns), (rows, 1)))
        self.max_mask_mul.shard(((rows, columns), (rows, 1)))
        self.max_no_equal.shard(((1,), ()))
        self.equal.shard(((rows, 1, 1), ()))
        self.inf_mask_mul.shard(((rows, 1, 1), ()))
        self.inf_add.shard(((rows, 1, columns), (rows, 1, 1)))
    def construct(self, input_indices, input_values, field_ids):
        batch, width = input_indices.shape
        segments = batch * self.field_size
        field_ids = self.bias_add(field_ids, P.constant((batch, 1), "int32", None))
        out = self._found(input_indices)
        weights = self.reshape(input_values, (batch, width, 1))
        embedding = self.mul(weights, out)
        if self.operator == "MAX":
            padded = self.inf_mask_mul(self.cast(self.equal(weights, 0), "float32"), -3.4e38)
            embedding = self.reshape(self.inf_add(embedding, padded), (-1, self.embedding_size))
            field_ids = self.reshape(field_ids, (-1,))
        merged = self.merge_op(embedding, field_ids, segments)
        if self.operator == "MAX":
            counts = self.count_op(self.abs(self.reshape(input_values, (-1,))), field_ids, segments)
            merged = self.max_mask_mul(merged, self.expand(self.cast(self.max_no_equal(counts, 0.0), "float32"), -1))
        if self.operator == "MEAN":
            counts = self.expand(self.count_op(self.abs(input_values), field_ids, segments), -1)
            merged = self.div_no_nan(merged, counts)
        return self.reshape(merged, (batch, self.field_size, -1))
