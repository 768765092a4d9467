import { describe, expect, test } from "vitest";
import { readDocument } from "#systems";

/** What a text comes to that makes nothing itself: parameters, inputs, and what is said. */
function read(text: string) {
  const { graph, diagnostics, trace } = readDocument(text);
  const named = (role: string) =>
    Object.fromEntries(
      graph.tensors.filter((each) => each.role === role).map(({ name, shape }) => [name, shape]),
    );
  return {
    operators: graph.operators.length,
    parameters: named("parameter"),
    inputs: named("input"),
    said: diagnostics.map(({ message }) => message),
    wrong: diagnostics.filter(({ severity }) => severity !== "info"),
    calls: trace.choices.filter(({ group }) => group === "calls").map(({ line }) => line),
  };
}

const head = `"""A file of a model: what is said of GPT here is no use of it."""
from dataclasses import dataclass
import torch
from torch import nn
`;

const config = `@dataclass
class ModelArgs:
    dim: int = 24
    heads: int = 4
    kv_heads: int = -1
    vocab_size: int = -1
`;

const gpt = (hint: string) => `class GPT(nn.Module):
    def __init__(self, args${hint}):
        super().__init__()
        assert args.vocab_size > 0
        self.table = nn.Embedding(args.vocab_size, args.dim)
        self.proj = nn.Linear(args.dim, args.kv_heads)
    def forward(self, idx):
        return self.proj(self.table(idx))
`;

describe("a class that nothing makes is drawn", () => {
  test.each`
    how                          | hint
    ${"by its type hint"}        | ${": ModelArgs"}
    ${"by a hint in quotes"}     | ${": 'ModelArgs'"}
    ${"by the parameter's name"} | ${""}
  `("with the settings of the text, $how", ({ hint }) => {
    const found = read(`${head}${config}${gpt(hint)}`);
    expect(found.parameters).toMatchObject({ "table.weight": [64, 24], "proj.weight": [2, 24] });
    expect(found.said[0]).toBe(
      '"GPT" is never made: it is drawn with args=ModelArgs(kv_heads=2, vocab_size=64)',
    );
    expect(found.wrong).toEqual([]);
  });

  test("what an assumed argument is read for stays unknown: it may be no tensor", () => {
    const found = read(`${head}class Embedder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
    def forward(self, atoms):
        return self.proj(atoms.positions) + atoms.charges
`);
    expect(found.operators).toBe(2);
    expect(found.wrong.map(({ code }) => code)).toEqual([
      "document/unknown-value",
      "document/unknown-value",
    ]);
  });

  test("with the settings that the text holds in a dict", () => {
    const text = `${head}GPT_CONFIG = {"vocab_size": 100, "dim": 24}
class GPT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.table = nn.Embedding(cfg["vocab_size"], cfg["dim"])
    def forward(self, idx):
        return self.table(idx)
`;
    const found = read(text);
    expect(found.parameters).toEqual({ "table.weight": [100, 24] });
    expect(found.said[0]).toBe('"GPT" is never made: it is drawn with cfg=GPT_CONFIG');
  });

  test("with the numbers that the settings work out themselves", () => {
    const own = `${config}    def __post_init__(self):
        self.kv_heads = self.heads if self.kv_heads == -1 else self.kv_heads
        self.vocab_size = 100
`;
    expect(read(`${head}${own}${gpt(": ModelArgs")}`).parameters).toMatchObject({
      "table.weight": [100, 24],
      "proj.weight": [4, 24],
    });
  });

  test("where only functions make it that nothing calls", () => {
    const text = `${head}${config}${gpt("")}def small():\n    return GPT(ModelArgs(dim=8))\n`;
    expect(read(text).parameters).toMatchObject({ "table.weight": [64, 24] });
  });

  test.each`
    maker                                                                      | width
    ${"def small():\n    return GPT(small_args)"}                              | ${8}
    ${"def small(**kwargs):\n    net = GPT(small_args)\n    return net"}       | ${8}
    ${"def small(dim):\n    return GPT(ModelArgs(dim, 4, 2, 32))"}             | ${24}
    ${"def test():\n    net = GPT(small_args)\n    print(net(torch.ones(2)))"} | ${24}
  `("as a function makes it that takes nothing: $maker", ({ maker, width }) => {
    const text = `${head}${config}${gpt("")}small_args = ModelArgs(8, 4, 2, 32)\n${maker}\n`;
    const { parameters, said } = read(text);
    expect(parameters["table.weight"]?.[1]).toBe(width);
    expect(said.includes('"GPT" is never made: it is drawn as small() makes it')).toBe(width === 8);
    const codes = readDocument(text).diagnostics.map(({ code }) => code);
    expect(codes.includes("document/assumed-maker")).toBe(width === 8);
  });

  test("not where functions use it that nothing calls, as tests do", () => {
    const text = `${head}${config}${gpt("")}def test_it():\n    y = GPT(ModelArgs())(x)\n`;
    expect(read(text)).toMatchObject({ parameters: {}, operators: 0 });
  });

  test("and offered as a call before the parts that it is made of", () => {
    const text = `${head}class Refuses(nn.Module):
    def forward(self, x):
        assert False, "call it otherwise"
class Whole(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.part = Part(dim)
    def forward(self, x):
        assert False
class Part(nn.Module):
    def __init__(self, dim):
        super().__init__()
    def forward(self, x):
        return x
`;
    const found = read(text);
    expect(found.operators).toBe(0);
    // Nothing is drawn, so nothing says that it is.
    expect(found.said.filter((each) => each.includes("is drawn with"))).toEqual([]);
    expect(found.calls[0]).toBe("y = Whole(dim=16)(x)");
  });
});

