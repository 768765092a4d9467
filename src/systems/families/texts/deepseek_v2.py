# DeepSeek V2: DeepseekV2ForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of DeepSeek V2; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 102400
hidden_size = 5120
intermediate_size = 12288
num_attention_heads = 128
rms_norm_eps = 1e-06
num_hidden_layers = 60
first_k_dense_replace = 1
moe_intermediate_size = 1536
n_routed_experts = 160
n_shared_experts = 2
num_experts_per_tok = 6
kv_lora_rank = 512
qk_rope_head_dim = 64
qk_nope_head_dim = 128
v_head_dim = 128
routed_scaling_factor = 16.0
q_lora_rank = 1536
n_group = 8
topk_group = 3

mesh = Mesh(dp=8, tp=8)

class DeepseekV2Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_a_proj = nn.Linear(hidden_size, q_lora_rank, bias=False)
        self.q_a_layernorm = nn.RMSNorm(q_lora_rank, eps=1e-06)
        self.q_b_proj = nn.Linear(
            q_lora_rank, (qk_rope_head_dim + qk_nope_head_dim) * num_attention_heads, bias=False
        )
        self.kv_a_proj_with_mqa = nn.Linear(hidden_size, kv_lora_rank + qk_rope_head_dim, bias=False)
        self.kv_a_layernorm = nn.RMSNorm(kv_lora_rank, eps=1e-06)
        self.kv_b_proj = nn.Linear(
            kv_lora_rank, (qk_nope_head_dim + v_head_dim) * num_attention_heads, bias=False
        )
        self.o_proj = nn.Linear(num_attention_heads * v_head_dim, hidden_size, bias=False)

    def forward(self, x, cos, sin):
        B = x.shape[0]
        q_b = self.q_b_proj(self.q_a_layernorm(self.q_a_proj(x))).view(B, S, -1, qk_rope_head_dim + qk_nope_head_dim)
        first, second = q_b.transpose(1, 2).split([qk_nope_head_dim, qk_rope_head_dim], dim=-1)
        first2, second2 = self.kv_a_proj_with_mqa(x).split([kv_lora_rank, qk_rope_head_dim], dim=-1)
        x2 = second2.reshape(B, 1, S, qk_rope_head_dim)
        x3 = second.to(torch.float32).reshape(B, num_attention_heads, S, qk_rope_head_dim // 2, 2)
        select = x3[..., 0]
        select2 = x3[..., 1]
        x4 = x2.to(torch.float32).reshape(B, 1, S, -1, 2)
        select3 = x4[..., 0]
        select4 = x4[..., 1]
        rotary_emb = cos.unsqueeze(1)
        rotary_emb2 = sin.unsqueeze(1)
        stack = torch.stack(
            [select * rotary_emb - select2 * rotary_emb2, select * rotary_emb2 + select2 * rotary_emb], -1
        )
        stack2 = torch.stack(
            [select3 * rotary_emb - select4 * rotary_emb2, select3 * rotary_emb2 + select4 * rotary_emb], -1
        )
        q = torch.cat(
            (first, stack.reshape(B, num_attention_heads, S, qk_rope_head_dim).to(torch.bfloat16)), dim=-1
        )
        kv_b = self.kv_b_proj(self.kv_a_layernorm(first2).view(B, 1, S, kv_lora_rank))
        first3, second3 = kv_b.view(
            B, S, -1, qk_nope_head_dim + v_head_dim
        ).transpose(1, 2).split([qk_nope_head_dim, v_head_dim], dim=-1)
        expand = stack2.reshape(
            B, 1, S, qk_rope_head_dim
        ).to(torch.bfloat16).expand(-1, num_attention_heads, -1, -1)
        k = torch.cat((first3, expand), dim=3)
        attended = F.scaled_dot_product_attention(
            q, k, second3, is_causal=True, scale=(qk_rope_head_dim + qk_nope_head_dim) ** -0.5
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class DeepseekV2MLP(nn.Module):
    def __init__(self, out_features):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, out_features, bias=False)
        self.up_proj = nn.Linear(hidden_size, out_features, bias=False)
        self.down_proj = nn.Linear(out_features, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))

class DeepseekV2Experts(nn.Module):
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

class DeepseekV2TopkRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_routed_experts, hidden_size))

    def forward(self, x):
        B = x.shape[0]
        linear_ = F.linear(x.view(-1, hidden_size).to(torch.float32), self.weight.to(torch.float32))
        softmax = F.softmax(linear_, dim=-1, dtype=torch.float32)
        most, _ = softmax.reshape(-1, n_group, n_routed_experts // n_group).max(-1)
        _, index = most.topk(topk_group, dim=-1)
        expand = torch.zeros_like(most).scatter(1, index, 1).unsqueeze(-1).expand(-1, n_group, n_routed_experts // n_group)
        masked_fill = softmax.masked_fill(~expand.reshape(B * S, n_routed_experts).to(torch.bool), 0.0)
        best, index2 = masked_fill.topk(num_experts_per_tok, dim=-1)
        return index2, best * routed_scaling_factor

class DeepseekV2RotaryEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("inv_freq", torch.empty(qk_rope_head_dim // 2), persistent=False)

    def forward(self, ids):
        mul = ids.unsqueeze(2).to(torch.float32) * self.inv_freq
        return mul.cos(), mul.sin()

class DeepseekV2DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = DeepseekV2Attention()
        self.mlp = DeepseekV2MLP(intermediate_size)
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))

class DeepseekV2Moe(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = DeepseekV2Experts()
        self.gate = DeepseekV2TopkRouter()
        self.shared_experts = DeepseekV2MLP(moe_intermediate_size * n_shared_experts)

    def forward(self, x):
        B = x.shape[0]
        gate, gate2 = self.gate(x)
        experts = self.experts(x.view(-1, hidden_size), gate, gate2).view(B, S, hidden_size)
        return experts + self.shared_experts(x)

class DeepseekV2DecoderLayer2(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = DeepseekV2Attention()
        self.mlp = DeepseekV2Moe()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))

class DeepseekV2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([
            DeepseekV2DecoderLayer() if i < first_k_dense_replace else DeepseekV2DecoderLayer2()
            for i in range(num_hidden_layers)
        ])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.rotary_emb = DeepseekV2RotaryEmbedding()

    def forward(self, ids):
        rotary_emb, rotary_emb2 = self.rotary_emb(torch.arange(S).unsqueeze(0))
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x, rotary_emb, rotary_emb2)
        return self.norm(x)

class DeepseekV2ForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = DeepseekV2Model()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = DeepseekV2ForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
