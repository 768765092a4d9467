"""Families of decoders from before Llama, of pairs of an encoder and a decoder, and of encoders of words."""

from __future__ import annotations

from family import Family
from family_list import ANSWERS, DECODER, EVEN, GROUPS, NO_FURTHER, NO_SCALING, SILU, TIED, TOKENS, decoder, llama, without
from slopes import WHOLE
from later_families import GPT, INNER, LAST_NORM, LAYERS, NORM, PLAIN, heads

FALCON = {**without(LAYERS, "intermediate_size"), "ffn_hidden_size": [94, 58, 122], **LAST_NORM, "hidden_size": [48, 80, 90], "rope_theta": DECODER["rope_theta"]}
FALCON_GROUPS = {**FALCON, "hidden_size": [96, 160, 90], "num_attention_heads": [12, 16, 15], "num_kv_heads": [2, 4, 3]}
#: Keys that models of the newer layers do not read.
FALCON_UNREAD = ["multi_query", "parallel_attn", "apply_residual_connection_post_layernorm", "ff_factor"]
FALCON_SHARES = {"ffn_hidden_size": "4 * hidden_size", "head_dim": "hidden_size // num_attention_heads"}
#: Keys of what such a model was trained as, which transformers does not read.
FAIRSEQ = ["normalize_before", "normalize_embedding", "add_final_layer_norm", "add_bias_logits", "extra_pos_embeddings", "static_position_embeddings"]
#: Sizes of an encoder and a decoder with tables of positions.
PAIR = {
    "vocab_size": [251, 263, 277], "max_position_embeddings": [31, 37, 29], "d_model": [48, 72, 120], "encoder_layers": [3, 4, 5], "encoder_attention_heads": [6, 8, 15], "encoder_ffn_dim": [94, 58, 122],
    "decoder_layers": [4, 6, 3], "decoder_attention_heads": [4, 9, 10], "decoder_ffn_dim": [82, 66, 98],
}


def pair(vocab, width, layers, heads, inner, positions, parameters, **more):
    return dict(vocab_size=vocab, max_position_embeddings=positions, d_model=width, encoder_layers=layers, encoder_attention_heads=heads, encoder_ffn_dim=inner, decoder_layers=layers,
                decoder_attention_heads=heads, decoder_ffn_dim=inner, parameters=parameters, **more)


def falcon(vocab, hidden, layers, heads, kv, parameters, **more):
    return dict(vocab_size=vocab, hidden_size=hidden, num_hidden_layers=layers, num_attention_heads=heads, **({"num_kv_heads": kv} if kv else {}), parameters=parameters, **more)


ERNIE = {
    **without(DECODER, "head_dim"), "hidden_size": [48, 80, 90], "num_hidden_layers": [5, 7, 8], "moe_layer_start_index": [2, 3, 2], "moe_intermediate_size": [34, 42, 38], "moe_num_experts": [8, 12, 20], "moe_num_shared_experts": [2, 5, 3], "moe_k": [3, 4, 5],
}
#: Layers from the first one with experts on have them all, which `moe_layer_end_index` says as -1.
ERNIE_HOLDS = {**SILU, "moe_layer_interval": 1, "moe_layer_end_index": -1, "moe_norm_min": 1e-12}
ERNIE_UNREAD = ["moe_capacity", "moe_gate", "moe_use_aux_free", "num_nextn_predict_layers"]

