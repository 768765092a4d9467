# Operators of `torch.ops.aten` of which no function of torch has the schema, by that of
# native_functions.yaml. What they change in place, and what the backward pass alone calls, is not here.
def alias(self):
    return self

lift_fresh = lift_fresh_copy = _conj = resolve_conj = resolve_neg = alias

def contiguous(self, *, memory_format=None):
    return self

def view(self, size):
    return self.view(*size)

_unsafe_view = view_copy = _reshape_copy = view

def expand(self, size, *, implicit=False):
    return self.expand(*size)

expand_copy = expand

def repeat(self, repeats):
    return self.repeat(*repeats)

def unfold(self, dimension, size, step):
    return self.unfold(dimension, size, step)

def _to_copy(self, *, dtype=None, **options):
    return self if dtype is None else self.to(dtype)

def to(self, *args, **options):
    return self.to(*args, **options)

def copy(self, src, non_blocking=False):
    return src.to(self.dtype).expand(*self.shape)

def slice_(self, dim=0, start=None, end=None, step=1):
    at = dim % self.dim()
    end = None if end is None or end >= self.shape[at] else end
    return self[(slice(None),) * at + (slice(start, end, step),)]

slice_copy = slice_

def index(self, indices):
    return self[tuple(slice(None) if each is None else each for each in indices)]

def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False):
    return F.embedding(indices, weight)

def new_empty(self, size, *, dtype=None, **options):
    return self.new_empty(size, dtype=dtype)

def new_empty_strided(self, size, stride, *, dtype=None, **options):
    return self.new_empty(size, dtype=dtype)

def new_zeros(self, size, *, dtype=None, **options):
    return self.new_zeros(size, dtype=dtype)

def new_ones(self, size, *, dtype=None, **options):
    return self.new_ones(size, dtype=dtype)

def new_full(self, size, fill_value, *, dtype=None, **options):
    return self.new_full(size, fill_value, dtype=dtype)

def _softmax(self, dim, half_to_float):
    return torch.softmax(self, dim, dtype=torch.float32 if half_to_float else None)

def _log_softmax(self, dim, half_to_float):
    return torch.log_softmax(self, dim, dtype=torch.float32 if half_to_float else None)

def _safe_softmax(self, dim, dtype=None):
    return torch.softmax(self, dim, dtype=dtype)

def native_layer_norm(input, normalized_shape, weight, bias, eps):
    kept = list(input.shape)[: input.dim() - len(normalized_shape)] + [1] * len(normalized_shape)
    made = F.layer_norm(input, normalized_shape, weight, bias, eps)
    return made, _shaped("layer_norm_mean", kept, input), _shaped("layer_norm_rstd", kept, input)

def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    made = F.group_norm(input, group, weight, bias, eps)
    return made, _shaped("group_norm_mean", [N, group], input), _shaped("group_norm_rstd", [N, group], input)

def _native_batch_norm_legit_no_training(input, weight, bias, running_mean, running_var, momentum, eps):
    made = F.batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    return made, torch.empty(0), torch.empty(0)

def batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled):
    return F.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)

def instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled):
    return F.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)

def native_dropout(input, p, train):
    return F.dropout(input, p, train is not False), torch.empty_like(input, dtype=torch.bool)

def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    dims = input.dim() - 2
    if transposed:
        run = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[dims - 1]
        return run(input, weight, bias, stride, padding, output_padding, groups, dilation)
    return (F.conv1d, F.conv2d, F.conv3d)[dims - 1](input, weight, bias, stride, padding, dilation, groups)

def max_pool2d_with_indices(self, kernel_size, stride=(), padding=0, dilation=1, ceil_mode=False):
    made = F.max_pool2d(self, kernel_size, stride or kernel_size, padding, dilation, ceil_mode)
    return made, _shaped("max_pool2d_indices", list(made.shape), self)

def _adaptive_avg_pool2d(self, output_size):
    return F.adaptive_avg_pool2d(self, output_size)

def constant_pad_nd(self, pad, value=0):
    return F.pad(self, pad, "constant", value)

def reflection_pad1d(self, padding):
    return F.pad(self, padding, "reflect")

reflection_pad2d = reflection_pad3d = reflection_pad1d

def replication_pad1d(self, padding):
    return F.pad(self, padding, "replicate")

replication_pad2d = replication_pad3d = replication_pad1d

def elu(self, alpha=1, scale=1, input_scale=1):
    return F.elu(self, alpha) if scale == 1 and input_scale == 1 else _each("elu", self)

def sym_size(self, dim):
    return self.shape[dim]

def sym_numel(self):
    return self.numel()

# Reductions of losses are numbers here.
_reductions = ("none", "mean", "sum")

def cross_entropy_loss(self, target, weight=None, reduction=1, ignore_index=-100, label_smoothing=0.0):
    return F.cross_entropy(self, target, weight, ignore_index=ignore_index, reduction=_reductions[reduction], label_smoothing=label_smoothing)

def nll_loss(self, target, weight=None, reduction=1, ignore_index=-100):
    return F.nll_loss(self, target, weight, ignore_index=ignore_index, reduction=_reductions[reduction])

def nll_loss_forward(self, target, weight, reduction, ignore_index):
    return nll_loss(self, target, weight, reduction, ignore_index), _shaped("nll_loss_weight", [], target)

def mse_loss(self, target, reduction=1):
    return F.mse_loss(self, target, reduction=_reductions[reduction])

def l1_loss(self, target, reduction=1):
    return F.l1_loss(self, target, reduction=_reductions[reduction])

def _attended(query, key, value, mask, dropout_p, is_causal, scale):
    return F.scaled_dot_product_attention(query, key, value, mask, dropout_p, is_causal, scale=scale)

def _scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None):
    made = _attended(query, key, value, attn_mask, dropout_p, is_causal, scale)
    return made, _shaped("attention_logsumexp", list(query.shape)[:3], query)

def _assert_tensor_metadata(*args, **options):
    return None

_assert_async = _assert_scalar = sym_constrain_range_for_size = sym_constrain_range = _assert_tensor_metadata