describe("the rank of an input that nobody gives", () => {
  test.each`
    where                       | words                                                               | rank
    ${"a docstring"}            | ${'"""\n        t: (N,) tensor of steps\n        """'}              | ${1}
    ${"a docstring with types"} | ${'"""\n        t (torch.Tensor): of shape (B, L, D)\n        """'} | ${3}
    ${"a list of sizes"}        | ${'"""\n        :param t: [batch, 3 * d]\n        """'}             | ${2}
    ${"a comment"}              | ${"# t: (B, C, H // 2, W)"}                                         | ${4}
    ${"words without one"}      | ${"# t: (a tensor) of steps"}                                       | ${2}
  `("is what $where says", ({ words, rank }) => {
    const text = `${head}class Net(nn.Module):
    def forward(self, t):
        ${words}
        return t * 2
`;
    expect(read(text).inputs.t).toHaveLength(rank);
  });

  test("is what a pattern of einops has, and images have sides and channels that fit", () => {
    const text = `${head}from einops import rearrange
from einops.layers.torch import Rearrange
class ViT(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=4, p2=4),
            nn.Linear(48, 16),
        )
    def forward(self, img):
        return self.embed(img)
`;
    expect(read(text)).toMatchObject({ inputs: { img: [8, 3, 32, 32] }, wrong: [] });
    const asked = text.replace("return self", "batch = img.shape[0]\n        return self");
    expect(read(asked)).toMatchObject({ inputs: { img: [8, 3, 32, 32] }, wrong: [] });
    const called = `${text}y = ViT()(img)\n`;
    expect(read(called).inputs.img).toEqual([8, 3, 32, 32]);
  });
});

describe("rows of token ids that nobody gives", () => {
  const positioned = (settings: string, body = "") => `${head}@dataclass
class Config:
    ${settings}
    dim: int = 24
class GPT(nn.Module):
    def __init__(self, config: Config):
        super().__init__()
        self.config = config
        self.table = nn.Embedding(100, config.dim)
        self.places = nn.Embedding(4 * 1024, config.dim)
    def forward(self, idx):
        b, t = idx.size()
${body}        return self.table(idx) + self.places(torch.arange(0, t))
`;

  test.each`
    settings                    | length  | said
    ${"block_size: int = 1024"} | ${1024} | ${"block_size is 1024"}
    ${"max_seq_len: int = 99"}  | ${99}   | ${"max_seq_len is 99"}
    ${"n_ctx: int = 131072"}    | ${4096} | ${"n_ctx is 131072"}
  `("are as long as the model takes: $said", ({ settings, length, said }) => {
    const found = read(positioned(settings));
    expect(found.inputs).toMatchObject({ idx: [8, length] });
    expect(found.said).toContain(`a shape is assumed: "idx" (8, ${length}); ${said}`);
    expect(found.wrong).toEqual([]);
  });

  test.each`
    why                          | body
    ${"Python complains"}        | ${"        assert t < 100\n"}
    ${"more would run"}          | ${"        for i in range(t): self.table(idx)\n"}
    ${"nothing is said of them"} | ${undefined}
  `("stay short where $why", ({ body }) => {
    const found = read(positioned(body === undefined ? "rows: int = 64" : "n_ctx: int = 64", body));
    const long = read(positioned("n_ctx: int = 1024", body));
    expect([found, long][body === undefined ? 0 : 1]?.inputs).toMatchObject({ idx: [8, 8] });
  });

  test("and those of the targets, which the loss is drawn for, are alike", () => {
    const text = `${head}class GPT(nn.Module):
    def __init__(self, block_size=64):
        super().__init__()
        self.block_size = block_size
        self.table = nn.Embedding(100, 24)
        self.head = nn.Linear(24, 100)
    def forward(self, idx, targets=None, cache=None):
        logits = self.head(self.table(idx))
        if targets is None: return logits, None
        loss = nn.functional.cross_entropy(logits.view(-1, 100), targets.view(-1))
        return logits, loss
`;
    const { inputs, wrong, operators } = read(text);
    expect(inputs).toEqual({ idx: [8, 64], targets: [8, 64] });
    expect(wrong).toEqual([]);
    const trained = read(`${text}train("loss")\n`);
    expect(trained.wrong).toEqual([]);
    expect(operators).toBe(trained.operators);
  });

  test("divide as their cuts ask", () => {
    const cut = `${positioned("block_size: int = 100")}
model = GPT(Config())
mesh = Mesh(cp=8)
idx = Tensor()
place(idx, layout("None", "cp"))
y = model(idx)
`;
    expect(read(cut).inputs).toMatchObject({ idx: [8, 8] });
  });
});

