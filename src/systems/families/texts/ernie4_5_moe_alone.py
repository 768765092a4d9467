# ERNIE 4.5 with experts, none of them shared: Ernie4_5_MoeForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of ERNIE 4.5 300B-A47B; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
# Angles are those without rope_scaling, which changes numbers and no size.
# The layers that predict further tokens (num_nextn_predict_layers) are left out.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 103424
hidden_size = 8192
intermediate_size = 28672
num_hidden_layers = 54
num_attention_heads = 64
num_key_value_heads = 8
rms_norm_eps = 1e-05
rope_theta = 500000.0
moe_layer_start_index = 3
moe_intermediate_size = 3584
moe_num_experts = 64
moe_k = 8
tie_word_embeddings = False
use_bias = False

mesh = Mesh(dp=8, tp=8)

class Ernie4_5_MoeAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=use_bias)
        self.k_proj = nn.Linear(
            hidden_size, hidden_size // num_attention_heads * num_key_value_heads, bias=use_bias
        )
        self.v_proj = nn.Linear(
            hidden_size, hidden_size // num_attention_heads * num_key_value_heads, bias=use_bias
        )
        self.o_proj = nn.Linear(hidden_size, hidden_size, bias=use_bias)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        q = rotary(
            self.q_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2),
            base=rope_theta,
            interleaved=True,
        )
        k = rotary(
            self.k_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2),
            base=rope_theta,
            interleaved=True,
        )
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=(hidden_size // num_attention_heads) ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Ernie4_5_MoeMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=use_bias)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=use_bias)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=use_bias)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Ernie4_5_MoeStatics(nn.Module):
    def __init__(self):
        super().__init__()
        self.e_score_correction_bias = nn.Parameter(torch.empty(1, moe_num_experts))

    def forward(self, x):
        return x + self.e_score_correction_bias.squeeze()

class Ernie4_5_MoeExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(moe_num_experts, 2 * moe_intermediate_size, hidden_size))
        self.down_proj = nn.Parameter(torch.empty(moe_num_experts, hidden_size, moe_intermediate_size))

    def forward(self, x, index, y):
        B = x.shape[0] // S
        x2 = (F.one_hot(index, moe_num_experts) * y.unsqueeze(-1)).sum(dim=-2).view(B, -1, moe_num_experts)
        gate_up = torch.einsum(
            "egcd,ehd->egch",
            moe_dispatch(x.view(B, -1, hidden_size), x2, capacity=max(1, S * moe_k // moe_num_experts)),
            self.gate_up_proj,
        )
        first, second = gate_up.split(moe_intermediate_size, dim=-1)
        down = torch.einsum("egch,edh->egcd", F.silu(first) * second, self.down_proj)
        return moe_combine(down, x2).reshape(B * S, hidden_size)

class Ernie4_5_MoeDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Ernie4_5_MoeAttention()
        self.mlp = Ernie4_5_MoeMLP()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Ernie4_5_MoeTopKRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(moe_num_experts, hidden_size))
        self.moe_statics = Ernie4_5_MoeStatics()

    def forward(self, x):
        softmax = F.softmax(
            F.linear(x.to(torch.float32), self.weight.to(torch.float32)), dim=1, dtype=torch.float32
        )
        _, index = self.moe_statics(softmax).topk(moe_k, dim=-1)
        gather = softmax.gather(-1, index)
        return index, (gather / gather.sum(dim=-1, keepdim=True).clamp(min=1e-12)).to(torch.bfloat16)

class Ernie4_5_MoeSparseMoeBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Ernie4_5_MoeTopKRouter()
        self.experts = Ernie4_5_MoeExperts()

    def forward(self, x):
        B = x.shape[0]
        x2 = x.view(-1, hidden_size)
        gate, gate2 = self.gate(x2)
        return self.experts(x2, gate, gate2).view(B, S, hidden_size)

class Ernie4_5_MoeDecoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Ernie4_5_MoeAttention()
        self.mlp = Ernie4_5_MoeSparseMoeBlock()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Ernie4_5_MoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Ernie4_5_MoeDecoderLayer() if i < moe_layer_start_index else Ernie4_5_MoeDecoderLayer2()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Ernie4_5_MoeForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Ernie4_5_MoeModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=use_bias)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Ernie4_5_MoeForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
