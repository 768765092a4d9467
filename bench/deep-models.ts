import { compile } from "#compile";

const head = [
  "import torch",
  "import torch.nn as nn",
  "import torch.nn.functional as F",
  "",
  "mesh = Mesh(dp=8, tp=8)",
  "",
];

const norm = [
  "class Norm(nn.Module):",
  "    def __init__(self, width):",
  "        super().__init__()",
  "        self.scale = nn.Parameter(torch.zeros(width))",
  "",
  "    def forward(self, x):",
  "        h = x.float()",
  "        h = h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + 1e-6)",
  "        return (h * (1.0 + self.scale.float())).to(x.dtype)",
  "",
];

const decoderBlock = [
  "def turn(x, cos, sin):",
  "    left, right = x.chunk(2, -1)",
  "    return x * cos + torch.cat((-right, left), -1) * sin",
  "",
  "class Block(nn.Module):",
  "    def __init__(self, width, heads, groups):",
  "        super().__init__()",
  "        self.heads, self.groups, self.size = heads, groups, width // heads",
  "        self.before, self.after = Norm(width), Norm(width)",
  "        self.q_norm, self.k_norm = Norm(self.size), Norm(self.size)",
  "        self.q = nn.Linear(width, width, bias=False)",
  "        self.k = nn.Linear(width, groups * self.size, bias=False)",
  "        self.v = nn.Linear(width, groups * self.size, bias=False)",
  "        self.o = nn.Linear(width, width, bias=False)",
  "        self.gate = nn.Linear(width, 4 * width, bias=False)",
  "        self.up = nn.Linear(width, 4 * width, bias=False)",
  "        self.down = nn.Linear(4 * width, width, bias=False)",
  "",
  "    def attend(self, x, cos, sin, mask):",
  "        b, t, _ = x.shape",
  "        q = self.q(x).view(b, t, self.heads, self.size).transpose(1, 2)",
  "        k = self.k(x).view(b, t, self.groups, self.size).transpose(1, 2)",
  "        v = self.v(x).view(b, t, self.groups, self.size).transpose(1, 2)",
  "        q, k = turn(self.q_norm(q), cos, sin), turn(self.k_norm(k), cos, sin)",
  "        k = k.repeat_interleave(self.heads // self.groups, dim=1)",
  "        v = v.repeat_interleave(self.heads // self.groups, dim=1)",
  "        scores = q @ k.transpose(2, 3) * self.size**-0.5",
  "        scores = scores.masked_fill(mask, float('-inf'))",
  "        y = (torch.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(b, t, -1)",
  "        return self.o(y)",
  "",
  "    def forward(self, x, cos, sin, mask):",
  "        x = x + self.attend(self.before(x), cos, sin, mask)",
  "        h = self.after(x)",
  "        return x + self.down(F.gelu(self.gate(h)) * self.up(h))",
  "",
];

const scanBlock = [
  "class Block(nn.Module):",
  "    def __init__(self, width, states):",
  "        super().__init__()",
  "        self.parts = [width, states, states]",
  "        self.before = Norm(width)",
  "        self.enter = nn.Linear(width, 2 * width, bias=False)",
  "        self.mix = nn.Linear(width, width + 2 * states, bias=False)",
  "        self.decay = nn.Parameter(torch.zeros(width, states))",
  "        self.skip = nn.Parameter(torch.ones(width))",
  "        self.leave = nn.Linear(width, width, bias=False)",
  "",
  "    def forward(self, x):",
  "        u, gate = self.enter(self.before(x)).chunk(2, -1)",
  "        step, into, out = self.mix(F.silu(u)).split(self.parts, -1)",
  "        step = F.softplus(step)",
  "        kept = torch.exp(step.unsqueeze(-1) * -torch.exp(self.decay))",
  "        added = torch.einsum('btd,bts,btd->btds', step, into, u)",
  "        state, rows = added[:, 0], []",
  "        for t in range(1, x.shape[1]):",
  "            state = kept[:, t] * state + added[:, t]",
  "            rows.append(torch.einsum('bds,bs->bd', state, out[:, t]))",
  "        y = torch.stack([rows[0], *rows], 1) + u * self.skip",
  "        return x + self.leave(y * F.silu(gate))",
  "",
];

/** A deep decoder as in published models: norms and rotary positions as formulas. */
export function decoderModel(operators: number): string {
  const call = [
    "cos, sin = torch.ones(512, 64), torch.ones(512, 64)",
    "mask = torch.ones(512, 512, dtype=torch.bool).triu(1)",
    'tokens = Tensor((16, 512), "int64")',
    'place(tokens, layout("dp", "None"))',
    "h = nn.Embedding(50304, 1024)(tokens)",
    "for block in blocks:",
    "    h = block(h, cos, sin, mask)",
  ];
  const lines = [...head, ...norm, ...decoderBlock];
  return ofBlocks(operators, lines, "Block(1024, 16, 4)", call);
}

/** A deep model of recurrent blocks, whose scan over positions is a loop. */
export function scanModel(operators: number): string {
  const call = [
    "h = Tensor((16, 20, 1024))",
    'place(h, layout("dp", "None", "None"))',
    "for block in blocks:",
    "    h = block(h)",
  ];
  const lines = [...head, ...norm, ...scanBlock];
  return ofBlocks(operators, lines, "Block(1024, 16)", call);
}

/** As many blocks as fit; activations make up the exact number of operators. */
function ofBlocks(
  operators: number,
  lines: readonly string[],
  block: string,
  call: readonly string[],
): string {
  const textOf = (blocks: number, rest: number) =>
    [
      ...lines,
      `blocks = [${block} for _ in range(${blocks})]`,
      ...call,
      `for _ in range(${rest}):`,
      "    h = torch.tanh(h)",
      "",
    ].join("\n");
  const [one = 0, two = 0] = [1, 2].map((blocks) => operatorsOf(textOf(blocks, 0)));
  const perBlock = two - one;
  const blocks = Math.floor((operators - one) / perBlock);
  return textOf(1 + blocks, operators - one - blocks * perBlock);
}

function operatorsOf(program: string): number {
  return compile(program).graph.operators.length;
}
