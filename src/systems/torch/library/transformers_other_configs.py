# More configurations of models as `transformers` 5 has them.
RegNetConfig = _config(
    model_type="regnet", num_channels=3, embedding_size=32, hidden_sizes=(128, 192, 512, 1088), depths=(2, 6, 12, 2),
    groups_width=64, layer_type="y", hidden_act="relu", downsample_in_first_stage=True,
)
EfficientNetConfig = _config(
    rules=dict(num_hidden_layers=lambda c: sum(c.num_block_repeats) * 4), model_type="efficientnet", num_channels=3,
    image_size=600, width_coefficient=2.0, depth_coefficient=3.1, depth_divisor=8, kernel_sizes=(3, 3, 5, 3, 5, 5, 3),
    in_channels=(32, 16, 24, 40, 80, 112, 192), out_channels=(16, 24, 40, 80, 112, 192, 320), depthwise_padding=(),
    strides=(1, 2, 2, 2, 1, 2, 1), num_block_repeats=(1, 2, 2, 3, 3, 4, 1), expand_ratios=(1, 6, 6, 6, 6, 6, 6),
    squeeze_expansion_ratio=0.25, hidden_act="swish", hidden_dim=2560, pooling_type="mean",
    batch_norm_eps=0.001, batch_norm_momentum=0.99, dropout_rate=0.5, drop_connect_rate=0.2,
)
PoolFormerConfig = _config(
    model_type="poolformer", num_channels=3, patch_size=16, stride=16, pool_size=3, mlp_ratio=4.0,
    depths=(2, 2, 6, 2), hidden_sizes=(64, 128, 320, 512), patch_sizes=(7, 3, 3, 3), strides=(4, 2, 2, 2),
    padding=(2, 1, 1, 1), num_encoder_blocks=4, drop_path_rate=0.0, hidden_act="gelu", use_layer_scale=True,
    layer_scale_init_value=1e-05,
)
LevitConfig = _config(
    rules=dict(down_ops=lambda c: [["Subsample", c.key_dim[0], c.hidden_sizes[i] // c.key_dim[0], 4, 2,
        2] for i in range(2)]),
    model_type="levit", image_size=224, num_channels=3, kernel_size=3, stride=2, padding=1, patch_size=16,
    hidden_sizes=(128, 256, 384), num_attention_heads=(4, 8, 12), depths=(4, 4, 4), key_dim=(16, 16, 16),
    drop_path_rate=0, mlp_ratio=(2, 2, 2), attention_ratio=(2, 2, 2),
)
CvtConfig = _config(
    model_type="cvt", num_channels=3, patch_sizes=(7, 3, 3), patch_stride=(4, 2, 2), patch_padding=(2, 1, 1),
    embed_dim=(64, 192, 384), num_heads=(1, 3, 6), depth=(1, 2, 10), mlp_ratio=(4.0, 4.0, 4.0),
    attention_drop_rate=(0.0, 0.0, 0.0), drop_rate=(0.0, 0.0, 0.0), drop_path_rate=(0.0, 0.0, 0.1),
    qkv_bias=(True, True, True), cls_token=(False, False, True), qkv_projection_method=("dw_bn", "dw_bn", "dw_bn"),
    kernel_qkv=(3, 3, 3), padding_kv=(1, 1, 1), stride_kv=(2, 2, 2), padding_q=(1, 1, 1), stride_q=(1, 1, 1),
    initializer_range=0.02, layer_norm_eps=1e-12,
)
FocalNetConfig = _config(
    rules=dict(stage_names=_stages_by_depth), model_type="focalnet", image_size=224, patch_size=4, num_channels=3,
    embed_dim=96, use_conv_embed=False, hidden_sizes=(192, 384, 768, 768), depths=(2, 2, 6, 2),
    focal_levels=(2, 2, 2, 2), focal_windows=(3, 3, 3, 3), hidden_act="gelu", mlp_ratio=4.0, hidden_dropout_prob=0.0,
    drop_path_rate=0.1, use_layerscale=False, layerscale_value=0.0001, use_post_layernorm=False,
    use_post_layernorm_in_modulation=False, normalize_modulator=False, layer_norm_eps=1e-05,
    encoder_stride=32, _out_features=None, _out_indices=None,
)
HieraConfig = _config(
    dict(num_hidden_layers="num_layers"),
    rules=dict(hidden_size=lambda c: int(c.embed_dim * c.embed_dim_multiplier ** (len(c.depths) - 1)),
        stage_names=_stages_by_depth),
    model_type="hiera", embed_dim=96, image_size=(224, 224), patch_size=(7, 7), patch_stride=(4, 4),
    patch_padding=(3, 3), mlp_ratio=4.0, depths=(2, 3, 16, 3), num_heads=(1, 2, 4, 8), embed_dim_multiplier=2.0,
    num_query_pool=3, query_stride=(2, 2), masked_unit_size=(8, 8), masked_unit_attention=(True, True, False, False),
    drop_path_rate=0.0, num_channels=3, hidden_act="gelu", layer_norm_init=1.0,
    layer_norm_eps=1e-06, decoder_hidden_size=None, decoder_depth=None, decoder_num_heads=None,
    normalize_pixel_loss=True, mask_ratio=0.6, _out_features=None, _out_indices=None,
)
PvtV2Config = _config(
    model_type="pvt_v2", image_size=224, num_channels=3, num_encoder_blocks=4, depths=(2, 2, 2, 2),
    sr_ratios=(8, 4, 2, 1), hidden_sizes=(32, 64, 160, 256), patch_sizes=(7, 3, 3, 3), strides=(4, 2, 2, 2),
    num_attention_heads=(1, 2, 5, 8), mlp_ratios=(8, 8, 4, 4), hidden_act="gelu", hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0, drop_path_rate=0.0, layer_norm_eps=1e-06, qkv_bias=True,
    linear_attention=False, _out_features=None, _out_indices=None,
)
DebertaConfig = _config(
    rules=dict(pooler_hidden_size=lambda c: c.hidden_size), model_type="deberta", vocab_size=50265, hidden_size=768,
    num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1,
    attention_probs_dropout_prob=0.1, max_position_embeddings=512, type_vocab_size=0,
    layer_norm_eps=1e-07, relative_attention=False, max_relative_positions=-1, pad_token_id=0, bos_token_id=None,
    eos_token_id=None, position_biased_input=True, pos_att_type=None, pooler_dropout=0.0, pooler_hidden_act="gelu",
    legacy=True, tie_word_embeddings=True,
)
FNetConfig = _config(
    model_type="fnet", vocab_size=32000, hidden_size=768, num_hidden_layers=12, intermediate_size=3072,
    hidden_act="gelu_new", hidden_dropout_prob=0.1, max_position_embeddings=512, type_vocab_size=4,
    initializer_range=0.02, layer_norm_eps=1e-12, use_tpu_fourier_optimizations=False, tpu_short_seq_length=512,
    pad_token_id=3, bos_token_id=1, eos_token_id=2, tie_word_embeddings=True,
)
MobileBertConfig = _config(
    rules=dict(true_hidden_size=lambda c: c.intra_bottleneck_size if c.use_bottleneck else c.hidden_size),
    model_type="mobilebert", vocab_size=30522, hidden_size=512, num_hidden_layers=24, num_attention_heads=4,
    intermediate_size=512, hidden_act="relu", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=0,
    embedding_size=128, trigram_input=True, use_bottleneck=True, intra_bottleneck_size=128,
    use_bottleneck_attention=False, key_query_shared_bottleneck=True, num_feedforward_networks=4,
    normalization_type="no_norm", classifier_activation=True, classifier_dropout=None, tie_word_embeddings=True,
)
SqueezeBertConfig = _config(
    model_type="squeezebert", vocab_size=30522, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=0,
    bos_token_id=None, eos_token_id=None, embedding_size=768, q_groups=4, k_groups=4, v_groups=4,
    post_attention_groups=1, intermediate_groups=4, output_groups=4, tie_word_embeddings=True,
)
SplinterConfig = _config(
    model_type="splinter", vocab_size=30522, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=0,
    bos_token_id=None, eos_token_id=None, question_token_id=104,
)
NystromformerConfig = _config(
    model_type="nystromformer", vocab_size=30000, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu_new", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=510, type_vocab_size=2, segment_means_seq_len=64, num_landmarks=64, conv_kernel_size=65,
    inv_coeff_init_option=False, layer_norm_eps=1e-05, pad_token_id=1, bos_token_id=0,
    eos_token_id=2, add_cross_attention=False, tie_word_embeddings=True,
)
WavLMConfig = _config(
    rules=dict(num_feat_extract_layers=lambda c: len(c.conv_dim), output_hidden_size=lambda c: c.hidden_size),
    model_type="wavlm", vocab_size=32, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout=0.1, activation_dropout=0.1, attention_dropout=0.1,
    feat_proj_dropout=0.0, final_dropout=0.1, layerdrop=0.1, layer_norm_eps=1e-05,
    feat_extract_norm="group", feat_extract_activation="gelu", conv_dim=(512, 512, 512, 512, 512, 512, 512),
    conv_stride=(5, 2, 2, 2, 2, 2, 2), conv_kernel=(10, 3, 3, 3, 3, 2, 2), conv_bias=False,
    num_conv_pos_embeddings=128, num_conv_pos_embedding_groups=16, num_buckets=320, max_bucket_distance=800,
    do_stable_layer_norm=False, apply_spec_augment=True, mask_time_prob=0.05, mask_time_length=10,
    mask_time_min_masks=2, mask_feature_prob=0.0, mask_feature_length=10, num_codevectors_per_group=320,
    num_codevector_groups=2, contrastive_logits_temperature=0.1, num_negatives=100, codevector_dim=256,
    proj_codevector_dim=256, diversity_loss_weight=0.1, ctc_loss_reduction="mean", ctc_zero_infinity=False,
    use_weighted_layer_sum=False, classifier_proj_size=256, tdnn_dim=(512, 512, 512, 512, 1500),
    tdnn_kernel=(5, 3, 3, 1, 1), tdnn_dilation=(1, 2, 3, 1, 1), xvector_output_dim=512, num_ctc_classes=80,
    pad_token_id=0, bos_token_id=1, eos_token_id=2, add_adapter=False, adapter_kernel_size=3, adapter_stride=2,
    num_adapter_layers=3, output_hidden_size=None,
)
M2M100Config = _config(
    dict(num_attention_heads="encoder_attention_heads", hidden_size="d_model", num_hidden_layers="encoder_layers"),
    model_type="m2m_100", vocab_size=128112, max_position_embeddings=1024, encoder_layers=12, encoder_ffn_dim=4096,
    encoder_attention_heads=16, decoder_layers=12, decoder_ffn_dim=4096, decoder_attention_heads=16,
    encoder_layerdrop=0.05, decoder_layerdrop=0.05, use_cache=True, activation_function="relu", d_model=1024,
    dropout=0.1, attention_dropout=0.1, activation_dropout=0.0, init_std=0.02, decoder_start_token_id=2,
    scale_embedding=True, pad_token_id=1, bos_token_id=0, eos_token_id=2, tie_word_embeddings=True,
)
MarianConfig = _config(
    dict(num_attention_heads="encoder_attention_heads", hidden_size="d_model", num_hidden_layers="encoder_layers"),
    rules=dict(decoder_vocab_size=lambda c: c.vocab_size), model_type="marian", vocab_size=58101,
    decoder_vocab_size=None, max_position_embeddings=1024, encoder_layers=12, encoder_ffn_dim=4096,
    encoder_attention_heads=16, decoder_layers=12, decoder_ffn_dim=4096, decoder_attention_heads=16,
    encoder_layerdrop=0.0, decoder_layerdrop=0.0, use_cache=True, activation_function="gelu", d_model=1024,
    dropout=0.1, attention_dropout=0.0, activation_dropout=0.0, init_std=0.02, decoder_start_token_id=58100,
    scale_embedding=False, pad_token_id=58100, eos_token_id=0, bos_token_id=None, forced_eos_token_id=0,
    share_encoder_decoder_embeddings=True, is_decoder=False, tie_word_embeddings=True,
)
BlenderbotConfig = _config(
    dict(num_attention_heads="encoder_attention_heads", hidden_size="d_model", num_hidden_layers="encoder_layers"),
    model_type="blenderbot", vocab_size=8008, max_position_embeddings=128, encoder_layers=2, encoder_ffn_dim=10240,
    encoder_attention_heads=32, decoder_layers=24, decoder_ffn_dim=10240, decoder_attention_heads=32,
    encoder_layerdrop=0.0, decoder_layerdrop=0.0, use_cache=True, activation_function="gelu", d_model=2560,
    dropout=0.1, attention_dropout=0.0, activation_dropout=0.0, init_std=0.02, decoder_start_token_id=1,
    scale_embedding=False, pad_token_id=0, bos_token_id=1, eos_token_id=2, encoder_no_repeat_ngram_size=3,
    forced_eos_token_id=2, is_decoder=False, tie_word_embeddings=True,
)
ModernBertConfig = _config(
    rules=dict(layer_types=lambda c: ["sliding_attention" if i % 3 else "full_attention" for i in range(c.num_hidden_layers)]),
    model_type="modernbert", vocab_size=50368, hidden_size=768, intermediate_size=1152, num_hidden_layers=22,
    num_attention_heads=12, hidden_activation="gelu", max_position_embeddings=8192,
    initializer_cutoff_factor=2.0, norm_eps=1e-05, norm_bias=False, pad_token_id=50283, eos_token_id=50282,
    bos_token_id=50281, cls_token_id=50281, sep_token_id=50282, attention_bias=False, attention_dropout=0.0,
    layer_types=None, local_attention=128, embedding_dropout=0.0, mlp_bias=False, mlp_dropout=0.0, decoder_bias=True,
    classifier_pooling="cls", classifier_dropout=0.0, classifier_bias=False, classifier_activation="gelu",
    deterministic_flash_attn=False, sparse_prediction=False, sparse_pred_ignore_index=-100, tie_word_embeddings=True,
    rope_parameters={"sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
        "full_attention": {"rope_type": "default", "rope_theta": 160000.0}},
)
LayoutLMConfig = _config(
    model_type="layoutlm", vocab_size=30522, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
    max_position_embeddings=512, type_vocab_size=2, layer_norm_eps=1e-12, pad_token_id=0,
    eos_token_id=None, bos_token_id=None, use_cache=True, max_2d_position_embeddings=1024, tie_word_embeddings=True,
)
IJepaConfig = _config(
    rules=dict(pooler_output_size=lambda c: c.hidden_size), model_type="ijepa", hidden_size=768, num_hidden_layers=12,
    num_attention_heads=12, intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0, layer_norm_eps=1e-12, image_size=224, patch_size=16,
    num_channels=3, qkv_bias=True, pooler_output_size=None, pooler_act="tanh",
)
TimesformerConfig = _config(
    model_type="timesformer", image_size=224, patch_size=16, num_channels=3, num_frames=8, hidden_size=768,
    num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, hidden_act="gelu", hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0, layer_norm_eps=1e-06, qkv_bias=True,
    attention_type="divided_space_time", drop_path_rate=0,
)
VivitConfig = _config(
    rules=dict(pooler_output_size=lambda c: c.hidden_size), model_type="vivit", image_size=224, num_frames=32,
    tubelet_size=(2, 16, 16), num_channels=3, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
    intermediate_size=3072, hidden_act="gelu_fast", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    initializer_range=0.02, layer_norm_eps=1e-06, qkv_bias=True, pooler_output_size=None, pooler_act="tanh",
)
VideoMAEConfig = _config(
    model_type="videomae", image_size=224, patch_size=16, num_channels=3, num_frames=16, tubelet_size=2,
    hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072, hidden_act="gelu",
    hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, layer_norm_eps=1e-12,
    qv_bias=True, use_mean_pooling=True, decoder_num_attention_heads=6, decoder_hidden_size=384,
    decoder_num_hidden_layers=4, decoder_intermediate_size=1536, norm_pix_loss=True,
)
ViTMSNConfig = _config(
    model_type="vit_msn", hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072,
    hidden_act="gelu", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    layer_norm_eps=1e-06, image_size=224, patch_size=16, num_channels=3, qkv_bias=True,
)
Dinov2WithRegistersConfig = _config(
    rules=dict(stage_names=_stages), model_type="dinov2_with_registers", hidden_size=768, num_hidden_layers=12,
    num_attention_heads=12, mlp_ratio=4, hidden_act="gelu", hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    initializer_range=0.02, layer_norm_eps=1e-06, image_size=224, patch_size=16, num_channels=3, qkv_bias=True,
    layerscale_value=1.0, drop_path_rate=0.0, use_swiglu_ffn=False, num_register_tokens=4, _out_features=None,
    _out_indices=None, apply_layernorm=True, reshape_hidden_states=True,
)
Siglip2VisionConfig = _config(
    model_type="siglip2_vision_model", hidden_size=768, intermediate_size=3072, num_hidden_layers=12,
    num_attention_heads=12, num_channels=3, patch_size=16, hidden_act="gelu_pytorch_tanh", layer_norm_eps=1e-06,
    attention_dropout=0.0, vision_use_head=True, num_patches=256,
)
ArceeConfig = _config(
    model_type="arcee", vocab_size=32000, hidden_size=2560, intermediate_size=18432, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="relu2", max_position_embeddings=4096,
    initializer_range=0.02, rms_norm_eps=1e-05, use_cache=True, pad_token_id=None, bos_token_id=128000,
    eos_token_id=128001, tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0, mlp_bias=False,
    head_dim=None, rope_theta=10000.0,
)
ApertusConfig = _config(
    model_type="apertus", vocab_size=131072, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=None, hidden_act="xielu", max_position_embeddings=65536,
    initializer_range=0.02, rms_norm_eps=1e-05, use_cache=True, pad_token_id=3, bos_token_id=1, eos_token_id=2,
    tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0,
    rope_parameters={"rope_type": "llama3", "rope_theta": 12000000.0, "factor": 8.0,
        "original_max_position_embeddings": 8192, "low_freq_factor": 1.0, "high_freq_factor": 4.0},
)
Lfm2Config = _config(
    rules=dict(full_attn_idxs=lambda c: list(range(c.num_hidden_layers)),
        layer_types=lambda c: ["full_attention" if i in c.full_attn_idxs else "conv" for i in range(c.num_hidden_layers)]),
    model_type="lfm2", vocab_size=65536, hidden_size=2560, intermediate_size=12288, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=8, max_position_embeddings=128000,
    norm_eps=1e-05, use_cache=True, pad_token_id=0, bos_token_id=1, eos_token_id=2, tie_word_embeddings=True,
    conv_bias=False, conv_L_cache=3, block_multiple_of=256, block_ffn_dim_multiplier=1.0,
    block_auto_adjust_ff_dim=True, full_attn_idxs=None, layer_types=None, rope_theta=1000000.0,
)
SeedOssConfig = _config(
    model_type="seed_oss", vocab_size=155136, hidden_size=4096, intermediate_size=27648, num_hidden_layers=64,
    num_attention_heads=80, num_key_value_heads=8, hidden_act="silu", max_position_embeddings=524288,
    initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, pad_token_id=1, bos_token_id=0, eos_token_id=2,
    pretraining_tp=1, tie_word_embeddings=False, attention_bias=True, attention_out_bias=False, attention_dropout=0.1,
    residual_dropout=0.1, mlp_bias=False, head_dim=128, rope_theta=10000.0,
)
BitNetConfig = _config(
    model_type="bitnet", vocab_size=128256, hidden_size=2560, intermediate_size=6912, num_hidden_layers=30,
    num_attention_heads=20, num_key_value_heads=5, hidden_act="relu2", max_position_embeddings=2048,
    initializer_range=0.02, rms_norm_eps=1e-05, use_cache=True, pad_token_id=None, bos_token_id=128000,
    eos_token_id=128001, tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0, rope_theta=500000.0,
)
MinistralConfig = _config(
    model_type="ministral", vocab_size=32000, hidden_size=4096, intermediate_size=14336, num_hidden_layers=32,
    num_attention_heads=32, num_key_value_heads=8, head_dim=None, hidden_act="silu", max_position_embeddings=131072,
    initializer_range=0.02, rms_norm_eps=1e-06, use_cache=True, pad_token_id=None, bos_token_id=1, eos_token_id=2,
    tie_word_embeddings=False, sliding_window=4096, attention_dropout=0.0, layer_types=None, rope_theta=10000.0,
)
FlexOlmoConfig = _config(
    dict(num_local_experts="num_experts"), model_type="flex_olmo", vocab_size=100352, hidden_size=4096,
    intermediate_size=11008, num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=None,
    hidden_act="silu", max_position_embeddings=4096, rms_norm_eps=1e-06, use_cache=True,
    pad_token_id=100277, bos_token_id=None, eos_token_id=100257, tie_word_embeddings=False, attention_bias=False,
    attention_dropout=0.0, num_experts_per_tok=5, num_experts=7, output_router_logits=False,
    router_aux_loss_coef=0.01, norm_topk_prob=False, rope_theta=500000.0,
)
MoonshineConfig = _config(
    dict(num_key_value_heads="decoder_num_key_value_heads", num_attention_heads="decoder_num_attention_heads",
        num_hidden_layers="decoder_num_hidden_layers", hidden_act="decoder_hidden_act"),
    rules=dict(encoder_num_key_value_heads=lambda c: c.encoder_num_attention_heads,
        decoder_num_key_value_heads=lambda c: c.decoder_num_attention_heads),
    model_type="moonshine", vocab_size=32768, hidden_size=288, intermediate_size=1152, encoder_num_hidden_layers=6,
    decoder_num_hidden_layers=6, encoder_num_attention_heads=8, decoder_num_attention_heads=8,
    encoder_num_key_value_heads=None, decoder_num_key_value_heads=None, pad_head_dim_to_multiple_of=None,
    encoder_hidden_act="gelu", decoder_hidden_act="silu", max_position_embeddings=512,
    decoder_start_token_id=1, use_cache=True, attention_bias=False, attention_dropout=0.0, bos_token_id=1,
    eos_token_id=2, pad_token_id=None, tie_word_embeddings=True, rope_theta=10000.0, partial_rotary_factor=0.9,
)
EncodecConfig = _config(
    rules=dict(codebook_dim=lambda c: c.hidden_size), model_type="encodec",
    target_bandwidths=(1.5, 3.0, 6.0, 12.0, 24.0), sampling_rate=24000, audio_channels=1, normalize=False,
    chunk_length_s=None, overlap=None, hidden_size=128, num_filters=32, num_residual_layers=1,
    upsampling_ratios=(8, 5, 4, 2), norm_type="weight_norm", kernel_size=7, last_kernel_size=7,
    residual_kernel_size=3, dilation_growth_rate=2, use_causal_conv=True, pad_mode="reflect", compress=2,
    num_lstm_layers=2, trim_right_ratio=1.0, codebook_size=1024, codebook_dim=None, use_conv_shortcut=True,
)
Dots1Config = _config(
    dict(num_local_experts="n_routed_experts"), model_type="dots1", vocab_size=152064, hidden_size=4608,
    intermediate_size=10944, moe_intermediate_size=1408, num_hidden_layers=62, num_attention_heads=32,
    num_key_value_heads=32, n_shared_experts=None, n_routed_experts=None, output_router_logits=False, n_group=1,
    topk_group=1, num_experts_per_tok=None, first_k_dense_replace=0, norm_topk_prob=False, hidden_act="silu",
    max_position_embeddings=2048, rms_norm_eps=1e-06, use_cache=True,
    tie_word_embeddings=False, attention_bias=False, attention_dropout=0.0, routed_scaling_factor=1.0,
    sliding_window=4096, max_window_layers=62, layer_types=None, pad_token_id=None, bos_token_id=None,
    eos_token_id=None, rope_theta=10000.0,
)
JambaConfig = _config(
    dict(num_local_experts="num_experts"), rules=dict(mamba_dt_rank=lambda c: -(-c.hidden_size // 16)),
    model_type="jamba", vocab_size=65536, tie_word_embeddings=False, hidden_size=4096, intermediate_size=14336,
    num_hidden_layers=32, num_attention_heads=32, num_key_value_heads=8, hidden_act="silu",
    rms_norm_eps=1e-06, use_cache=True, output_router_logits=False, router_aux_loss_coef=0.001, pad_token_id=0,
    bos_token_id=1, eos_token_id=2, max_position_embeddings=262144, attention_dropout=0.0, num_experts_per_tok=2,
    num_experts=16, expert_layer_period=2, expert_layer_offset=1, attn_layer_period=8, attn_layer_offset=4,
    use_mamba_kernels=True, mamba_d_state=16, mamba_d_conv=4, mamba_expand=2, mamba_dt_rank=None,
    mamba_conv_bias=True, mamba_proj_bias=False, use_mambapy=False, use_associative_scan=True,
)
