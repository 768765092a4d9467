# Mixtral: MixtralForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Mixtral 8x7B; each name is a key of its config.json.
# Each expert has room for an even share of a sequence; the model itself drops no token.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 32000
hidden_size = 4096
intermediate_size = 14336
num_hidden_layers = 32
num_attention_heads = 32
num_key_value_heads = 8
head_dim = hidden_size // num_attention_heads
rms_norm_eps = 1e-05
rope_theta = 1000000.0
num_local_experts = 8
num_experts_per_tok = 2
sliding_window = None
tie_word_embeddings = False

mesh = Mesh(dp=8, tp=8)

def attention(q, k, v, window, scale):
    """Causal attention; with a window, of so many positions."""
    if window is None:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale, enable_gqa=True)
    length = q.shape[-2]
    mask = torch.ones(length, length, dtype=torch.bool).tril().triu(1 - window)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=scale, enable_gqa=True)

class MixtralAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q_proj = nn.Linear(hidden_size, num_attention_heads * head_dim, bias=False)
        self.k_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.v_proj = nn.Linear(hidden_size, num_key_value_heads * head_dim, bias=False)
        self.o_proj = nn.Linear(num_attention_heads * head_dim, hidden_size, bias=False)

    def forward(self, x):
        B = x.shape[0]
        v = self.v_proj(x).view(B, S, -1, head_dim).transpose(1, 2)
        q = rotary(self.q_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        k = rotary(self.k_proj(x).view(B, S, -1, head_dim).transpose(1, 2), base=rope_theta)
        x2 = attention(q, k, v, window=sliding_window, scale=head_dim ** -0.5).transpose(1, 2).reshape(B, S, -1)
        return self.o_proj(x2)

class MixtralTopKRouter(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(num_local_experts, hidden_size))

    def forward(self, x):
        best, index = F.softmax(
            F.linear(x, self.weight).to(torch.float32), dim=-1
        ).topk(num_experts_per_tok, dim=-1)
        return index, best / best.sum(dim=-1, keepdim=True)

class MixtralExperts(nn.Module):
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

class MixtralSparseMoeBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = MixtralTopKRouter()
        self.experts = MixtralExperts()

    def forward(self, x):
        B = x.shape[0]
        x2 = x.view(-1, hidden_size)
        gate, gate2 = self.gate(x2)
        return self.experts(x2, gate, gate2).view(B, S, hidden_size)

class MixtralDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = MixtralAttention()
        self.mlp = MixtralSparseMoeBlock()
        self.input_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class MixtralModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = nn.Embedding(vocab_size, hidden_size)
        self.layers = nn.ModuleList([MixtralDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = nn.RMSNorm(hidden_size, eps=rms_norm_eps)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class MixtralForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = MixtralModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        if tie_word_embeddings:
            self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = MixtralForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
