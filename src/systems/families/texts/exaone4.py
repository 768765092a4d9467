# EXAONE 4 32B: Exaone4ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of EXAONE 4.0 32B; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 102400
hidden_size = 5120
intermediate_size = 27392
num_attention_heads = 40
num_key_value_heads = 8
head_dim = 128
rms_norm_eps = 1e-05
rope_theta = 1000000.0
num_hidden_layers = 64
sliding_window = 4096
tie_word_embeddings = False

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class Exaone4Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)
        self.q_norm = nn.RMSNorm(head_dim, eps=rms_norm_eps)
        self.k_norm = nn.RMSNorm(head_dim, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q_norm = self.q_norm(self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2))
        k_norm = self.k_norm(self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2))
        q = rotary(q_norm, base=rope_theta)
        k = rotary(k_norm, base=rope_theta)
        x2 = attention(q, k, v, window=sliding_window, scale=head_dim ** -0.5).transpose(1, 2).reshape(B, S, -1)
        return self.o_proj(x2)

class Exaone4MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Exaone4Attention2(Exaone4Attention):
    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q_norm = self.q_norm(self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2))
        k_norm = self.k_norm(self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2))
        transpose = attention(q_norm, k_norm, v, window=None, scale=head_dim ** -0.5).transpose(1, 2)
        return self.o_proj(transpose.reshape(B, S, -1))

class Exaone4DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Exaone4Attention()
        self.mlp = Exaone4MLP()
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_feedforward_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.post_attention_layernorm(self.self_attn(x))
        return x + self.post_feedforward_layernorm(self.mlp(x))

class Exaone4DecoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Exaone4Attention2()
        self.mlp = Exaone4MLP()
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_feedforward_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.post_attention_layernorm(self.self_attn(x))
        return x + self.post_feedforward_layernorm(self.mlp(x))

class Exaone4Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Exaone4DecoderLayer2() if i % 4 == 3 else Exaone4DecoderLayer()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Exaone4ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Exaone4Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Exaone4ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
