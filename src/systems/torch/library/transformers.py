# What the models of Hugging Face share, by `transformers` 4.46: activations, outputs, caches, masks.
import torch
from torch import nn
import torch.nn.functional as F

class _Activation(nn.Module):
    def __init__(self, *args, **options):
        super().__init__()

class NewGELUActivation(_Activation):
    def forward(self, input):
        return F.gelu(input, approximate="tanh")

class GELUActivation(_Activation):
    def forward(self, input):
        return F.gelu(input)

class QuickGELUActivation(_Activation):
    def forward(self, input):
        return input * torch.sigmoid(1.702 * input)

class ReLUSquaredActivation(_Activation):
    def forward(self, input):
        return torch.square(F.relu(input))

class LaplaceActivation(nn.Module):
    def forward(self, input, mu=0.707107, sigma=0.282095):
        return 0.5 * (1.0 + torch.erf((input - mu) / (sigma * 2.0**0.5)))

class SqrtSoftplusActivation(_Activation):
    def forward(self, input):
        return torch.sqrt(F.softplus(input))

class XIELUActivation(_Activation):
    def __init__(self, alpha_p_init=0.8, alpha_n_init=0.8, beta=0.5, eps=-1e-6, **options):
        super().__init__()
        self.alpha_p, self.alpha_n = nn.Parameter(torch.ones(1)), nn.Parameter(torch.ones(1))
        self.beta, self.eps = beta, eps
    def forward(self, input):
        above, below = F.softplus(self.alpha_p), self.beta + F.softplus(self.alpha_n)
        line = self.beta * input
        bent = (torch.expm1(torch.clamp(input, max=self.eps)) - input) * below
        return torch.where(input > 0, above * input * input + line, bent + line)

FastGELUActivation = PytorchGELUTanh = GELUTanh = NewGELUActivation
SiLUActivation = nn.SiLU

_classes = {
    "gelu": GELUActivation, "gelu_10": GELUActivation, "gelu_fast": NewGELUActivation, "gelu_new": NewGELUActivation,
    "gelu_python": GELUActivation, "gelu_pytorch_tanh": NewGELUActivation, "gelu_accurate": NewGELUActivation,
    "leaky_relu": nn.LeakyReLU, "linear": nn.Identity, "mish": nn.Mish, "quick_gelu": QuickGELUActivation,
    "relu": nn.ReLU, "relu2": ReLUSquaredActivation, "relu6": nn.ReLU6, "sigmoid": nn.Sigmoid,
    "silu": nn.SiLU, "swish": nn.SiLU, "tanh": nn.Tanh, "prelu": nn.PReLU, "hardswish": nn.Hardswish,
    "laplace": LaplaceActivation, "sqrtsoftplus": SqrtSoftplusActivation, "xielu": XIELUActivation,
}

class ClassInstantier:
    def __getitem__(self, key):
        if key not in _classes:
            raise KeyError("function %s not found in ACT2FN mapping" % key)
        return _classes[key]()
    def __contains__(self, key):
        return key in _classes
    def keys(self):
        return _classes.keys()
    def get(self, key, otherwise=None):
        return self[key] if key in _classes else otherwise

ACT2FN = ClassInstantier()
ACT2CLS = _classes

gelu, gelu_new, gelu_fast = ACT2FN["gelu"], ACT2FN["gelu_new"], ACT2FN["gelu_fast"]
quick_gelu, silu, mish, linear_act = ACT2FN["quick_gelu"], ACT2FN["silu"], ACT2FN["mish"], ACT2FN["linear"]

def torch_int(value):
    return int(value)

torch_float = float

def is_flash_attention_requested(*args, **options):
    return False

def get_activation(name):
    return ACT2FN[name]

class _Initialization:
    def __getattr__(self, name):
        return lambda tensor, *args, **options: tensor

initialization = _Initialization()

class Conv1D(nn.Module):
    def __init__(self, nf, nx):
        super().__init__()
        self.nf, self.nx = nf, nx
        self.weight = nn.Parameter(torch.zeros(nx, nf))
        self.bias = nn.Parameter(torch.zeros(nf))
    def forward(self, x):
        return torch.matmul(x, self.weight) + self.bias

