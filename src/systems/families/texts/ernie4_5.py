# ERNIE 4.5, its dense models: Ernie4_5ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of ERNIE 4.5 0.3B; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 103424
hidden_size = 1024
intermediate_size = 3072
num_hidden_layers = 18
num_attention_heads = 16
num_key_value_heads = 2
head_dim = 128
rms_norm_eps = 1e-05
tie_word_embeddings = True
use_bias = False

mesh = Mesh(dp=8, tp=8)

class Ernie4_5Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=use_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=use_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=use_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=use_bias)

    def forward(self, x, cos, sin):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        copies = cos.unsqueeze(1)[..., :head_dim // 2].repeat_interleave(2, -1)
        copies2 = sin.unsqueeze(1)[..., :head_dim // 2].repeat_interleave(2, -1)
        x2 = torch.stack([-q[..., 1::2], q[..., ::2]], -1).reshape(B, num_attention_heads, S, head_dim)
        x3 = torch.stack([-k[..., 1::2], k[..., ::2]], -1).reshape(B, num_key_value_heads, S, head_dim)
        q2 = (q.to(torch.float32) * copies + x2.to(torch.float32) * copies2).to(torch.bfloat16)
        k2 = (k.to(torch.float32) * copies + x3.to(torch.float32) * copies2).to(torch.bfloat16)
        attended = F.scaled_dot_product_attention(
            q2, k2, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Ernie4_5MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=use_bias)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=use_bias)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=use_bias)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Ernie4_5RotaryEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("inv_freq", torch.empty(head_dim // 2), persistent=False)

    def forward(self, ids):
        mul = ids.unsqueeze(2).to(torch.float32) * self.inv_freq
        joined = torch.cat((mul, mul), dim=-1)
        return joined.cos(), joined.sin()

class Ernie4_5DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Ernie4_5Attention()
        self.mlp = Ernie4_5MLP()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))

class Ernie4_5Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Ernie4_5DecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.rotary_emb = Ernie4_5RotaryEmbedding()

    def forward(self, ids):
        rotary_emb, rotary_emb2 = self.rotary_emb(torch.arange(S).unsqueeze(0))
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, rotary_emb, rotary_emb2)
        return self.norm(x)

class Ernie4_5ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Ernie4_5Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Ernie4_5ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
