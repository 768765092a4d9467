import type { Example } from "#app/first-example";

export const llama3SeventyB: Example = {
  name: "llama3-70b",
  title: "Llama 3 70B: a training step on 64 H100",
  note: "In PyTorch's own words: columns and rows over tp inside a node with sequence parallel norms, FSDP over dp between nodes (Grattafiori et al. 2024).",
  parameters: 70_553_706_496,
  program: `# Llama 3 70B: "The Llama 3 Herd of Models", Grattafiori et al. 2024.
# By hand, in PyTorch's own words: tensor and sequence parallel inside a node, FSDP between nodes.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)

# The machine, and the same mesh for PyTorch.
mesh = Mesh(dp=8, tp=8, hardware="64xH100")
devices = init_device_mesh("cuda", (8, 8), mesh_dim_names=("dp", "tp"))


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




def parallelize(model):
    rows = RowwiseParallel(output_layouts=Shard(1))
    parallelize_module(model, devices["tp"], {
        "embed": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1)),
        "norm": SequenceParallel(),
        "output": ColwiseParallel(input_layouts=Shard(1)),
    })
    for layer in model.layers:
        whole = PrepareModuleInput(input_layouts=Shard(1), desired_input_layouts=Replicate())
        parallelize_module(layer, devices["tp"], {
            "attention_norm": SequenceParallel(),
            "attention": whole,
            "attention.wq": ColwiseParallel(),
            "attention.wk": ColwiseParallel(),
            "attention.wv": ColwiseParallel(),
            "attention.wo": rows,
            "ffn_norm": SequenceParallel(),
            "ffn": whole,
            "ffn.w1": ColwiseParallel(),
            "ffn.w3": ColwiseParallel(),
            "ffn.w2": rows,
        })
        fully_shard(layer, mesh=devices["dp"])
    fully_shard(model, mesh=devices["dp"])


tokens = Tensor((8, 8192), "int64")
targets = Tensor((8, 8192), "int64")
model = Llama().to(torch.bfloat16)
parallelize(model)
logits = model(tokens)
loss = F.cross_entropy(logits.view(-1, 128256), targets.view(-1))

place("targets", layout("dp", "None"))
train(loss, optimizer="adamw")
`,
};
