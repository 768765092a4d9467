# Qwen 3: Qwen3ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Qwen3 8B; each name is a key of its config.json.
# use_sliding_window is false.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 151936
hidden_size = 4096
intermediate_size = 12288
num_hidden_layers = 36
num_attention_heads = 32
num_key_value_heads = 8
head_dim = 128
rms_norm_eps = 1e-06
rope_theta = 1000000.0
tie_word_embeddings = False
attention_bias = False

mesh = Mesh(dp=8, tp=8)

class Qwen3Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=attention_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=attention_bias)
        self.q_norm = nn.RMSNorm(head_dim, eps=rms_norm_eps)
        self.k_norm = nn.RMSNorm(head_dim, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_norm(self.q_proj(x).view(B, S, -1, head_dim)).transpose(1, 2)
        k = self.k_norm(self.k_proj(x).view(B, S, -1, head_dim)).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q2 = rotary(q, base=rope_theta)
        k2 = rotary(k, base=rope_theta)
        attended = F.scaled_dot_product_attention(
            q2, k2, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Qwen3MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Qwen3DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Qwen3Attention()
        self.mlp = Qwen3MLP()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Qwen3Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Qwen3DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Qwen3ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Qwen3Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Qwen3ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
