# OLMo 3: Olmo3ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of OLMo 3 7B; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 100278
hidden_size = 4096
intermediate_size = 11008
num_attention_heads = 32
num_key_value_heads = 32
head_dim = hidden_size // num_attention_heads
rms_norm_eps = 1e-06
rope_theta = 500000.0
num_hidden_layers = 32
sliding_window = 4096
tie_word_embeddings = False
attention_bias = False

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class Olmo3Attention(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=attention_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=attention_bias)
        self.q_norm = nn.RMSNorm(num_attention_heads * head_dim, eps=rms_norm_eps)
        self.k_norm = nn.RMSNorm(num_key_value_heads * head_dim, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_norm(self.q_proj(x)).view(B, S, -1, head_dim).transpose(1, 2)
        k = self.k_norm(self.k_proj(x)).view(B, S, -1, head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q2 = rotary(q, base=rope_theta)
        k2 = rotary(k, base=rope_theta)
        transpose = attention(q2, k2, v, window=self.window, scale=head_dim ** -0.5).transpose(1, 2)
        return self.o_proj(transpose.reshape(B, S, -1))

class Olmo3MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Olmo3DecoderLayer(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.self_attn = Olmo3Attention(window)
        self.mlp = Olmo3MLP()
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_feedforward_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.post_attention_layernorm(self.self_attn(x))
        return x + self.post_feedforward_layernorm(self.mlp(x))

class Olmo3Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Olmo3DecoderLayer(None if i % 4 == 3 else sliding_window)
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Olmo3ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Olmo3Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Olmo3ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
