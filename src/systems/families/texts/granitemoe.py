# Granite 3 MoE: GraniteMoeForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Granite 3.1 3B-A800M; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 49155
hidden_size = 1536
intermediate_size = 512
num_hidden_layers = 32
num_attention_heads = 24
num_key_value_heads = 8
rms_norm_eps = 1e-06
rope_theta = 5000000.0
num_local_experts = 40
num_experts_per_tok = 8
embedding_multiplier = 12.0
logits_scaling = 6.0
residual_multiplier = 0.22
attention_multiplier = 0.015625
tie_word_embeddings = True
attention_bias = False

mesh = Mesh(dp=8, tp=8)

class GraniteMoeAttention(nn.Module):
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
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=attention_multiplier, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class GraniteMoeTopKRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_local_experts, hidden_size))

    def forward(self, x):
        best, index = F.linear(x, self.weight).to(torch.float32).topk(num_experts_per_tok, dim=-1)
        return index, F.softmax(best, dim=-1).to(torch.bfloat16)

class GraniteMoeExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(num_local_experts, 2 * intermediate_size, hidden_size))
        self.down_proj = nn.Parameter(torch.empty(num_local_experts, hidden_size, intermediate_size))

    def forward(self, x, index, y):
        B = x.shape[0] // S
        x2 = (F.one_hot(index, num_local_experts) * y.unsqueeze(-1)).sum(dim=-2).view(B, -1, num_local_experts)
        gate_up = torch.einsum(
            "egcd,ehd->egch",
            moe_dispatch(x.view(B, -1, hidden_size), x2, capacity=max(1, S * num_experts_per_tok // num_local_experts)),
            self.gate_up_proj,
        )
        first, second = gate_up.split(intermediate_size, dim=-1)
        down = torch.einsum("egch,edh->egcd", F.silu(first) * second, self.down_proj)
        return moe_combine(down, x2).reshape(B * S, hidden_size)

class GraniteMoeMoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = GraniteMoeTopKRouter()
        self.experts = GraniteMoeExperts()

    def forward(self, x):
        B = x.shape[0]
        x2 = x.view(-1, hidden_size)
        router, router2 = self.router(x2)
        return self.experts(x2, router, router2).view(B, S, hidden_size)

class GraniteMoeDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = GraniteMoeAttention()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.block_sparse_moe = GraniteMoeMoE()

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x)) * residual_multiplier
        return x + self.block_sparse_moe(self.post_attention_layernorm(x)) * residual_multiplier

class GraniteMoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([GraniteMoeDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids) * embedding_multiplier
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class GraniteMoeForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = GraniteMoeModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids)) / logits_scaling

input_ids = Tensor((B, S), "int64")
model = GraniteMoeForCausalLM().to(torch.bfloat16)
y = model(input_ids)