ALL_LAYERNORM_LAYERS = [nn.LayerNorm]

class GradientCheckpointingLayer(nn.Module):
    pass

class GenerationMixin:
    pass

def _reached(module, path):
    for name in path:
        module = getattr(module, name, None)
        if module is None:
            return None
    return module

class PreTrainedModel(nn.Module):
    base_model_prefix = ""
    _supports_sdpa = False
    def __init__(self, config=None, *args, **options):
        super().__init__()
        self.config = config
        if getattr(config, "_attn_implementation", "") == "sdpa" and not self._supports_sdpa:
            config._attn_implementation = "eager"
    @classmethod
    def _from_config(cls, config, **options):
        return cls(config)
    from_config = _from_config
    def post_init(self):
        self.tie_weights()
    def init_weights(self):
        self.tie_weights()
    def tie_weights(self):
        output = self.get_output_embeddings()
        if not getattr(self.config, "tie_word_embeddings", True):
            return
        if output is not None:
            output.weight = self.get_input_embeddings().weight
        keys = getattr(self, "_tied_weights_keys", None)
        for name, source in keys.items() if isinstance(keys, dict) else []:
            holder, shared = _reached(self, name.split(".")[:-1]), _reached(self, source.split("."))
            if holder is not None and shared is not None:
                setattr(holder, name.split(".")[-1], shared)
    @property
    def base_model(self):
        return getattr(self, self.base_model_prefix, self)
    @property
    def device(self):
        return torch.device("cpu")
    @property
    def dtype(self):
        return torch.float32
    def get_input_embeddings(self):
        return self.base_model.get_input_embeddings()
    def get_output_embeddings(self):
        return None
    def gradient_checkpointing_enable(self, gradient_checkpointing_kwargs=None, **options):
        from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
        for module in self.modules():
            if isinstance(module, GradientCheckpointingLayer):
                checkpoint_wrapper(module)
    activation_checkpointing_enable = gradient_checkpointing_enable
    def warn_if_padding_and_no_attention_mask(self, *args):
        return None
    def get_head_mask(self, head_mask, num_hidden_layers, is_attention_chunked=False):
        return [None] * num_hidden_layers
    def get_extended_attention_mask(self, attention_mask, input_shape, device=None, dtype=None):
        mask = attention_mask
        if mask.dim() == 3:
            mask = mask[:, None, :, :]
        else:
            mask = mask[:, None, None, :]
        return (1.0 - mask) * -1e9
    def invert_attention_mask(self, encoder_attention_mask):
        return self.get_extended_attention_mask(encoder_attention_mask, None)

class _Attention:
    def get_interface(self, name, default=None):
        return default if default is not None else sdpa_attention_forward
    def get(self, name, default=None):
        return self.get_interface(name, default)
    def __getitem__(self, name):
        return sdpa_attention_forward
    def __setitem__(self, name, function):
        pass
    def register(self, name, function):
        pass
    def __contains__(self, name):
        return True

ALL_ATTENTION_FUNCTIONS = _Attention()
AttentionInterface = _Attention

def sdpa_attention_forward(module, query, key, value, attention_mask=None, dropout=0.0, scaling=None, is_causal=None, **options):
    if hasattr(module, "num_key_value_groups"):
        n = module.num_key_value_groups
        if n > 1:
            key, value = key.repeat_interleave(n, dim=1), value.repeat_interleave(n, dim=1)
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=attention_mask)
    return out.transpose(1, 2).contiguous(), None

def create_causal_mask(*args, **options):
    return None

create_sliding_window_causal_mask = create_chunked_causal_mask = create_bidirectional_mask = create_causal_mask

def slice_logits_to_keep(hidden_states, logits_to_keep):
    if isinstance(logits_to_keep, int):
        return hidden_states[:, -logits_to_keep:, :]
    if logits_to_keep.ndim == 1:
        return hidden_states[:, logits_to_keep, :]
    return torch.take_along_dim(hidden_states, logits_to_keep[..., None], dim=1)

def apply_chunking_to_forward(forward_fn, chunk_size, chunk_dim, *inputs):
    return forward_fn(*inputs)

def find_pruneable_heads_and_indices(heads, *args):
    return set(), None

