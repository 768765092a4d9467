"""Later families: decoders whose attention and feed-forward part read one input, and others."""

from __future__ import annotations

from family import Family
from family_list import ANSWERS, DECODER, GROUPS, HEAD, NO_SCALING, SILU, TIED, TOKENS, decoder, llama, without

#: Angles without a scaling.
PLAIN: dict = {"rope_parameters": {"rope_type": "default"}}
LAYERS = {key: DECODER[key] for key in ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")}
NORM = {"layer_norm_eps": [1e-4, 2e-4, 3e-4]}
LAST_NORM = {"layer_norm_epsilon": NORM["layer_norm_eps"]}
COHERE = {**without(DECODER, "rms_norm_eps", "head_dim"), **NORM, "hidden_size": [48, 80, 90], "logit_scale": [0.625, 0.75, 0.375]}
GPT = {"vocab_size": [251, 263, 277], "n_embd": [48, 80, 90], "n_inner": [94, 58, 122], "n_layer": [3, 4, 5], "n_head": [6, 8, 15], **LAST_NORM}
INNER = {"n_inner": "4 * n_embd"}


def heads(name: str, *ends: str) -> dict[str, str]:
    """Classes of a model that end otherwise."""
    return {f"{name}{end}": f"{name}{end}" for end in ends}


#: Families that are held after all others.
LATER = [
    Family(
        "cohere_normed", "Command R+", ["cohere"], "CohereConfig", "CohereForCausalLM", COHERE,
        {
            "Command R+ 104B": llama(256000, 12288, 33792, 64, 96, 8, 103_810_674_688, layer_norm_eps=1e-5, rope_theta=75000000.0, logit_scale=0.8333333333333334, use_qk_norm=True),
        },
        where={"use_qk_norm": True}, fixed={**PLAIN, "use_qk_norm": True}, switches=["attention_bias"], derived=GROUPS, ends=heads("Cohere", "Model"), holds={**SILU, "tie_word_embeddings": True, "use_qk_norm": True}, unread=["model_max_length"], notes=[NO_SCALING],
    ),
    Family(
        "cohere", "Command R and Aya", ["cohere"], "CohereConfig", "CohereForCausalLM", COHERE,
        {
            "Command R 35B": llama(256000, 8192, 22528, 40, 64, 64, 34_980_831_232, layer_norm_eps=1e-5, rope_theta=8000000.0, logit_scale=0.0625),
            "Aya 23 8B": llama(256000, 4096, 14336, 32, 32, 8, 8_028_033_024, layer_norm_eps=1e-5, rope_theta=10000.0, logit_scale=0.0625),
        },
        fixed=PLAIN, switches=["attention_bias"], derived=GROUPS, ends=heads("Cohere", "Model"), holds={**SILU, "tie_word_embeddings": True, "use_qk_norm": False}, unread=["model_max_length"], notes=[NO_SCALING],
    ),
    Family(
        "cohere2", "Command R7B and Command A", ["cohere2"], "Cohere2Config", "Cohere2ForCausalLM",
        {**COHERE, "head_dim": DECODER["head_dim"], "sliding_window": [7, 9, 6], "num_hidden_layers": [9, 8, 14]},
        {
            "Command R7B": llama(256000, 4096, 14336, 32, 32, 8, 8_028_033_024, head_dim=128, layer_norm_eps=1e-5, rope_theta=50000.0, logit_scale=0.25, sliding_window=4096),
            "Command A 111B": llama(256000, 12288, 36864, 64, 96, 8, 111_057_580_032, head_dim=128, layer_norm_eps=1e-5, rope_theta=50000.0, logit_scale=0.25, sliding_window=4096),
        },
        fixed=PLAIN, switches=["attention_bias"], derived={**HEAD, **GROUPS}, repeats={"layer_types": ["sliding_attention"] * 3 + ["full_attention"]}, ends=heads("Cohere2", "Model"),
        holds={**SILU, "tie_word_embeddings": True, "sliding_window_pattern": 4, "_sliding_window_pattern": 4, "use_qk_norm": False, "rotary_pct": 1.0},
        unread=["use_parallel_block", "use_gated_activation", "use_parallel_embedding", "use_embedding_sharing", "position_embedding_type", "order_of_interleaved_layers", "layer_switch", "model_max_length"], notes=[NO_SCALING],
    ),
    Family(
        "gpt_bigcode", "StarCoder", ["gpt_bigcode"], "GPTBigCodeConfig", "GPTBigCodeForCausalLM", {**GPT, "n_positions": [31, 37, 29]},
        {
            "StarCoder 15.5B": dict(vocab_size=49152, n_positions=8192, n_embd=6144, n_layer=40, n_head=48, activation_function="gelu", parameters=15_517_456_384),
            "StarCoderBase 1B": dict(vocab_size=49152, n_positions=8192, n_embd=2048, n_layer=24, n_head=16, activation_function="gelu", parameters=1_137_207_296),
        },
        fixed={"activation_function": "gelu"}, derived={**INNER, "head_dim": "n_embd // n_head"}, ends=heads("GPTBigCode", "Model", "ForSequenceClassification", "ForTokenClassification"), unread=["attention_softmax_in_fp32", "scale_attention_softmax_in_fp32", "inference_runner", "validate_runner_input", "pad_key_length", "pre_allocate_kv_cache"],
        holds={"activation_function": "gelu", "tie_word_embeddings": True, "multi_query": True, "scale_attn_weights": True},
    ),
    Family(
        "deit", "DeiT with a distillation token", ["deit"], "DeiTConfig", "DeiTForImageClassificationWithTeacher",
        {**without(LAYERS, "vocab_size"), "image_size": [24, 30, 28], "patch_size": [6, 5, 7], "num_channels": [3, 2, 4], "num_labels": [11, 13, 9], **NORM},
        {
            "DeiT Base 16 distilled": dict(hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, image_size=224, patch_size=16, num_channels=3, num_labels=1000, parameters=87_338_192),
        },
        inputs="pixels", derived={"num_patches": "(image_size // patch_size) ** 2"}, ends=heads("DeiT", "Model", "ForImageClassification"), switches=["qkv_bias"], unread=["encoder_stride"], holds={"hidden_act": "gelu", "pooler_act": "tanh"}, same={"pooler_output_size": "hidden_size"},
    ),
    Family(
        "exaone4", "EXAONE 4 32B", ["exaone4"], "Exaone4Config", "Exaone4ForCausalLM", {**without(DECODER, "num_hidden_layers"), "num_hidden_layers": [9, 8, 14], "sliding_window": [7, 9, 6]},
        {
            "EXAONE 4.0 32B": llama(102400, 5120, 27392, 64, 40, 8, 32_003_216_384, head_dim=128, rms_norm_eps=1e-5, rope_theta=1000000.0, sliding_window=4096),
        },
        fixed={**PLAIN}, switches=TIED, derived=HEAD, repeats={"layer_types": ["sliding_attention"] * 3 + ["full_attention"]}, ends=decoder("Exaone4", TOKENS, ANSWERS), holds={**SILU, "sliding_window_pattern": "LLLG"}, missing={"sliding_window_pattern": "LLLG"}, notes=[NO_SCALING],
    ),
]
