# Configurations of models as `transformers` 5 has them: each field with its default.
def _pattern(inner, every):
    return lambda c: [inner if (i + 1) % every else "full_attention" for i in range(c.num_hidden_layers)]

def _stages(c):
    return ["stem"] + ["stage%d" % i for i in range(1, c.num_hidden_layers + 1)]

def _stages_by_depth(c):
    return ["stem"] + ["stage%d" % i for i in range(1, len(c.depths) + 1)]

GptOssConfig = _config(
    dict(num_experts="num_local_experts"), rules=dict(layer_types=_pattern("sliding_attention", 2)),
    model_type="gpt_oss", num_hidden_layers=36, num_local_experts=128, vocab_size=201088, hidden_size=2880,
    intermediate_size=2880, head_dim=64, num_attention_heads=64, num_key_value_heads=8, sliding_window=128,
    tie_word_embeddings=False, hidden_act="silu", max_position_embeddings=131072,
    rms_norm_eps=1e-05, attention_dropout=0.0, num_experts_per_tok=4, swiglu_alpha=1.702, swiglu_limit=7.0,
    router_aux_loss_coef=0.001, output_router_logits=False, use_cache=True, layer_types=None, pad_token_id=None,
    bos_token_id=None, eos_token_id=None, attention_bias=True,
    rope_parameters={"rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False,
        "original_max_position_embeddings": 4096, "rope_theta": 150000.0},
)
Llama4TextConfig = _config(
    rules=dict(no_rope_layers=lambda c: [int((i + 1) % c.no_rope_layer_interval != 0) for i in range(c.num_hidden_layers)], moe_layers=lambda c: list(range(c.interleave_moe_layer_step - 1, c.num_hidden_layers, c.interleave_moe_layer_step)), layer_types=lambda c: ["chunked_attention" if each and c.attention_chunk_size is not None else "full_attention" for each in c.no_rope_layers]),
    model_type="llama4_text", vocab_size=202048, hidden_size=5120, intermediate_size=8192,
    intermediate_size_mlp=16384, num_hidden_layers=48, num_attention_heads=40, num_key_value_heads=8, head_dim=128,
    hidden_act="silu", max_position_embeddings=131072, rms_norm_eps=1e-05, use_cache=True,
    pad_token_id=None, bos_token_id=1, eos_token_id=2, tie_word_embeddings=False, attention_dropout=0.0,
    num_experts_per_tok=1, num_local_experts=16, moe_layers=None, interleave_moe_layer_step=1, use_qk_norm=True,
    output_router_logits=False, router_aux_loss_coef=0.001, router_jitter_noise=0.0, no_rope_layers=None,
    no_rope_layer_interval=4, attention_chunk_size=8192, layer_types=None, attn_temperature_tuning=True,
    floor_scale=8192, attn_scale=0.1, attention_bias=False, rope_theta=500000.0,
)
DeepseekV3Config = _config(
    dict(num_local_experts="n_routed_experts", num_mtp_layers="num_nextn_predict_layers"),
    rules=dict(qk_head_dim=lambda c: c.qk_nope_head_dim + c.qk_rope_head_dim, head_dim=lambda c: c.qk_rope_head_dim),
    model_type="deepseek_v3", vocab_size=129280, hidden_size=7168, intermediate_size=18432,
    moe_intermediate_size=2048, num_hidden_layers=61, num_attention_heads=128, num_key_value_heads=128,
    n_shared_experts=1, n_routed_experts=256, output_router_logits=False, routed_scaling_factor=2.5, kv_lora_rank=512,
    q_lora_rank=1536, qk_rope_head_dim=64, v_head_dim=128, qk_nope_head_dim=128, n_group=8, topk_group=4,
    num_experts_per_tok=8, first_k_dense_replace=3, norm_topk_prob=True, hidden_act="silu",
    max_position_embeddings=4096, rms_norm_eps=1e-06, use_cache=True, pad_token_id=None,
    bos_token_id=0, eos_token_id=1, pretraining_tp=1, tie_word_embeddings=False, rope_interleave=True,
    attention_bias=False, attention_dropout=0.0, num_nextn_predict_layers=1, rope_theta=10000.0,
)
DeepseekV2Config = _config(
    dict(num_experts="n_routed_experts"),
    rules=dict(qk_head_dim=lambda c: c.qk_nope_head_dim + c.qk_rope_head_dim, head_dim=lambda c: c.qk_rope_head_dim),
    model_type="deepseek_v2", vocab_size=102400, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="silu", max_position_embeddings=2048,
    initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, pad_token_id=None, bos_token_id=1, eos_token_id=2,
    pretraining_tp=1, tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0, mlp_bias=False,
    head_dim=None, first_k_dense_replace=0, kv_lora_rank=512, q_lora_rank=1536, n_group=None, n_routed_experts=64,
    output_router_logits=False, n_shared_experts=2, qk_nope_head_dim=128, qk_rope_head_dim=64,
    routed_scaling_factor=1.0, topk_group=None, topk_method="greedy", norm_topk_prob=False, v_head_dim=128,
    num_experts_per_tok=None, moe_intermediate_size=1407, rope_theta=10000.0,
)
Gemma3TextConfig = _config(
    rules=dict(layer_types=_pattern("sliding_attention", 6)), model_type="gemma3_text", vocab_size=262208,
    hidden_size=2304, intermediate_size=9216, num_hidden_layers=26, num_attention_heads=8, num_key_value_heads=4,
    head_dim=256, hidden_activation="gelu_pytorch_tanh", max_position_embeddings=131072,
    rms_norm_eps=1e-06, use_cache=True, pad_token_id=0, eos_token_id=1, bos_token_id=2, tie_word_embeddings=True,
    attention_bias=False, attention_dropout=0.0, query_pre_attn_scalar=256, sliding_window=4096, layer_types=None,
    final_logit_softcapping=None, attn_logit_softcapping=None, use_bidirectional_attention=False,
    rope_parameters={"sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        "full_attention": {"rope_type": "default", "rope_theta": 1000000.0}},
)
RwkvConfig = _config(
    dict(max_position_embeddings="context_length"),
    rules=dict(attention_hidden_size=lambda c: c.hidden_size, intermediate_size=lambda c: 4 * c.hidden_size),
    model_type="rwkv", vocab_size=50277, context_length=1024, hidden_size=4096, num_hidden_layers=32,
    attention_hidden_size=None, intermediate_size=None, layer_norm_epsilon=1e-05, bos_token_id=0, eos_token_id=0,
    rescale_every=6, tie_word_embeddings=False, use_cache=True,
)
SamVisionConfig = _config(
    rules=dict(mlp_dim=lambda c: int(c.hidden_size * c.mlp_ratio), scale=lambda c: c.hidden_size // 2),
    model_type="sam_vision_model", hidden_size=768, output_channels=256, num_hidden_layers=12, num_attention_heads=12,
    num_channels=3, image_size=1024, patch_size=16, hidden_act="gelu", layer_norm_eps=1e-06, attention_dropout=0.0,
    initializer_range=1e-10, qkv_bias=True, mlp_ratio=4.0, use_abs_pos=True, use_rel_pos=True, window_size=14,
    global_attn_indexes=(2, 5, 8, 11), num_pos_feats=128, mlp_dim=None,
)
DINOv3ViTConfig = _config(
    rules=dict(stage_names=_stages), model_type="dinov3_vit", patch_size=16, hidden_size=384, intermediate_size=1536,
    num_hidden_layers=12, num_attention_heads=6, hidden_act="gelu", attention_dropout=0.0,
    layer_norm_eps=1e-05, rope_theta=100.0, image_size=224, num_channels=3, query_bias=True, key_bias=False,
    value_bias=True, proj_bias=True, mlp_bias=True, layerscale_value=1.0, drop_path_rate=0.0, use_gated_mlp=False,
    num_register_tokens=0, pos_embed_shift=None, pos_embed_jitter=None, pos_embed_rescale=2.0, _out_features=None,
    _out_indices=None, apply_layernorm=True, reshape_hidden_states=True,
)
SiglipVisionConfig = _config(
    model_type="siglip_vision_model", hidden_size=768, intermediate_size=3072, num_hidden_layers=12,
    num_attention_heads=12, num_channels=3, image_size=224, patch_size=16, hidden_act="gelu_pytorch_tanh",
    layer_norm_eps=1e-06, attention_dropout=0.0, vision_use_head=True,
)
SiglipTextConfig = _config(
    rules=dict(projection_size=lambda c: c.hidden_size), model_type="siglip_text_model", vocab_size=32000,
    hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=64,
    hidden_act="gelu_pytorch_tanh", layer_norm_eps=1e-06, attention_dropout=0.0, pad_token_id=1, bos_token_id=49406,
    eos_token_id=49407, projection_size=None,
)
GlmConfig = _config(
    model_type="glm", vocab_size=151552, hidden_size=4096, intermediate_size=13696, num_hidden_layers=40,
    num_attention_heads=32, num_key_value_heads=2, head_dim=128, hidden_act="silu", attention_dropout=0.0,
    max_position_embeddings=131072, rms_norm_eps=1.5625e-07, use_cache=True,
    tie_word_embeddings=False, pad_token_id=151329, eos_token_id=[151329, 151336, 151338], bos_token_id=None,
    attention_bias=True, rope_theta=10000.0, partial_rotary_factor=0.5,
)
Glm4Config = _config(
    model_type="glm4", vocab_size=151552, hidden_size=4096, intermediate_size=13696, num_hidden_layers=40,
    num_attention_heads=32, num_key_value_heads=2, head_dim=128, hidden_act="silu", attention_dropout=0.0,
    max_position_embeddings=131072, rms_norm_eps=1.5625e-07, use_cache=True,
    tie_word_embeddings=False, pad_token_id=151329, eos_token_id=[151329, 151336, 151338], bos_token_id=None,
    attention_bias=True, rope_theta=10000.0, partial_rotary_factor=0.5,
)
Glm4MoeConfig = _config(
    dict(num_local_experts="n_routed_experts", num_mtp_layers="num_nextn_predict_layers"),
    model_type="glm4_moe", vocab_size=151552, hidden_size=4096, intermediate_size=10944, num_hidden_layers=46,
    num_attention_heads=96, num_key_value_heads=8, hidden_act="silu", max_position_embeddings=131072,
    initializer_range=0.02, rms_norm_eps=1e-05, use_cache=True, tie_word_embeddings=False, attention_bias=False,
    attention_dropout=0.0, moe_intermediate_size=1408, num_experts_per_tok=8, output_router_logits=False,
    n_shared_experts=1, n_routed_experts=128, routed_scaling_factor=1.0, n_group=1, topk_group=1,
    first_k_dense_replace=1, norm_topk_prob=True, use_qk_norm=False, bos_token_id=None, eos_token_id=None,
    pad_token_id=None, num_nextn_predict_layers=1, rope_theta=10000.0, partial_rotary_factor=0.5,
)
SmolLM3Config = _config(
    rules=dict(no_rope_layers=lambda c: [int((i + 1) % c.no_rope_layer_interval != 0) for i in range(c.num_hidden_layers)], layer_types=lambda c: ["sliding_attention" if c.use_sliding_window and c.sliding_window is not None and not each else "full_attention" for each in c.no_rope_layers]),
    model_type="smollm3", vocab_size=128256, hidden_size=2048, intermediate_size=11008, num_hidden_layers=36,
    num_attention_heads=16, num_key_value_heads=4, hidden_act="silu", max_position_embeddings=32768,
    initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, pad_token_id=128004, bos_token_id=128000,
    eos_token_id=128001, use_sliding_window=False, sliding_window=None, no_rope_layers=None, no_rope_layer_interval=4,
    layer_types=None, attention_bias=False, attention_dropout=0.0, mlp_bias=False, tie_word_embeddings=True,
    rope_theta=2000000.0,
)
Cohere2Config = _config(
    rules=dict(head_dim=lambda c: c.hidden_size // c.num_attention_heads, layer_types=_pattern("sliding_attention",
        4)),
    model_type="cohere2", vocab_size=256000, hidden_size=8192, intermediate_size=22528, logit_scale=0.0625,
    num_hidden_layers=40, num_attention_heads=64, num_key_value_heads=None, hidden_act="silu",
    max_position_embeddings=8192, layer_norm_eps=1e-05, use_cache=True, pad_token_id=0,
    bos_token_id=5, eos_token_id=255001, tie_word_embeddings=True, attention_bias=False, attention_dropout=0.0,
    sliding_window=4096, layer_types=None, rope_theta=10000.0,
)
OlmoeConfig = _config(
    dict(num_local_experts="num_experts"), model_type="olmoe", vocab_size=50304, hidden_size=2048,
    intermediate_size=2048, num_hidden_layers=16, num_attention_heads=16, num_key_value_heads=None, hidden_act="silu",
    max_position_embeddings=4096, rms_norm_eps=1e-05, use_cache=True, pad_token_id=1,
    bos_token_id=None, eos_token_id=50279, tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0,
    clip_qkv=None, num_experts_per_tok=8, num_experts=64, output_router_logits=False, router_aux_loss_coef=0.01,
    norm_topk_prob=False, rope_theta=10000.0,
)
Olmo3Config = _config(
    rules=dict(layer_types=_pattern("sliding_attention", 4)), model_type="olmo3", vocab_size=50304, hidden_size=4096,
    intermediate_size=11008, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=None,
    hidden_act="silu", max_position_embeddings=2048, use_cache=True, pad_token_id=1,
    bos_token_id=None, eos_token_id=50279, tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0,
    rms_norm_eps=1e-05, sliding_window=4096, layer_types=None,
    rope_parameters={"sliding_attention": {"rope_type": "default", "rope_theta": 500000.0},
        "full_attention": {"rope_type": "default", "rope_theta": 500000.0}},
)
Mamba2Config = _config(
    rules=dict(time_step_rank=lambda c: -(-c.hidden_size // 16)), model_type="mamba2", num_heads=128, head_dim=64,
    vocab_size=32768, hidden_size=4096, state_size=128, num_hidden_layers=64, layer_norm_epsilon=1e-05,
    pad_token_id=1, bos_token_id=0, eos_token_id=2, expand=2, conv_kernel=4, n_groups=8, use_bias=False,
    use_conv_bias=True, hidden_act="silu", residual_in_fp32=True, time_step_rank=None,
    time_step_min=0.001, time_step_max=0.1, time_step_floor=0.0001, time_step_limit=(0.0, float("inf")),
    rescale_prenorm_residual=False, use_cache=True, chunk_size=256, tie_word_embeddings=False,
)
FalconMambaConfig = _config(
    rules=dict(intermediate_size=lambda c: int(c.expand * c.hidden_size),
        time_step_rank=lambda c: -(-c.hidden_size // 16)),
    model_type="falcon_mamba", vocab_size=50280, hidden_size=768, state_size=16, num_hidden_layers=32,
    layer_norm_epsilon=1e-05, pad_token_id=0, bos_token_id=0, eos_token_id=0, expand=2, conv_kernel=4, use_bias=False,
    use_conv_bias=True, hidden_act="silu", residual_in_fp32=True, time_step_rank=None,
    time_step_scale=1.0, time_step_min=0.001, time_step_max=0.1, time_step_init_scheme="random",
    time_step_floor=0.0001, rescale_prenorm_residual=False, use_cache=True, use_mambapy=False,
    use_associative_scan=True, tie_word_embeddings=True, mixer_rms_eps=1e-06,
)
GraniteMoeConfig = _config(
    model_type="granitemoe", vocab_size=32000, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="silu", max_position_embeddings=2048,
    initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, pad_token_id=None, bos_token_id=1, eos_token_id=2,
    tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0, embedding_multiplier=1.0,
    logits_scaling=1.0, residual_multiplier=1.0, attention_multiplier=1.0, num_local_experts=8, num_experts_per_tok=2,
    output_router_logits=False, router_aux_loss_coef=0.001, rope_theta=10000.0,
)
NemotronConfig = _config(
    model_type="nemotron", vocab_size=256000, hidden_size=6144, intermediate_size=24576, num_hidden_layers=32,
    num_attention_heads=48, head_dim=None, num_key_value_heads=None, hidden_act="relu2", max_position_embeddings=4096,
    initializer_range=0.0134, norm_eps=1e-05, use_cache=True, pad_token_id=None, bos_token_id=2, eos_token_id=3,
    tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0, mlp_bias=False, rope_theta=10000.0,
    partial_rotary_factor=0.5,
)
Exaone4Config = _config(
    rules=dict(layer_types=lambda c: ["sliding_attention" if (i + 1) % c.sliding_window_pattern != 0 else "full_attention" for i in range(c.num_hidden_layers)]),
    model_type="exaone4", vocab_size=102400, hidden_size=4096, intermediate_size=16384, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=32, hidden_act="silu", max_position_embeddings=2048,
    initializer_range=0.02, rms_norm_eps=1e-05, use_cache=True, bos_token_id=0, eos_token_id=2, pad_token_id=None,
    tie_word_embeddings=False, attention_dropout=0.0, sliding_window=4096, sliding_window_pattern=4, layer_types=None,
    rope_theta=10000.0,
)
Ernie4_5Config = _config(
    model_type="ernie4_5", vocab_size=103424, hidden_size=1024, intermediate_size=3072, num_hidden_layers=18,
    num_attention_heads=16, num_key_value_heads=2, hidden_act="silu", max_position_embeddings=131072,
    initializer_range=0.02, rms_norm_eps=1e-05, use_cache=True, pad_token_id=0, bos_token_id=1, eos_token_id=2,
    tie_word_embeddings=True, use_bias=False, head_dim=128, rope_theta=500000.0,
)
HunYuanDenseV1Config = _config(
    model_type="hunyuan_v1_dense", vocab_size=290943, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="silu", max_position_embeddings=2048,
    initializer_range=0.02, rms_norm_eps=1e-05, use_cache=True, pad_token_id=0, bos_token_id=1, eos_token_id=2,
    eod_token_id=3, pretraining_tp=1, tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0,
    head_dim=None, rope_theta=10000.0,
)
MiniMaxConfig = _config(
    dict(num_experts="num_local_experts"),
    rules=dict(layer_types=lambda c: ["full_attention" if (i + 1) % 2 else "linear_attention" for i in range(c.num_hidden_layers)]),
    model_type="minimax", vocab_size=32000, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=8, head_dim=None, hidden_act="silu", max_position_embeddings=131072,
    initializer_range=0.02, rms_norm_eps=1e-05, use_cache=True, pad_token_id=None, bos_token_id=1, eos_token_id=2,
    tie_word_embeddings=False, sliding_window=None, attention_dropout=0.0, num_experts_per_tok=2, num_local_experts=8,
    output_router_logits=False, router_aux_loss_coef=0.001, router_jitter_noise=0.0, layer_types=None, block_size=256,
    full_attn_alpha_factor=1, full_attn_beta_factor=1, linear_attn_alpha_factor=1, linear_attn_beta_factor=1,
    mlp_alpha_factor=1, mlp_beta_factor=1, rope_theta=1000000.0,
)
HeliumConfig = _config(
    model_type="helium", vocab_size=48000, hidden_size=2560, intermediate_size=7040, num_hidden_layers=24,
    num_attention_heads=20, num_key_value_heads=20, head_dim=128, hidden_act="silu", attention_dropout=0.0,
    max_position_embeddings=4096, rms_norm_eps=1e-08, use_cache=True,
    tie_word_embeddings=False, pad_token_id=3, eos_token_id=2, bos_token_id=1, attention_bias=False, mlp_bias=False,
    rope_theta=100000.0,
)
PersimmonConfig = _config(
    model_type="persimmon", vocab_size=262144, hidden_size=4096, intermediate_size=16384, num_hidden_layers=36,
    num_attention_heads=64, hidden_act="relu2", max_position_embeddings=16384,
    layer_norm_eps=1e-05, use_cache=True, tie_word_embeddings=False, qk_layernorm=True, hidden_dropout=0.0,
    attention_dropout=0.0, pad_token_id=None, bos_token_id=1, eos_token_id=2, rope_theta=10000.0,
    partial_rotary_factor=0.5,
)
Qwen3NextConfig = _config(
    rules=dict(mlp_only_layers=lambda c: [], layer_types=_pattern("linear_attention", 4)), model_type="qwen3_next",
    vocab_size=151936, hidden_size=2048, intermediate_size=5632, num_hidden_layers=48, num_attention_heads=16,
    num_key_value_heads=2, hidden_act="silu", max_position_embeddings=32768,
    rms_norm_eps=1e-06, use_cache=True, tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0,
    head_dim=256, linear_conv_kernel_dim=4, linear_key_head_dim=128, linear_value_head_dim=128,
    linear_num_key_heads=16, linear_num_value_heads=32, decoder_sparse_step=1, moe_intermediate_size=512,
    shared_expert_intermediate_size=512, num_experts_per_tok=10, num_experts=512, norm_topk_prob=True,
    output_router_logits=False, router_aux_loss_coef=0.001, mlp_only_layers=None, layer_types=None, pad_token_id=None,
    bos_token_id=None, eos_token_id=None, rope_theta=10000.0, partial_rotary_factor=0.25,
)
XGLMConfig = _config(
    dict(num_attention_heads="attention_heads", hidden_size="d_model", num_hidden_layers="num_layers"),
    model_type="xglm", vocab_size=256008, max_position_embeddings=2048, d_model=1024, ffn_dim=4096, num_layers=24,
    attention_heads=16, activation_function="gelu", dropout=0.1, attention_dropout=0.1, activation_dropout=0.0,
    layerdrop=0.0, init_std=0.02, scale_embedding=True, use_cache=True, decoder_start_token_id=2, pad_token_id=1,
    bos_token_id=0, eos_token_id=2, add_cross_attention=False, tie_word_embeddings=True,
)
BioGptConfig = _config(
    model_type="biogpt", vocab_size=42384, hidden_size=1024, num_hidden_layers=24, num_attention_heads=16,
    intermediate_size=4096, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=1024, layer_norm_eps=1e-12, scale_embedding=True, use_cache=True,
    layerdrop=0.0, activation_dropout=0.0, pad_token_id=1, bos_token_id=0, eos_token_id=2, tie_word_embeddings=True,
)
CTRLConfig = _config(
    dict(max_position_embeddings="n_positions", hidden_size="n_embd", num_attention_heads="n_head",
        num_hidden_layers="n_layer"),
    model_type="ctrl", vocab_size=246534, n_positions=256, n_embd=1280, dff=8192, n_layer=48, n_head=16,
    resid_pdrop=0.1, embd_pdrop=0.1, layer_norm_epsilon=1e-06, use_cache=True,
    pad_token_id=None, bos_token_id=None, eos_token_id=None, tie_word_embeddings=True,
)
OpenAIGPTConfig = _config(
    dict(max_position_embeddings="n_positions", hidden_size="n_embd", num_attention_heads="n_head",
        num_hidden_layers="n_layer"),
    model_type="openai-gpt", vocab_size=40478, n_positions=512, n_embd=768, n_layer=12, n_head=12, afn="gelu",
    resid_pdrop=0.1, embd_pdrop=0.1, attn_pdrop=0.1, layer_norm_epsilon=1e-05,
    summary_type="cls_index", summary_use_proj=True, summary_activation=None, summary_proj_to_labels=True,
    summary_first_dropout=0.1, pad_token_id=None, bos_token_id=None, eos_token_id=None, tie_word_embeddings=True,
)
DPTConfig = _config(
    rules=dict(backbone_featmap_shape=lambda c: None, pooler_output_size=lambda c: c.hidden_size), model_type="dpt",
    hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, hidden_act="gelu",
    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, layer_norm_eps=1e-12,
    image_size=384, patch_size=16, num_channels=3, is_hybrid=False, qkv_bias=True, backbone_out_indices=(2, 5, 8, 11),
    readout_type="project", reassemble_factors=(4, 2, 1, 0.5), neck_hidden_sizes=(96, 192, 384, 768),
    fusion_hidden_size=256, head_in_index=-1, use_batch_norm_in_fusion_residual=False,
    use_bias_in_fusion_residual=None, add_projection=False, use_auxiliary_head=True, auxiliary_loss_weight=0.4,
    semantic_loss_ignore_index=255, semantic_classifier_dropout=0.1, backbone_featmap_shape=(1, 1024, 24, 24),
    neck_ignore_stages=(0, 1), backbone_config=None, pooler_output_size=None, pooler_act="tanh",
)
VitDetConfig = _config(
    rules=dict(stage_names=_stages), model_type="vitdet", hidden_size=768, num_hidden_layers=12,
    num_attention_heads=12, mlp_ratio=4, hidden_act="gelu", dropout_prob=0.0,
    layer_norm_eps=1e-06, image_size=224, pretrain_image_size=224, patch_size=16, num_channels=3, qkv_bias=True,
    drop_path_rate=0.0, window_block_indices=(), residual_block_indices=(), use_absolute_position_embeddings=True,
    use_relative_position_embeddings=False, window_size=0, _out_features=None, _out_indices=None,
)
Swinv2Config = _config(
    dict(num_attention_heads="num_heads", num_hidden_layers="num_layers"),
    rules=dict(num_layers=lambda c: len(c.depths), hidden_size=lambda c: int(c.embed_dim * 2 ** (len(c.depths) - 1)),
        stage_names=_stages_by_depth),
    model_type="swinv2", image_size=224, patch_size=4, num_channels=3, embed_dim=96, depths=(2, 2, 6, 2),
    num_heads=(3, 6, 12, 24), window_size=7, pretrained_window_sizes=(0, 0, 0, 0), mlp_ratio=4.0, qkv_bias=True,
    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, drop_path_rate=0.1, hidden_act="gelu",
    use_absolute_embeddings=False, layer_norm_eps=1e-05, encoder_stride=32,
    _out_features=None, _out_indices=None,
)
MobileViTConfig = _config(
    model_type="mobilevit", num_channels=3, image_size=256, patch_size=2, hidden_sizes=(144, 192, 240),
    neck_hidden_sizes=(16, 32, 64, 96, 128, 160, 640), num_attention_heads=4, mlp_ratio=2.0, expand_ratio=4.0,
    hidden_act="silu", conv_kernel_size=3, output_stride=32, hidden_dropout_prob=0.1,
    attention_probs_dropout_prob=0.0, classifier_dropout_prob=0.1, layer_norm_eps=1e-05,
    qkv_bias=True, aspp_out_channels=256, atrous_rates=(6, 12, 18), aspp_dropout_prob=0.1,
    semantic_loss_ignore_index=255,
)
MobileNetV2Config = _config(
    model_type="mobilenet_v2", num_channels=3, image_size=224, depth_multiplier=1.0, depth_divisible_by=8,
    min_depth=8, expand_ratio=6.0, output_stride=32, first_layer_is_expansion=True, finegrained_output=True,
    hidden_act="relu6", tf_padding=True, classifier_dropout_prob=0.8, layer_norm_eps=0.001,
    semantic_loss_ignore_index=255,
)

def _part(config, given):
    return given if isinstance(given, PretrainedConfig) else config(**(given or {}))

class SiglipConfig(PretrainedConfig):
    _defaults = dict(model_type="siglip", text_config=None, vision_config=None, initializer_factor=1.0)
    def _settle(self):
        self.text_config = _part(SiglipTextConfig, self.text_config)
        self.vision_config = _part(SiglipVisionConfig, self.vision_config)

class Gemma3Config(PretrainedConfig):
    _defaults = dict(
        model_type="gemma3", text_config=None, vision_config=None, mm_tokens_per_image=256, boi_token_index=255999,
        eoi_token_index=256000, image_token_index=262144, initializer_range=0.02, tie_word_embeddings=True,
    )
    _aliases = dict(image_token_id="image_token_index", boi_token_id="boi_token_index", eoi_token_id="eoi_token_index")
    def _settle(self):
        self.text_config = _part(Gemma3TextConfig, self.text_config)
        self.vision_config = _part(SiglipVisionConfig, self.vision_config)
