# StarCoder 2: Starcoder2ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of StarCoder2 3B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 49152
hidden_size = 3072
intermediate_size = 12288
num_hidden_layers = 30
num_attention_heads = 24
num_key_value_heads = 2
head_dim = hidden_size // num_attention_heads
rope_theta = 999999.4420358813
norm_epsilon = 1e-05
sliding_window = 4096
tie_word_embeddings = True
use_bias = True

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class Starcoder2Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=use_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=use_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=use_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=use_bias)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q = rotary(self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        k = rotary(self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        x2 = attention(q, k, v, window=sliding_window, scale=head_dim ** -0.5).transpose(1, 2).reshape(B, S, -1)
        return self.o_proj(x2)

class Starcoder2MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_fc = nn.Linear(hidden_size, intermediate_size, bias=use_bias)
        self.c_proj = nn.Linear(intermediate_size, hidden_size, bias=use_bias)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))

class Starcoder2DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Starcoder2Attention()
        self.mlp = Starcoder2MLP()
        self.input_layernorm = nn.LayerNorm(hidden_size, eps=norm_epsilon)
        self.post_attention_layernorm = nn.LayerNorm(hidden_size, eps=norm_epsilon)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Starcoder2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Starcoder2DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.LayerNorm(hidden_size, eps=norm_epsilon)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Starcoder2ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Starcoder2Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Starcoder2ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
