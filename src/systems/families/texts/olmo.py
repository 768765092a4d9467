# OLMo 1: OlmoForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of OLMo 7B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 50304
hidden_size = 4096
intermediate_size = 11008
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = 32
rope_theta = 10000.0
tie_word_embeddings = False
attention_bias = False

mesh = Mesh(dp=8, tp=8)

class OlmoAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=attention_bias)
        self.k_proj = nn.Linear(
            hidden_size, hidden_size // num_attention_heads * num_key_value_heads, bias=attention_bias
        )
        self.v_proj = nn.Linear(
            hidden_size, hidden_size // num_attention_heads * num_key_value_heads, bias=attention_bias
        )
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=attention_bias)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        q = rotary(
            self.q_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2), base=rope_theta
        )
        k = rotary(
            self.k_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2), base=rope_theta
        )
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=(hidden_size // num_attention_heads) ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class OlmoMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class OlmoDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = OlmoAttention()
        self.mlp = OlmoMLP()

    def forward(self, x):
        to = F.layer_norm(x.to(torch.float32), (hidden_size,), None, None, 1e-05).to(torch.bfloat16)
        x = x + self.self_attn(to)
        to2 = F.layer_norm(x.to(torch.float32), (hidden_size,), None, None, 1e-05).to(torch.bfloat16)
        return x + self.mlp(to2)

class OlmoModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([OlmoDecoderLayer() for _ in range(num_hidden_layers)])

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return F.layer_norm(x.to(torch.float32), (hidden_size,), None, None, 1e-05).to(torch.bfloat16)

class OlmoForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = OlmoModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = OlmoForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
