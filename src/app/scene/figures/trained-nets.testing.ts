import { type Compiled, compile } from "#compile";

/** A net of equal layers over two axes; its layers are split by columns, then by rows. */
export const layeredNet = (layers: number, train: string, mesh = "dp=2, tp=4", size = 4096) => `
mesh = Mesh(${mesh}, hardware="8xH100")
class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.up, self.down = nn.Linear(d, 4 * d, bias=False), nn.Linear(4 * d, d, bias=False)
    def forward(self, x):
        return x + self.down(F.gelu(self.up(x)))
class Net(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.blocks = nn.ModuleList(Block(d) for _ in range(n))
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
x = Tensor((${size}, ${size}), "bf16")
y = Net(${layers}, ${size})(x)
loss = y.sum()
${train}
strategy("blocks[*].linear_1", a="dp", n="tp")
strategy("blocks[*].linear_2", a="dp", k="tp")
`;

/** Programs whose steps are limited by different things. */
export const trainedNets: Readonly<Record<string, string>> = {
  "a forward pass": layeredNet(3, ""),
  "a training step that gathers its weights": layeredNet(
    4,
    'train(loss, optimizer="adamw", zero=3)',
  ),
  "micro-batches": layeredNet(3, 'train(loss, optimizer="adamw", microbatches=4, zero=1)'),
  "what is computed anew": layeredNet(3, 'train(loss, optimizer="adamw", recompute=["blocks[*]"])'),
  "small steps, which wait for the host": layeredNet(
    6,
    'train(loss, optimizer="sgd")',
    "dp=2, tp=4",
    64,
  ),
  "one device": layeredNet(2, "", "dp=1, tp=1"),
};

const known = new Map<string, Compiled>();
/** One of `trainedNets`, compiled once. */
export const trainedCompiled = (name: string): Compiled => {
  const compiled = known.get(name) ?? compile(trainedNets[name] ?? "");
  known.set(name, compiled);
  return compiled;
};
