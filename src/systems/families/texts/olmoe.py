# OLMoE: OlmoeForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of OLMoE 1B-7B; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
# Angles are those without rope_scaling, which changes numbers and no size.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 50304
hidden_size = 2048
intermediate_size = 1024
num_hidden_layers = 16
num_attention_heads = 16
num_key_value_heads = 16
rms_norm_eps = 1e-05
rope_theta = 10000.0
num_experts = 64
num_experts_per_tok = 8
tie_word_embeddings = False
attention_bias = False

mesh = Mesh(dp=8, tp=8)

class OlmoeAttention(nn.Module):
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
        self.q_norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.k_norm = nn.RMSNorm(hidden_size // num_attention_heads * num_key_value_heads, eps=rms_norm_eps)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_norm(self.q_proj(x)).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        k = self.k_norm(self.k_proj(x)).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        v = self.v_proj(x).view(B, S, -1, hidden_size // num_attention_heads).transpose(1, 2)
        q2 = rotary(q, base=rope_theta)
        k2 = rotary(k, base=rope_theta)
        attended = F.scaled_dot_product_attention(
            q2, k2, v, is_causal=True, scale=(hidden_size // num_attention_heads) ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class OlmoeTopKRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_experts, hidden_size))

    def forward(self, x):
        softmax = F.softmax(F.linear(x, self.weight), dim=-1, dtype=torch.float32)
        best, index = softmax.topk(num_experts_per_tok, dim=-1)
        return index, best.to(torch.bfloat16)

class OlmoeExperts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_up_proj = nn.Parameter(torch.empty(num_experts, 2 * intermediate_size, hidden_size))
        self.down_proj = nn.Parameter(torch.empty(num_experts, hidden_size, intermediate_size))

    def forward(self, x, index, y):
        B = x.shape[0] // S
        x2 = (F.one_hot(index, num_experts) * y.unsqueeze(-1)).sum(dim=-2).view(B, -1, num_experts)
        gate_up = torch.einsum(
            "egcd,ehd->egch",
            moe_dispatch(x.view(B, -1, hidden_size), x2, capacity=max(1, S * num_experts_per_tok // num_experts)),
            self.gate_up_proj,
        )
        first, second = gate_up.split(intermediate_size, dim=-1)
        down = torch.einsum("egch,edh->egcd", F.silu(first) * second, self.down_proj)
        return moe_combine(down, x2).reshape(B * S, hidden_size)

class OlmoeSparseMoeBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = OlmoeTopKRouter()
        self.experts = OlmoeExperts()

    def forward(self, x):
        B = x.shape[0]
        x2 = x.view(-1, hidden_size)
        gate, gate2 = self.gate(x2)
        return self.experts(x2, gate, gate2).view(B, S, hidden_size)

class OlmoeDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = OlmoeAttention()
        self.mlp = OlmoeSparseMoeBlock()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class OlmoeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([OlmoeDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class OlmoeForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = OlmoeModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = OlmoeForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
