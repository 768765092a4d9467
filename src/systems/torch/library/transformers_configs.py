# The configurations of Hugging Face's models as `transformers` 4.46 has them: each field with its
# default, and the other names under which some fields are read. What release 5 keeps elsewhere
# stands there as well: the rotary angles in `rope_parameters`, the kind of each layer in
# `layer_types`.
class PretrainedConfig:
    _defaults = {}
    _aliases = {}
    _derived = {}
    attribute_map = {}
    def _name_of(self, key):
        cls = type(self)
        return cls.attribute_map.get(key, cls._aliases.get(key, key))
    def __setattr__(self, key, value):
        object.__setattr__(self, self._name_of(key), value)
    def __getattr__(self, key):
        name = self._name_of(key)
        if name == key:
            raise AttributeError("'%s' object has no attribute '%s'" % (type(self).__name__, key))
        return getattr(self, name)
    def __init__(self, **options):
        for key, value in _common.items():
            setattr(self, key, value)
        for key, value in self._defaults.items():
            setattr(self, key, value)
        for key, value in options.items():
            setattr(self, key, value)
        self._settle()
        self.use_return_dict = self.return_dict
    def _settle(self):
        for key, rule in self._derived.items():
            if getattr(self, key, None) is None:
                setattr(self, key, rule(self))
        if getattr(self, "num_key_value_heads", 0) is None:
            self.num_key_value_heads = self.num_attention_heads
        if getattr(self, "head_dim", 0) is None:
            self.head_dim = self.hidden_size // self.num_attention_heads
        if getattr(self, "num_decoder_layers", 0) is None:
            self.num_decoder_layers = self.num_layers
        self._settle_rotary()
        if getattr(self, "layer_types", None) is None and getattr(self, "num_hidden_layers", None) is not None:
            window = getattr(self, "sliding_window", None) if getattr(self, "use_sliding_window", True) else None
            first = getattr(self, "max_window_layers", 0)
            self.layer_types = [
                "sliding_attention" if window is not None and i >= first else "full_attention"
                for i in range(self.num_hidden_layers)
            ]
    def _settle_rotary(self):
        theta = getattr(self, "rope_theta", None)
        if getattr(self, "rope_parameters", None) is None and theta is not None:
            self.rope_parameters = {"rope_type": "default", "rope_theta": theta}
            if getattr(self, "partial_rotary_factor", None) is not None:
                self.rope_parameters["partial_rotary_factor"] = self.partial_rotary_factor
        elif getattr(self, "rope_parameters", None) is not None and theta is None:
            self.rope_theta = self.rope_parameters.get("rope_theta")
    def to_dict(self):
        return dict(self.__dict__)

_common = dict(
    return_dict=True, output_hidden_states=False, output_attentions=False, torchscript=False, use_bfloat16=False,
    pruned_heads={}, tie_word_embeddings=True, chunk_size_feed_forward=0, is_encoder_decoder=False, is_decoder=False,
    add_cross_attention=False, cross_attention_hidden_size=None, tie_encoder_decoder=False, problem_type=None,
    num_labels=2, pad_token_id=None, bos_token_id=None, eos_token_id=None, use_cache=True, gradient_checkpointing=False,
    torch_dtype=None, name_or_path="", model_type="", _attn_implementation="sdpa",
)

PreTrainedConfig = PretrainedConfig

def _config(aliases=None, rules=None, **defaults):
    class Config(PretrainedConfig):
        _defaults = defaults
        _aliases = aliases or {}
        _derived = rules or {}
    return Config

LlamaConfig = _config(
    model_type="llama", vocab_size=32000, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="silu", max_position_embeddings=2048,
    initializer_range=0.02, rms_norm_eps=1e-6, bos_token_id=1, eos_token_id=2, pretraining_tp=1,
    tie_word_embeddings=False, rope_theta=10000.0, rope_scaling=None, attention_bias=False, attention_dropout=0.0,
    mlp_bias=False, head_dim=None,
)
MistralConfig = _config(
    model_type="mistral", vocab_size=32000, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=8, head_dim=None, hidden_act="silu", max_position_embeddings=131072,
    initializer_range=0.02, rms_norm_eps=1e-6, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False,
    rope_theta=10000.0, sliding_window=4096, attention_dropout=0.0,
)
MixtralConfig = _config(
    model_type="mixtral", vocab_size=32000, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=8, hidden_act="silu", max_position_embeddings=131072,
    initializer_range=0.02, rms_norm_eps=1e-5, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False,
    rope_theta=1000000.0, sliding_window=None, attention_dropout=0.0, num_experts_per_tok=2, num_local_experts=8,
    output_router_logits=False, router_aux_loss_coef=0.001, router_jitter_noise=0.0,
)
class Qwen2Config(PretrainedConfig):
    _defaults = dict(
        model_type="qwen2", vocab_size=151936, hidden_size=4096, intermediate_size=22016, num_hidden_layers=32,
        num_attention_heads=32, num_key_value_heads=32, hidden_act="silu", max_position_embeddings=32768,
        initializer_range=0.02, rms_norm_eps=1e-6, tie_word_embeddings=False, rope_theta=10000.0, rope_scaling=None,
        use_sliding_window=False, sliding_window=4096, max_window_layers=28, attention_dropout=0.0,
    )
    def _settle(self):
        super()._settle()
        if not self.use_sliding_window:
            self.sliding_window = None
