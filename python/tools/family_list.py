"""The families: sizes at which each is traced, and configurations as they were published."""

from __future__ import annotations

from family import Family

#: Sizes of a decoder, of which no two are alike at all three configurations.
DECODER: dict = {
    "vocab_size": [251, 263, 277],
    "hidden_size": [48, 68, 75],
    "intermediate_size": [94, 58, 122],
    "num_hidden_layers": [3, 4, 5],
    "num_attention_heads": [6, 4, 15],
    "num_key_value_heads": [3, 1, 5],
    "head_dim": [10, 14, 18],
    "rms_norm_eps": [1e-4, 2e-4, 3e-4],
    "rope_theta": [5000.0, 7000.0, 3000.0],
}
HEAD = {"head_dim": "hidden_size // num_attention_heads"}
GROUPS = {"num_key_value_heads": "num_attention_heads"}
NO_SCALING = "Angles are those without rope_scaling, which changes numbers and no size."
TIED = ["tie_word_embeddings"]


def without(sizes, *keys):
    return {key: values for key, values in sizes.items() if key not in keys}



def llama(vocab, hidden, inner, layers, heads, kv, parameters, **more):
    return dict(vocab_size=vocab, hidden_size=hidden, intermediate_size=inner, num_hidden_layers=layers, num_attention_heads=heads,
                num_key_value_heads=kv, parameters=parameters, **more)


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
        switches=["tie_word_embeddings", "attention_bias", "mlp_bias"], derived={**HEAD, **GROUPS}, notes=[NO_SCALING],
    ),
    Family(
        "mistral", "Mistral", ["mistral", "ministral"], "MistralConfig", "MistralForCausalLM",
        {**DECODER, "sliding_window": [7, 9, 6]},
        {
            "Mistral 7B v0.1": llama(32000, 4096, 14336, 32, 32, 8, 7_241_732_096, rms_norm_eps=1e-5, rope_theta=10000.0, sliding_window=4096),
            "Mistral 7B v0.3": llama(32768, 4096, 14336, 32, 32, 8, 7_248_023_552, rms_norm_eps=1e-5, rope_theta=1000000.0, sliding_window=None),
            "Mistral Nemo 12B": llama(131072, 5120, 14336, 40, 32, 8, 12_247_782_400, rms_norm_eps=1e-5, rope_theta=1000000.0, head_dim=128, sliding_window=None),
        },
        switches=TIED, derived={**HEAD, **GROUPS},
    ),
    Family(
        "qwen2", "Qwen 1.5, 2 and 2.5", ["qwen2"], "Qwen2Config", "Qwen2ForCausalLM", {**without(DECODER, "head_dim"), "hidden_size": [48, 72, 90]},
        {
            "Qwen2.5 7B": llama(152064, 3584, 18944, 28, 28, 4, 7_615_616_512, rms_norm_eps=1e-6, rope_theta=1000000.0),
            "Qwen2.5 72B": llama(152064, 8192, 29568, 80, 64, 8, 72_706_203_648, rms_norm_eps=1e-5, rope_theta=1000000.0),
            "Qwen2 0.5B": llama(151936, 896, 4864, 24, 14, 2, 494_032_768, rms_norm_eps=1e-6, rope_theta=1000000.0, tie_word_embeddings=True),
        },
        switches=TIED, derived=GROUPS, notes=["use_sliding_window is false."],
    ),
    Family(
        "qwen3", "Qwen 3", ["qwen3"], "Qwen3Config", "Qwen3ForCausalLM", DECODER,
        {
            "Qwen3 8B": llama(151936, 4096, 12288, 36, 32, 8, 8_190_735_360, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0),
            "Qwen3 32B": llama(151936, 5120, 25600, 64, 64, 8, 32_762_123_264, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0),
            "Qwen3 0.6B": llama(151936, 1024, 3072, 28, 16, 8, 596_049_920, head_dim=128, rms_norm_eps=1e-6, rope_theta=1000000.0, tie_word_embeddings=True),
        },
        switches=[*TIED, "attention_bias"], notes=["use_sliding_window is false."],
    ),
    Family(
        "gpt2", "GPT-2", ["gpt2"], "GPT2Config", "GPT2LMHeadModel",
        {
            "vocab_size": [251, 263, 277], "n_positions": [31, 37, 29], "n_embd": [48, 68, 75], "n_layer": [3, 4, 5],
            "n_head": [6, 4, 15], "layer_norm_epsilon": [1e-4, 2e-4, 3e-4],
        },
        {
            "GPT-2 XL": dict(vocab_size=50257, n_positions=1024, n_embd=1600, n_layer=48, n_head=25, parameters=1_557_611_200),
            "GPT-2": dict(vocab_size=50257, n_positions=1024, n_embd=768, n_layer=12, n_head=12, parameters=124_439_808),
            "GPT-2 Large": dict(vocab_size=50257, n_positions=1024, n_embd=1280, n_layer=36, n_head=20, parameters=774_030_080),
        },
        length=1024, notes=["n_inner is 4 · n_embd, and the output layer is the embedding."],
    ),
]