describe("sizes that nobody gives", () => {
  const net = (made: string, forward: string) => `${head}class Net(nn.Module):
    def __init__(self):
        super().__init__()
        ${made}
    def forward(self, x, t):
        ${forward}
`;

  test.each`
    what                                  | made                                          | forward                                                                                               | shape
    ${"a dim that stands alone"}          | ${"self.fc = nn.Linear(16, 4)"}               | ${"return self.fc(x.unsqueeze(1).repeat(1, 4, 1))"}                                                   | ${[8, 16]}
    ${"dims that are joined"}             | ${"self.fc = nn.Linear(32, 4)"}               | ${"return self.fc(x.unsqueeze(2).flatten(1))"}                                                        | ${[8, 32]}
    ${"sizes that the text multiplies"}   | ${"self.w = nn.Parameter(torch.ones(4, 16))"} | ${"b, s, d = x.shape; return self.w @ x.permute(2, 0, 1).reshape(d, b * s)"}                          | ${[8, 8, 16]}
    ${"dims that are called by number"}   | ${"self.fc = nn.Linear(16, 4)"}               | ${"return self.fc(x.transpose(2, 3))"}                                                                | ${[8, 8, 16, 8]}
    ${"dims of an image that are joined"} | ${"self.fc = nn.Linear(16, 4)"}               | ${"return self.fc(x.flatten(2).permute(2, 0, 1))"}                                                    | ${[8, 16, 8, 8]}
    ${"a rank that nothing says"}         | ${"self.fc = nn.Linear(64, 4)"}               | ${"a = x[:, None] * torch.arange(32)[None, :]; return self.fc(torch.cat([a.sin(), a.cos()], dim=1))"} | ${[8]}
  `("are such that they fit, behind $what", ({ made, forward, shape }) => {
    expect(read(net(made, forward))).toMatchObject({ inputs: { x: shape }, wrong: [] });
  });

  test("make a warning where none fits, and an error where they are not to blame", () => {
    const codes = (forward: string) =>
      readDocument(net("self.a, self.b = nn.Linear(7, 5), nn.Linear(6, 4)", forward))
        .diagnostics.filter(({ code }) => code === "dimops/size-conflict")
        .map(({ severity }) => severity);
    expect(codes("return self.b(torch.ones(2, x.shape[1] % 5 + 1))")).toEqual(["warning"]);
    expect(codes("return self.b(self.a(x))")).toEqual(["error"]);
    const guessed = net(
      "self.a, self.b = nn.Linear(dim, 5), nn.Linear(6, 4)",
      "return self.b(self.a(x))",
    );
    expect(
      readDocument(guessed.replace("(self):", "(self, dim):")).diagnostics.map(
        ({ severity }) => severity,
      ),
    ).not.toContain("error");
  });
});

