const lines = 1_000;
/** Number of equal blocks in the model. */
export const layers = 12;

const notes = [
  '"""',
  "A decoder of equal blocks with grouped queries and rotary positions.",
  "",
  "Shapes: B batch, T positions, C channels, H heads, D channels of a head.",
  "Weights are held as published checkpoints name them.",
  '"""',
];

const imports = [
  "from __future__ import annotations",
  "import math",
  "from dataclasses import dataclass",
  "from typing import Optional, Tuple",
  "import torch",
  "import torch.nn as nn",
  "import torch.nn.functional as F",
  "",
];

const config = [
  "",
  "@dataclass",
  "class Config:",
  '    """What a checkpoint says of its model."""',
  "    vocab: int = 32000",
  "    positions: int = 512",
  "    width: int = 1024",
  `    layers: int = ${layers}`,
  "    heads: int = 16",
  "    groups: int = 4",
  "    mlp_ratio: int = 4",
  "    norm_eps: float = 1e-5",
  "    dropout: float = 0.0",
  "",
];

const blocks = [
  "",
  "class RMSNorm(nn.Module):",
  '    """Scales by the root of the mean square."""',
  "",
  "    def __init__(self, width: int, eps: float):",
  "        super().__init__()",
  "        self.eps = eps",
  "        self.weight = nn.Parameter(torch.ones(width))",
  "",
  "    def _norm(self, x):",
  "        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)",
  "",
  "    def forward(self, x):",
  "        return self._norm(x.float()).type_as(x) * self.weight",
  "",
  "",
  "def repeat_groups(x: torch.Tensor, times: int) -> torch.Tensor:",
  '    """B T G D -> B T H D, each group for so many heads."""',
  "    b, t, g, d = x.shape",
  "    if times == 1:",
  "        return x",
  "    return x[:, :, :, None, :].expand(b, t, g, times, d).reshape(b, t, g * times, d)",
  "",
  "",
  "class Attention(nn.Module):",
  '    """The part that mixes positions."""',
  "",
  "    def __init__(self, config: Config):",
  "        super().__init__()",
  "        self.heads, self.groups = config.heads, config.groups",
  "        self.head_width = config.width // config.heads",
  "        self.q = nn.Linear(config.width, self.heads * self.head_width, bias=False)",
  "        self.k = nn.Linear(config.width, self.groups * self.head_width, bias=False)",
  "        self.v = nn.Linear(config.width, self.groups * self.head_width, bias=False)",
  "        self.o = nn.Linear(self.heads * self.head_width, config.width, bias=False)",
  "        self.drop = nn.Dropout(config.dropout)",
  "",
  "    def forward(self, x: torch.Tensor, mask: Optional[torch.Tensor]) -> torch.Tensor:",
  "        b, t, _ = x.shape",
  "        q = self.q(x).view(b, t, self.heads, self.head_width)",
  "        k = self.k(x).view(b, t, self.groups, self.head_width)",
  "        v = self.v(x).view(b, t, self.groups, self.head_width)",
  "        k = repeat_groups(k, self.heads // self.groups).transpose(1, 2)",
  "        v = repeat_groups(v, self.heads // self.groups).transpose(1, 2)",
  "        scores = q.transpose(1, 2) @ k.transpose(2, 3) / math.sqrt(self.head_width)",
  "        if mask is not None:",
  "            scores = scores + mask",
  "        y = self.drop(F.softmax(scores, dim=-1)) @ v",
  "        return self.o(y.transpose(1, 2).contiguous().view(b, t, -1))",
  "",
  "",
  "class FeedForward(nn.Module):",
  '    """The part that mixes channels."""',
  "",
  "    def __init__(self, config: Config):",
  "        super().__init__()",
  "        self.up = nn.Linear(config.width, config.mlp_ratio * config.width, bias=False)",
  "        self.down = nn.Linear(config.mlp_ratio * config.width, config.width, bias=False)",
  "",
  "    def forward(self, x):",
  "        x = F.gelu(self.up(x))",
  "        return self.down(x)",
  "",
];

/** A small helper function as found in such files, not needed by the model's call. */
function helper(at: number): readonly string[] {
  return [
    "",
    `def renamed_${at}(name: str, layer: int = ${at}, prefix: str = "model.") -> str:`,
    '    """',
    "    What a weight was called in an older checkpoint.",
    "",
    "    Args:",
    "        name: as it is called here",
    "        layer: which block holds it",
    '    """',
    "    if name.startswith(prefix):",
    "        name = name[len(prefix):]",
    '    parts = [part for part in name.split(".") if part]',
    '    for old, new in (("wq", "q"), ("wk", "k"), ("wv", "v"), ("wo", "o")):',
    "        parts = [new if part == old else part for part in parts]",
    '    return ".".join([f"blocks.{layer}", *parts])',
    "",
  ];
}

