# GLM 4.5 and 4.6: Glm4MoeForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of GLM 4.5 Air 106B; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
# Angles are those without rope_scaling, which changes numbers and no size.
# The layers that predict further tokens (num_nextn_predict_layers) are left out.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 151552
hidden_size = 4096
intermediate_size = 10944
num_hidden_layers = 46
num_attention_heads = 96
num_key_value_heads = 8
head_dim = 128
rms_norm_eps = 1e-05
rope_theta = 1000000.0
first_k_dense_replace = 1
moe_intermediate_size = 1408
n_routed_experts = 128
n_shared_experts = 1
num_experts_per_tok = 8
n_group = 1
topk_group = 1
routed_scaling_factor = 1.0
tie_word_embeddings = False
attention_bias = True
use_qk_norm = False

mesh = Mesh(dp=8, tp=8)

class Glm4MoeAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=attention_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)
        if use_qk_norm:
            self.q_norm = nn.RMSNorm(head_dim, eps=rms_norm_eps)
            self.k_norm = nn.RMSNorm(head_dim, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        if not use_qk_norm:
            q = self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
            k = self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        else:
            q = self.q_norm(self.q_proj(x).view(B, S, -1, head_dim)).transpose(1, 2)
            k = self.k_norm(self.k_proj(x).view(B, S, -1, head_dim)).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q2 = torch.cat((rotary(q[..., :head_dim // 2], base=rope_theta), q[..., head_dim // 2:]), dim=-1)
        k2 = torch.cat((rotary(k[..., :head_dim // 2], base=rope_theta), k[..., head_dim // 2:]), dim=-1)
        attended = F.scaled_dot_product_attention(
            q2, k2, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Glm4MoeMLP(nn.Module):
    def __init__(self, out_features):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, out_features, bias=False)
        self.up_proj = nn.Linear(hidden_size, out_features, bias=False)
        self.down_proj = nn.Linear(out_features, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class Glm4MoeExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(n_routed_experts, 2 * moe_intermediate_size, hidden_size))
        self.down_proj = nn.Parameter(torch.empty(n_routed_experts, hidden_size, moe_intermediate_size))

    def forward(self, x, index, y):
        B = x.shape[0] // S
        x2 = (F.one_hot(index, n_routed_experts) * y.unsqueeze(-1)).sum(dim=-2).view(B, -1, n_routed_experts)
        gate_up = torch.einsum(
            "egcd,ehd->egch",
            moe_dispatch(x.view(B, -1, hidden_size), x2, capacity=max(1, S * num_experts_per_tok // n_routed_experts)),
            self.gate_up_proj,
        )
        first, second = gate_up.split(moe_intermediate_size, dim=-1)
        down = torch.einsum("egch,edh->egcd", F.silu(first) * second, self.down_proj)
        return moe_combine(down, x2).reshape(B * S, hidden_size)

class Glm4MoeTopkRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_routed_experts, hidden_size))
        self.register_buffer("e_score_correction_bias", torch.empty(n_routed_experts), persistent=False)

    def forward(self, x):
        B = x.shape[0]
        linear_ = F.linear(x.view(-1, hidden_size).to(torch.float32), self.weight.to(torch.float32))
        sigmoid = linear_.sigmoid()
        x2 = sigmoid + self.e_score_correction_bias
        best, _ = x2.reshape(-1, n_group, n_routed_experts // n_group).topk(2, dim=-1)
        total = best.sum(dim=-1)
        _, index = total.topk(topk_group, dim=-1)
        expand = torch.zeros_like(total).scatter(1, index, 1).unsqueeze(-1).expand(-1, n_group, n_routed_experts // n_group)
        masked_fill = x2.masked_fill(~expand.reshape(B * S, n_routed_experts).to(torch.bool), float("-inf"))
        _, index2 = masked_fill.topk(num_experts_per_tok, dim=-1)
        gather = sigmoid.gather(1, index2)
        return index2, gather / (gather.sum(dim=-1, keepdim=True) + 1e-20) * routed_scaling_factor

class Glm4MoeDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Glm4MoeAttention()
        self.mlp = Glm4MoeMLP(intermediate_size)
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Glm4MoeMoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = Glm4MoeExperts()
        self.gate = Glm4MoeTopkRouter()
        self.shared_experts = Glm4MoeMLP(moe_intermediate_size * n_shared_experts)

    def forward(self, x):
        B = x.shape[0]
        gate, gate2 = self.gate(x)
        experts = self.experts(x.view(-1, hidden_size), gate, gate2).view(B, S, hidden_size)
        return experts + self.shared_experts(x)

class Glm4MoeDecoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Glm4MoeAttention()
        self.mlp = Glm4MoeMoE()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Glm4MoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            Glm4MoeDecoderLayer() if i < first_k_dense_replace else Glm4MoeDecoderLayer2()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Glm4MoeForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Glm4MoeModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Glm4MoeForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
