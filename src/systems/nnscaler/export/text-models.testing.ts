/** A text with a model and a plan; nnScaler traces the text's own classes. */
export interface TextModelCase {
  readonly name: string;
  readonly program: string;
}

const imports = `import torch
import torch.nn as nn
import torch.nn.functional as F
`;

/** Layers held by attributes, sharded as in Megatron; the activation is a layer without weights. */
const perceptron = `${imports}
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width, bias=False)
        self.act = nn.GELU()
        self.down = nn.Linear(4 * width, width, bias=False)

    def forward(self, hidden):
        return hidden + self.down(self.act(self.up(self.norm(hidden))))

net = Net(64)
x = torch.randn(8, 64)
y = net(x)
mesh = Mesh(tp=4)
place(net.up.weight, layout("tp", "None"))
place(net.down.weight, layout("None", "tp"))
`;

/**
 * Blocks in a list of layers, with views for heads: every function is called in several modules.
 */
const attention = `${imports}
class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q = nn.Linear(width, width, bias=False)
        self.k = nn.Linear(width, width, bias=False)
        self.v = nn.Linear(width, width, bias=False)
        self.o = nn.Linear(width, width, bias=False)

    def split(self, x):
        b, s, e = x.shape
        return x.view(b, s, self.heads, e // self.heads).transpose(1, 2)

    def forward(self, x):
        b, s, e = x.shape
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        weights = F.softmax(torch.matmul(q, k.transpose(-2, -1)) * 0.25, dim=-1)
        return self.o(torch.matmul(weights, v).transpose(1, 2).reshape(b, s, e))

class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attn = Attention(width, heads)

    def forward(self, x):
        return x + self.attn(self.norm(x))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(64, 4) for _ in range(2)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

net = Net()
x = torch.randn(2, 8, 64)
y = net(x)
mesh = Mesh(tp=4)
for block in net.blocks:
    for layer in (block.attn.q, block.attn.k, block.attn.v):
        place(layer.weight, layout("tp", "None"))
    place(block.attn.o.weight, layout("None", "tp"))
`;

/** Functions on weights of the module itself, called several times in one method. */
const functional = `${imports}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Parameter(torch.randn(128, 64))
        self.second = nn.Parameter(torch.randn(64, 128))
        self.proj = nn.Linear(64, 64, bias=False)

    def forward(self, x):
        h = F.relu(F.linear(x, self.first))
        h = F.relu(F.linear(h, self.second))
        return F.linear(h, self.proj.weight)

model = Net()
x = torch.randn(16, 64)
y = model(x)
mesh = Mesh(dp=2, tp=2)
place(x, layout("dp", "None"))
place(model.first, layout("tp", "None"))
place(model.second, layout("None", "tp"))
place(model.proj.weight, layout("tp", "None"))
`;

/**
 * A small GPT in its users' style: an embedding, fused heads that are split, and attention as one
 * call.
 */
const gpt = `${imports}
class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd, bias=False)
        self.c_proj = nn.Linear(n_embd, n_embd, bias=False)
        self.n_head = n_head
        self.n_embd = n_embd

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.c_proj(y)

class MLP(nn.Module):
    def __init__(self, n_embd):
        super().__init__()
        self.c_fc = nn.Linear(n_embd, 4 * n_embd, bias=False)
        self.gelu = nn.GELU()
        self.c_proj = nn.Linear(4 * n_embd, n_embd, bias=False)

    def forward(self, x):
        return self.c_proj(self.gelu(self.c_fc(x)))

class Block(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.ln_1 = nn.LayerNorm(n_embd)
        self.attn = CausalSelfAttention(n_embd, n_head)
        self.ln_2 = nn.LayerNorm(n_embd)
        self.mlp = MLP(n_embd)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        x = x + self.mlp(self.ln_2(x))
        return x

class Net(nn.Module):
    def __init__(self, vocab, n_embd, n_head, n_layer):
        super().__init__()
        self.wte = nn.Embedding(vocab, n_embd)
        self.h = nn.ModuleList([Block(n_embd, n_head) for _ in range(n_layer)])
        self.ln_f = nn.LayerNorm(n_embd)
        self.lm_head = nn.Linear(n_embd, vocab, bias=False)

    def forward(self, idx):
        x = self.wte(idx)
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))

net = Net(64, 32, 4, 2)
idx = torch.randint(0, 64, (4, 16))
logits = net(idx)
mesh = Mesh(dp=2, tp=2)
strategy("x", a="dp")
strategy("h[*].linear_3", a="dp", n="tp")
strategy("h[*].linear_4", a="dp", k="tp")
strategy("logits", a="dp", n="tp")
`;

/** The models for which policies are written. */
export const textModels: readonly TextModelCase[] = [
  { name: "perceptron", program: perceptron },
  { name: "attention", program: attention },
  { name: "functional", program: functional },
  { name: "gpt", program: gpt },
];

/** Stubs for the words of a plan, for running a text in Python. */
export const planWords = `def _word(*_, **__):
    return None


Mesh = place = layout = strategy = _word
`;