/** A layer of another kind, defined but unused, like the variants of a paper. */
function variant(at: number): readonly string[] {
  return [
    "",
    `class GatedFeedForward${at}(FeedForward):`,
    '    """',
    `    Like FeedForward, with a gate and hidden channels in multiples of ${32 * at}.`,
    '    """',
    "",
    `    def __init__(self, config: Config, multiple_of: int = ${32 * at}):`,
    "        super().__init__(config)",
    "        hidden = int(2 * config.mlp_ratio * config.width / 3)",
    "        hidden = multiple_of * ((hidden + multiple_of - 1) // multiple_of)",
    "        self.gate = nn.Linear(config.width, hidden, bias=False)",
    "        self.up = nn.Linear(config.width, hidden, bias=False)",
    "        self.down = nn.Linear(hidden, config.width, bias=False)",
    "        self.reset()",
    "",
    "    def reset(self):",
    "        for linear in (self.gate, self.up, self.down):",
    "            nn.init.normal_(linear.weight, mean=0.0, std=0.02)",
    "",
    "    def forward(self, x: torch.Tensor) -> torch.Tensor:",
    "        return self.down(F.silu(self.gate(x)) * self.up(x))",
    "",
  ];
}

const model = [
  "",
  "class Block(nn.Module):",
  "    def __init__(self, config: Config, layer: int):",
  "        super().__init__()",
  "        self.layer = layer",
  "        self.attention = Attention(config)",
  "        self.feed_forward = FeedForward(config)",
  "        self.attention_norm = RMSNorm(config.width, config.norm_eps)",
  "        self.feed_forward_norm = RMSNorm(config.width, config.norm_eps)",
  "",
  "    def forward(self, x, mask):",
  "        x = x + self.attention(self.attention_norm(x), mask)",
  "        return x + self.feed_forward(self.feed_forward_norm(x))",
  "",
  "",
  "class Decoder(nn.Module):",
  "    def __init__(self, config: Config):",
  "        super().__init__()",
  "        self.config = config",
  "        self.tokens = nn.Embedding(config.vocab, config.width)",
  "        self.blocks = nn.ModuleList([Block(config, at) for at in range(config.layers)])",
  "        self.norm = RMSNorm(config.width, config.norm_eps)",
  "        self.head = nn.Linear(config.width, config.vocab, bias=False)",
  "        self.apply(self._init_weights)",
  "",
  "    def _init_weights(self, module):",
  "        if isinstance(module, nn.Linear):",
  "            nn.init.normal_(module.weight, mean=0.0, std=0.02)",
  "        elif isinstance(module, nn.Embedding):",
  "            nn.init.normal_(module.weight, mean=0.0, std=0.02)",
  "",
  "    def forward(self, tokens: torch.Tensor) -> torch.Tensor:",
  "        b, t = tokens.shape",
  '        assert t <= self.config.positions, f"{t} positions are too many"',
  "        x = self.tokens(tokens)",
  '        mask = torch.full((t, t), float("-inf")).triu(1)',
  "        for block in self.blocks:",
  "            x = block(x, mask)",
  "        return self.head(self.norm(x)[:, [-1], :])",
  "",
];

const call = [
  "",
  "mesh = Mesh(dp=2, tp=4)",
  "model = Decoder(Config())",
  "tokens = torch.zeros((8, 512), dtype=torch.long)",
  "logits = model(tokens)",
  'strategy(logits, a="dp")',
];

/**
 * A model as such files are published: notes at the head, constants, a config, helpers, layers of
 * several kinds of which one is used, weight names, and one call.
 */
export function pastedModel(): string {
  const head = [...notes, ...imports, ...config, ...blocks];
  const tail = [...model, ...call];
  const rest: string[] = [];
  for (let at = 0; head.length + rest.length + tail.length < lines; at += 1) {
    rest.push(...(at % 2 === 0 ? helper(at) : variant(at)));
  }
  rest.length = lines - head.length - tail.length;
  // A definition cut off at the end would not be valid Python.
  const whole = rest.lastIndexOf("", rest.length - 1);
  for (let at = whole; at < rest.length; at += 1) rest[at] = "# Kept for old checkpoints.";
  return [...head, ...rest, ...tail, ""].join("\n");
}
