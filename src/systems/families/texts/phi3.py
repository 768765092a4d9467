# Phi 3, 3.5 and 4: Phi3ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Phi-3 mini; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 32064
hidden_size = 3072
intermediate_size = 8192
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = 32
rms_norm_eps = 1e-05
rope_theta = 10000.0
partial_rotary_factor = 1.0
sliding_window = None
tie_word_embeddings = False

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class Phi3Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.qkv_proj = nn.Linear(
            hidden_size,
            hidden_size + 2 * num_key_value_heads * (hidden_size // num_attention_heads),
            bias=False,
        )

    def forward(self, x):
        B = x.shape[0]
        qkv = self.qkv_proj(x)
        transpose = qkv[..., :hidden_size].reshape(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        transpose2 = qkv[..., hidden_size:hidden_size + num_key_value_heads * (hidden_size // num_attention_heads)].reshape(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = qkv[..., hidden_size + num_key_value_heads * (hidden_size // num_attention_heads):].reshape(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        q = torch.cat(
            (rotary(transpose[..., :int(hidden_size // num_attention_heads * partial_rotary_factor)], base=rope_theta), transpose[..., int(hidden_size // num_attention_heads * partial_rotary_factor):]),
            dim=-1,
        )
        k = torch.cat(
            (rotary(transpose2[..., :int(hidden_size // num_attention_heads * partial_rotary_factor)], base=rope_theta), transpose2[..., int(hidden_size // num_attention_heads * partial_rotary_factor):]),
            dim=-1,
        )
        x2 = attention(
            q, k, v, window=sliding_window, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2).reshape(B, S, -1)
        return self.o_proj(x2)

class Phi3MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Linear(hidden_size, 2 * intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        first, second = self.gate_up_proj(x).split(intermediate_size, dim=-1)
        return self.down_proj(second * F.silu(first))

class Phi3DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Phi3Attention()
        self.mlp = Phi3MLP()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Phi3Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Phi3DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Phi3ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Phi3Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Phi3ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
