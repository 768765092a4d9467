# StarCoder: GPTBigCodeForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of StarCoder 15.5B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 4096
vocab_size = 49152
n_embd = 6144
n_inner = 4 * n_embd
n_layer = 40
n_head = 48
layer_norm_epsilon = 1e-05
n_positions = 8192
head_dim = n_embd // n_head

mesh = Mesh(dp=8, tp=8)

class GPTBigCodeAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_attn = nn.Linear(n_embd, (n_head + 2) * head_dim)
        self.c_proj = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        B = x.shape[0]
        first, second, third = self.c_attn(x).unsqueeze(1).split([n_embd, head_dim, head_dim], dim=3)
        q = first.reshape(B, S, -1, head_dim).transpose(1, 2)
        attended = F.scaled_dot_product_attention(
            q, second, third, is_causal=True, scale=head_dim ** -0.5, enable_gqa=True
        )
        return self.c_proj(attended.transpose(1, 2).reshape(B, S, -1))

class GPTBigCodeMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_fc = nn.Linear(n_embd, n_inner)
        self.c_proj = nn.Linear(n_inner, n_embd)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x)))

class GPTBigCodeBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)
        self.attn = GPTBigCodeAttention()
        self.ln_2 = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)
        self.mlp = GPTBigCodeMLP()

    def forward(self, x):
        x = self.attn(self.ln_1(x)) + x
        return x + self.mlp(self.ln_2(x))

class GPTBigCodeModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(n_positions, n_embd)
        self.h = nn.ModuleList([GPTBigCodeBlock() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(S).unsqueeze(0))
        for layer in self.h:
            x = layer(x)
        return self.ln_f(x)

class GPTBigCodeForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTBigCodeModel()
        self.lm_head = nn.Linear(n_embd, vocab_size, bias=False)
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, input_ids):
        return self.lm_head(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = GPTBigCodeForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
