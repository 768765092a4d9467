# gpt-oss: GptOssForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of gpt-oss 120B; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 201088
hidden_size = 2880
intermediate_size = 2880
num_attention_heads = 64
num_key_value_heads = 8
head_dim = 64
rms_norm_eps = 1e-05
rope_theta = 150000.0
num_hidden_layers = 36
num_local_experts = 128
num_experts_per_tok = 4
sliding_window = 128

mesh = Mesh(dp=8, tp=8)

def masked(scores, window):
    """Scores without those of later positions; with a window, of so many positions."""
    length = scores.shape[-1]
    seen = torch.ones(length, length, dtype=torch.bool).tril()
    if window is not None:
        seen = seen.triu(1 - window)
    return scores.masked_fill(~seen, float("-inf"))

class GptOssAttention(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.sinks = nn.Parameter(torch.empty(num_attention_heads))
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = rotary(self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        k = rotary(self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        k2 = k.unsqueeze(2).expand(B, num_key_value_heads, num_attention_heads // num_key_value_heads, S, head_dim).reshape(B, num_attention_heads, S, head_dim)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2).unsqueeze(2)
        v2 = v.expand(
            B, num_key_value_heads, num_attention_heads // num_key_value_heads, S, head_dim
        ).reshape(B, num_attention_heads, S, head_dim)
        expand = self.sinks.view(1, -1, 1, 1).expand(B, -1, S, -1)
        joined = torch.cat(
            (masked(q @ k2.transpose(2, 3) * (head_dim ** -0.5), window=self.window), expand), dim=-1
        )
        most, _ = joined.max(-1, True)
        part = F.softmax(joined - most, dim=-1, dtype=torch.bfloat16)[..., :-1]
        return self.o_proj((part @ v2).transpose(1, 2).reshape(B, S, -1))

class GptOssTopKRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_local_experts, hidden_size))
        self.bias = nn.Parameter(torch.empty(num_local_experts))

    def forward(self, x):
        best, index = F.linear(x, self.weight, self.bias).topk(num_experts_per_tok, dim=-1)
        return index, F.softmax(best, dim=1, dtype=torch.bfloat16)

class GptOssExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(num_local_experts, hidden_size, 2 * intermediate_size))
        self.gate_up_proj_bias = nn.Parameter(torch.empty(num_local_experts, 2 * intermediate_size))
        self.down_proj = nn.Parameter(torch.empty(num_local_experts, intermediate_size, hidden_size))
        self.down_proj_bias = nn.Parameter(torch.empty(num_local_experts, hidden_size))

    def forward(self, x, index, y):
        B = x.shape[0] // S
        x2 = (F.one_hot(index, num_local_experts) * y.unsqueeze(-1)).sum(dim=-2).view(B, -1, num_local_experts)
        gate_up = torch.einsum(
            "egcd,edh->egch",
            moe_dispatch(x.view(B, -1, hidden_size), x2, capacity=max(1, S * num_experts_per_tok // num_local_experts)),
            self.gate_up_proj,
        )
        gate_up = gate_up + self.gate_up_proj_bias.unsqueeze(1).unsqueeze(2)
        clamp = gate_up[..., ::2].clamp(max=7.0)
        mul = (gate_up[..., 1::2].clamp(min=-7.0, max=7.0) + 1) * (clamp * (clamp * 1.702).sigmoid())
        x3 = torch.einsum("egch,ehd->egcd", mul, self.down_proj) + self.down_proj_bias.unsqueeze(1).unsqueeze(2)
        return moe_combine(x3, x2).reshape(B * S, hidden_size)

class GptOssMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = GptOssTopKRouter()
        self.experts = GptOssExperts()

    def forward(self, x):
        B = x.shape[0]
        x2 = x.view(-1, hidden_size)
        router, router2 = self.router(x2)
        return self.experts(x2, router, router2).view(B, S, hidden_size)

class GptOssDecoderLayer(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.self_attn = GptOssAttention(window)
        self.mlp = GptOssMLP()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class GptOssModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            GptOssDecoderLayer(sliding_window if i % 2 == 0 else None)
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class GptOssForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = GptOssModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = GptOssForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
