# StableLM: StableLmForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of StableLM 3B 4E1T; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 50304
hidden_size = 2560
intermediate_size = 6912
num_hidden_layers = 32
num_attention_heads = 32
layer_norm_eps = 1e-05
num_key_value_heads = 32
partial_rotary_factor = 0.25
rope_theta = 10000.0
tie_word_embeddings = False
use_qkv_bias = False

mesh = Mesh(dp=8, tp=8)

class StableLmAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=use_qkv_bias)
        self.k_proj = nn.Linear(
            hidden_size, hidden_size // num_attention_heads * num_key_value_heads, bias=use_qkv_bias
        )
        self.v_proj = nn.Linear(
            hidden_size, hidden_size // num_attention_heads * num_key_value_heads, bias=use_qkv_bias
        )
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, num_attention_heads, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, S, num_key_value_heads, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, S, num_key_value_heads, hidden_size // num_attention_heads).transpose(1, 2)
        q2 = torch.cat(
            (rotary(q[..., :int(hidden_size // num_attention_heads * partial_rotary_factor)], base=rope_theta), q[..., int(hidden_size // num_attention_heads * partial_rotary_factor):]),
            dim=-1,
        )
        k2 = torch.cat(
            (rotary(k[..., :int(hidden_size // num_attention_heads * partial_rotary_factor)], base=rope_theta), k[..., int(hidden_size // num_attention_heads * partial_rotary_factor):]),
            dim=-1,
        )
        attended = F.scaled_dot_product_attention(
            q2, k2, v, is_causal=True, scale=(hidden_size // num_attention_heads) ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class StableLmMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class StableLmDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = StableLmAttention()
        self.mlp = StableLmMLP()
        self.input_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)
        self.post_attention_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class StableLmModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([StableLmDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class StableLmForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = StableLmModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = StableLmForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