describe("a model that is never made and stops", () => {
  const net = (check: string) => `${head}class Net(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.cache = None
    def forward(self, x):
        ${check}
`;
  const sayings = (text: string) => readDocument(text).diagnostics.map(({ message }) => message);

  test.each`
    check                                                        | reason
    ${'assert self.cache is not None, "set up the cache first"'} | ${"set up the cache first"}
    ${"assert self.cache is not None"}                           | ${'"assert self.cache is not None" does not hold'}
    ${'if self.cache is None: raise RuntimeError("no cache")'}   | ${"no cache"}
  `("says why in its own words: $check", ({ check, reason }) => {
    expect(sayings(net(`${check}\n        return self.fc(x)`))[0]).toBe(
      `"Net" is not drawn with dim=16, depth=2: ${reason}`,
    );
  });

  test("says that it is drawn in part", () => {
    const said = sayings(net('y = self.fc(x)\n        raise ValueError("no more")'));
    expect(said).toContainEqual(expect.stringMatching(/^no more: "Net".* up to here$/u));
  });
});

describe("a file of a model whose settings stand in another", () => {
  const base = `import torch
from torch import nn
from ...modeling_utils import PreTrainedModel
from .configuration_bert import BertConfig
class Base(PreTrainedModel):
    config: BertConfig
class Head(Base):
    def __init__(self, config):
        super().__init__(config)
        self.table = nn.Embedding(config.vocab_size, config.hidden_size)
    def forward(self, input_ids=None, mask=None, labels=None):
        if input_ids is None: raise ValueError("no input")
        return self.table(input_ids)
`;

  test("is drawn with what it imports them as, on the inputs that it reads", () => {
    const found = read(base);
    expect(found.parameters).toEqual({ "table.weight": [30522, 768] });
    expect(found.inputs).toEqual({ input_ids: [8, 512] });
    expect(found.said[0]).toBe('"Head" is never made: it is drawn with config=BertConfig()');
    expect(found.wrong).toEqual([]);
  });

  test("and of its variants the first that can be drawn is", () => {
    const other = base.slice(base.indexOf("class Head")).replaceAll("Head", "Tail");
    const stopped = other.replaceAll("Tail", "Stop").replace("self.table(", "self.missing(");
    const named = (text: string) => read(text).said.filter((each) => each.includes("variants"));
    expect(named(`${base}${other}`)).toEqual([
      'of the variants of one model "Head" is drawn, and none of Tail',
    ]);
    expect(Object.keys(read(`${base}${other}`).parameters)).toEqual(["table.weight"]);
    expect(named(`${base.slice(0, base.indexOf("class Head"))}${stopped}${other}`)).toEqual([]);
  });

  test("images are as large as the settings say", () => {
    const text = `import torch
from torch import nn
from .configuration_vit import ViTConfig
class Net(nn.Module):
    def __init__(self, config: ViTConfig):
        super().__init__()
        self.size = config.image_size
        self.patches = nn.Conv2d(3, 24, 16, stride=16)
    def forward(self, pixel_values=None):
        if pixel_values.shape[-1] != self.size: raise ValueError("another size")
        return self.patches(pixel_values)
`;
    expect(read(text)).toMatchObject({ inputs: { pixel_values: [8, 3, 224, 224] }, wrong: [] });
  });
});

describe("an argument that nobody gives is", () => {
  const made = (parameters: string, body: string) =>
    read(`${head}import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self, ${parameters}):
        super().__init__()
${body.replace(/^/gmu, "        ")}
    def forward(self, x):
        return self.net(x)
`);
  const layers = "self.net = nn.Sequential(*[nn.Linear(a, b) for a, b in zip(widths, widths[1:])])";

  test.each`
    parameters                                      | body                                                                                                                | given
    ${"widths"}                                     | ${layers}                                                                                                           | ${"widths=[16, 16]"}
    ${"widths: list[int]"}                          | ${"self.net = nn.Linear(widths[2], 4)"}                                                                             | ${"widths=[16, 16, 16]"}
    ${"size: Tuple[int, int, int]"}                 | ${"self.net = nn.Linear(*size[1:])"}                                                                                | ${"size=(16, 16, 16)"}
    ${"dim, dim_mults"}                             | ${"self.net = nn.ModuleList([nn.Linear(dim, dim * m) for m in dim_mults])[0]"}                                      | ${"dim=16, dim_mults=[1, 2]"}
    ${"dim, attention_at"}                          | ${"self.net = nn.Linear(dim, 4 if 8 in attention_at else 2)"}                                                       | ${"dim=16, attention_at=[16, 16]"}
    ${"kind, dim"}                                  | ${'if kind in ["wide", "deep"]:\n    self.net = nn.Linear(dim, 64)'}                                                | ${'kind="wide", dim=16'}
    ${"dim, bias: bool"}                            | ${"self.net = nn.Linear(dim, 4, bias)"}                                                                             | ${"dim=16, bias=False"}
    ${"channels, kernel_size"}                      | ${"self.net = nn.Sequential(nn.Conv1d(channels, 4, kernel_size), nn.Flatten(1))"}                                   | ${"channels=16, kernel_size=3"}
    ${"channels, mlp_ratio: float, num_iterations"} | ${"self.net = nn.Sequential(*[nn.Linear(channels, int(channels * mlp_ratio)) for _ in range(num_iterations - 1)])"} | ${"channels=16, mlp_ratio=4, num_iterations=2"}
    ${"channels"}                                   | ${"self.net = nn.Sequential(nn.Conv2d(channels, channels, 1), nn.GroupNorm(32, channels))"}                         | ${"channels=32"}
  `("$given of ($parameters)", ({ parameters, body, given }) => {
    const found = made(parameters, body);
    expect(found.said[0]).toBe(`"Net" is never made: it is drawn with ${given}`);
    expect(found.wrong).toEqual([]);
  });
});

