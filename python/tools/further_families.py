"""Further families: decoders before Llama, encoders of words and of images, and the halves of CLIP and SigLIP alone."""

from __future__ import annotations

from family import Family
from family_list import FAMILIES as FIRST
from earlier_families import EARLIER
from later_families import LATER
from family_list import ANSWERS, CLIP_TEXT, CLIP_VISION, DECODER, EVEN, GROUPS, HEAD, NO_SCALING, SILU, TIED, TOKENS, decoder, llama, without

#: Angles without a scaling: a share of a head's dims turns.
PLAIN: dict = {"rope_parameters": {"rope_type": "default"}}
NORM = {"layer_norm_eps": [1e-4, 2e-4, 3e-4]}
LAYERS = {key: DECODER[key] for key in ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")}
#: Sizes of an encoder of images.
IMAGE = {"hidden_size": [48, 72, 75], "num_hidden_layers": [3, 4, 5], "num_attention_heads": [6, 8, 15], "image_size": [24, 30, 28], "patch_size": [6, 5, 7], "num_channels": [3, 2, 4]}


def heads(name: str, *ends: str) -> dict[str, str]:
    """Classes of an encoder that end otherwise."""
    return {f"{name}{end}": f"{name}{end}" for end in ends}


#: All families, in the order in which a configuration is held against them.
FAMILIES = [
    *FIRST,
    Family(
        "opt", "OPT", ["opt"], "OPTConfig", "OPTForCausalLM",
        {**without(LAYERS, "intermediate_size"), "ffn_dim": [94, 58, 122], "max_position_embeddings": [31, 37, 29]},
        {
            "OPT 6.7B": dict(vocab_size=50272, hidden_size=4096, ffn_dim=16384, num_hidden_layers=32, num_attention_heads=32, max_position_embeddings=2048, parameters=6_658_473_984),
            "OPT 125M": dict(vocab_size=50272, hidden_size=768, ffn_dim=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=2048, parameters=125_239_296),
            "OPT 66B": dict(vocab_size=50272, hidden_size=9216, ffn_dim=36864, num_hidden_layers=64, num_attention_heads=72, max_position_embeddings=2048, parameters=65_719_701_504),
        },
        same={"word_embed_proj_dim": "hidden_size"}, length=2048, ends=heads("OPT", "Model", "ForSequenceClassification", "ForQuestionAnswering"),
        holds={"activation_function": "relu", "do_layer_norm_before": True, "enable_bias": True, "layer_norm_elementwise_affine": True, "_remove_final_layer_norm": False, "tie_word_embeddings": True},
    ),
    Family(
        "gpt_neox", "GPT-NeoX and Pythia", ["gpt_neox"], "GPTNeoXConfig", "GPTNeoXForCausalLM",
        {**LAYERS, **NORM, "hidden_size": [240, 448, 400], "num_attention_heads": [6, 8, 10], "partial_rotary_factor": [0.5, 0.25, 0.4], "rope_theta": DECODER["rope_theta"]},
        {
            "Pythia 6.9B": dict(vocab_size=50432, hidden_size=4096, intermediate_size=16384, num_hidden_layers=32, num_attention_heads=32, partial_rotary_factor=0.25, layer_norm_eps=1e-5, rope_theta=10000.0, parameters=6_857_302_016),
            "GPT-NeoX 20B": dict(vocab_size=50432, hidden_size=6144, intermediate_size=24576, num_hidden_layers=44, num_attention_heads=64, partial_rotary_factor=0.25, layer_norm_eps=1e-5, rope_theta=10000.0, parameters=20_554_567_680),
            "Pythia 160M": dict(vocab_size=50304, hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, partial_rotary_factor=0.25, layer_norm_eps=1e-5, rope_theta=10000.0, parameters=162_322_944),
        },
        fixed=PLAIN, also={"rotary_pct": "partial_rotary_factor", "rotary_emb_base": "rope_theta"}, switches=["use_parallel_residual", *TIED], length=2048, ends=decoder("GPTNeoX", TOKENS, ANSWERS), holds={"hidden_act": "gelu", "attention_bias": True},
    ),
    Family(
        "olmoe", "OLMoE", ["olmoe"], "OlmoeConfig", "OlmoeForCausalLM", {**without(DECODER, "head_dim"), "hidden_size": [48, 80, 90], "num_experts": [4, 5, 7], "num_experts_per_tok": [2, 3, 4]},
        {
            "OLMoE 1B-7B": llama(50304, 2048, 1024, 16, 16, 16, 6_919_161_856, rms_norm_eps=1e-5, rope_theta=10000.0, num_experts=64, num_experts_per_tok=8),
        },
        switches=[*TIED, "attention_bias"], derived=GROUPS, ends={"OlmoeModel": "OlmoeModel"}, holds={**SILU, "clip_qkv": None, "norm_topk_prob": False}, notes=[EVEN, NO_SCALING],
    ),
    Family(
        "stablelm", "StableLM", ["stablelm"], "StableLmConfig", "StableLmForCausalLM",
        {**LAYERS, **NORM, "hidden_size": [120, 224, 360], "num_attention_heads": [6, 8, 10], "num_key_value_heads": [3, 2, 5], "partial_rotary_factor": [0.5, 0.65, 0.4], "rope_theta": DECODER["rope_theta"]},
        {
            "StableLM 3B 4E1T": llama(50304, 2560, 6912, 32, 32, 32, 2_795_443_200, partial_rotary_factor=0.25, layer_norm_eps=1e-5, rope_theta=10000.0),
            "StableLM 2 1.6B": llama(100352, 2048, 5632, 24, 32, 32, 1_644_515_328, partial_rotary_factor=0.25, layer_norm_eps=1e-5, rope_theta=10000.0, use_qkv_bias=True),
        },
        fixed=PLAIN, switches=[*TIED, "use_qkv_bias"], derived=GROUPS, ends=decoder("StableLm", TOKENS), holds={**SILU, "qk_layernorm": False, "use_parallel_residual": False}, notes=[NO_SCALING],
    ),
    Family(
        "nemotron", "Nemotron 4 and Minitron", ["nemotron"], "NemotronConfig", "NemotronForCausalLM",
        {**LAYERS, "num_key_value_heads": [3, 2, 5], "norm_eps": [1e-4, 2e-4, 3e-4], "head_dim": [20, 28, 36], "partial_rotary_factor": [0.5, 0.65, 0.4], "rope_theta": DECODER["rope_theta"]},
        {
            "Minitron 8B": llama(256000, 4096, 16384, 32, 48, 8, 8_271_699_968, head_dim=128, partial_rotary_factor=0.5, norm_eps=1e-5, rope_theta=10000.0),
            "Minitron 4B": llama(256000, 3072, 9216, 32, 24, 8, 4_190_509_056, head_dim=128, partial_rotary_factor=0.5, norm_eps=1e-5, rope_theta=10000.0),
        },
        fixed=PLAIN, switches=[*TIED, "attention_bias", "mlp_bias"], derived={**HEAD, **GROUPS}, ends=decoder("Nemotron", TOKENS, ANSWERS), holds={"hidden_act": "relu2"}, notes=[NO_SCALING],
    ),
    Family(
        "hunyuan", "Hunyuan, its dense models", ["hunyuan_v1_dense"], "HunYuanDenseV1Config", "HunYuanDenseV1ForCausalLM", DECODER,
        {
            "Hunyuan 7B": llama(128167, 4096, 14336, 32, 32, 8, 7_504_568_320, head_dim=128, rms_norm_eps=1e-5, rope_theta=10000.0, tie_word_embeddings=True),
            "Hunyuan 0.5B": llama(120818, 1024, 3584, 24, 16, 8, 539_010_048, head_dim=128, rms_norm_eps=1e-5, rope_theta=10000.0, tie_word_embeddings=True),
        },
        fixed={"pad_token_id": None, **PLAIN}, switches=[*TIED, "attention_bias"], derived={**HEAD, **GROUPS}, ends={"HunYuanDenseV1Model": "HunYuanDenseV1Model"}, holds=SILU, unread=["pretraining_tp"], notes=[NO_SCALING],
    ),
    Family(
        "granitemoe", "Granite 3 MoE", ["granitemoe"], "GraniteMoeConfig", "GraniteMoeForCausalLM",
        {**without(DECODER, "head_dim"), "hidden_size": [48, 80, 90], "num_local_experts": [4, 5, 7], "num_experts_per_tok": [2, 3, 4], "embedding_multiplier": [1.5, 1.25, 1.75], "logits_scaling": [2.5, 3.5, 1.875], "residual_multiplier": [0.625, 0.75, 0.375],
         "attention_multiplier": [0.3125, 0.4375, 0.1875]},
        {
            "Granite 3.1 3B-A800M": llama(49155, 1536, 512, 32, 24, 8, 3_298_793_472, rms_norm_eps=1e-6, rope_theta=5000000.0, num_local_experts=40, num_experts_per_tok=8, embedding_multiplier=12.0, logits_scaling=6.0, residual_multiplier=0.22, attention_multiplier=0.015625, tie_word_embeddings=True),
        },
        switches=[*TIED, "attention_bias"], derived=GROUPS, ends={"GraniteMoeModel": "GraniteMoeModel"}, holds=SILU, notes=[EVEN, NO_SCALING],
    ),
    Family(
        "electra_wide", "ELECTRA, its larger models", ["electra"], "ElectraConfig", "ElectraForPreTraining",
        {**LAYERS, **NORM, "max_position_embeddings": [31, 37, 29], "type_vocab_size": [2, 3, 4]},
        {
            "ELECTRA Base": dict(vocab_size=30522, embedding_size=768, hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=512, type_vocab_size=2, parameters=109_483_009),
            "ELECTRA Large": dict(vocab_size=30522, embedding_size=1024, hidden_size=1024, intermediate_size=4096, num_hidden_layers=24, num_attention_heads=16, max_position_embeddings=512, type_vocab_size=2, parameters=335_142_913),
        },
        same={"embedding_size": "hidden_size"}, where={"embedding_size": "hidden_size"}, inputs="ids-only", length=512, ends=heads("Electra", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "Model"), holds={"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}, unread=["tie_word_embeddings"],
    ),
    Family(
        "electra", "ELECTRA", ["electra"], "ElectraConfig", "ElectraForPreTraining",
        {**LAYERS, **NORM, "embedding_size": [34, 42, 52], "max_position_embeddings": [31, 37, 29], "type_vocab_size": [2, 3, 4]},
        {
            "ELECTRA Small": dict(vocab_size=30522, embedding_size=128, hidden_size=256, intermediate_size=1024, num_hidden_layers=12, num_attention_heads=4, max_position_embeddings=512, type_vocab_size=2, parameters=13_549_057),
        },
        inputs="ids-only", length=512, ends=heads("Electra", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "Model"), holds={"hidden_act": "gelu", "position_embedding_type": "absolute", "is_decoder": False}, unread=["tie_word_embeddings"],
    ),
    Family(
        "dinov2", "DINOv2", ["dinov2"], "Dinov2Config", "Dinov2Model", {**IMAGE, "mlp_ratio": [3, 2, 5], **NORM},
        {
            "DINOv2 Large": dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, image_size=518, patch_size=14, num_channels=3, mlp_ratio=4, parameters=304_368_640),
            "DINOv2 Small": dict(hidden_size=384, num_hidden_layers=12, num_attention_heads=6, image_size=518, patch_size=14, num_channels=3, mlp_ratio=4, parameters=22_056_576),
        },
        inputs="pixels", ends=heads("Dinov2", "ForImageClassification"), switches=["qkv_bias"], holds={"hidden_act": "gelu", "use_swiglu_ffn": False, "apply_layernorm": True, "reshape_hidden_states": True}, unread=["layerscale_value", "stage_names", "out_features", "out_indices"],
    ),
    Family(
        "clip_text", "The text half of CLIP", ["clip_text_model"], "CLIPTextConfig", "CLIPTextModel", CLIP_TEXT,
        {
            "CLIP ViT-L/14, its text half": dict(vocab_size=49408, hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=77, parameters=123_060_480),
        },
        inputs="ids-only", length=77, ends=heads("CLIPTextModel", "WithProjection"), unread=["projection_dim", "tie_word_embeddings"], holds={"hidden_act": "quick_gelu"},
    ),
    Family(
        "clip_vision", "The image half of CLIP", ["clip_vision_model"], "CLIPVisionConfig", "CLIPVisionModel", CLIP_VISION,
        {
            "CLIP ViT-L/14, its image half": dict(hidden_size=1024, intermediate_size=4096, num_hidden_layers=24, num_attention_heads=16, image_size=224, patch_size=14, parameters=303_179_776),
        },
        inputs="pixels", ends=heads("CLIPVisionModel", "WithProjection"), unread=["projection_dim"], holds={"hidden_act": "quick_gelu", "num_channels": 3},
    ),
    *LATER,
    *EARLIER,
]
