# GPT-J: GPTJForCausalLM of transformers 5.24.0, traced by torch 2.13.0.
# Sizes are those of GPT-J 6B; each name is a key of its config.json.
import torch
import torch.nn as nn
import torch.nn.functional as F

B, S = 1, 2048
vocab_size = 50400
n_embd = 4096
n_inner = 4 * n_embd
n_layer = 28
n_head = 16
layer_norm_epsilon = 1e-05
rotary_dim = 64
n_positions = 2048
tie_word_embeddings = False

mesh = Mesh(dp=8, tp=8)

class GPTJAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.k_proj = nn.Linear(n_embd, n_embd, bias=False)
        self.v_proj = nn.Linear(n_embd, n_embd, bias=False)
        self.q_proj = nn.Linear(n_embd, n_embd, bias=False)
        self.out_proj = nn.Linear(n_embd, n_embd, bias=False)

    def forward(self, x, y, y2):
        B = x.shape[0]
        q = self.q_proj(x).view(B, S, -1, n_embd // n_head)
        k = self.k_proj(x).view(B, S, -1, n_embd // n_head)
        v = self.v_proj(x).view(B, S, -1, n_embd // n_head).transpose(1, 2)
        part = k[..., :rotary_dim]
        part2 = q[..., :rotary_dim]
        copies = y.unsqueeze(2).repeat_interleave(2, 3)
        copies2 = y2.unsqueeze(2).repeat_interleave(2, 3)
        x2 = torch.stack([-part[..., 1::2], part[..., ::2]], -1).reshape(B, S, n_head, rotary_dim)
        x3 = torch.stack([-part2[..., 1::2], part2[..., ::2]], -1).reshape(B, S, n_head, rotary_dim)
        joined = torch.cat((part * copies2 + x2 * copies, k[..., rotary_dim:]), dim=-1)
        joined2 = torch.cat((part2 * copies2 + x3 * copies, q[..., rotary_dim:]), dim=-1)
        q2 = joined2.transpose(1, 2)
        k2 = joined.transpose(1, 2)
        attended = F.scaled_dot_product_attention(q2, k2, v, is_causal=True, scale=(n_embd // n_head) ** -0.5)
        return self.out_proj(attended.transpose(1, 2).reshape(B, S, -1))

class GPTJMLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc_in = nn.Linear(n_embd, n_inner)
        self.fc_out = nn.Linear(n_inner, n_embd)

    def forward(self, x):
        return self.fc_out(F.gelu(self.fc_in(x), approximate="tanh"))

class GPTJRotaryEmbedding(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("embed_positions", torch.empty(n_positions, rotary_dim), persistent=False)

    def forward(self, ids):
        first, second = self.embed_positions[ids].to(torch.bfloat16).split(rotary_dim // 2, dim=-1)
        return first, second

class GPTJBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)
        self.attn = GPTJAttention()
        self.mlp = GPTJMLP()

    def forward(self, x, y, y2):
        ln_1 = self.ln_1(x)
        return self.attn(ln_1, y, y2) + self.mlp(ln_1) + x

class GPTJModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, n_embd)
        self.h = nn.ModuleList([GPTJBlock() for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd, eps=layer_norm_epsilon)
        self.rotary_emb = GPTJRotaryEmbedding()

    def forward(self, ids):
        rotary_emb, rotary_emb2 = self.rotary_emb(torch.arange(S).unsqueeze(0))
        x = self.wte(ids)
        for layer in self.h:
            x = layer(x, rotary_emb, rotary_emb2)
        return self.ln_f(x)

class GPTJForCausalLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.transformer = GPTJModel()
        self.lm_head = nn.Linear(n_embd, vocab_size)
        if tie_word_embeddings:
            self.lm_head.weight = self.transformer.wte.weight

    def forward(self, input_ids):
        return self.lm_head(self.transformer(input_ids))

input_ids = Tensor((B, S), "int64")
model = GPTJForCausalLM().to(torch.bfloat16)
logits = model(input_ids)
