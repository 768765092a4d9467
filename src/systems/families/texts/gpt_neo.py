# GPT-Neo: GPTNeoForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of GPT-Neo 2.7B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 2048
vocab_size = 50257
hidden_size = 2560
intermediate_size = 4 * hidden_size
layer_norm_epsilon = 1e-05
num_heads = 20
num_layers = 32
max_position_embeddings = 2048
window_size = 256

mesh = Mesh(dp=8, tp=8)

def masked(scores, window):
    """Scores without those of later positions; with a window, of so many positions."""
    length = scores.shape[-1]
    seen = torch.ones(length, length, dtype=torch.bool).tril()
    if window is not None:
        seen = seen.triu(1 - window)
    return scores.masked_fill(~seen, float("-inf"))

class GPTNeoSelfAttention(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.window = window
        self.k_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.v_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.q_proj = nn.Linear(hidden_size, hidden_size, bias=False)
        self.out_proj = nn.Linear(hidden_size, hidden_size)

    def forward(self, x):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, num_heads, hidden_size // num_heads).permute(0, 2, 1, 3)
        k = self.k_proj(x).view(B, S, num_heads, hidden_size // num_heads).permute(0, 2, 1, 3)
        v = self.v_proj(x).view(B, S, num_heads, hidden_size // num_heads).permute(0, 2, 1, 3)
        masked_ = masked(q.to(torch.float32) @ k.to(torch.float32).transpose(-1, -2), window=self.window)
        permute = (F.softmax(masked_, dim=-1).to(torch.bfloat16) @ v).permute(0, 2, 1, 3)
        return self.out_proj(permute.reshape(B, S, hidden_size))

class GPTNeoMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_fc = nn.Linear(hidden_size, intermediate_size)
        self.c_proj = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))

class GPTNeoAttention(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.attention = GPTNeoSelfAttention(window)

    def forward(self, x):
        return self.attention(x)

class GPTNeoBlock(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.ln_1 = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)
        self.attn = GPTNeoAttention(window)
        self.ln_2 = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)
        self.mlp = GPTNeoMLP()

    def forward(self, x):
        x = self.attn(self.ln_1(x)) + x
        return x + self.mlp(self.ln_2(x))

class GPTNeoModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, hidden_size)
        self.wpe = nn.Embedding(max_position_embeddings, hidden_size)
        self.h = nn.ModuleList([GPTNeoBlock(None if i % 2 == 0 else window_size) for i in range(num_layers)])
        self.ln_f = nn.LayerNorm(hidden_size, eps=layer_norm_epsilon)

    def forward(self, ids):
        x = self.wte(ids) + self.wpe(torch.arange(S).unsqueeze(0))
        for layer in self.h:
            x = layer(x)
        return self.ln_f(x)

class GPTNeoForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTNeoModel()
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, input_ids):
        return self.lm_head(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = GPTNeoForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
