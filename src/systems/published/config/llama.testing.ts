import type { Families } from "./family.ts";

/** A family with a text of a few lines, whose shapes and work are those of its sizes. */
export const llamaFamily: Families = {
  list: [
    {
      model_type: ["llama"],
      text: "llama.py",
      title: "Llama",
      defaults: {
        num_key_value_heads: "num_attention_heads",
        tie_word_embeddings: false,
        hidden_act: "silu",
      },
    },
    {
      model_type: ["mixed"],
      architectures: ["MixedModel"],
      text: "mixed.py",
      title: "Mixed",
      defaults: {},
      nested: {
        "vision_config.hidden_size": "vision_hidden_size",
        "text_config.hidden_size": "hidden_size",
      },
    },
  ],
  texts: new Map([
    [
      "llama.py",
      `# LlamaForCausalLM
# Sizes are those of a small model.
B, S = 1, 4096
hidden_size = 64  # numbers of a token
num_attention_heads = 4
num_key_value_heads = 2
head_dim = hidden_size // num_attention_heads
vocab_size = 100
tie_word_embeddings = False

mesh = Mesh(dp=2)
input_ids = Tensor((B, S), "i64")
embed = Parameter((vocab_size, hidden_size), "bf16")
keys = Parameter((num_key_value_heads * head_dim, hidden_size), "bf16")
x = F.embedding(input_ids, embed)
lm_head = embed if tie_word_embeddings else Parameter((vocab_size, hidden_size), "bf16")
logits = F.linear(F.linear(F.linear(x, keys), keys.t()), lm_head)
`,
    ],
    ["mixed.py", "B = 1\nvision_hidden_size = 8\nhidden_size = 4\nx = Tensor((B, hidden_size))\n"],
  ]),
};
