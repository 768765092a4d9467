# Gemma 1: GemmaForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of Gemma 7B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 256000
hidden_size = 3072
intermediate_size = 24576
num_hidden_layers = 28
num_attention_heads = 16
num_key_value_heads = 16
head_dim = 256
rms_norm_eps = 1e-06
rope_theta = 10000.0

mesh = Mesh(dp=8, tp=8)

class GemmaTextScaledWordEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab_size, hidden_size))

    def forward(self, ids):
        return F.embedding(ids, self.weight) * (hidden_size ** 0.5)

class GemmaAttention(nn.Module):
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
        attended = F.scaled_dot_product_attention(
            q, k, v, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.o_proj(attended.transpose(1, 2).reshape(B, S, -1))

class GemmaMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.up_proj = nn.Linear(hidden_size, intermediate_size, bias=False)
        self.down_proj = nn.Linear(intermediate_size, hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.gelu(self.gate_proj(x), approximate="tanh") * self.up_proj(x))

class GemmaRMSNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(hidden_size))

    def forward(self, x):
        return F.rms_norm(x, (hidden_size,), self.weight + 1.0, rms_norm_eps)

class GemmaDecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.self_attn = GemmaAttention()
        self.mlp = GemmaMLP()
        self.input_layernorm = GemmaRMSNorm()
        self.post_attention_layernorm = GemmaRMSNorm()

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))

class GemmaModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed_tokens = GemmaTextScaledWordEmbedding()
        self.layers = nn.ModuleList([GemmaDecoderLayer() for _ in range(num_hidden_layers)])
        self.norm = GemmaRMSNorm()

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)

class GemmaForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = GemmaModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.model.embed_tokens.weight

    def forward(self, input_ids):
        return self.lm_head(self.model(input_ids))

input_ids = Tensor((B, S), "int64")
model = GemmaForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
