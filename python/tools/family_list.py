"""The families: sizes at which each is traced, and configurations as they were published."""

from __future__ import annotations

from family import Family

#: Sizes of a decoder, of which no two are alike at all three configurations.
DECODER: dict = {
    "vocab_size": [251, 263, 277],
    "hidden_size": [48, 72, 75],
    "intermediate_size": [94, 58, 122],
    "num_hidden_layers": [3, 4, 5],
    "num_attention_heads": [6, 8, 15],
    "num_key_value_heads": [3, 2, 5],
    "head_dim": [10, 14, 18],
    "rms_norm_eps": [1e-4, 2e-4, 3e-4],
    "rope_theta": [5000.0, 7000.0, 3000.0],
}
HEAD = {"head_dim": "hidden_size // num_attention_heads"}
SILU = {"hidden_act": "silu"}
GROUPS = {"num_key_value_heads": "num_attention_heads"}
EVEN = "Each expert has room for an even share of a sequence; the model itself drops no token."
NO_SCALING = "Angles are those without rope_scaling, which changes numbers and no size."
#: Keys that are not read where use_sliding_window is false.
WINDOW = ["sliding_window", "max_window_layers"]
FULL: dict = {"layer_types": ["full_attention"]}
TIED = ["tie_word_embeddings"]
NO_FURTHER = "The layers that predict further tokens (num_nextn_predict_layers) are left out."


def decoder(name: str, *heads: str) -> dict[str, str]:
    """The classes of a decoder that end otherwise: the bare model, and the heads that it has in transformers."""
    return {each: each for each in (f"{name}Model", f"{name}ForSequenceClassification", *(f"{name}For{head}" for head in heads))}


TOKENS, ANSWERS = "TokenClassification", "QuestionAnswering"
T5_ENDS = ("EncoderModel", "Model", f"For{TOKENS}", f"For{ANSWERS}")



#: Sizes of the two halves of CLIP.
CLIP_TEXT: dict = {"vocab_size": [251, 263, 277], "hidden_size": [48, 72, 75], "intermediate_size": [94, 58, 122], "num_hidden_layers": [3, 4, 5],
                   "num_attention_heads": [6, 8, 15], "max_position_embeddings": [31, 37, 29]}
CLIP_VISION: dict = {"hidden_size": [56, 63, 60], "intermediate_size": [98, 66, 126], "num_hidden_layers": [4, 3, 6], "num_attention_heads": [7, 9, 10],
                     "image_size": [24, 30, 28], "patch_size": [6, 5, 7]}


#: The language part of Gemma 3, and the encoder of images in front of it.
GEMMA3: dict = {**{key: values for key, values in DECODER.items() if key != "num_hidden_layers"}, "num_hidden_layers": [9, 8, 14], "sliding_window": [7, 9, 6],
                "query_pre_attn_scalar": [12, 20, 28], "rope_local_base_freq": [900.0, 800.0, 700.0]}
GEMMA3_LAYERS = ["sliding_attention"] * 5 + ["full_attention"]
GEMMA3_HOLDS: dict = {"hidden_activation": "gelu_pytorch_tanh", "sliding_window_pattern": 6, "_sliding_window_pattern": 6, "use_bidirectional_attention": False}
SO400M: dict = dict(image_size=896, patch_size=14, hidden_size=1152, intermediate_size=4304, num_hidden_layers=27, num_attention_heads=16, vision_use_head=False)


#: Sizes of a model with latent attention.
DEEPSEEK: dict = {
    **{key: DECODER[key] for key in ("vocab_size", "hidden_size", "intermediate_size", "num_attention_heads", "rms_norm_eps", "rope_theta")},
    "num_hidden_layers": [5, 7, 6], "first_k_dense_replace": [2, 3, 2],
    "moe_intermediate_size": [34, 42, 38], "n_routed_experts": [8, 12, 20], "n_shared_experts": [3, 2, 5], "num_experts_per_tok": [3, 4, 5], "kv_lora_rank": [20, 28, 40],
    "qk_rope_head_dim": [14, 18, 22], "qk_nope_head_dim": [12, 16, 26], "v_head_dim": [15, 23, 26], "routed_scaling_factor": [2.25, 1.75, 3.25],
}


def without(sizes, *keys):
    return {key: values for key, values in sizes.items() if key not in keys}



def llama(vocab, hidden, inner, layers, heads, kv, parameters, **more):
    return dict(vocab_size=vocab, hidden_size=hidden, intermediate_size=inner, num_hidden_layers=layers, num_attention_heads=heads,
                num_key_value_heads=kv, parameters=parameters, **more)


def glm45(hidden, inner, layers, expert, experts, dense, scale, parameters, **more):
    return llama(151552, hidden, inner, layers, 96, 8, parameters, head_dim=128, moe_intermediate_size=expert, n_routed_experts=experts, n_shared_experts=1, num_experts_per_tok=8, n_group=1, topk_group=1,
                 first_k_dense_replace=dense, routed_scaling_factor=scale, attention_bias=True, rms_norm_eps=1e-5, rope_theta=1000000.0, **more)


