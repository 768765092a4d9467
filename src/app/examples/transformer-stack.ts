import type { Example } from "#app/first-example";

export const transformerStack: Example = {
  name: "transformer-stack",
  title: "24 equal layers, one rule for all of them",
  note: "A wildcard cuts the same operators of every layer; each layer adds its sums once, so there are 24 all-reduces.",
  program: `# Only the feed-forward half of each layer: norm, columns, rows, residual sum.
from torch import nn

mesh = Mesh(dp=2, tp=4)

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = Parameter((16,), "bf16")
        self.up = Parameter((16, 64), "bf16")
        self.down = Parameter((64, 16), "bf16")

    def forward(self, x):
        n = layer_norm(x, self.gain)
        h = matmul(n, self.up)
        a = gelu(h)
        o = matmul(a, self.down)
        z = add(x, o)
        return z

class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Layer() for _ in range(24)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

x = Tensor((8, 16), "bf16")
y = Stack()(x)

strategy("layers[*].n", a="dp")
strategy("layers[*].h", m="dp", n="tp")
strategy("layers[*].o", m="dp", k="tp")
`,
};
