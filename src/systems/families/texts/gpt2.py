# GPT-2: GPT2LMHeadModel of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of GPT-2 XL; each name is a key of its config.json.
# n_inner is 4 · n_embd, and the output layer is the embedding.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 1024
vocab_size = 50257
n_positions = 1024
n_embd = 1600
n_layer = 48
n_head = 25
layer_norm_epsilon = 1e-05

mesh = Mesh(dp=8, tp=8)

class Conv1D(nn.Module):
    def __init__(self, size, size2):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(size, size2))
        self.bias = nn.Parameter(torch.empty(size2))

    def forward(self, x):
        return x @ self.weight + self.bias

class GPT2Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_attn = Conv1D(size=n_embd, size2=3 * n_embd)
        self.c_proj = Conv1D(size=n_embd, size2=n_embd)

    def forward(self, x):
        B = x.shape[0]
        first, second, third = self.c_attn(x).split(n_embd, dim=2)
        k = second.reshape(B, S, -1, n_embd // n_head).transpose(1, 2)
        v = third.reshape(B, S, -1, n_embd // n_head).transpose(1, 2)
        q = first.reshape(B, S, -1, n_embd // n_head).transpose(1, 2)
        attended = F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=(n_embd // n_head) ** -0.5)
        return self.c_proj(attended.transpose(1, 2).reshape(B, S, -1))

class GPT2MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_fc = Conv1D(size=n_embd, size2=4 * n_embd)
        self.c_proj = Conv1D(size=4 * n_embd, size2=n_embd)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))

class GPT2Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)
        self.attn = GPT2Attention()
        self.ln_2 = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)
        self.mlp = GPT2MLP()

    def forward(self, x):
        x = self.attn(self.ln_1(x)) + x
        return x + self.mlp(self.ln_2(x))

class GPT2Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.wpe = nn.Embedding(n_positions, n_embd)
        self.h = nn.ModuleList([GPT2Block() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(S).unsqueeze(0))
        for layer in self.h:
            x = layer(x)
        return self.ln_f(x)

class GPT2LMHeadModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPT2Model()
        self.lm_head = nn.Linear(n_embd, vocab_size, bias=False)
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, input_ids):
        return self.lm_head(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = GPT2LMHeadModel().to(torch.bfloat16)
logits = model(input_ids)