FAMILIES = [
    Family(
        "llama", "Llama 2 and 3", ["llama"], "LlamaConfig", "LlamaForCausalLM", DECODER,
        {
            "Llama 3 8B": llama(128256, 4096, 14336, 32, 32, 8, 8_030_261_248, rms_norm_eps=1e-5, rope_theta=500000.0),
            "Llama 3 70B": llama(128256, 8192, 28672, 80, 64, 8, 70_553_706_496, rms_norm_eps=1e-5, rope_theta=500000.0),
            "Llama 3.1 405B": llama(128256, 16384, 53248, 126, 128, 8, 405_853_388_800, rms_norm_eps=1e-5, rope_theta=500000.0),
            "Llama 2 7B": llama(32000, 4096, 11008, 32, 32, 32, 6_738_415_616, rms_norm_eps=1e-5, rope_theta=10000.0),
            "Llama 2 70B": llama(32000, 8192, 28672, 80, 64, 8, 68_976_648_192, rms_norm_eps=1e-5, rope_theta=10000.0),
            "Llama 3.2 1B": llama(128256, 2048, 8192, 16, 32, 8, 1_235_814_400, rms_norm_eps=1e-5, rope_theta=500000.0, head_dim=64, tie_word_embeddings=True),
        },
        switches=["tie_word_embeddings", "attention_bias", "mlp_bias"], derived={**HEAD, **GROUPS}, ends=decoder("Llama", TOKENS, ANSWERS), holds=SILU, notes=[NO_SCALING],
    ),
    Family(
        "mistral", "Mistral", ["mistral", "ministral"], "MistralConfig", "MistralForCausalLM",
        {**DECODER, "sliding_window": [7, 9, 6]},
        {
            "Mistral 7B v0.3": llama(32768, 4096, 14336, 32, 32, 8, 7_248_023_552, rms_norm_eps=1e-5, rope_theta=1000000.0, sliding_window=None),
            "Mistral 7B v0.1": llama(32000, 4096, 14336, 32, 32, 8, 7_241_732_096, rms_norm_eps=1e-5, rope_theta=10000.0, sliding_window=4096),
            "Mistral Nemo 12B": llama(131072, 5120, 14336, 40, 32, 8, 12_247_782_400, rms_norm_eps=1e-5, rope_theta=1000000.0, head_dim=128, sliding_window=None),
        },
        switches=TIED, derived={**HEAD, **GROUPS}, ends=decoder("Mistral", TOKENS, ANSWERS), holds=SILU,
    ),
    Family(
        "qwen2", "Qwen 1.5, 2 and 2.5", ["qwen2"], "Qwen2Config", "Qwen2ForCausalLM", {**without(DECODER, "head_dim"), "hidden_size": [48, 80, 90]},
        {
            "Qwen2.5 7B": llama(152064, 3584, 18944, 28, 28, 4, 7_615_616_512, rms_norm_eps=1e-6, rope_theta=1000000.0),
            "Qwen2.5 72B": llama(152064, 8192, 29568, 80, 64, 8, 72_706_203_648, rms_norm_eps=1e-5, rope_theta=1000000.0),
            "Qwen2 0.5B": llama(151936, 896, 4864, 24, 14, 2, 494_032_768, rms_norm_eps=1e-6, rope_theta=1000000.0, tie_word_embeddings=True),
        },
        switches=TIED, derived=GROUPS, ends=decoder("Qwen2", TOKENS, ANSWERS), language=["qwen2_vl", "qwen2_5_vl", "qwen2_vl_text", "qwen2_5_vl_text"],
        holds={**SILU, "use_sliding_window": False}, unread=WINDOW, repeats=FULL, notes=["use_sliding_window is false."],
    ),
    Family(
        "qwen3", "Qwen 3", ["qwen3"], "Qwen3Config", "Qwen3ForCausalLM", DECODER,
        {
            "Qwen3 8B": llama(151936, 4096, 12288, 36, 32, 8, 8_190_735_360, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0),
            "Qwen3 32B": llama(151936, 5120, 25600, 64, 64, 8, 32_762_123_264, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0),
            "Qwen3 0.6B": llama(151936, 1024, 3072, 28, 16, 8, 596_049_920, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0, tie_word_embeddings=True),
        },
        switches=[*TIED, "attention_bias"], ends=decoder("Qwen3", TOKENS, ANSWERS), language=["qwen3_vl_text"],
        holds={**SILU, "use_sliding_window": False}, unread=WINDOW, repeats=FULL, notes=["use_sliding_window is false."],
    ),
    Family(
        "gpt2", "GPT-2", ["gpt2"], "GPT2Config", "GPT2LMHeadModel",
        {
            "vocab_size": [251, 263, 277], "n_positions": [31, 37, 29], "n_embd": [48, 72, 75], "n_layer": [3, 4, 5],
            "n_head": [6, 8, 15], "layer_norm_epsilon": [1e-4, 2e-4, 3e-4],
        },
        {
            "GPT-2 XL": dict(vocab_size=50257, n_positions=1024, n_embd=1600, n_layer=48, n_head=25, parameters=1_557_611_200),
            "GPT-2": dict(vocab_size=50257, n_positions=1024, n_embd=768, n_layer=12, n_head=12, parameters=124_439_808),
            "GPT-2 Large": dict(vocab_size=50257, n_positions=1024, n_embd=1280, n_layer=36, n_head=20, parameters=774_030_080),
        },
        length=1024, ends=decoder("GPT2", TOKENS, ANSWERS), holds={"activation_function": "gelu_new", "tie_word_embeddings": True}, notes=["n_inner is 4 · n_embd, and the output layer is the embedding."],
    ),
    Family(
        "mixtral", "Mixtral", ["mixtral"], "MixtralConfig", "MixtralForCausalLM",
        {**DECODER, "num_local_experts": [4, 5, 7], "num_experts_per_tok": [2, 3, 4], "sliding_window": [7, 9, 6]},
        {
            "Mixtral 8x7B": llama(32000, 4096, 14336, 32, 32, 8, 46_702_792_704, rms_norm_eps=1e-5, rope_theta=1000000.0, num_local_experts=8, num_experts_per_tok=2, sliding_window=None),
            "Mixtral 8x22B": llama(32000, 6144, 16384, 56, 48, 8, 140_620_634_112, rms_norm_eps=1e-5, rope_theta=1000000.0, num_local_experts=8, num_experts_per_tok=2, sliding_window=None),
            "Mixtral 8x22B v0.3": llama(32768, 6144, 16384, 56, 48, 8, 140_630_071_296, rms_norm_eps=1e-5, rope_theta=1000000.0, num_local_experts=8, num_experts_per_tok=2, sliding_window=None),
        },
        switches=TIED, derived={**HEAD, **GROUPS}, holds=SILU, ends=decoder("Mixtral", TOKENS, ANSWERS), notes=[EVEN],
    ),
    Family(
        "qwen3_moe", "Qwen 3 MoE", ["qwen3_moe"], "Qwen3MoeConfig", "Qwen3MoeForCausalLM",
        {**DECODER, "num_experts": [4, 5, 7], "num_experts_per_tok": [2, 3, 4], "moe_intermediate_size": [34, 42, 38]},
        {
            "Qwen3 30B-A3B": llama(151936, 2048, 6144, 48, 32, 4, 30_532_122_624, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0, num_experts=128, num_experts_per_tok=8, moe_intermediate_size=768, norm_topk_prob=True),
            "Qwen3 235B-A22B": llama(151936, 4096, 12288, 94, 64, 4, 235_093_634_560, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0, num_experts=128, num_experts_per_tok=8, moe_intermediate_size=1536, norm_topk_prob=True),
            "Qwen3 Coder 480B-A35B": llama(151936, 6144, 8192, 62, 96, 8, 480_154_875_392, head_dim=128, rms_norm_eps=1e-6, rope_theta=10000000.0, num_experts=160, num_experts_per_tok=8, moe_intermediate_size=2560, norm_topk_prob=True),
        },
        fixed={"norm_topk_prob": True}, switches=[*TIED, "attention_bias"], derived=HEAD, also={"num_local_experts": "num_experts"},
        holds={**SILU, "use_sliding_window": False, "norm_topk_prob": True, "decoder_sparse_step": 1, "mlp_only_layers": []}, unread=["intermediate_size", *WINDOW], repeats=FULL, ends=decoder("Qwen3Moe", TOKENS, ANSWERS), notes=[EVEN],
    ),
    Family(
        "gemma2", "Gemma 2", ["gemma2"], "Gemma2Config", "Gemma2ForCausalLM",
        {**DECODER, "sliding_window": [7, 9, 6], "query_pre_attn_scalar": [12, 20, 28], "attn_logit_softcapping": [40.0, 45.0, 35.0],
         "final_logit_softcapping": [31.0, 25.0, 20.0]},
        {
            "Gemma 2 9B": llama(256000, 3584, 14336, 42, 16, 8, 9_241_705_984, head_dim=256, rms_norm_eps=1e-6, rope_theta=10000.0, query_pre_attn_scalar=256, sliding_window=4096, attn_logit_softcapping=50.0, final_logit_softcapping=30.0),
            "Gemma 2 27B": llama(256000, 4608, 36864, 46, 32, 16, 27_227_128_320, head_dim=128, rms_norm_eps=1e-6, rope_theta=10000.0, query_pre_attn_scalar=144, sliding_window=4096, attn_logit_softcapping=50.0, final_logit_softcapping=30.0),
            "Gemma 2 2B": llama(256000, 2304, 9216, 26, 8, 4, 2_614_341_888, head_dim=256, rms_norm_eps=1e-6, rope_theta=10000.0, query_pre_attn_scalar=256, sliding_window=4096, attn_logit_softcapping=50.0, final_logit_softcapping=30.0),
        },
        attention="eager", same={"sliding_window_size": "sliding_window"}, repeats={"layer_types": ["sliding_attention", "full_attention"]}, ends=decoder("Gemma2", TOKENS), holds={"hidden_activation": "gelu_pytorch_tanh", "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": True},
    ),
    Family(
        "gemma3", "Gemma 3", ["gemma3_text"], "Gemma3TextConfig", "Gemma3ForCausalLM",
        GEMMA3,
        {
            "Gemma 3 27B": llama(262208, 5376, 21504, 62, 32, 16, 27_009_346_304, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0, query_pre_attn_scalar=168, sliding_window=1024, rope_local_base_freq=10000.0),
            "Gemma 3 1B": llama(262144, 1152, 6912, 26, 4, 1, 999_885_952, head_dim=256, rms_norm_eps=1e-6, rope_theta=1000000.0, query_pre_attn_scalar=256, sliding_window=512, rope_local_base_freq=10000.0),
            "Gemma 3 12B": llama(262208, 3840, 15360, 48, 16, 8, 11_766_034_176, head_dim=256, rms_norm_eps=1e-6, rope_theta=1000000.0, query_pre_attn_scalar=256, sliding_window=1024, rope_local_base_freq=10000.0),
        },
        repeats={"layer_types": GEMMA3_LAYERS}, ends={each: each for each in ("Gemma3TextModel", "Gemma3TextForSequenceClassification")}, holds={**GEMMA3_HOLDS, "tie_word_embeddings": True},
    ),
    Family(
        "gemma3_image", "Gemma 3 with images", ["gemma3"], "Gemma3Config", "Gemma3ForConditionalGeneration",
        {**GEMMA3, "mm_tokens_per_image": [4, 9, 16], **{f"vision_{key}": values for key, values in CLIP_VISION.items()}, "vision_hidden_size": [70, 63, 60], "vision_image_size": [36, 75, 112]},
        {
            "Gemma 3 27B with images": dict(text_config=dict(vocab_size=262208, hidden_size=5376, intermediate_size=21504, num_hidden_layers=62, num_attention_heads=32, num_key_value_heads=16, head_dim=128, query_pre_attn_scalar=168, sliding_window=1024), vision_config=SO400M, parameters=27_432_406_640),
            "Gemma 3 12B with images": dict(text_config=dict(vocab_size=262208, hidden_size=3840, intermediate_size=15360, num_hidden_layers=48, num_attention_heads=16, num_key_value_heads=8, sliding_window=1024), vision_config=SO400M, parameters=12_187_325_040),
            "Gemma 3 4B with images": dict(text_config=dict(hidden_size=2560, intermediate_size=10240, num_hidden_layers=34, sliding_window=1024), vision_config=SO400M, parameters=4_300_079_472),
        },
        nested={**{f"text_config.{key}": key for key in GEMMA3}, **{f"vision_config.{key}": f"vision_{key}" for key in CLIP_VISION}, "vision_config.vision_use_head": "vision_use_head"},
        fixed={"image_token_index": 250, "text_config": {"model_type": "gemma3_text"}, "vision_config": {"model_type": "siglip_vision_model", "vision_use_head": False}}, headed=True,
        inputs="image", derived={"tokens_per_side": "int(mm_tokens_per_image ** 0.5)"},
        repeats={"text_config.layer_types": GEMMA3_LAYERS}, unread=["text_config.tie_word_embeddings"],
        holds={"tie_word_embeddings": True, "vision_config.hidden_act": "gelu_pytorch_tanh", "vision_config.num_channels": 3,
               **{f"text_config.{key}": value for key, value in GEMMA3_HOLDS.items()}},
        notes=["In front of the S tokens of each row are those of one image, which attend as those of text do."],
    ),
    Family(
        "phi3", "Phi 3, 3.5 and 4", ["phi3"], "Phi3Config", "Phi3ForCausalLM", {**without(DECODER, "head_dim"), "hidden_size": [240, 224, 360], "num_attention_heads": [6, 8, 10], "num_hidden_layers": [4, 5, 3], "partial_rotary_factor": [0.5, 0.65, 0.4],
         "sliding_window": [7, 9, 6]},
        {
            "Phi-3 mini": llama(32064, 3072, 8192, 32, 32, 32, 3_821_079_552, rms_norm_eps=1e-5, rope_theta=10000.0),
            "Phi-3 medium": llama(32064, 5120, 17920, 40, 40, 10, 13_960_238_080, rms_norm_eps=1e-5, rope_theta=10000.0),
            "Phi-4": llama(100352, 5120, 17920, 40, 40, 10, 14_659_507_200, rms_norm_eps=1e-5, rope_theta=250000.0),
        },
        fixed={"pad_token_id": None, "rope_parameters": {"rope_type": "default"}}, switches=TIED, derived=GROUPS, ends=decoder("Phi3", TOKENS), holds={**SILU, "full_attn_mod": 1, "interpolate_factor": 1, "lm_head_bias": False}, notes=[NO_SCALING],
    ),
    Family(
        "olmo2", "OLMo 2", ["olmo2"], "Olmo2Config", "Olmo2ForCausalLM", {**without(DECODER, "head_dim"), "hidden_size": [48, 80, 90]},
        {
            "OLMo 2 7B": llama(100352, 4096, 11008, 32, 32, 32, 7_298_617_344, rms_norm_eps=1e-6, rope_theta=500000.0),
            "OLMo 2 13B": llama(100352, 5120, 13824, 40, 40, 40, 13_716_198_400, rms_norm_eps=1e-6, rope_theta=500000.0),
            "OLMo 2 32B": llama(100352, 5120, 27648, 64, 40, 8, 32_234_279_936, rms_norm_eps=1e-6, rope_theta=500000.0),
        },
        switches=[*TIED, "attention_bias"], derived=GROUPS, ends=decoder("Olmo2"), holds=SILU,
    ),
    Family(
        "glm4", "GLM 4", ["glm4"], "Glm4Config", "Glm4ForCausalLM", {**DECODER, "head_dim": [12, 20, 28]},
        {
            "GLM-4 9B": llama(151552, 4096, 13696, 40, 32, 2, 9_400_279_040, head_dim=128, rms_norm_eps=1e-5, rope_theta=10000.0, attention_bias=True),
            "GLM-4 32B": llama(151552, 6144, 23040, 61, 48, 2, 32_566_081_536, head_dim=128, rms_norm_eps=1e-5, rope_theta=10000.0, attention_bias=False),
        },
        fixed={"pad_token_id": None, "eos_token_id": None}, switches=[*TIED, "attention_bias"], ends=decoder("Glm4", TOKENS), holds={**SILU, "partial_rotary_factor": 0.5},
    ),
    Family(
        "bert", "BERT", ["bert"], "BertConfig", "BertForMaskedLM",
        {"vocab_size": [251, 263, 277], "hidden_size": [48, 72, 75], "intermediate_size": [94, 58, 122], "num_hidden_layers": [3, 4, 5],
         "num_attention_heads": [6, 8, 15], "max_position_embeddings": [31, 37, 29], "type_vocab_size": [2, 3, 4], "layer_norm_eps": [1e-4, 2e-4, 3e-4]},
        {
            "BERT Large": dict(vocab_size=30522, hidden_size=1024, intermediate_size=4096, num_hidden_layers=24, num_attention_heads=16, max_position_embeddings=512, type_vocab_size=2, parameters=335_174_458),
            "BERT Base": dict(vocab_size=30522, hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=512, type_vocab_size=2, parameters=109_514_298),
            "BERT Base cased": dict(vocab_size=28996, hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=512, type_vocab_size=2, parameters=108_340_804),
        },
        inputs="ids-only", length=512, ends={each: each for each in ("BertModel", "BertForSequenceClassification", "BertForTokenClassification", "BertForQuestionAnswering", "BertForNextSentencePrediction", "BertForPreTraining", "BertForMultipleChoice")},
        holds={"hidden_act": "gelu", "position_embedding_type": "absolute", "tie_word_embeddings": True},
    ),
    Family(
        "vit", "ViT", ["vit"], "ViTConfig", "ViTForImageClassification",
        {"hidden_size": [48, 72, 75], "intermediate_size": [94, 58, 122], "num_hidden_layers": [3, 4, 5], "num_attention_heads": [6, 8, 15],
         "image_size": [24, 30, 28], "patch_size": [6, 5, 7], "num_channels": [3, 2, 4], "num_labels": [11, 13, 9], "layer_norm_eps": [1e-4, 2e-4, 3e-4]},
        {
            "ViT Huge 14": dict(hidden_size=1280, intermediate_size=5120, num_hidden_layers=32, num_attention_heads=16, image_size=224, patch_size=14, num_channels=3, num_labels=1000, parameters=632_045_800),
            "ViT Base 16": dict(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, image_size=224, patch_size=16, num_channels=3, num_labels=1000, parameters=86_567_656),
            "ViT Large 16": dict(hidden_size=1024, intermediate_size=4096, num_hidden_layers=24, num_attention_heads=16, image_size=224, patch_size=16, num_channels=3, num_labels=1000, parameters=304_326_632),
        },
        inputs="pixels", ends={"ViTModel": "ViTModel"}, unread=["encoder_stride"], switches=["qkv_bias"], holds={"hidden_act": "gelu", "pooler_act": "tanh"}, same={"pooler_output_size": "hidden_size"},
    ),
    Family(
        "deepseek_v3_lite", "DeepSeek V3 without low-rank queries", ["deepseek_v3"], "DeepseekV3Config", "DeepseekV3ForCausalLM",
        {**DEEPSEEK, "n_group": [4, 6, 5], "topk_group": [2, 3, 4]},
        {
            "Moonlight 16B-A3B": dict(vocab_size=163840, hidden_size=2048, intermediate_size=11264, num_hidden_layers=27, first_k_dense_replace=1, num_attention_heads=16, num_key_value_heads=16, moe_intermediate_size=1408,
                                      n_routed_experts=64, n_shared_experts=2, num_experts_per_tok=6, n_group=1, topk_group=1, kv_lora_rank=512, q_lora_rank=None, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128,
                                      routed_scaling_factor=2.446, rms_norm_eps=1e-5, rope_theta=50000.0, parameters=15_960_108_544),
        },
        where={"q_lora_rank": None}, fixed={"q_lora_rank": None},
        holds={**SILU, "norm_topk_prob": True, "scoring_func": "sigmoid", "topk_method": "noaux_tc", "attention_bias": False, "tie_word_embeddings": False, "moe_layer_freq": 1, "ep_size": 1, "rope_interleave": True}, unread=["qk_head_dim"],
        ends=decoder("DeepseekV3", TOKENS), notes=[EVEN, NO_SCALING, NO_FURTHER], same={"num_key_value_heads": "num_attention_heads", "head_dim": "qk_rope_head_dim"},
    ),
    Family(
        "deepseek_v3", "DeepSeek V3, R1 and Kimi K2", ["deepseek_v3", "kimi_k2"], "DeepseekV3Config", "DeepseekV3ForCausalLM",
        {**without(DECODER, "num_key_value_heads", "head_dim", "num_hidden_layers"), "num_hidden_layers": [4, 5, 6], "first_k_dense_replace": [1, 2, 3],
         "moe_intermediate_size": [34, 42, 38], "n_routed_experts": [8, 12, 20], "n_shared_experts": [3, 2, 5], "num_experts_per_tok": [3, 4, 5],
         "n_group": [4, 6, 5], "topk_group": [2, 3, 4], "kv_lora_rank": [13, 19, 27], "q_lora_rank": [17, 29, 33], "qk_rope_head_dim": [14, 18, 22],
         "qk_nope_head_dim": [11, 16, 21], "v_head_dim": [15, 23, 26], "routed_scaling_factor": [2.25, 1.75, 3.25]},
        {
            "DeepSeek V3": dict(vocab_size=129280, hidden_size=7168, intermediate_size=18432, num_hidden_layers=61, first_k_dense_replace=3, num_attention_heads=128, num_key_value_heads=128,
                                moe_intermediate_size=2048, n_routed_experts=256, n_shared_experts=1, num_experts_per_tok=8, n_group=8, topk_group=4, kv_lora_rank=512, q_lora_rank=1536,
                                qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128, routed_scaling_factor=2.5, rms_norm_eps=1e-6, rope_theta=10000.0, parameters=671_026_404_352),
        },
        derived={}, holds={**SILU, "norm_topk_prob": True, "scoring_func": "sigmoid", "topk_method": "noaux_tc", "attention_bias": False, "tie_word_embeddings": False, "moe_layer_freq": 1, "ep_size": 1, "rope_interleave": True}, unread=["qk_head_dim"],
        ends=decoder("DeepseekV3", TOKENS), notes=[EVEN, NO_SCALING, NO_FURTHER], same={"num_key_value_heads": "num_attention_heads", "head_dim": "qk_rope_head_dim"},
    ),
    Family(
        "llama4", "Llama 4, its language part", ["llama4_text"], "Llama4TextConfig", "Llama4ForCausalLM",
        {**without(DECODER, "num_hidden_layers"), "num_hidden_layers": [12, 18, 24], "head_dim": [10, 14, 18], "intermediate_size_mlp": [66, 74, 86], "num_local_experts": [9, 13, 11],
         "interleave_moe_layer_step": [2, 3, 2], "no_rope_layer_interval": [3, 4, 5], "floor_scale": [20, 21, 25], "attn_scale": [0.15, 0.25, 0.35]},
        {
            "Llama 4 Scout 109B": dict(vocab_size=202048, hidden_size=5120, intermediate_size=8192, intermediate_size_mlp=16384, num_hidden_layers=48, num_attention_heads=40, num_key_value_heads=8, head_dim=128,
                                       num_local_experts=16, interleave_moe_layer_step=1, use_qk_norm=True, rms_norm_eps=1e-5, rope_theta=500000.0, parameters=107_769_861_120),
            "Llama 4 Maverick 400B": dict(vocab_size=202048, hidden_size=5120, intermediate_size=8192, intermediate_size_mlp=16384, num_hidden_layers=48, num_attention_heads=40, num_key_value_heads=8, head_dim=128,
                                          num_local_experts=128, interleave_moe_layer_step=2, use_qk_norm=False, rms_norm_eps=1e-5, rope_theta=500000.0, parameters=400_711_848_960),
        },
        switches=["use_qk_norm"], ends={"Llama4TextModel": "Llama4TextModel"}, fixed={"num_experts_per_tok": 1, "attention_chunk_size": 8192},
        holds={**SILU, "num_experts_per_tok": 1, "attention_chunk_size": 8192, "attn_temperature_tuning": True, "tie_word_embeddings": False, "attention_bias": False, "moe_layers": None}, every={"no_rope_layers": "no_rope_layer_interval"}, places={"moe_layers": "interleave_moe_layer_step"}, repeats={"layer_types": ["chunked_attention"] * 3 + ["full_attention"]},
        notes=[EVEN, NO_SCALING, "Attention is over the whole sequence, which is right up to attention_chunk_size tokens."],
    ),
    Family(
        "gpt_oss", "gpt-oss", ["gpt_oss"], "GptOssConfig", "GptOssForCausalLM",
        {**without(DECODER, "num_hidden_layers"), "num_hidden_layers": [4, 6, 8], "num_local_experts": [4, 5, 7], "num_experts_per_tok": [2, 3, 4], "sliding_window": [7, 9, 6]},
        {
            "gpt-oss 120B": llama(201088, 2880, 2880, 36, 64, 8, 116_829_156_672, head_dim=64, rms_norm_eps=1e-5, rope_theta=150000.0, num_local_experts=128, num_experts_per_tok=4, sliding_window=128),
            "gpt-oss 20B": llama(201088, 2880, 2880, 24, 64, 8, 20_914_757_184, head_dim=64, rms_norm_eps=1e-5, rope_theta=150000.0, num_local_experts=32, num_experts_per_tok=4, sliding_window=128),
        },
        fixed={"rope_parameters": {"rope_type": "default"}}, attention="eager", holds={**SILU, "attention_bias": True, "tie_word_embeddings": False, "swiglu_limit": 7.0, "swiglu_alpha": 1.702}, same={"experts_per_token": "num_experts_per_tok"}, repeats={"layer_types": ["sliding_attention", "full_attention"]}, ends=decoder("GptOss", TOKENS), notes=[EVEN, NO_SCALING],
    ),
    Family(
        "qwen2_moe", "Qwen 1.5 and 2 MoE", ["qwen2_moe"], "Qwen2MoeConfig", "Qwen2MoeForCausalLM",
        {**without(DECODER, "head_dim", "intermediate_size"), "hidden_size": [48, 80, 90], "num_experts": [4, 5, 7], "num_experts_per_tok": [2, 3, 4], "moe_intermediate_size": [34, 42, 38], "shared_expert_intermediate_size": [46, 54, 62]},
        {
            "Qwen1.5 MoE A2.7B": llama(151936, 2048, 5632, 24, 16, 16, 14_315_784_192, rms_norm_eps=1e-6, rope_theta=1000000.0, num_experts=60, num_experts_per_tok=4, moe_intermediate_size=1408, shared_expert_intermediate_size=5632),
            "Qwen2 57B-A14B": llama(151936, 3584, 18944, 28, 28, 4, 57_408_658_944, rms_norm_eps=1e-6, rope_theta=1000000.0, num_experts=64, num_experts_per_tok=8, moe_intermediate_size=2560, shared_expert_intermediate_size=20480),
        },
        switches=TIED, derived=GROUPS, holds={**SILU, "use_sliding_window": False, "norm_topk_prob": False, "decoder_sparse_step": 1, "mlp_only_layers": [], "qkv_bias": True}, unread=["intermediate_size", *WINDOW], repeats=FULL, ends=decoder("Qwen2Moe", TOKENS, ANSWERS), notes=[EVEN],
    ),
    Family(
        "deepseek_v2_lite", "DeepSeek V2 Lite", ["deepseek_v2"], "DeepseekV2Config", "DeepseekV2ForCausalLM",
        {**DEEPSEEK},
        {
            "DeepSeek V2 Lite": dict(vocab_size=102400, hidden_size=2048, intermediate_size=10944, num_hidden_layers=27, first_k_dense_replace=1, num_attention_heads=16, num_key_value_heads=16,
                                     moe_intermediate_size=1408, n_routed_experts=64, n_shared_experts=2, num_experts_per_tok=6, kv_lora_rank=512,
                                     qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128, routed_scaling_factor=1.0, q_lora_rank=None, topk_method="greedy", n_group=1, topk_group=1, rms_norm_eps=1e-6, rope_theta=10000.0, parameters=15_706_484_224),
        },
        where={"q_lora_rank": None}, fixed={"q_lora_rank": None, "topk_method": "greedy"}, same={"num_key_value_heads": "num_attention_heads", "head_dim": "qk_rope_head_dim"}, unread=["qk_head_dim"],
        holds={**SILU, "norm_topk_prob": False, "scoring_func": "softmax", "topk_method": "greedy", "n_group": 1, "topk_group": 1, "attention_bias": False, "tie_word_embeddings": False, "moe_layer_freq": 1, "ep_size": 1},
        ends=decoder("DeepseekV2"), notes=[EVEN, NO_SCALING],
    ),
    Family(
        "deepseek_v2", "DeepSeek V2", ["deepseek_v2"], "DeepseekV2Config", "DeepseekV2ForCausalLM",
        {**DEEPSEEK, "q_lora_rank": [17, 29, 33], "n_group": [4, 6, 5], "topk_group": [2, 3, 4]},
        {
            "DeepSeek V2": dict(vocab_size=102400, hidden_size=5120, intermediate_size=12288, num_hidden_layers=60, first_k_dense_replace=1, num_attention_heads=128, num_key_value_heads=128,
                                moe_intermediate_size=1536, n_routed_experts=160, n_shared_experts=2, num_experts_per_tok=6, n_group=8, topk_group=3, kv_lora_rank=512, q_lora_rank=1536,
                                qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=128, routed_scaling_factor=16.0, topk_method="group_limited_greedy", rms_norm_eps=1e-6, rope_theta=10000.0, parameters=235_741_434_880),
        },
        fixed={"topk_method": "group_limited_greedy"}, same={"num_key_value_heads": "num_attention_heads", "head_dim": "qk_rope_head_dim"}, unread=["qk_head_dim"],
        holds={**SILU, "norm_topk_prob": False, "scoring_func": "softmax", "topk_method": "group_limited_greedy", "attention_bias": False, "tie_word_embeddings": False, "moe_layer_freq": 1, "ep_size": 1},
        ends=decoder("DeepseekV2"), notes=[EVEN, NO_SCALING],
    ),
    Family(
        "t5_gated", "T5 1.1, Flan T5 and mT5", ["t5", "mt5"], "T5Config", "T5ForConditionalGeneration",
        {"vocab_size": [251, 263, 277], "d_model": [48, 72, 75], "d_kv": [10, 14, 18], "d_ff": [94, 58, 122], "num_layers": [3, 4, 5], "num_decoder_layers": [4, 5, 3],
         "num_heads": [6, 8, 15], "relative_attention_num_buckets": [8, 12, 16], "relative_attention_max_distance": [22, 33, 44], "layer_norm_epsilon": [1e-4, 2e-4, 3e-4]},
        {
            "Flan T5 XXL": dict(vocab_size=32128, d_model=4096, d_kv=64, d_ff=10240, num_layers=24, num_decoder_layers=24, num_heads=64, relative_attention_num_buckets=32, feed_forward_proj="gated-gelu", tie_word_embeddings=False, parameters=11_135_332_352),
            "Flan T5 XL": dict(vocab_size=32128, d_model=2048, d_kv=64, d_ff=5120, num_layers=24, num_decoder_layers=24, num_heads=32, relative_attention_num_buckets=32, feed_forward_proj="gated-gelu", tie_word_embeddings=False, parameters=2_849_757_184),
            "Flan T5 Small": dict(vocab_size=32128, d_model=512, d_kv=64, d_ff=1024, num_layers=8, num_decoder_layers=8, num_heads=6, relative_attention_num_buckets=32, feed_forward_proj="gated-gelu", tie_word_embeddings=False, parameters=76_961_152),
        },
        architectures=["T5ForConditionalGeneration", "MT5ForConditionalGeneration"], ends={f"{of}{end}": f"T5{end}" for end in T5_ENDS for of in ("T5", "MT5")}, where={"feed_forward_proj": "gated-gelu"},
        fixed={"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False, "scale_decoder_outputs": False}, spread=0.1, untied=["lm_head.weight"], missing={"tie_word_embeddings": True}, unread=["dense_act_fn", "is_gated_act"], notes=["The output layer has weights of its own, as published; transformers 5 ties it to the embedding."], inputs="pair", length=512, attention="eager", derived={"num_decoder_layers": "num_layers"},
        holds={"feed_forward_proj": "gated-gelu", "relative_attention_max_distance": 128, "tie_word_embeddings": False},
    ),
    Family(
        "t5", "T5", ["t5"], "T5Config", "T5ForConditionalGeneration",
        {"vocab_size": [251, 263, 277], "d_model": [48, 72, 75], "d_kv": [10, 14, 18], "d_ff": [94, 58, 122], "num_layers": [3, 4, 5], "num_decoder_layers": [4, 5, 3],
         "num_heads": [6, 8, 15], "relative_attention_num_buckets": [8, 12, 16], "relative_attention_max_distance": [22, 33, 44], "layer_norm_epsilon": [1e-4, 2e-4, 3e-4]},
        {
            "T5 11B": dict(vocab_size=32128, d_model=1024, d_kv=128, d_ff=65536, num_layers=24, num_decoder_layers=24, num_heads=128, relative_attention_num_buckets=32, parameters=11_307_321_344),
            "T5 Large": dict(vocab_size=32128, d_model=1024, d_kv=64, d_ff=4096, num_layers=24, num_decoder_layers=24, num_heads=16, relative_attention_num_buckets=32, parameters=737_668_096),
            "T5 Base": dict(vocab_size=32128, d_model=768, d_kv=64, d_ff=3072, num_layers=12, num_decoder_layers=12, num_heads=12, relative_attention_num_buckets=32, parameters=222_903_552),
        },
        spread=0.1, architectures=["T5ForConditionalGeneration", "T5WithLMHeadModel"], ends={f"T5{end}": f"T5{end}" for end in T5_ENDS}, inputs="pair", length=512, attention="eager", derived={"num_decoder_layers": "num_layers"}, holds={"feed_forward_proj": "relu", "relative_attention_max_distance": 128, "tie_word_embeddings": True, "scale_decoder_outputs": True, "dense_act_fn": "relu", "is_gated_act": False},
    ),
    Family(
        "whisper", "Whisper", ["whisper"], "WhisperConfig", "WhisperForConditionalGeneration",
        {"vocab_size": [251, 263, 277], "d_model": [48, 72, 90], "encoder_layers": [3, 4, 5], "decoder_layers": [4, 6, 3], "encoder_attention_heads": [6, 8, 15], "decoder_attention_heads": [4, 9, 10],
         "encoder_ffn_dim": [94, 58, 122], "decoder_ffn_dim": [82, 62, 110], "num_mel_bins": [14, 12, 16], "max_source_positions": [33, 39, 45], "max_target_positions": [31, 37, 41]},
        {
            "Whisper Large v3": dict(vocab_size=51866, d_model=1280, encoder_layers=32, decoder_layers=32, encoder_attention_heads=20, decoder_attention_heads=20, encoder_ffn_dim=5120, decoder_ffn_dim=5120, num_mel_bins=128, max_source_positions=1500, max_target_positions=448, parameters=1_543_490_560),
            "Whisper Small": dict(vocab_size=51865, d_model=768, encoder_layers=12, decoder_layers=12, encoder_attention_heads=12, decoder_attention_heads=12, encoder_ffn_dim=3072, decoder_ffn_dim=3072, num_mel_bins=80, max_source_positions=1500, max_target_positions=448, parameters=241_734_912),
            "Whisper Tiny": dict(vocab_size=51865, d_model=384, encoder_layers=4, decoder_layers=4, encoder_attention_heads=6, decoder_attention_heads=6, encoder_ffn_dim=1536, decoder_ffn_dim=1536, num_mel_bins=80, max_source_positions=1500, max_target_positions=448, parameters=37_760_640),
        },
        fixed={"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}, inputs="sound", length=448, ends={"WhisperModel": "WhisperModel"}, unread=["num_hidden_layers", "classifier_proj_size"], holds={"activation_function": "gelu", "scale_embedding": False, "tie_word_embeddings": True},
    ),
    Family(
        "clip", "CLIP", ["clip"], "CLIPConfig", "CLIPModel",
        {"projection_dim": [21, 27, 35], **{f"text_{key}": values for key, values in CLIP_TEXT.items()}, **{f"vision_{key}": values for key, values in CLIP_VISION.items()}},
        {
            "CLIP ViT-L/14": dict(projection_dim=768, text_config=dict(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12), vision_config=dict(hidden_size=1024, intermediate_size=4096, num_hidden_layers=24, num_attention_heads=16, image_size=224, patch_size=14), parameters=427_616_513),
            "CLIP ViT-B/32": dict(projection_dim=512, text_config=dict(hidden_size=512, intermediate_size=2048, num_hidden_layers=12, num_attention_heads=8), vision_config=dict(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, image_size=224, patch_size=32), parameters=151_277_313),
            "CLIP ViT-B/16": dict(projection_dim=512, text_config=dict(hidden_size=512, intermediate_size=2048, num_hidden_layers=12, num_attention_heads=8), vision_config=dict(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, image_size=224, patch_size=16), parameters=149_620_737),
        },
        nested={**{f"text_config.{key}": f"text_{key}" for key in CLIP_TEXT}, **{f"vision_config.{key}": f"vision_{key}" for key in CLIP_VISION}},
        inputs="both", length=77, ends={"CLIPForImageClassification": "CLIPForImageClassification"}, unread=[f"{half}_config.{key}" for half in ("text", "vision") for key in ("projection_dim", "tie_word_embeddings")],
        holds={"text_config.hidden_act": "quick_gelu", "vision_config.hidden_act": "quick_gelu", "vision_config.num_channels": 3},
    ),
    Family(
        "phi", "Phi 1, 1.5 and 2", ["phi"], "PhiConfig", "PhiForCausalLM",
        {**without(DECODER, "head_dim", "rms_norm_eps"), "hidden_size": [120, 224, 360], "intermediate_size": [94, 58, 122], "num_attention_heads": [6, 8, 10], "num_key_value_heads": [3, 2, 5], "layer_norm_eps": [1e-4, 2e-4, 3e-4],
         "partial_rotary_factor": [0.5, 0.65, 0.4]},
        {
            "Phi-2": dict(vocab_size=51200, hidden_size=2560, intermediate_size=10240, num_hidden_layers=32, num_attention_heads=32, partial_rotary_factor=0.4, layer_norm_eps=1e-5, rope_theta=10000.0, parameters=2_779_683_840),
            "Phi-1.5": dict(vocab_size=51200, hidden_size=2048, intermediate_size=8192, num_hidden_layers=24, num_attention_heads=32, partial_rotary_factor=0.5, layer_norm_eps=1e-5, rope_theta=10000.0, parameters=1_418_270_720),
        },
        fixed={"rope_parameters": {"rope_type": "default"}}, derived=GROUPS, ends=decoder("Phi", TOKENS), holds={"hidden_act": "gelu_new", "qk_layernorm": False, "tie_word_embeddings": False},
    ),
    Family(
        "olmo", "OLMo 1", ["olmo"], "OlmoConfig", "OlmoForCausalLM", {**without(DECODER, "head_dim", "rms_norm_eps"), "hidden_size": [48, 80, 90]},
        {
            "OLMo 7B": llama(50304, 4096, 11008, 32, 32, 32, 6_888_095_744, rope_theta=10000.0),
            "OLMo 1B": llama(50304, 2048, 8192, 16, 16, 16, 1_176_764_416, rope_theta=10000.0, tie_word_embeddings=True),
        },
        switches=[*TIED, "attention_bias"], derived=GROUPS, ends=decoder("Olmo"), holds=SILU,
    ),
    Family(
        "glm", "GLM 4 as first published", ["glm"], "GlmConfig", "GlmForCausalLM", {**DECODER, "head_dim": [12, 20, 28]},
        {
            "GLM-4 9B Chat": llama(151552, 4096, 13696, 40, 32, 2, 9_399_951_360, head_dim=128, rms_norm_eps=1.5625e-07, rope_theta=10000.0, attention_bias=True),
        },
        fixed={"pad_token_id": None, "eos_token_id": None}, switches=[*TIED, "attention_bias"], ends=decoder("Glm", TOKENS), holds={**SILU, "partial_rotary_factor": 0.5},
    ),
    Family(
        "gemma", "Gemma 1", ["gemma"], "GemmaConfig", "GemmaForCausalLM", DECODER,
        {
            "Gemma 7B": llama(256000, 3072, 24576, 28, 16, 16, 8_537_680_896, head_dim=256, rms_norm_eps=1e-6, rope_theta=10000.0),
            "Gemma 2B": llama(256000, 2048, 16384, 18, 8, 1, 2_506_172_416, head_dim=256, rms_norm_eps=1e-6, rope_theta=10000.0),
        },
        same={"hidden_act": "hidden_activation"}, ends=decoder("Gemma", TOKENS), holds={"hidden_activation": "gelu_pytorch_tanh", "hidden_act": "gelu", "tie_word_embeddings": True, "attention_bias": False},
    ),
    Family(
        "roberta", "RoBERTa", ["roberta", "xlm-roberta"], "RobertaConfig", "RobertaForMaskedLM",
        {"vocab_size": [251, 263, 277], "hidden_size": [48, 72, 75], "intermediate_size": [94, 58, 122], "num_hidden_layers": [3, 4, 5], "num_attention_heads": [6, 8, 15],
         "max_position_embeddings": [31, 37, 29], "type_vocab_size": [2, 3, 4], "layer_norm_eps": [1e-4, 2e-4, 3e-4]},
        {
            "RoBERTa Base": dict(vocab_size=50265, hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5, parameters=124_697_433),
            "RoBERTa Large": dict(vocab_size=50265, hidden_size=1024, intermediate_size=4096, num_hidden_layers=24, num_attention_heads=16, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5, parameters=355_412_057),
            "XLM-RoBERTa Base": dict(vocab_size=250002, hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=514, type_vocab_size=1, layer_norm_eps=1e-5, parameters=278_295_186),
        },
        architectures=["RobertaForMaskedLM", "XLMRobertaForMaskedLM"], inputs="ids-only", length=512,
        ends={f"{of}{end}": f"Roberta{end}" for of in ("Roberta", "XLMRoberta") for end in ("Model", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "ForMultipleChoice")}, holds={"hidden_act": "gelu", "tie_word_embeddings": True}, fixed={"is_decoder": False},
    ),
    Family(
        "distilbert", "DistilBERT", ["distilbert"], "DistilBertConfig", "DistilBertForMaskedLM",
        {"vocab_size": [251, 263, 277], "dim": [48, 72, 75], "hidden_dim": [94, 58, 122], "n_layers": [3, 4, 5], "n_heads": [6, 8, 15], "max_position_embeddings": [31, 37, 29]},
        {
            "DistilBERT Base": dict(vocab_size=30522, dim=768, hidden_dim=3072, n_layers=6, n_heads=12, max_position_embeddings=512, parameters=66_985_530),
            "DistilBERT Base Multilingual": dict(vocab_size=119547, dim=768, hidden_dim=3072, n_layers=6, n_heads=12, max_position_embeddings=512, parameters=135_445_755),
        },
        inputs="ids-only", length=512, ends={each: each for each in ("DistilBertModel", "DistilBertForSequenceClassification", "DistilBertForTokenClassification", "DistilBertForQuestionAnswering", "DistilBertForMultipleChoice")},
        holds={"activation": "gelu", "sinusoidal_pos_embds": False, "tie_word_embeddings": True},    ),
    Family(
        "siglip", "SigLIP", ["siglip"], "SiglipConfig", "SiglipModel",
        {**{f"text_{key}": values for key, values in CLIP_TEXT.items()}, **{f"vision_{key}": values for key, values in CLIP_VISION.items()}, "vision_hidden_size": [70, 63, 60], "vision_num_hidden_layers": [4, 3, 7]},
        {
            "SigLIP Base 224": dict(text_config=dict(vocab_size=32000, max_position_embeddings=64), vision_config=dict(image_size=224, patch_size=16), parameters=203_155_970),
            "SigLIP So400m 384": dict(text_config=dict(vocab_size=32000, max_position_embeddings=64, hidden_size=1152, intermediate_size=4304, num_hidden_layers=27, num_attention_heads=16, projection_size=1152), vision_config=dict(image_size=384, patch_size=14, hidden_size=1152, intermediate_size=4304, num_hidden_layers=27, num_attention_heads=16), parameters=877_960_498),
        },
        nested={**{f"text_config.{key}": f"text_{key}" for key in [*CLIP_TEXT, "projection_size"]}, **{f"vision_config.{key}": f"vision_{key}" for key in CLIP_VISION}},
        inputs="both", length=64, same={"text_projection_size": "vision_hidden_size"},
        holds={"text_config.hidden_act": "gelu_pytorch_tanh", "vision_config.hidden_act": "gelu_pytorch_tanh", "vision_config.vision_use_head": True, "vision_config.num_channels": 3},
    ),
    Family(
        "mamba2", "Mamba-2", ["mamba2"], "Mamba2Config", "Mamba2ForCausalLM",
        {"vocab_size": [251, 263, 277], "hidden_size": [48, 50, 44], "expand": [2, 3, 6], "num_heads": [6, 15, 12], "head_dim": [16, 10, 22], "n_groups": [2, 5, 3],
         "state_size": [11, 14, 9], "conv_kernel": [4, 3, 5], "chunk_size": [8, 7, 5], "num_hidden_layers": [3, 4, 5], "layer_norm_epsilon": [1e-4, 2e-4, 3e-4]},
        {
            "Mamba-2 2.7B": dict(vocab_size=50288, hidden_size=2560, num_heads=80, head_dim=64, n_groups=1, state_size=128, num_hidden_layers=64, tie_word_embeddings=True, parameters=2_702_599_680),
            "Mamba-2 130M": dict(vocab_size=50288, hidden_size=768, num_heads=24, head_dim=64, n_groups=1, state_size=128, num_hidden_layers=24, tie_word_embeddings=True, parameters=128_989_632),
            "Codestral Mamba 7B": dict(vocab_size=32768, hidden_size=4096, num_heads=128, head_dim=64, n_groups=8, state_size=128, num_hidden_layers=64, tie_word_embeddings=False, parameters=7_285_403_648),
        },
        attention="eager", ends={"Mamba2Model": "Mamba2Model"}, switches=[*TIED, "use_bias", "use_conv_bias"], holds={**SILU, "time_step_limit": [0.0, None]}, unread=["norm_before_gate"],
    ),
    Family(
        "glm4_moe", "GLM 4.5 and 4.6", ["glm4_moe"], "Glm4MoeConfig", "Glm4MoeForCausalLM",
        {**DECODER, "head_dim": [12, 20, 28], "num_hidden_layers": [5, 7, 8], "first_k_dense_replace": [2, 3, 2], "moe_intermediate_size": [34, 42, 38], "n_routed_experts": [8, 12, 20],
         "n_shared_experts": [2, 5, 3], "num_experts_per_tok": [3, 4, 5], "n_group": [4, 6, 5], "topk_group": [2, 3, 4], "routed_scaling_factor": [2.25, 1.75, 3.25]},
        {
            "GLM 4.5 Air 106B": glm45(4096, 10944, 46, 1408, 128, 1, 1.0, 106_852_245_504),
            "GLM 4.5 355B": glm45(5120, 12288, 92, 1536, 160, 3, 2.5, 352_797_814_784, use_qk_norm=True),
        },
        switches=[*TIED, "attention_bias", "use_qk_norm"], derived=HEAD, ends={"Glm4MoeModel": "Glm4MoeModel"}, holds={**SILU, "norm_topk_prob": True, "partial_rotary_factor": 0.5},
        notes=[EVEN, NO_SCALING, NO_FURTHER],
    ),
    Family(
        "smollm3", "SmolLM 3", ["smollm3"], "SmolLM3Config", "SmolLM3ForCausalLM",
        {**without(DECODER, "num_hidden_layers"), "num_hidden_layers": [9, 8, 14], "no_rope_layer_interval": [4, 3, 5]},
        {
            "SmolLM3 3B": llama(128256, 2048, 11008, 36, 16, 4, 3_075_098_624, rms_norm_eps=1e-6, rope_theta=5000000.0, no_rope_layer_interval=4, tie_word_embeddings=True),
        },
        fixed={"pad_token_id": None}, switches=[*TIED, "attention_bias", "mlp_bias"], derived={**HEAD, **GROUPS}, ends=decoder("SmolLM3", TOKENS, ANSWERS),
        holds={**SILU, "use_sliding_window": False}, unread=[*WINDOW, "pretraining_tp"], repeats=FULL, every={"no_rope_layers": "no_rope_layer_interval"}, notes=[NO_SCALING, "use_sliding_window is false."],
    ),
    Family(
        "granite", "Granite 3", ["granite"], "GraniteConfig", "GraniteForCausalLM",
        {**DECODER, "embedding_multiplier": [1.5, 1.25, 1.75], "logits_scaling": [2.5, 3.5, 1.875], "residual_multiplier": [0.625, 0.75, 0.375], "attention_multiplier": [0.3125, 0.4375, 0.1875]},
        {
            "Granite 3.3 8B": llama(49159, 4096, 12800, 40, 32, 8, 8_170_864_640, rms_norm_eps=1e-5, rope_theta=10000000.0, embedding_multiplier=12.0, logits_scaling=16.0, residual_multiplier=0.22, attention_multiplier=0.0078125, tie_word_embeddings=True),
            "Granite 3.3 2B": llama(49159, 2048, 8192, 40, 32, 8, 2_533_539_840, rms_norm_eps=1e-5, rope_theta=10000000.0, embedding_multiplier=12.0, logits_scaling=8.0, residual_multiplier=0.22, attention_multiplier=0.015625, tie_word_embeddings=True),
        },
        switches=[*TIED, "attention_bias", "mlp_bias"], derived={**HEAD, **GROUPS}, ends={"GraniteModel": "GraniteModel"}, holds=SILU, notes=[NO_SCALING],
    ),
    Family(
        "seed_oss", "Seed-OSS", ["seed_oss"], "SeedOssConfig", "SeedOssForCausalLM", DECODER,
        {
            "Seed-OSS 36B": llama(155136, 5120, 27648, 64, 80, 8, 36_151_104_512, head_dim=128, rms_norm_eps=1e-6, rope_theta=10000000.0, attention_bias=True, attention_out_bias=False),
        },
        fixed={"pad_token_id": None}, switches=[*TIED, "attention_bias", "attention_out_bias", "mlp_bias"], derived={**HEAD, **GROUPS}, ends=decoder("SeedOss", TOKENS, ANSWERS), holds={**SILU, "head_dim": 128}, unread=["pretraining_tp"], notes=[NO_SCALING],
    ),
    Family(
        "ernie4_5", "ERNIE 4.5, its dense models", ["ernie4_5"], "Ernie4_5Config", "Ernie4_5ForCausalLM", DECODER,
        {
            "ERNIE 4.5 0.3B": llama(103424, 1024, 3072, 18, 16, 2, 360_748_032, head_dim=128, rms_norm_eps=1e-5, rope_theta=500000.0, tie_word_embeddings=True),
        },
        switches=[*TIED, "use_bias"], derived={**HEAD, **GROUPS}, architectures=["Ernie4_5ForCausalLM", "Ernie4_5_ForCausalLM"], ends={"Ernie4_5Model": "Ernie4_5Model"}, holds={**SILU, "head_dim": 128}, notes=[NO_SCALING],
    ),
    Family(
        "starcoder2", "StarCoder 2", ["starcoder2"], "Starcoder2Config", "Starcoder2ForCausalLM",
        {**without(DECODER, "rms_norm_eps"), "norm_epsilon": [1e-4, 2e-4, 3e-4], "sliding_window": [7, 9, 6]},
        {
            "StarCoder2 3B": llama(49152, 3072, 12288, 30, 24, 2, 3_030_371_328, norm_epsilon=1e-5, rope_theta=999999.4420358813, sliding_window=4096, use_bias=True, tie_word_embeddings=True),
            "StarCoder2 7B": llama(49152, 4608, 18432, 32, 36, 4, 7_173_923_840, norm_epsilon=1e-5, rope_theta=1000000.0, sliding_window=4096, use_bias=True, tie_word_embeddings=True),
            "StarCoder2 15B": llama(49152, 6144, 24576, 40, 48, 4, 15_957_889_024, norm_epsilon=1e-5, rope_theta=100000.0, sliding_window=4096, use_bias=True, tie_word_embeddings=False),
        },
        switches=[*TIED, "use_bias"], derived=HEAD, optional=["sliding_window"], ends=decoder("Starcoder2", TOKENS), holds={"hidden_act": "gelu_pytorch_tanh", "mlp_type": "default", "norm_type": "layer_norm"},
    ),
    Family(
        "olmo3", "OLMo 3", ["olmo3"], "Olmo3Config", "Olmo3ForCausalLM",
        {**without(DECODER, "num_hidden_layers"), "num_hidden_layers": [9, 8, 14], "sliding_window": [7, 9, 6]},
        {
            "OLMo 3 7B": llama(100278, 4096, 11008, 32, 32, 32, 7_298_011_136, rms_norm_eps=1e-6, rope_theta=500000.0, sliding_window=4096),
            "OLMo 3 32B": llama(100278, 5120, 27648, 64, 40, 8, 32_233_522_176, rms_norm_eps=1e-6, rope_theta=500000.0, sliding_window=4096),
        },
        fixed={"rope_parameters": {"full_attention": {"rope_type": "default"}, "sliding_attention": {"rope_type": "default"}}}, same={"rope_local_base_freq": "rope_theta"},
        switches=[*TIED, "attention_bias"], derived={**HEAD, **GROUPS}, repeats={"layer_types": ["sliding_attention"] * 3 + ["full_attention"]}, ends=decoder("Olmo3"), holds=SILU, notes=[NO_SCALING],
    ),
]