#: Families that are held after all others.
EARLIER = [
    Family(
        "bart", "BART", ["bart"], "BartConfig", "BartForConditionalGeneration", PAIR,
        {
            "BART Large": pair(50265, 1024, 12, 16, 4096, 1024, 406_291_456),
            "BART Base": pair(50265, 768, 6, 12, 3072, 1024, 139_420_416),
        },
        inputs="pair", length=1024, switches=["scale_embedding"], same={"num_hidden_layers": "encoder_layers"}, ends=heads("Bart", "Model", f"For{ANSWERS}"), holds={"activation_function": "gelu", "tie_word_embeddings": True}, unread=FAIRSEQ,
    ),
    Family(
        "mbart", "mBART", ["mbart"], "MBartConfig", "MBartForConditionalGeneration", PAIR,
        {
            "mBART 50 Large": pair(250054, 1024, 12, 16, 4096, 1024, 610_879_488, scale_embedding=True),
        },
        inputs="pair", length=1024, switches=["scale_embedding"], same={"num_hidden_layers": "encoder_layers"}, ends=heads("MBart", "Model", f"For{ANSWERS}"), holds={"activation_function": "gelu", "tie_word_embeddings": True}, unread=FAIRSEQ,
    ),
    Family(
        "falcon_single", "Falcon 2", ["falcon"], "FalconConfig", "FalconForCausalLM", FALCON_GROUPS,
        {
            "Falcon 2 11B": falcon(65024, 4096, 60, 32, 8, 11_102_822_400, new_decoder_architecture=True, num_ln_in_parallel_attn=1, rope_theta=500042.0, tie_word_embeddings=False),
        },
        where={"num_ln_in_parallel_attn": 1, "new_decoder_architecture": True}, fixed={**PLAIN, "new_decoder_architecture": True, "num_ln_in_parallel_attn": 1}, switches=[*TIED, "bias"], derived=FALCON_SHARES, length=2048, ends=decoder("Falcon", TOKENS),
        holds={"activation": "gelu", "alibi": False, "new_decoder_architecture": True, "num_ln_in_parallel_attn": 1}, others={"alibi": True}, unread=FALCON_UNREAD, notes=[NO_SCALING],
    ),
    Family(
        "falcon_new", "Falcon 40B and 180B", ["falcon"], "FalconConfig", "FalconForCausalLM", FALCON_GROUPS,
        {
            "Falcon 40B": falcon(65024, 8192, 60, 128, 8, 41_303_293_952, new_decoder_architecture=True),
            "Falcon 180B": falcon(65024, 14848, 80, 232, 8, 178_557_088_768, new_decoder_architecture=True),
        },
        where={"new_decoder_architecture": True}, fixed={**PLAIN, "new_decoder_architecture": True}, switches=["bias"], derived=FALCON_SHARES, length=2048, ends=decoder("Falcon", TOKENS),
        holds={"activation": "gelu", "alibi": False, "tie_word_embeddings": True, "new_decoder_architecture": True, "num_ln_in_parallel_attn": 2}, others={"alibi": True}, unread=FALCON_UNREAD, notes=[NO_SCALING],
    ),
    Family(
        "falcon", "Falcon 7B", ["falcon"], "FalconConfig", "FalconForCausalLM", FALCON,
        {
            "Falcon 7B": falcon(65024, 4544, 32, 71, None, 6_921_720_704),
        },
        fixed=PLAIN, switches=["bias"], derived=FALCON_SHARES, length=2048, ends=decoder("Falcon", TOKENS),
        holds={"activation": "gelu", "alibi": False, "tie_word_embeddings": True, "new_decoder_architecture": False, "multi_query": True, "parallel_attn": True}, others={"alibi": True, "multi_query": False, "parallel_attn": False}, unread=["num_kv_heads", "apply_residual_connection_post_layernorm"], notes=[NO_SCALING],
    ),
    Family(
        "gpt_neo", "GPT-Neo", ["gpt_neo"], "GPTNeoConfig", "GPTNeoForCausalLM",
        {**without(LAYERS, "num_hidden_layers", "num_attention_heads"), **LAST_NORM, "num_heads": [6, 8, 15], "num_layers": [4, 6, 8], "max_position_embeddings": [31, 37, 29], "window_size": [7, 9, 6],
         "attention_types": [[[["global", "local"], count]] for count in (2, 3, 4)]},
        {
            "GPT-Neo 2.7B": dict(vocab_size=50257, hidden_size=2560, num_layers=32, num_heads=20, max_position_embeddings=2048, window_size=256, attention_types=[[["global", "local"], 16]], parameters=2_651_307_520),
            "GPT-Neo 1.3B": dict(vocab_size=50257, hidden_size=2048, num_layers=24, num_heads=16, max_position_embeddings=2048, window_size=256, attention_types=[[["global", "local"], 12]], parameters=1_315_575_808),
            "GPT-Neo 125M": dict(vocab_size=50257, hidden_size=768, num_layers=12, num_heads=12, max_position_embeddings=2048, window_size=256, attention_types=[[["global", "local"], 6]], parameters=125_198_592),
        },
        attention="eager", fixed={"use_cache": False}, derived={"intermediate_size": "4 * hidden_size"}, length=2048, ends=decoder("GPTNeo", TOKENS, ANSWERS), holds={"activation_function": "gelu_new", "tie_word_embeddings": True}, repeats={"attention_layers": ["global", "local"], "attention_types": ["global", "local"]},
    ),
    Family(
        "albert", "ALBERT", ["albert"], "AlbertConfig", "AlbertForMaskedLM",
        {**LAYERS, **NORM, "embedding_size": [34, 42, 52], "max_position_embeddings": [31, 37, 29], "type_vocab_size": [2, 3, 4]},
        {
            "ALBERT Base v2": dict(vocab_size=30000, embedding_size=128, hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12, max_position_embeddings=512, type_vocab_size=2, parameters=11_221_680),
        },
        inputs="ids-only", length=512, ends=heads("Albert", "Model", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "ForMultipleChoice"), holds={"hidden_act": "gelu_new", "num_hidden_groups": 1, "inner_group_num": 1, "tie_word_embeddings": True}, unread=["down_scale_factor", "gap_size", "net_structure_type", "num_memory_blocks"],
    ),
    Family(
        "modernbert", "ModernBERT", ["modernbert"], "ModernBertConfig", "ModernBertForMaskedLM",
        {**without(LAYERS, "num_hidden_layers"), "hidden_size": [48, 80, 90], "num_hidden_layers": [9, 8, 14], "norm_eps": [1e-4, 2e-4, 3e-4], "local_attention": [14, 18, 12], "global_rope_theta": [5000.0, 7000.0, 3000.0], "local_rope_theta": [900.0, 800.0, 700.0]},
        {
            "ModernBERT Large": dict(vocab_size=50368, hidden_size=1024, intermediate_size=2624, num_hidden_layers=28, num_attention_heads=16, local_attention=128, norm_eps=1e-5, global_rope_theta=160000.0, local_rope_theta=10000.0, classifier_pooling="mean", parameters=395_881_664),
            "ModernBERT Base": dict(vocab_size=50368, hidden_size=768, intermediate_size=1152, num_hidden_layers=22, num_attention_heads=12, local_attention=128, norm_eps=1e-5, global_rope_theta=160000.0, local_rope_theta=10000.0, classifier_pooling="mean", parameters=149_655_232),
        },
        fixed={"pad_token_id": None, "classifier_pooling": "mean"}, inputs="ids-only", length=8192, also={"rope_theta": "global_rope_theta", "rope_local_base_freq": "local_rope_theta"}, switches=["attention_bias", "mlp_bias", "norm_bias", "decoder_bias"],
        holds={"hidden_activation": "gelu", "tie_word_embeddings": True, "global_attn_every_n_layers": 3, "classifier_activation": "gelu", "classifier_bias": False, "classifier_pooling": "mean"},
        unread=["deterministic_flash_attn", "initializer_cutoff_factor", "sparse_prediction", "sparse_pred_ignore_index", "reference_compile", "repad_logits_with_grad"], repeats={"layer_types": ["full_attention", "sliding_attention", "sliding_attention"]}, ends=heads("ModernBert", "Model", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering"),
    ),
    Family(
        "phimoe", "Phi 3.5 MoE", ["phimoe"], "PhimoeConfig", "PhimoeForCausalLM",
        {**without(DECODER, "head_dim"), "hidden_size": [48, 80, 90], "num_local_experts": [4, 5, 7], "sliding_window": [7, 9, 6], "router_jitter_noise": [0.25, 0.125, 0.375]},
        {
            "Phi 3.5 MoE 42B": llama(32064, 4096, 6400, 32, 32, 8, 41_873_153_344, rms_norm_eps=1e-5, rope_theta=10000.0, num_local_experts=16, attention_bias=True, lm_head_bias=True, sliding_window=131072),
        },
        fixed=PLAIN, switches=[*TIED, "attention_bias", "lm_head_bias"], derived=GROUPS, ends={"PhimoeModel": "PhimoeModel"}, holds={**SILU, "num_experts_per_tok": 2}, unread=["input_jitter_noise"], optional=["sliding_window"], notes=[EVEN, NO_SCALING],
    ),
    Family(
        "ernie4_5_moe_alone", "ERNIE 4.5 with experts, none of them shared", ["ernie4_5_moe"], "Ernie4_5_MoeConfig", "Ernie4_5_MoeForCausalLM", without(ERNIE, "moe_num_shared_experts"),
        {
            "ERNIE 4.5 300B-A47B": llama(103424, 8192, 28672, 54, 64, 8, 299_484_163_264, moe_layer_start_index=3, moe_intermediate_size=3584, moe_num_experts=64, moe_num_shared_experts=0, moe_k=8, rms_norm_eps=1e-5, rope_theta=500000.0, tie_word_embeddings=False),
        },
        where={"moe_num_shared_experts": 0}, fixed={"moe_num_shared_experts": 0}, switches=[*TIED, "use_bias"], derived=GROUPS, architectures=["Ernie4_5_MoeForCausalLM", "Ernie4_5_MoEForCausalLM"], ends={"Ernie4_5_MoeModel": "Ernie4_5_MoeModel"}, holds={**ERNIE_HOLDS, "moe_num_shared_experts": 0}, unread=ERNIE_UNREAD, notes=[EVEN, NO_SCALING, NO_FURTHER],
    ),
    Family(
        "ernie4_5_moe", "ERNIE 4.5 with experts", ["ernie4_5_moe"], "Ernie4_5_MoeConfig", "Ernie4_5_MoeForCausalLM", ERNIE,
        {
            "ERNIE 4.5 21B-A3B": llama(103424, 2560, 12288, 28, 20, 4, 21_825_437_888, moe_layer_start_index=1, moe_intermediate_size=1536, moe_num_experts=64, moe_num_shared_experts=2, moe_k=6, rms_norm_eps=1e-5, rope_theta=500000.0, tie_word_embeddings=True),
        },
        switches=[*TIED, "use_bias"], derived=GROUPS, architectures=["Ernie4_5_MoeForCausalLM", "Ernie4_5_MoEForCausalLM"], ends={"Ernie4_5_MoeModel": "Ernie4_5_MoeModel"}, holds=ERNIE_HOLDS, unread=ERNIE_UNREAD, notes=[EVEN, NO_SCALING, NO_FURTHER],
    ),
    Family(
        "gptj", "GPT-J", ["gptj"], "GPTJConfig", "GPTJForCausalLM",
        {**GPT, "n_embd": [240, 448, 400], "n_head": [6, 8, 10], "rotary_dim": [12, 20, 16], "n_positions": [31, 37, 29]},
        {
            "GPT-J 6B": dict(vocab_size=50400, n_positions=2048, n_embd=4096, n_layer=28, n_head=16, rotary_dim=64, parameters=6_050_882_784),
        },
        derived=INNER, length=2048, ends=decoder("GPTJ", ANSWERS), holds={"activation_function": "gelu_new"}, switches=TIED, unread=["rotary", "scale_attn_weights"],
    ),
    Family(
        "bloom", "BLOOM", ["bloom"], "BloomConfig", "BloomForCausalLM",
        {"vocab_size": [251, 263, 277], "hidden_size": [48, 72, 75], "n_layer": [3, 4, 5], "n_head": [6, 8, 15], **LAST_NORM},
        {
            "BLOOM 176B": dict(vocab_size=250880, hidden_size=14336, n_layer=70, n_head=112, parameters=176_247_271_424),
            "BLOOM 7.1B": dict(vocab_size=250880, hidden_size=4096, n_layer=30, n_head=32, parameters=7_069_016_064),
            "BLOOM 560M": dict(vocab_size=250880, hidden_size=1024, n_layer=24, n_head=16, parameters=559_214_592),
        },
        attention="eager", fixed={"use_cache": False}, length=2048, also={"n_embed": "hidden_size", "num_attention_heads": "n_head", "num_hidden_layers": "n_layer"}, derived={"alibi_heads": WHOLE.format("n_head")}, ends=decoder("Bloom", TOKENS, ANSWERS),
        holds={"apply_residual_connection_post_layernorm": False, "slow_but_exact": False, "tie_word_embeddings": True}, unread=["pretraining_tp", "attention_softmax_in_fp32", "bias_dropout_fusion", "masked_softmax_fusion", "n_inner", "offset_alibi", "seq_length", "skip_bias_add", "skip_bias_add_qkv"],
    ),
    Family(
        "mpt", "MPT", ["mpt"], "MptConfig", "MptForCausalLM",
        {"vocab_size": [251, 263, 277], "d_model": [48, 72, 75], "n_layers": [3, 4, 5], "n_heads": [6, 8, 15], **LAST_NORM, "max_seq_len": [31, 37, 29]},
        {
            "MPT 7B": dict(vocab_size=50432, d_model=4096, n_layers=32, n_heads=32, max_seq_len=2048, parameters=6_649_286_656),
            "MPT 30B": dict(vocab_size=50432, d_model=7168, n_layers=48, n_heads=64, max_seq_len=8192, parameters=29_957_200_896),
        },
        attention="eager", fixed={"use_cache": False}, length=2048, derived={"alibi_heads": WHOLE.format("n_heads")}, ends=decoder("Mpt", TOKENS, ANSWERS),
        holds={"tie_word_embeddings": True, "expansion_ratio": 4, "no_bias": True, "logit_scale": None, "embedding_fraction": 1.0, "attn_config.clip_qkv": None, "attn_config.softmax_scale": None, "attn_config.alibi": True, "attn_config.alibi_bias_max": 8,
               "attn_config.attn_type": "multihead_attention", "attn_config.prefix_lm": False, "attn_config.qk_ln": False, "attn_config.attn_uses_sequence_id": False},
        unread=["learned_pos_emb", "norm_type", "init_device", "init_config", "tokenizer_name", "verbose", "attn_config.attn_impl"],
    ),
]
