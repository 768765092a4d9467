# Phi 1, 1.5 and 2: PhiForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Phi-2; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 51200
hidden_size = 2560
intermediate_size = 10240
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = num_attention_heads
rope_theta = 10000.0
layer_norm_eps = 1e-05
partial_rotary_factor = 0.4

mesh = Mesh(dp=8, tp=8)

class PhiAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, hidden_size)
        self.k_proj = nn.Linear(hidden_size, hidden_size // num_attention_heads * num_key_value_heads)
        self.v_proj = nn.Linear(hidden_size, hidden_size // num_attention_heads * num_key_value_heads)
        self.dense = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
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
        return self.dense(attended.transpose(1, 2).reshape(B, S, -1))

class PhiMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x), approximate="tanh"))

class PhiDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = PhiAttention()
        self.mlp = PhiMLP()
        self.input_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, x):
        input_ = self.input_layernorm(x)
        return self.self_attn(input_) + self.mlp(input_) + x

class PhiModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([PhiDecoderLayer() for _ in range(num_hidden_layers)])
        self.final_layernorm = nn.LayerNorm(hidden_size, eps=layer_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.final_layernorm(x)

class PhiForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = PhiModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size)

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = PhiForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
