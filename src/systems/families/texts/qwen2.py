# Qwen 1.5, 2 and 2.5: Qwen2ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Qwen2.5 7B; each name is a key of its config.json.
# use_sliding_window is false.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 152064
hidden_size = 3584
intermediate_size = 18944
num_hidden_layers = 28
num_attention_heads = 28
num_key_value_heads = 4
rms_norm_eps = 1e-06
rope_theta = 1000000.0
tie_word_embeddings = False

mesh = Mesh(dp=8, tp=8)

class Qwen2Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, hidden_size)
        self.k_proj = nn.Linear(hidden_size, hidden_size // num_attention_heads * num_key_value_heads)
        self.v_proj = nn.Linear(hidden_size, hidden_size // num_attention_heads * num_key_value_heads)
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)

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

class Qwen2MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Qwen2DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Qwen2Attention()
        self.mlp = Qwen2MLP()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Qwen2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Qwen2DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Qwen2ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Qwen2Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Qwen2ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
