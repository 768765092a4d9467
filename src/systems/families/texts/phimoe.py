# Phi 3.5 MoE: PhimoeForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Phi 3.5 MoE 42B; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 32064
hidden_size = 4096
intermediate_size = 6400
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = 8
rms_norm_eps = 1e-05
rope_theta = 10000.0
num_local_experts = 16
sliding_window = 131072
router_jitter_noise = 0.01
tie_word_embeddings = False
attention_bias = True
lm_head_bias = True

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class PhimoeAttention(nn.Module):
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

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        q = rotary(
            self.q_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2), base=rope_theta
        )
        k = rotary(
            self.k_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2), base=rope_theta
        )
        x2 = attention(
            q, k, v, window=sliding_window, scale=(hidden_size // num_attention_heads) ** -0.5
        ).transpose(1, 2).reshape(B, S, -1)
        return self.o_proj(x2)

class PhimoeTopKRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_local_experts, hidden_size))

    def forward(self, x):
        router = F.linear(x, self.weight)
        most, index = router.max(-1, True)
        masked_fill = router.masked_fill(
            (most - router) / router.abs().clamp(min=most) > 2 * router_jitter_noise, float("-inf")
        )
        scatter = router.scatter(-1, index, float("-inf"))
        most2, index2 = scatter.max(-1, True)
        masked_fill2 = scatter.masked_fill(
            (most2 - router) / router.abs().clamp(min=most2) > 2 * router_jitter_noise, float("-inf")
        )
        joined = torch.cat(
            (F.softmax(masked_fill, dim=-1).gather(-1, index), F.softmax(masked_fill2, dim=-1).gather(-1, index2)),
            dim=-1,
        )
        return joined, torch.cat((index, index2), dim=-1)

class PhimoeExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(num_local_experts, 2 * intermediate_size, hidden_size))
        self.down_proj = nn.Parameter(torch.empty(num_local_experts, hidden_size, intermediate_size))

    def forward(self, x, index, y):
        B = x.shape[0] // S
        x2 = (F.one_hot(index, num_local_experts) * y.unsqueeze(-1)).sum(dim=-2).view(B, -1, num_local_experts)
        gate_up = torch.einsum(
            "egcd,ehd->egch",
            moe_dispatch(x.view(B, -1, hidden_size), x2, capacity=max(1, 2 * S // num_local_experts)),
            self.gate_up_proj,
        )
        first, second = gate_up.split(intermediate_size, dim=-1)
        down = torch.einsum("egch,edh->egcd", F.silu(first) * second, self.down_proj)
        return moe_combine(down, x2).reshape(B * S, hidden_size)

class PhimoeSparseMoeBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = PhimoeTopKRouter()
        self.experts = PhimoeExperts()

    def forward(self, x):
        B = x.shape[0]
        x2 = x.view(-1, hidden_size)
        router, router2 = self.router(x2)
        return self.experts(x2, router2, router).view(B, S, hidden_size)

class PhimoeDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = PhimoeAttention()
        self.mlp = PhimoeSparseMoeBlock()
        self.input_layernorm = nn.LayerNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.LayerNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class PhimoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([PhimoeDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.LayerNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class PhimoeForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = PhimoeModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=lm_head_bias)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = PhimoeForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