def use_kernel_forward_from_hub(*args, **options):
    return lambda target: target

use_kernelized_func = use_kernel_func_from_hub = use_kernel_forward_from_hub

def auto_docstring(target=None, **options):
    return target if target is not None else (lambda inner: inner)

can_return_tuple = check_model_inputs = merge_with_config_defaults = capture_outputs = use_experts_implementation = auto_docstring

def torch_compilable_check(condition, message=None, *args, **options):
    pass

def dynamic_rope_update(target):
    return target

def add_start_docstrings(*texts, **options):
    return lambda target: target

add_start_docstrings_to_model_forward = add_code_sample_docstrings = replace_return_docstrings = add_end_docstrings = add_start_docstrings

def deprecate_kwarg(*args, **options):
    return lambda target: target

class ModelOutput:
    __open_fields__ = True
    def __init__(self, *values, **options):
        for key, value in options.items():
            setattr(self, key, value)
        self._given = list(values) + list(options.values())
    @property
    def _values(self):
        return self.__dict__["_given"] if "_given" in self.__dict__ else list(self.__dict__.values())
    def __getitem__(self, key):
        return getattr(self, key) if isinstance(key, str) else self.to_tuple()[key]
    def __iter__(self):
        return iter(self.to_tuple())
    def __len__(self):
        return len(self.to_tuple())
    def to_tuple(self):
        return tuple(v for v in self._values if v is not None)

for _field in "loss logits last_hidden_state pooler_output past_key_values hidden_states attentions cross_attentions router_logits aux_loss z_loss image_hidden_states encoder_last_hidden_state".split():
    setattr(ModelOutput, _field, None)

BaseModelOutput = BaseModelOutputWithPast = BaseModelOutputWithPooling = CausalLMOutputWithPast = ModelOutput
BaseModelOutputWithPoolingAndCrossAttentions = BaseModelOutputWithPastAndCrossAttentions = ModelOutput
CausalLMOutputWithCrossAttentions = CausalLMOutput = MaskedLMOutput = SequenceClassifierOutput = ModelOutput
SequenceClassifierOutputWithPast = TokenClassifierOutput = QuestionAnsweringModelOutput = ImageClassifierOutput = ModelOutput
MoeModelOutputWithPast = MoeCausalLMOutputWithPast = Seq2SeqLMOutput = Seq2SeqModelOutput = NextSentencePredictorOutput = ModelOutput
MultipleChoiceModelOutput = MaskedImageModelingOutput = BackboneOutput = SemanticSegmenterOutput = ModelOutput
BaseModelOutputWithNoAttention = BaseModelOutputWithPoolingAndNoAttention = ImageClassifierOutputWithNoAttention = ModelOutput

def get_torch_version():
    return torch.__version__

def is_torch_available(*args):
    return True

def is_flash_attn_2_available(*args, **options):
    return False

is_flash_attn_available = is_flash_attn_3_available = is_flash_attn_2_available
is_scipy_available = is_accelerate_available = is_peft_available = is_kernels_available = is_flash_attn_2_available

is_torch_flex_attn_available = is_torch_xla_available = is_torchdynamo_compiling = is_flash_attn_2_available
is_flash_attn_greater_or_equal_2_10 = is_torch_fx_available = is_torch_fx_proxy = is_apex_available = is_flash_attn_2_available

is_ninja_available = is_torch_cuda_available = is_mambapy_available = is_mamba_ssm_available = is_flash_attn_2_available
is_causal_conv1d_available = is_deepspeed_zero3_enabled = is_timm_available = is_optimum_available = is_flash_attn_2_available
is_torch_greater_or_equal = is_torch_greater_or_equal_than_2_0 = is_torch_available

def prune_linear_layer(layer, index, dim=0):
    return layer

def prune_conv1d_layer(layer, index, dim=1):
    return layer

