# GPT-NeoX and Pythia: GPTNeoXForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Pythia 6.9B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 2048
vocab_size = 50432
hidden_size = 4096
intermediate_size = 16384
num_hidden_layers = 32
num_attention_heads = 32
layer_norm_eps = 1e-05
partial_rotary_factor = 0.25
rope_theta = 10000.0
use_parallel_residual = True
tie_word_embeddings = False

mesh = Mesh(dp=8, tp=8)

class GPTNeoXAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query_key_value = nn.Linear(hidden_size, 3 * hidden_size)
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        query_key_value = self.query_key_value(x).view(B, S, -1, 3 * (hidden_size // num_attention_heads)).transpose(1, 2)
        first, second, third = query_key_value.split(hidden_size // num_attention_heads, dim=-1)
        q = torch.cat(
            (rotary(first[..., :int(hidden_size // num_attention_heads * partial_rotary_factor)], base=rope_theta), first[..., int(hidden_size // num_attention_heads * partial_rotary_factor):]),
            dim=-1,
        )
        k = torch.cat(
            (rotary(second[..., :int(hidden_size // num_attention_heads * partial_rotary_factor)], base=rope_theta), second[..., int(hidden_size // num_attention_heads * partial_rotary_factor):]),
            dim=-1,
        )
        attended = F.scaled_dot_product_attention(
            q, k, third, is_causal=True, scale=(hidden_size // num_attention_heads) ** -0.5
        )
        return self.dense(attended.transpose(1, 2).reshape(B, S, -1))

class GPTNeoXMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.dense_h_to_4h = nn.Linear(hidden_size, intermediate_size)
        self.dense_4h_to_h = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        return self.dense_4h_to_h(F.gelu(self.dense_h_to_4h(x)))

class GPTNeoXLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.input_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.post_attention_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.attention = GPTNeoXAttention()
        self.mlp = GPTNeoXMLP()

    def forward(self, x):
        if not use_parallel_residual:
            x = self.attention(self.input_layernorm(x)) + x
            return self.mlp(self.post_attention_layernorm(x)) + x
        else:
            x2 = self.mlp(self.post_attention_layernorm(x)) + self.attention(self.input_layernorm(x))
            return x2 + x

class GPTNeoXModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_in = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([GPTNeoXLayer() for _ in range(num_hidden_layers)])
        self.final_layer_norm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, ids):
        x = self.embed_in(ids)
        for layer in self.layers:
            x = layer(x)
        return self.final_layer_norm(x)

class GPTNeoXForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.gpt_neox = GPTNeoXModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.gpt_neox.embed_in.weight

    def forward(self, input_ids):
        return self.lm_head(self.gpt_neox(input_ids))

input_ids = Tensor((B, S), "int64")
model = GPTNeoXForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
