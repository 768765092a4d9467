# Command R7B and Command A: Cohere2ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Command R7B; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 256000
hidden_size = 4096
intermediate_size = 14336
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = 8
rope_theta = 50000.0
layer_norm_eps = 1e-05
logit_scale = 0.25
head_dim = 128
sliding_window = 4096
attention_bias = False

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class Cohere2Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=attention_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=attention_bias)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q = self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2).to(torch.float32)
        k = self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2).to(torch.float32)
        q2 = rotary(q, base=rope_theta, interleaved=True).to(torch.bfloat16)
        k2 = rotary(k, base=rope_theta, interleaved=True).to(torch.bfloat16)
        transpose = attention(q2, k2, v, window=sliding_window, scale=head_dim ** -0.5).transpose(1, 2)
        return self.o_proj(transpose.reshape(B, S, -1))

class Cohere2MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Cohere2LayerNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(hidden_size))

    def forward(self, x):
        to = x.to(torch.float32)
        mean = to.mean(dim=-1, keepdim=True)
        rsqrt = (((to - mean) ** 2).mean(dim=-1, keepdim=True) + layer_norm_eps).rsqrt()
        return (self.weight.to(torch.float32) * ((to - mean) * rsqrt)).to(torch.bfloat16)

class Cohere2Attention2(Cohere2Attention):
    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        x2 = attention(q, k, v, window=None, scale=head_dim ** -0.5).transpose(1, 2).reshape(B, S, -1)
        return self.o_proj(x2)

class Cohere2DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Cohere2Attention()
        self.mlp = Cohere2MLP()
        self.input_layernorm = Cohere2LayerNorm()

    def forward(self, x):
        input_ = self.input_layernorm(x)
        return x + self.self_attn(input_) + self.mlp(input_)

class Cohere2DecoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Cohere2Attention2()
        self.mlp = Cohere2MLP()
        self.input_layernorm = Cohere2LayerNorm()

    def forward(self, x):
        input_ = self.input_layernorm(x)
        return x + self.self_attn(input_) + self.mlp(input_)

class Cohere2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Cohere2DecoderLayer2() if i % 4 == 3 else Cohere2DecoderLayer()
            for i in range(num_hidden_layers)
        ])
        self.norm = Cohere2LayerNorm()

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Cohere2ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Cohere2Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids)) * logit_scale

input_ids = Tensor((B, S), "int64")
model = Cohere2ForCausalLM().to(torch.bfloat16)
y = model(input_ids)