class Cache:
    def __init__(self, *args, **options):
        self.key_cache, self.value_cache = [], []
        self._seen_tokens = 0
    def update(self, key_states, value_states, layer_idx, cache_kwargs=None):
        if layer_idx == 0:
            self._seen_tokens += key_states.shape[-2]
        if len(self.key_cache) <= layer_idx:
            self.key_cache.append(key_states)
            self.value_cache.append(value_states)
        else:
            self.key_cache[layer_idx] = torch.cat([self.key_cache[layer_idx], key_states], dim=-2)
            self.value_cache[layer_idx] = torch.cat([self.value_cache[layer_idx], value_states], dim=-2)
        return self.key_cache[layer_idx], self.value_cache[layer_idx]
    def get_mask_sizes(self, query, layer_idx=0):
        length = query if isinstance(query, int) else query.shape[0]
        return length + self.get_seq_length(layer_idx), 0
    def __len__(self):
        return len(self.key_cache)
    def __getitem__(self, layer_idx):
        return self.key_cache[layer_idx], self.value_cache[layer_idx]
    def get_seq_length(self, layer_idx=0):
        return self._seen_tokens
    def get_max_length(self):
        return None
    get_max_cache_shape = get_max_length
    def get_usable_length(self, new_seq_length, layer_idx=0):
        return self._seen_tokens
    def to_legacy_cache(self):
        return tuple(zip(self.key_cache, self.value_cache))
    @classmethod
    def from_legacy_cache(cls, past_key_values=None):
        cache = cls()
        for at, (key, value) in enumerate(past_key_values or ()):
            cache.update(key, value, at)
        return cache

class DynamicCache(Cache):
    pass

class StaticCache(Cache):
    pass

class SlidingWindowCache(StaticCache):
    pass

class HybridCache(StaticCache):
    pass

class EncoderDecoderCache(Cache):
    pass

def _head_size(config, key):
    return getattr(config, key, None) or config.hidden_size // config.num_attention_heads

def _rotary_part(config, layer_type):
    settings = getattr(config, "rope_parameters", None)
    if isinstance(settings, dict) and layer_type is not None:
        settings = settings.get(layer_type, settings)
    part = settings.get("partial_rotary_factor") if isinstance(settings, dict) else None
    return part or getattr(config, "partial_rotary_factor", None) or 1.0

def _inverse_frequencies(config=None, device=None, seq_len=None, layer_type=None, head_dim_key="head_dim", **options):
    if config is None:
        size = options["dim"]
    else:
        size = int(_head_size(config, head_dim_key) * _rotary_part(config, layer_type))
    return torch.zeros(size // 2), 1.0

def _proportional(config, device=None, seq_len=None, layer_type=None, head_dim_key="head_dim", **options):
    return torch.zeros(_head_size(config, head_dim_key) // 2), 1.0

ROPE_INIT_FUNCTIONS = {name: _inverse_frequencies for name in ["default", "linear", "dynamic", "yarn", "longrope", "llama3"]}
ROPE_INIT_FUNCTIONS["proportional"] = _proportional

def _prepare_4d_attention_mask(mask, dtype, tgt_len=None):
    batch, src = mask.shape
    wide = mask[:, None, None, :].expand(batch, 1, src if tgt_len is None else tgt_len, src).to(dtype)
    return (1.0 - wide) * -1e9

_prepare_4d_attention_mask_for_sdpa = _prepare_4d_attention_mask

def _prepare_4d_causal_attention_mask(attention_mask, input_shape, inputs_embeds, past_key_values_length, sliding_window=None):
    batch, length = input_shape
    keys = length + past_key_values_length
    causal = torch.triu(torch.zeros(length, keys), diagonal=past_key_values_length + 1)
    causal = causal[None, None, :, :].expand(batch, 1, length, keys)
    if attention_mask is None or attention_mask.dim() == 4:
        return causal if attention_mask is None else attention_mask
    return causal + _prepare_4d_attention_mask(attention_mask, inputs_embeds.dtype, length)

def _prepare_4d_causal_attention_mask_for_sdpa(attention_mask, *args, **options):
    return None if attention_mask is None else _prepare_4d_causal_attention_mask(attention_mask, *args, **options)

class AttentionMaskConverter:
    @staticmethod
    def _ignore_causal_mask_sdpa(attention_mask, inputs_embeds=None, past_key_values_length=0, sliding_window=None, is_training=False):
        return attention_mask is None
    @staticmethod
    def _unmask_unattended(expanded_mask, min_dtype):
        return expanded_mask
