# Gemma 3: Gemma3ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Gemma 3 27B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 262208
hidden_size = 5376
intermediate_size = 21504
num_attention_heads = 32
num_key_value_heads = 16
head_dim = 128
rms_norm_eps = 1e-06
rope_theta = 1000000.0
num_hidden_layers = 62
sliding_window = 1024
query_pre_attn_scalar = 168
rope_local_base_freq = 10000.0

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class Gemma3TextScaledWordEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, hidden_size))

    def forward(self, ids):
        return F.embedding(ids, self.weight) * (hidden_size ** 0.5)

class Gemma3RMSNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size
        self.weight = nn.Parameter(torch.empty(size))

    def forward(self, x):
        return F.rms_norm(x, (self.size,), self.weight + 1.0, rms_norm_eps)

class Gemma3MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.gelu(self.gate_proj(x), approximate="tanh") * self.up_proj(x))

class Gemma3Attention(nn.Module):
    def __init__(self, base, window):
        super().__init__()
        self.base = base
        self.window = window
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)
        self.q_norm = Gemma3RMSNorm(head_dim)
        self.k_norm = Gemma3RMSNorm(head_dim)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q_norm = self.q_norm(self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2))
        k_norm = self.k_norm(self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2))
        q = rotary(q_norm, base=self.base)
        k = rotary(k_norm, base=self.base)
        x2 = attention(
            q, k, v, window=self.window, scale=query_pre_attn_scalar ** -0.5
        ).transpose(1, 2).reshape(B, S, -1)
        return self.o_proj(x2)

class Gemma3DecoderLayer(nn.Module):
    def __init__(self, base, window):
        super().__init__()
        self.self_attn = Gemma3Attention(base=base, window=window)
        self.mlp = Gemma3MLP()
        self.input_layernorm = Gemma3RMSNorm(hidden_size)
        self.post_attention_layernorm = Gemma3RMSNorm(hidden_size)
        self.pre_feedforward_layernorm = Gemma3RMSNorm(hidden_size)
        self.post_feedforward_layernorm = Gemma3RMSNorm(hidden_size)

    def forward(self, x):
        post_attention = self.post_attention_layernorm(self.self_attn(self.input_layernorm(x)))
        x = x + post_attention
        post_feedforward = self.post_feedforward_layernorm(self.mlp(self.pre_feedforward_layernorm(x)))
        return x + post_feedforward

class Gemma3TextModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = Gemma3TextScaledWordEmbedding()
        self.layers = nn.ModuleList([
            Gemma3DecoderLayer(
                base=rope_theta if i % 6 == 5 else rope_local_base_freq,
                window=None if i % 6 == 5 else sliding_window,
            )
            for i in range(num_hidden_layers)
        ])
        self.norm = Gemma3RMSNorm(hidden_size)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Gemma3ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Gemma3TextModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Gemma3ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