test.each([
  'def test():\n    net = Net("b", dim=24)\n    print(net)\n',
  "# net = Net('b', dim=24)\n",
])("arguments that a test or a comment writes are taken: %s", (example) => {
  const found = read(`${head}sizes = {"a": 4, "b": 6}
class Net(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.net = nn.Linear(dim, sizes[size])
    def forward(self, x):
        return self.net(x)
${example}`);
  expect(found.parameters).toMatchObject({ "net.weight": [6, 24] });
  expect(found.wrong).toEqual([]);
});

describe("an input that nobody gives", () => {
  const net = (forward: string, more = "") =>
    read(`${head}class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(16, 4, 8, 5))
        self.l = nn.Linear(8, 8)
${more}${forward}`);

  test("is given by its name where the method takes it so", () => {
    const found = net(
      "    def forward(self, *, query, key):\n        return self.l(query) + key\n",
    );
    expect(found.inputs).toEqual({ query: [8, 8], key: [8, 8] });
    expect(found.wrong).toEqual([]);
  });

  test("is handed on by a method that takes anything", () => {
    const own = "    def features(self, x, mask=None):\n        return self.l(x)\n";
    const found = net(
      "    def forward(self, *args, **kw):\n        return self.features(*args)\n",
      own,
    );
    expect(found.inputs).toEqual({ x: [8, 8] });
    expect(found.wrong).toEqual([]);
  });

  test.each`
    parameters         | call
    ${"*, query, key"} | ${"y = Net()(query=query, key=key)"}
    ${"*args, **kw"}   | ${"y = Net()(x)"}
  `("stands in the offered call of forward(self, $parameters)", ({ parameters, call }) => {
    const found = net(`    def forward(self, ${parameters}):\n        raise ValueError("first")\n`);
    expect(found.calls).toEqual([call]);
  });

  test.each`
    asks                                                                                     | rank
    ${"        n = x.size(0)\n        return x * x.size(3)"}                                 | ${4}
    ${"        n = x.shape[0]\n        b, c, h = x.shape\n        return x.view(b, c * h)"}  | ${3}
    ${"        n = x.size(0)\n        x = x.view(n, -1, 1)\n        return x * x.shape[2]"}  | ${2}
    ${"        return torch.einsum('ijnm,bin->bjm', self.w, x)"}                             | ${3}
    ${'        """`x` is the input of shape `[seq, batch, d]`"""\n        return self.l(x)'} | ${3}
  `("has the rank that the method asks: $asks", ({ asks, rank }) => {
    const found = net(`    def forward(self, x):\n${asks}\n`);
    expect(found.inputs.x).toHaveLength(rank);
    expect(found.wrong).toEqual([]);
  });
});

test.each(["nn.MaxPool1d(self.config.rate)", "nn.MaxPool1d(2, stride=self.config.rate)"])(
  "%s of a configuration that nobody gives has an unknown result",
  (pool) => {
    const { diagnostics } = readDocument(`import torch
from torch import nn
class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
    def forward(self, x):
        return ${pool}(x)
`);
    const codes = diagnostics.filter(({ severity }) => severity !== "info").map(({ code }) => code);
    expect(codes).toEqual(["document/unknown-result"]);
  },
);
