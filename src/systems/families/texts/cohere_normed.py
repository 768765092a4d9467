# Command R+: CohereForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Command R+ 104B; each name is a key of its config.json.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 256000
hidden_size = 12288
intermediate_size = 33792
num_hidden_layers = 64
num_attention_heads = 96
num_key_value_heads = 8
rope_theta = 75000000.0
layer_norm_eps = 1e-05
logit_scale = 0.8333333333333334
attention_bias = False

mesh = Mesh(dp=8, tp=8)

class CohereLayerNorm(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(size, hidden_size // num_attention_heads))

    def forward(self, x):
        to = x.to(torch.float32)
        mean = to.mean(dim=-1, keepdim=True)
        rsqrt = (((to - mean) ** 2).mean(dim=-1, keepdim=True) + layer_norm_eps).rsqrt()
        return (self.weight.to(torch.float32) * ((to - mean) * rsqrt)).to(torch.bfloat16)

class CohereMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class CohereLayerNorm2(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(hidden_size))

    def forward(self, x):
        to = x.to(torch.float32)
        mean = to.mean(dim=-1, keepdim=True)
        rsqrt = (((to - mean) ** 2).mean(dim=-1, keepdim=True) + layer_norm_eps).rsqrt()
        return (self.weight.to(torch.float32) * ((to - mean) * rsqrt)).to(torch.bfloat16)

class CohereAttention(nn.Module):
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
        self.q_norm = CohereLayerNorm(num_attention_heads)
        self.k_norm = CohereLayerNorm(num_key_value_heads)

    def forward(self, x):
        B = x.shape[0]
        q_norm = self.q_norm(self.q_proj(x).view(B, S, -1, hidden_size // num_attention_heads)).transpose(1, 2)
        k_norm = self.k_norm(self.k_proj(x).view(B, S, -1, hidden_size // num_attention_heads)).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        q = rotary(q_norm.to(torch.float32), base=rope_theta, interleaved=True).to(torch.bfloat16)
        k = rotary(k_norm.to(torch.float32), base=rope_theta, interleaved=True).to(torch.bfloat16)
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=(hidden_size // num_attention_heads) ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class CohereDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = CohereAttention()
        self.mlp = CohereMLP()
        self.input_layernorm = CohereLayerNorm2()

    def forward(self, x):
        input_ = self.input_layernorm(x)
        return x + self.self_attn(input_) + self.mlp(input_)

class CohereModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([CohereDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = CohereLayerNorm2()

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class CohereForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = CohereModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids)) * logit_scale

input_ids = Tensor((B, S), "int64")
model = CohereForCausalLM().to(torch.bfloat16)
y = model(input_ids)
