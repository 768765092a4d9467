# More configurations of Hugging Face's models, as `transformers` 5.23 makes them: each field with
# its default, other names of fields, and what it computes from others where nobody gives it. Token
# ids and settings of tokenizers, masks and losses are left out: no shape follows from them.
AlbertConfig = _config(
    model_type="albert", vocab_size=30000, embedding_size=128, hidden_size=4096, num_hidden_layers=12,
    num_hidden_groups=1, num_attention_heads=64, intermediate_size=16384, inner_group_num=1, hidden_act="gelu_new",
    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, max_position_embeddings=512, type_vocab_size=2,
    initializer_range=0.02, layer_norm_eps=1e-12, classifier_dropout_prob=0.1, pad_token_id=0,
    tie_word_embeddings=True,
)
BartConfig = _config(
    {"num_attention_heads": "encoder_attention_heads", "hidden_size": "d_model", "num_hidden_layers": "encoder_layers"},
    model_type="bart", is_encoder_decoder=True, vocab_size=50265, max_position_embeddings=1024, encoder_layers=12,
    encoder_ffn_dim=4096, encoder_attention_heads=16, decoder_layers=12, decoder_ffn_dim=4096,
    decoder_attention_heads=16, encoder_layerdrop=0.0, decoder_layerdrop=0.0, activation_function="gelu",
    d_model=1024, dropout=0.1, attention_dropout=0.0, activation_dropout=0.0, init_std=0.02, classifier_dropout=0.0,
    scale_embedding=False, use_cache=True, pad_token_id=1, is_decoder=False, tie_word_embeddings=True,
)
BeitConfig = _config(
    model_type="beit", vocab_size=8192, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    initializer_range=0.02, layer_norm_eps=1e-12, image_size=224, patch_size=16, num_channels=3, use_mask_token=False,
    use_absolute_position_embeddings=False, use_relative_position_bias=False, use_shared_relative_position_bias=False,
    layer_scale_init_value=0.1, drop_path_rate=0.1, use_mean_pooling=True, pool_scales=[1, 2, 3, 6],
    use_auxiliary_head=True, auxiliary_loss_weight=0.4, auxiliary_channels=256, auxiliary_num_convs=1,
    auxiliary_concat_input=False, semantic_loss_ignore_index=255, add_fpn=False, reshape_hidden_states=True,
    tie_word_embeddings=True,
)
BloomConfig = _config(
    {"num_hidden_layers": "n_layer", "num_attention_heads": "n_head"}, model_type="bloom", vocab_size=250880,
    hidden_size=64, n_layer=2, n_head=8, layer_norm_epsilon=1e-05, initializer_range=0.02, use_cache=True,
    pad_token_id=None, apply_residual_connection_post_layernorm=False, hidden_dropout=0.0, attention_dropout=0.0,
    pretraining_tp=1, slow_but_exact=False, tie_word_embeddings=True,
)
CamembertConfig = _config(
    model_type="camembert", vocab_size=30522, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, initializer_range=0.02, layer_norm_eps=1e-12, pad_token_id=1,
    use_cache=True, classifier_dropout=None, is_decoder=False, add_cross_attention=False, tie_word_embeddings=True,
)
CodeGenConfig = _config(
    {"max_position_embeddings": "n_positions", "hidden_size": "n_embd", "num_attention_heads": "n_head", "num_hidden_layers": "n_layer"},
    model_type="codegen", vocab_size=50400, n_positions=2048, n_ctx=2048, n_embd=4096, n_layer=28, n_head=16,
    rotary_dim=64, n_inner=None, activation_function="gelu_new", resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
    layer_norm_epsilon=1e-05, initializer_range=0.02, use_cache=True, tie_word_embeddings=False,
)
CohereConfig = _config(
    model_type="cohere", vocab_size=256000, hidden_size=8192, intermediate_size=22528, logit_scale=0.0625,
    num_hidden_layers=40, num_attention_heads=64, num_key_value_heads=None, hidden_act="silu",
    max_position_embeddings=8192, initializer_range=0.02, layer_norm_eps=1e-05, use_cache=True, pad_token_id=0,
    tie_word_embeddings=True, rope_parameters={"rope_theta": 500000.0, "rope_type": "default"}, attention_bias=False,
    attention_dropout=0.0, use_qk_norm=False,
)
ConvNextConfig = _config(
    {"num_hidden_layers": "num_stages"}, model_type="convnext", num_channels=3, patch_size=4, num_stages=4,
    hidden_sizes=[96, 192, 384, 768], depths=[3, 3, 9, 3], hidden_act="gelu", initializer_range=0.02,
    layer_norm_eps=1e-12, layer_scale_init_value=1e-06, drop_path_rate=0.0, image_size=224, tie_word_embeddings=True,
)
ConvNextV2Config = _config(
    {"num_hidden_layers": "num_stages"}, model_type="convnextv2", num_channels=3, patch_size=4, num_stages=4,
    hidden_sizes=[96, 192, 384, 768], depths=[3, 3, 9, 3], hidden_act="gelu", initializer_range=0.02,
    layer_norm_eps=1e-12, drop_path_rate=0.0, image_size=224, tie_word_embeddings=True,
)
DebertaV2Config = _config(
    model_type="deberta-v2", vocab_size=128100, hidden_size=1536, num_hidden_layers=24, num_attention_heads=24,
    intermediate_size=6144, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=0, initializer_range=0.02, layer_norm_eps=1e-07,
    relative_attention=False, max_relative_positions=-1, pad_token_id=0, position_biased_input=True,
    pos_att_type=None, pooler_dropout=0.0, pooler_hidden_act="gelu", legacy=True, tie_word_embeddings=True,
    pooler_hidden_size=1536,
)
Dinov2Config = _config(
    model_type="dinov2", hidden_size=768, num_hidden_layers=12, num_attention_heads=12, mlp_ratio=4,
    hidden_act="gelu", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, initializer_range=0.02,
    layer_norm_eps=1e-06, image_size=224, patch_size=14, num_channels=3, qkv_bias=True, layerscale_value=1.0,
    drop_path_rate=0.0, use_swiglu_ffn=False, apply_layernorm=True, reshape_hidden_states=True, use_mask_token=True,
    tie_word_embeddings=True,
)
ElectraConfig = _config(
    model_type="electra", vocab_size=30522, embedding_size=128, hidden_size=256, num_hidden_layers=12,
    num_attention_heads=4, intermediate_size=1024, hidden_act="gelu", hidden_dropout_prob=0.1,
    attention_probs_dropout_prob=0.1, max_position_embeddings=512, type_vocab_size=2, initializer_range=0.02,
    layer_norm_eps=1e-12, summary_last_dropout=0.1, pad_token_id=0, use_cache=True, classifier_dropout=None,
    is_decoder=False, add_cross_attention=False, tie_word_embeddings=True,
)
ErnieConfig = _config(
    model_type="ernie", vocab_size=30522, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, task_type_vocab_size=3, use_task_id=False, initializer_range=0.02,
    layer_norm_eps=1e-12, pad_token_id=0, use_cache=True, classifier_dropout=None, is_decoder=False,
    add_cross_attention=False, tie_word_embeddings=True,
)
FalconConfig = _config(
    model_type="falcon",
    rules=dict(ffn_hidden_size=lambda c: c.hidden_size * 4, num_kv_heads=lambda c: c.num_attention_heads),
    vocab_size=65024, hidden_size=4544, num_hidden_layers=32, num_attention_heads=71, num_ln_in_parallel_attn=None,
    layer_norm_epsilon=1e-05, initializer_range=0.02, use_cache=True, hidden_dropout=0.0, attention_dropout=0.0,
    num_kv_heads=None, alibi=False, new_decoder_architecture=False, multi_query=True, parallel_attn=True, bias=False,
    max_position_embeddings=2048, rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, pad_token_id=None,
    ffn_hidden_size=None, activation="gelu", tie_word_embeddings=True,
)
Gemma2Config = _config(
    rules=dict(layer_types=lambda c: ["sliding_attention" if (i + 1) % 2 else "full_attention" for i in range(c.num_hidden_layers)]),
    model_type="gemma2", vocab_size=256000, hidden_size=2304, intermediate_size=9216, num_hidden_layers=26,
    num_attention_heads=8, num_key_value_heads=4, head_dim=256, hidden_activation="gelu_pytorch_tanh",
    max_position_embeddings=8192, initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, pad_token_id=0,
    tie_word_embeddings=True, rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, attention_bias=False,
    attention_dropout=0.0, query_pre_attn_scalar=256, sliding_window=4096, final_logit_softcapping=30.0,
    attn_logit_softcapping=50.0, use_bidirectional_attention=None,
)
GPTBigCodeConfig = _config(
    {"hidden_size": "n_embd", "max_position_embeddings": "n_positions", "num_attention_heads": "n_head", "num_hidden_layers": "n_layer"},
    model_type="gpt_bigcode", vocab_size=50257, n_positions=1024, n_embd=768, n_layer=12, n_head=12, n_inner=None,
    activation_function="gelu_pytorch_tanh", resid_pdrop=0.1, embd_pdrop=0.1, attn_pdrop=0.1,
    layer_norm_epsilon=1e-05, initializer_range=0.02, scale_attn_weights=True, use_cache=True, pad_token_id=None,
    attention_softmax_in_fp32=True, scale_attention_softmax_in_fp32=True, multi_query=True, add_cross_attention=False,
    tie_word_embeddings=True, num_key_value_heads=1,
)
GPTNeoConfig = _config(
    {"num_attention_heads": "num_heads", "num_hidden_layers": "num_layers"}, model_type="gpt_neo", vocab_size=50257,
    max_position_embeddings=2048, hidden_size=2048, num_layers=24, attention_types=[[["global", "local"], 12]],
    num_heads=16, intermediate_size=None, window_size=256, activation_function="gelu_new", resid_dropout=0.0,
    embed_dropout=0.0, attention_dropout=0.0, classifier_dropout=0.1, layer_norm_epsilon=1e-05,
    initializer_range=0.02, use_cache=True, pad_token_id=None, tie_word_embeddings=True,
    attention_layers=["global", "local", "global", "local", "global", "local", "global", "local", "global", "local", "global", "local", "global", "local", "global", "local", "global", "local", "global", "local", "global", "local", "global", "local"],
)
GPTJConfig = _config(
    {"max_position_embeddings": "n_positions", "hidden_size": "n_embd", "num_attention_heads": "n_head", "num_hidden_layers": "n_layer"},
    model_type="gptj", vocab_size=50400, n_positions=2048, n_embd=4096, n_layer=28, n_head=16, rotary_dim=64,
    n_inner=None, activation_function="gelu_new", resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
    layer_norm_epsilon=1e-05, initializer_range=0.02, use_cache=True, pad_token_id=None, tie_word_embeddings=False,
)
GraniteConfig = _config(
    model_type="granite", vocab_size=32000, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="silu", max_position_embeddings=2048,
    initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, pad_token_id=None, tie_word_embeddings=False,
    rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, attention_bias=False, attention_dropout=0.0,
    mlp_bias=False, embedding_multiplier=1.0, logits_scaling=1.0, residual_multiplier=1.0, attention_multiplier=1.0,
)
HubertConfig = _config(
    model_type="hubert", vocab_size=32, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout=0.1, activation_dropout=0.1, attention_dropout=0.1,
    feat_proj_layer_norm=True, feat_proj_dropout=0.0, final_dropout=0.1, layerdrop=0.1, initializer_range=0.02,
    layer_norm_eps=1e-05, feat_extract_norm="group", feat_extract_activation="gelu",
    conv_dim=[512, 512, 512, 512, 512, 512, 512], conv_stride=[5, 2, 2, 2, 2, 2, 2],
    conv_kernel=[10, 3, 3, 3, 3, 2, 2], conv_bias=False, num_conv_pos_embeddings=128,
    num_conv_pos_embedding_groups=16, conv_pos_batch_norm=False, do_stable_layer_norm=False,
    use_weighted_layer_sum=False, classifier_proj_size=256, pad_token_id=0, num_feat_extract_layers=7,
    tie_word_embeddings=True,
)
MambaConfig = _config(
    model_type="mamba",
    rules=dict(intermediate_size=lambda c: int(c.expand * c.hidden_size), time_step_rank=lambda c: -(-c.hidden_size // 16)),
    vocab_size=50280, hidden_size=768, state_size=16, num_hidden_layers=32, layer_norm_epsilon=1e-05, pad_token_id=0,
    expand=2, conv_kernel=4, use_bias=False, use_conv_bias=True, hidden_act="silu", initializer_range=0.1,
    residual_in_fp32=True, time_step_rank=None, time_step_scale=1.0, time_step_min=0.001, time_step_max=0.1,
    time_step_init_scheme="random", time_step_floor=0.0001, rescale_prenorm_residual=False, use_cache=True,
    use_mambapy=False, use_associative_scan=True, tie_word_embeddings=True, intermediate_size=None,
)
MBartConfig = _config(
    {"num_attention_heads": "encoder_attention_heads", "hidden_size": "d_model", "num_hidden_layers": "encoder_layers"},
    model_type="mbart", is_encoder_decoder=True, vocab_size=50265, max_position_embeddings=1024, encoder_layers=12,
    encoder_ffn_dim=4096, encoder_attention_heads=16, decoder_layers=12, decoder_ffn_dim=4096,
    decoder_attention_heads=16, encoder_layerdrop=0.0, decoder_layerdrop=0.0, use_cache=True,
    activation_function="gelu", d_model=1024, dropout=0.1, attention_dropout=0.0, activation_dropout=0.0,
    init_std=0.02, classifier_dropout=0.0, scale_embedding=False, pad_token_id=1, is_decoder=False,
    tie_word_embeddings=True,
)
MegatronBertConfig = _config(
    model_type="megatron-bert", vocab_size=29056, hidden_size=1024, num_hidden_layers=24, num_attention_heads=16,
    intermediate_size=4096, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, initializer_range=0.02, layer_norm_eps=1e-12, pad_token_id=0,
    use_cache=True, is_decoder=False, add_cross_attention=False, tie_word_embeddings=True,
)
MPNetConfig = _config(
    model_type="mpnet", vocab_size=30527, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, initializer_range=0.02, layer_norm_eps=1e-12, relative_attention_num_buckets=32,
    pad_token_id=1, tie_word_embeddings=True,
)
MT5Config = _config(
    {"hidden_size": "d_model", "num_attention_heads": "num_heads", "num_hidden_layers": "num_layers", "head_dim": "d_kv"},
    model_type="mt5", is_encoder_decoder=True, vocab_size=250112, d_model=512, d_kv=64, d_ff=1024, num_layers=8,
    num_decoder_layers=None, num_heads=6, relative_attention_num_buckets=32, relative_attention_max_distance=128,
    dropout_rate=0.1, layer_norm_epsilon=1e-06, initializer_factor=1.0, feed_forward_proj="gated-gelu",
    use_cache=True, tie_word_embeddings=True, pad_token_id=0, classifier_dropout=0.0, is_decoder=False,
    dense_act_fn="gelu_new", is_gated_act=True,
)
OlmoConfig = _config(
    model_type="olmo", vocab_size=50304, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="silu", max_position_embeddings=2048,
    initializer_range=0.02, use_cache=True, pad_token_id=1, tie_word_embeddings=False,
    rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, attention_bias=False, attention_dropout=0.0,
    clip_qkv=None,
)
Olmo2Config = _config(
    model_type="olmo2", vocab_size=50304, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="silu", max_position_embeddings=2048,
    initializer_range=0.02, use_cache=True, pad_token_id=1, tie_word_embeddings=False,
    rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, attention_bias=False, attention_dropout=0.0,
    rms_norm_eps=1e-05,
)
OPTConfig = _config(
    model_type="opt", rules=dict(word_embed_proj_dim=lambda c: c.hidden_size), vocab_size=50272, hidden_size=768,
    num_hidden_layers=12, ffn_dim=3072, max_position_embeddings=2048, do_layer_norm_before=True,
    _remove_final_layer_norm=False, word_embed_proj_dim=None, dropout=0.1, attention_dropout=0.0,
    num_attention_heads=12, activation_function="relu", layerdrop=0.0, init_std=0.02, use_cache=True, pad_token_id=1,
    enable_bias=True, layer_norm_elementwise_affine=True, tie_word_embeddings=True,
)
PegasusConfig = _config(
    {"num_attention_heads": "encoder_attention_heads", "hidden_size": "d_model", "num_hidden_layers": "encoder_layers"},
    model_type="pegasus", is_encoder_decoder=True, vocab_size=50265, max_position_embeddings=1024, encoder_layers=12,
    encoder_ffn_dim=4096, encoder_attention_heads=16, decoder_layers=12, decoder_ffn_dim=4096,
    decoder_attention_heads=16, encoder_layerdrop=0.0, decoder_layerdrop=0.0, use_cache=True,
    activation_function="gelu", d_model=1024, dropout=0.1, attention_dropout=0.0, activation_dropout=0.0,
    init_std=0.02, scale_embedding=False, pad_token_id=0, is_decoder=False, tie_word_embeddings=True,
)
Phi3Config = _config(
    model_type="phi3", vocab_size=32064, hidden_size=3072, intermediate_size=8192, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, resid_pdrop=0.0, embd_pdrop=0.0, attention_dropout=0.0,
    hidden_act="silu", max_position_embeddings=4096, original_max_position_embeddings=4096, initializer_range=0.02,
    rms_norm_eps=1e-05, use_cache=True, tie_word_embeddings=False,
    rope_parameters={"rope_theta": 10000.0, "partial_rotary_factor": 1.0, "rope_type": "default"}, pad_token_id=32000,
    sliding_window=None,
)
Qwen2MoeConfig = _config(
    model_type="qwen2_moe", vocab_size=151936, hidden_size=2048, intermediate_size=5632, num_hidden_layers=24,
    num_attention_heads=16, num_key_value_heads=16, hidden_act="silu", max_position_embeddings=32768,
    initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, tie_word_embeddings=False,
    rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, use_sliding_window=False, sliding_window=0,
    max_window_layers=28, attention_dropout=0.0, decoder_sparse_step=1, moe_intermediate_size=1408,
    shared_expert_intermediate_size=5632, num_experts_per_tok=4, num_experts=60, norm_topk_prob=False,
    output_router_logits=False, router_aux_loss_coef=0.001, mlp_only_layers=[], qkv_bias=True, pad_token_id=None,
)
Qwen3Config = _config(
    model_type="qwen3", vocab_size=151936, hidden_size=4096, intermediate_size=22016, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=32, head_dim=128, hidden_act="silu", max_position_embeddings=32768,
    initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, tie_word_embeddings=False,
    rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, attention_bias=False, use_sliding_window=False,
    sliding_window=None, max_window_layers=28, attention_dropout=0.0, pad_token_id=None,
)
Qwen3MoeConfig = _config(
    {"num_experts": "num_local_experts"}, model_type="qwen3_moe", vocab_size=151936, hidden_size=2048,
    intermediate_size=6144, num_hidden_layers=24, num_attention_heads=32, num_key_value_heads=4, hidden_act="silu",
    max_position_embeddings=32768, initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True,
    tie_word_embeddings=False, rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, attention_bias=False,
    use_sliding_window=False, sliding_window=None, attention_dropout=0.0, decoder_sparse_step=1,
    moe_intermediate_size=768, num_experts_per_tok=8, num_local_experts=128, norm_topk_prob=False,
    output_router_logits=False, router_aux_loss_coef=0.001, mlp_only_layers=[], pad_token_id=None,
)
ResNetConfig = _config(
    model_type="resnet", num_channels=3, embedding_size=64, hidden_sizes=[256, 512, 1024, 2048], depths=[3, 4, 6, 3],
    layer_type="bottleneck", hidden_act="relu", downsample_in_first_stage=False, downsample_in_bottleneck=False,
    tie_word_embeddings=True,
)
RoFormerConfig = _config(
    model_type="roformer", rules=dict(embedding_size=lambda c: c.hidden_size), vocab_size=50000,
    embedding_size=None, hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072,
    hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1, max_position_embeddings=1536,
    type_vocab_size=2, initializer_range=0.02, layer_norm_eps=1e-12, pad_token_id=0, rotary_value=False,
    use_cache=True, is_decoder=False, add_cross_attention=False, tie_word_embeddings=True,
)
SegformerConfig = _config(
    {"num_hidden_layers": "num_encoder_blocks"}, model_type="segformer", num_channels=3, num_encoder_blocks=4,
    depths=[2, 2, 2, 2], sr_ratios=[8, 4, 2, 1], hidden_sizes=[32, 64, 160, 256], patch_sizes=[7, 3, 3, 3],
    strides=[4, 2, 2, 2], num_attention_heads=[1, 2, 5, 8], mlp_ratios=[4, 4, 4, 4], hidden_act="gelu",
    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, classifier_dropout_prob=0.1, initializer_range=0.02,
    drop_path_rate=0.1, layer_norm_eps=1e-06, decoder_hidden_size=256, semantic_loss_ignore_index=255,
    reshape_last_stage=True, tie_word_embeddings=True,
)
StableLmConfig = _config(
    model_type="stablelm", vocab_size=50304, intermediate_size=6912, hidden_size=2560, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=32, hidden_act="silu", max_position_embeddings=4096,
    initializer_range=0.02, layer_norm_eps=1e-05, use_cache=True, tie_word_embeddings=False,
    rope_parameters={"rope_theta": 10000.0, "partial_rotary_factor": 0.25, "rope_type": "default"},
    use_qkv_bias=False, qk_layernorm=False, use_parallel_residual=False, hidden_dropout=0.0, attention_dropout=0.0,
    pad_token_id=None,
)
Starcoder2Config = _config(
    model_type="starcoder2", vocab_size=49152, hidden_size=3072, intermediate_size=12288, num_hidden_layers=30,
    num_attention_heads=24, num_key_value_heads=2, hidden_act="gelu_pytorch_tanh", max_position_embeddings=4096,
    initializer_range=0.018042, norm_epsilon=1e-05, use_cache=True, pad_token_id=None,
    rope_parameters={"rope_theta": 10000.0, "rope_type": "default"}, sliding_window=None, attention_dropout=0.0,
    residual_dropout=0.0, embedding_dropout=0.0, use_bias=True, tie_word_embeddings=True,
)
SwinConfig = _config(
    {"num_attention_heads": "num_heads", "num_hidden_layers": "num_layers"}, model_type="swin",
    rules=dict(hidden_size=lambda c: c.embed_dim * 2 ** (len(c.depths) - 1), num_layers=lambda c: len(c.depths)),
    image_size=224, patch_size=4, num_channels=3, embed_dim=96, depths=[2, 2, 6, 2], num_heads=[3, 6, 12, 24],
    window_size=7, mlp_ratio=4.0, qkv_bias=True, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    drop_path_rate=0.1, hidden_act="gelu", use_absolute_embeddings=False, initializer_range=0.02,
    layer_norm_eps=1e-05, encoder_stride=32, num_layers=None, hidden_size=None, tie_word_embeddings=True,
)
ViTMAEConfig = _config(
    model_type="vit_mae", hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072,
    hidden_act="gelu", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, initializer_range=0.02,
    layer_norm_eps=1e-12, image_size=224, patch_size=16, num_channels=3, qkv_bias=True,
    decoder_num_attention_heads=16, decoder_hidden_size=512, decoder_num_hidden_layers=8,
    decoder_intermediate_size=2048, norm_pix_loss=False, tie_word_embeddings=True,
)
Wav2Vec2Config = _config(
    model_type="wav2vec2", rules=dict(output_hidden_size=lambda c: c.hidden_size), vocab_size=32, hidden_size=768,
    num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, hidden_act="gelu", hidden_dropout=0.1,
    activation_dropout=0.1, attention_dropout=0.1, feat_proj_dropout=0.0, feat_quantizer_dropout=0.0,
    final_dropout=0.1, layerdrop=0.1, initializer_range=0.02, layer_norm_eps=1e-05, feat_extract_norm="group",
    feat_extract_activation="gelu", conv_dim=[512, 512, 512, 512, 512, 512, 512], conv_stride=[5, 2, 2, 2, 2, 2, 2],
    conv_kernel=[10, 3, 3, 3, 3, 2, 2], conv_bias=False, num_conv_pos_embeddings=128,
    num_conv_pos_embedding_groups=16, do_stable_layer_norm=False, num_codevectors_per_group=320,
    num_codevector_groups=2, contrastive_logits_temperature=0.1, num_negatives=100, codevector_dim=256,
    proj_codevector_dim=256, diversity_loss_weight=0.1, use_weighted_layer_sum=False, classifier_proj_size=256,
    tdnn_dim=[512, 512, 512, 512, 1500], tdnn_kernel=[5, 3, 3, 1, 1], tdnn_dilation=[1, 2, 3, 1, 1],
    xvector_output_dim=512, pad_token_id=0, add_adapter=False, adapter_kernel_size=3, adapter_stride=2,
    num_adapter_layers=3, output_hidden_size=None, adapter_attn_dim=None, num_feat_extract_layers=7,
    tie_word_embeddings=True,
)
WhisperConfig = _config(
    {"num_key_value_heads": "encoder_attention_heads", "num_attention_heads": "encoder_attention_heads", "hidden_size": "d_model", "num_hidden_layers": "encoder_layers"},
    model_type="whisper", is_encoder_decoder=True, vocab_size=51865, num_mel_bins=80, encoder_layers=4,
    encoder_attention_heads=6, decoder_layers=4, decoder_attention_heads=6, decoder_ffn_dim=1536,
    encoder_ffn_dim=1536, encoder_layerdrop=0.0, decoder_layerdrop=0.0, use_cache=True, activation_function="gelu",
    d_model=384, dropout=0.0, attention_dropout=0.0, activation_dropout=0.0, init_std=0.02, scale_embedding=False,
    max_source_positions=1500, max_target_positions=448, pad_token_id=50256, use_weighted_layer_sum=False,
    classifier_proj_size=256, median_filter_width=7, tie_word_embeddings=True,
)
XLMRobertaConfig = _config(
    model_type="xlm-roberta", vocab_size=30522, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, initializer_range=0.02, layer_norm_eps=1e-12, pad_token_id=1,
    use_cache=True, classifier_dropout=None, is_decoder=False, add_cross_attention=False, tie_word_embeddings=True,
)
LongformerConfig = _config(
    model_type="longformer", attention_window=512, pad_token_id=1, vocab_size=30522, hidden_size=768,
    num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1,
    attention_probs_dropout_prob=0.1, max_position_embeddings=512, type_vocab_size=2, initializer_range=0.02,
    layer_norm_eps=1e-12, onnx_export=False, tie_word_embeddings=True,
)
_masking = dict(
    apply_spec_augment=True, mask_time_prob=0.05, mask_time_length=10, mask_time_min_masks=2, mask_feature_prob=0.0,
    mask_feature_length=10, mask_feature_min_masks=0, ctc_loss_reduction="sum", ctc_zero_infinity=False,
)
Wav2Vec2Config._defaults.update(_masking)
HubertConfig._defaults.update(_masking)
WhisperConfig._defaults.update(_masking)
WhisperConfig._defaults.update(apply_spec_augment=False, decoder_start_token_id=50257)
BartConfig._defaults.update(decoder_start_token_id=2, forced_eos_token_id=2)
MBartConfig._defaults.update(decoder_start_token_id=None, forced_eos_token_id=2)
PegasusConfig._defaults.update(decoder_start_token_id=0, forced_eos_token_id=1)
MT5Config._defaults.update(decoder_start_token_id=0)
ViTMAEConfig._defaults.update(mask_ratio=0.75)
GemmaConfig._defaults.update(use_bidirectional_attention=None)

def _made(config, given):
    return given if isinstance(given, PretrainedConfig) else config(**(given or {}))

class CLIPConfig(PretrainedConfig):
    _defaults = dict(
        model_type="clip", text_config=None, vision_config=None, projection_dim=512, logit_scale_init_value=2.6592,
        initializer_factor=1.0,
    )
    def _settle(self):
        self.text_config = _made(CLIPTextConfig, self.text_config)
        self.vision_config = _made(CLIPVisionConfig, self.vision_config)
