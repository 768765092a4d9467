import type { Example } from "#app/first-example";

export const llama3Prefill: Example = {
  name: "llama3-70b-prefill",
  title: "Llama 3 70B: prompts read on 8 H100",
  note: "A forward pass alone, tensor parallel: weights by columns, then by rows, so every layer adds its parts twice (Shoeybi et al. 2019).",
  parameters: 70_553_706_496,
  program: `# Llama 3 70B reads eight prompts of 8192 tokens: "The Llama 3 Herd of Models", Grattafiori et al. 2024.
# By hand: tensor parallel as Megatron does it. Each weight lies in eighths, by rows or by columns.
import torch
import torch.nn as nn
import torch.nn.functional as F

mesh = Mesh(tp=8, hardware="8xH100")


class Attention(nn.Module):
    def __init__(self, width, heads, kv_heads):
        super().__init__()
        self.head = width // heads
        self.wq = nn.Linear(width, heads * self.head, bias=False)
        self.wk = nn.Linear(width, kv_heads * self.head, bias=False)
        self.wv = nn.Linear(width, kv_heads * self.head, bias=False)
        self.wo = nn.Linear(heads * self.head, width, bias=False)

    def forward(self, x):
        batch, length, _ = x.shape
        q = self.wq(x).view(batch, length, -1, self.head).transpose(1, 2)
        k = self.wk(x).view(batch, length, -1, self.head).transpose(1, 2)
        v = self.wv(x).view(batch, length, -1, self.head).transpose(1, 2)
        q, k = rotary(q, base=500000), rotary(k, base=500000)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.wo(y.transpose(1, 2).reshape(batch, length, -1))


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.w1 = nn.Linear(width, hidden, bias=False)
        self.w2 = nn.Linear(hidden, width, bias=False)
        self.w3 = nn.Linear(width, hidden, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, width, heads, kv_heads, hidden):
        super().__init__()
        self.attention_norm = nn.RMSNorm(width)
        self.attention = Attention(width, heads, kv_heads)
        self.ffn_norm = nn.RMSNorm(width)
        self.ffn = FeedForward(width, hidden)

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.ffn(self.ffn_norm(x))


class Llama(nn.Module):
    def __init__(self, vocab=128256, width=8192, layers=80, heads=64, kv_heads=8, hidden=28672):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.layers = nn.ModuleList(Block(width, heads, kv_heads, hidden) for _ in range(layers))
        self.norm = nn.RMSNorm(width)
        self.output = nn.Linear(width, vocab, bias=False)

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return self.output(self.norm(x))




tokens = Tensor((8, 8192), "int64")
model = Llama().to(torch.bfloat16)
logits = model(tokens)

place("embed.weight", layout("tp", "None"))
place("layers[*].attention.wq.weight", layout("tp", "None"))
place("layers[*].attention.wk.weight", layout("tp", "None"))
place("layers[*].attention.wv.weight", layout("tp", "None"))
place("layers[*].attention.wo.weight", layout("None", "tp"))
place("layers[*].ffn.w1.weight", layout("tp", "None"))
place("layers[*].ffn.w3.weight", layout("tp", "None"))
place("layers[*].ffn.w2.weight", layout("None", "tp"))
place("output.weight", layout("tp", "None"))
`,
};
