# MPT: MptForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of MPT 7B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 2048
vocab_size = 50432
d_model = 4096
n_layers = 32
n_heads = 32
layer_norm_epsilon = 1e-05
max_seq_len = 2048
alibi_heads = 2 ** (len(bin(n_heads)) - 3)

mesh = Mesh(dp=8, tp=8)

def masked(scores, window):
    """Scores without those of later positions; with a window, of so many positions."""
    length = scores.shape[-1]
    seen = torch.ones(length, length, dtype=torch.bool).tril()
    if window is not None:
        seen = seen.triu(1 - window)
    return scores.masked_fill(~seen, float("-inf"))

class MptAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.Wqkv = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, y):
        B = x.shape[0]
        first, second, third = self.Wqkv(x).split(d_model, dim=2)
        transpose = second.reshape(B, S, n_heads, d_model // n_heads).transpose(1, 2).transpose(-1, -2)
        matmul = first.reshape(B, S, n_heads, d_model // n_heads).transpose(1, 2) @ transpose
        softmax = F.softmax(
            masked(matmul * ((d_model // n_heads) ** -0.5) + y[..., max_seq_len - S:], window=None), dim=-1
        )
        matmul2 = softmax.to(torch.bfloat16) @ third.reshape(B, S, n_heads, d_model // n_heads).transpose(1, 2)
        return self.out_proj(matmul2.permute(0, 2, 1, 3).reshape(B, S, -1))

class MptMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.up_proj = nn.Linear(d_model, 4 * d_model, bias=False)
        self.down_proj = nn.Linear(4 * d_model, d_model, bias=False)

    def forward(self, x, y):
        return self.down_proj(F.gelu(self.up_proj(x))) + y

class MptBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_1 = nn.LayerNorm(d_model, eps=layer_norm_epsilon, bias=False)
        self.attn = MptAttention()
        self.norm_2 = nn.LayerNorm(d_model, eps=layer_norm_epsilon, bias=False)
        self.ffn = MptMLP()

    def forward(self, x, y):
        x = self.attn(self.norm_1(x), y) + x
        return self.ffn(self.norm_2(x), x)

class MptModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, d_model)
        self.blocks = nn.ModuleList([MptBlock() for _ in range(n_layers)])
        self.norm_f = nn.LayerNorm(d_model, eps=layer_norm_epsilon, bias=False)

    def forward(self, ids):
        arange = torch.arange(n_heads)
        mul = torch.where(arange < alibi_heads, arange + 1, arange - alibi_heads + 0.5) * (-8)
        mul2 = (2.0 ** (mul / alibi_heads)).unsqueeze(1).unsqueeze(2) * (torch.arange(max_seq_len) - max_seq_len + 1)
        x = self.wte(ids)
        for layer in self.blocks:
            x = layer(x, mul2)
        return self.norm_f(x)

class MptForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = MptModel()
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
        self.lm_head.weight = self.transformer.wte.weight

    def forward(self, input_ids):
        return self.lm_head(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = MptForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
