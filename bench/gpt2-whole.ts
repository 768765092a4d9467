/**
 * GPT-2 with 124 M parameters and 64 tokens on 2 × 4 devices: the batch over one axis, heads and
 * hidden dims over the other as in Megatron; the token table is cut by columns.
 */
export const gpt2Whole = `import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(dp=2, tp=4)

class Attention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.c_attn, self.c_proj = nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.c_attn(x).split(d, dim=2)
        q = q.view(b, t, self.h, d // self.h).transpose(1, 2)
        k = k.view(b, t, self.h, d // self.h).transpose(1, 2)
        v = v.view(b, t, self.h, d // self.h).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).contiguous().view(b, t, d))

class MLP(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.c_fc, self.c_proj = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))

class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn, self.mlp = Attention(d, h), MLP(d)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))

class GPT2(nn.Module):
    def __init__(self, v=50257, d=768, layers=12, h=12, t=1024):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(v, d), nn.Embedding(t, d)
        self.h = nn.ModuleList(Block(d, h) for _ in range(layers))
        self.ln_f, self.lm_head = nn.LayerNorm(d), nn.Linear(d, v, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, i):
        x = self.wte(i) + self.wpe(torch.arange(i.shape[1]))
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))

ids = Tensor((2, 32), "i64")
logits = GPT2()(ids)

place("ids", layout("dp", "None"))
place("wte.weight", layout("None", "tp"))
place("wpe.weight", layout("None", "tp"))
place("h[*].attn.c_attn.weight", layout("tp", "None"))
place("h[*].attn.c_attn.bias", layout("tp"))
place("h[*].attn.c_proj.weight", layout("None", "tp"))
place("h[*].mlp.c_fc.weight", layout("tp", "None"))
place("h[*].mlp.c_fc.bias", layout("tp"))
place("h[*].mlp.c_proj.weight", layout("None", "tp"))
`;