GemmaConfig = _config(
    model_type="gemma", vocab_size=256000, hidden_size=3072, intermediate_size=24576, num_hidden_layers=28,
    num_attention_heads=16, num_key_value_heads=16, head_dim=256, hidden_act="gelu_pytorch_tanh",
    hidden_activation=None, max_position_embeddings=8192, initializer_range=0.02, rms_norm_eps=1e-6, pad_token_id=0,
    eos_token_id=1, bos_token_id=2, rope_theta=10000.0, attention_bias=False, attention_dropout=0.0,
)
PhiConfig = _config(
    model_type="phi", vocab_size=51200, hidden_size=2048, intermediate_size=8192, num_hidden_layers=24,
    num_attention_heads=32, num_key_value_heads=None, resid_pdrop=0.0, embd_pdrop=0.0, attention_dropout=0.0,
    hidden_act="gelu_new", max_position_embeddings=2048, initializer_range=0.02, layer_norm_eps=1e-5,
    tie_word_embeddings=False, rope_theta=10000.0, rope_scaling=None, partial_rotary_factor=0.5, qk_layernorm=False,
    bos_token_id=1, eos_token_id=2,
)
GPTNeoXConfig = _config(
    model_type="gpt_neox", vocab_size=50432, hidden_size=6144, num_hidden_layers=44, num_attention_heads=64,
    intermediate_size=24576, hidden_act="gelu", rotary_pct=0.25, rotary_emb_base=10000, attention_dropout=0.0,
    hidden_dropout=0.0, classifier_dropout=0.1, max_position_embeddings=2048, initializer_range=0.02,
    layer_norm_eps=1e-5, bos_token_id=0, eos_token_id=2, tie_word_embeddings=False, use_parallel_residual=True,
    rope_scaling=None, attention_bias=True, partial_rotary_factor=0.25, rope_theta=10000,
)
GPT2Config = _config(
    dict(hidden_size="n_embd", max_position_embeddings="n_positions", num_attention_heads="n_head", num_hidden_layers="n_layer"),
    model_type="gpt2", vocab_size=50257, n_positions=1024, n_embd=768, n_layer=12, n_head=12, n_inner=None,
    activation_function="gelu_new", resid_pdrop=0.1, embd_pdrop=0.1, attn_pdrop=0.1, layer_norm_epsilon=1e-5,
    initializer_range=0.02, summary_type="cls_index", summary_use_proj=True, summary_activation=None,
    summary_proj_to_labels=True, summary_first_dropout=0.1, scale_attn_weights=True, bos_token_id=50256,
    eos_token_id=50256, scale_attn_by_inverse_layer_idx=False, reorder_and_upcast_attn=False,
)
_bert = dict(
    hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, hidden_act="gelu",
    hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1, max_position_embeddings=512, type_vocab_size=2,
    initializer_range=0.02, layer_norm_eps=1e-12, position_embedding_type="absolute", classifier_dropout=None,
)
BertConfig = _config(model_type="bert", vocab_size=30522, pad_token_id=0, **_bert)
RobertaConfig = _config(model_type="roberta", vocab_size=50265, pad_token_id=1, bos_token_id=0, eos_token_id=2, **_bert)
DistilBertConfig = _config(
    dict(hidden_size="dim", num_attention_heads="n_heads", num_hidden_layers="n_layers"),
    model_type="distilbert", vocab_size=30522, max_position_embeddings=512, sinusoidal_pos_embds=False, n_layers=6,
    n_heads=12, dim=768, hidden_dim=3072, dropout=0.1, attention_dropout=0.1, activation="gelu",
    initializer_range=0.02, qa_dropout=0.1, seq_classif_dropout=0.2, pad_token_id=0,
)
_vit = dict(
    hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, hidden_act="gelu",
    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, initializer_range=0.02, layer_norm_eps=1e-12,
    image_size=224, patch_size=16, num_channels=3, qkv_bias=True, encoder_stride=16, pooler_act="tanh",
    rules=dict(pooler_output_size=lambda config: config.hidden_size),
)
ViTConfig = _config(model_type="vit", **_vit)
DeiTConfig = _config(model_type="deit", **_vit)
CLIPTextConfig = _config(
    model_type="clip_text_model", vocab_size=49408, hidden_size=512, intermediate_size=2048, projection_dim=512,
    num_hidden_layers=12, num_attention_heads=8, max_position_embeddings=77, hidden_act="quick_gelu",
    layer_norm_eps=1e-5, attention_dropout=0.0, initializer_range=0.02, initializer_factor=1.0, pad_token_id=1,
    bos_token_id=49406, eos_token_id=49407,
)
CLIPVisionConfig = _config(
    model_type="clip_vision_model", hidden_size=768, intermediate_size=3072, projection_dim=512, num_hidden_layers=12,
    num_attention_heads=12, num_channels=3, image_size=224, patch_size=32, hidden_act="quick_gelu",
    layer_norm_eps=1e-5, attention_dropout=0.0, initializer_range=0.02, initializer_factor=1.0,
)
class T5Config(PretrainedConfig):
    _aliases = dict(hidden_size="d_model", num_attention_heads="num_heads", num_hidden_layers="num_layers", head_dim="d_kv")
    _defaults = dict(
        model_type="t5", vocab_size=32128, d_model=512, d_kv=64, d_ff=2048, num_layers=6, num_decoder_layers=None,
        num_heads=8, relative_attention_num_buckets=32, relative_attention_max_distance=128, dropout_rate=0.1,
        layer_norm_epsilon=1e-6, initializer_factor=1.0, feed_forward_proj="relu", is_encoder_decoder=True,
        pad_token_id=0, eos_token_id=1, classifier_dropout=0.0,
    )
    def _settle(self):
        super()._settle()
        parts = self.feed_forward_proj.split("-")
        self.scale_decoder_outputs = self.tie_word_embeddings is not False
        self.is_gated_act = parts[0] == "gated"
        self.dense_act_fn = "gelu_new" if self.feed_forward_proj == "gated-gelu" else parts[-1]
