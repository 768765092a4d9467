# Qwen 3 MoE: Qwen3MoeForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Qwen3 30B-A3B; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 151936
hidden_size = 2048
num_hidden_layers = 48
num_attention_heads = 32
num_key_value_heads = 4
head_dim = 128
rms_norm_eps = 1e-06
rope_theta = 1000000.0
num_experts = 128
num_experts_per_tok = 8
moe_intermediate_size = 768
tie_word_embeddings = False
attention_bias = False

mesh = Mesh(dp=8, tp=8)

class Qwen3MoeAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=attention_bias)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=attention_bias)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=attention_bias)
        self.q_norm = nn.RMSNorm(head_dim, eps=rms_norm_eps)
        self.k_norm = nn.RMSNorm(head_dim, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_norm(self.q_proj(x).view(B, S, -1, head_dim)).transpose(1, 2)
        k = self.k_norm(self.k_proj(x).view(B, S, -1, head_dim)).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q2 = rotary(q, base=rope_theta)
        k2 = rotary(k, base=rope_theta)
        attended = F.scaled_dot_product_attention(
            q2, k2, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class Qwen3MoeExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(num_experts, 2 * moe_intermediate_size, hidden_size))
        self.down_proj = nn.Parameter(torch.empty(num_experts, hidden_size, moe_intermediate_size))

    def forward(self, x, index, y):
        B = x.shape[0] // S
        x2 = (F.one_hot(index, num_experts) * y.unsqueeze(-1)).sum(dim=-2).view(B, -1, num_experts)
        gate_up = torch.einsum(
            "egcd,ehd->egch",
            moe_dispatch(x.view(B, -1, hidden_size), x2, capacity=max(1, S * num_experts_per_tok // num_experts)),
            self.gate_up_proj,
        )
        first, second = gate_up.split(moe_intermediate_size, dim=-1)
        down = torch.einsum("egch,edh->egcd", F.silu(first) * second, self.down_proj)
        return moe_combine(down, x2).reshape(B * S, hidden_size)

class Qwen3MoeTopKRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_experts, hidden_size))

    def forward(self, x):
        softmax = F.softmax(F.linear(x, self.weight), dim=-1, dtype=torch.float32)
        best, index = softmax.topk(num_experts_per_tok, dim=-1)
        return index, (best / best.sum(dim=-1, keepdim=True)).to(torch.bfloat16)

class Qwen3MoeSparseMoeBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = Qwen3MoeExperts()
        self.gate = Qwen3MoeTopKRouter()

    def forward(self, x):
        B = x.shape[0]
        x2 = x.view(-1, hidden_size)
        gate, gate2 = self.gate(x2)
        return self.experts(x2, gate, gate2).view(B, S, hidden_size)

class Qwen3MoeDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = Qwen3MoeAttention()
        self.mlp = Qwen3MoeSparseMoeBlock()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class Qwen3MoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([Qwen3MoeDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class Qwen3MoeForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Qwen3MoeModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = Qwen3MoeForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
