import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** What a text draws: `y[4,8]`, `y[?]` where nobody knows the shape. */
function drawn(text: string): string {
  const { graph } = readDocument(text);
  return graph.tensors
    .map(({ name, shape, isUnknown }) => `${name}[${isUnknown === true ? "?" : String(shape)}]`)
    .join(" ");
}

/** What is said of a text beside notes, and verdicts of planners. */
function saidOf(text: string): readonly string[] {
  return readDocument(text)
    .diagnostics.filter(({ severity, code }) => severity !== "info" && !/^nnscaler/.test(code))
    .map(({ severity, code }) => `${severity} ${code}`);
}

const net = (decorators: string) => `import torch
from torch import nn
import torch._dynamo as dynamo
import functools
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 4)
${decorators
  .split("; ")
  .map((each) => `    ${each}`)
  .join("\n")}
    def forward(self, x):
        return self.fc(x)
n = N()
y = n(Tensor((8, 6)))
`;

test.each([
  ...["@torch.no_grad", "@torch.no_grad()", "@torch.inference_mode", "@torch.inference_mode()"],
  ...["@torch.inference_mode(mode=True)", "@torch.enable_grad", "@torch.set_grad_enabled(False)"],
  ...["@torch.compile", "@torch.compile()", "@torch.compile(mode='max-autotune', dynamic=True)"],
  ...["@torch.autocast('cuda')", "@torch.autocast(device_type='cuda', enabled=False)"],
  ...["@torch.cuda.amp.autocast()", "@torch.amp.custom_fwd(device_type='cuda')"],
  ...["@torch.jit.export", "@torch.jit.ignore", "@torch.jit.ignore(drop=True)"],
  ...["@torch.jit.unused", "@torch.compiler.disable", "@torch.compiler.disable(recursive=False)"],
  ...["@dynamo.disable", "@torch._dynamo.disable()", "@torch._dynamo.optimize('inductor')"],
  ...["@torch.profiler.record_function('x')", "@torch.no_grad(); @torch.compile"],
  ...["@torch.compile; @torch.inference_mode", "@functools.wraps(print)"],
])("a forward under %s runs", (decorators) => {
  expect(drawn(net(decorators))).toContain("y[8,4]");
  expect(saidOf(net(decorators))).toEqual([]);
});

test.each([
  ...["torch.compile(N())", "torch.compile(model=N(), mode='reduce-overhead')"],
  ...["torch.jit.script(N())", "torch.jit.trace(N(), Tensor((8, 6)))", "torch.jit.freeze(N())"],
])("%s is the module itself", (made) => {
  const text = net("@torch.no_grad()").replace("n = N()", `n = ${made}`);
  expect(drawn(text)).toContain("y[8,4]");
  expect(readDocument(text).modules.get("n")).toBe(28);
});

test("what makes another function of one is not read as that one", () => {
  const text = "import torch\n@torch.vmap\ndef f(x):\n    return x.sum(0)\ny = f(Tensor((8, 4)))\n";
  expect(drawn(text)).toContain("y[?]");
  expect(saidOf(text)).toEqual(["warning document/unknown-result"]);
});

const head = "import torch, math\nimport numpy as np\nx = Tensor((8, 16))\ns = Tensor((5, 8, 8))\n";

test.each`
  line                                                        | shape
  ${"x * torch.pi + torch.e - torch.inf / torch.nan"}         | ${"8,16"}
  ${"x.masked_fill(x > 0, -torch.inf)"}                       | ${"8,16"}
  ${"x[:, torch.newaxis] * math.tau * np.pi"}                 | ${"8,1,16"}
  ${"x * np.float32(2) + np.int64(1)"}                        | ${"8,16"}
  ${"x.reshape(np.int32(4.0), np.uint8(32))"}                 | ${"4,32"}
  ${"torch.zeros(int(torch.pi * 10), 2)"}                     | ${"31,2"}
  ${"torch.topk(x, 4, dim=-1).values"}                        | ${"8,4"}
  ${"x.topk(4).indices"}                                      | ${"8,4"}
  ${"x.max(dim=0).indices"}                                   | ${"16"}
  ${"torch.min(x, 1, keepdim=True).values"}                   | ${"8,1"}
  ${"torch.sort(x).values"}                                   | ${"8,16"}
  ${"x.median(dim=1).values"}                                 | ${"8"}
  ${"torch.mode(x, 0).indices"}                               | ${"16"}
  ${"x.kthvalue(3).values"}                                   | ${"8"}
  ${"torch.cummax(x, 0).indices"}                             | ${"8,16"}
  ${"torch.aminmax(x, dim=0).max"}                            | ${"16"}
  ${"torch.linalg.qr(x).R"}                                   | ${"8,16"}
  ${"torch.linalg.svd(x, full_matrices=False).Vh"}            | ${"8,16"}
  ${"torch.svd(x).V"}                                         | ${"16,8"}
  ${"torch.linalg.eigh(s).eigenvalues"}                       | ${"5,8"}
  ${"torch.linalg.slogdet(s).logabsdet"}                      | ${"5"}
  ${"torch.linalg.lu(x).L"}                                   | ${"8,8"}
  ${"torch.histogram(x, 10).bin_edges"}                       | ${"11"}
  ${"torch.sort(x)[0]"}                                       | ${"8,16"}
  ${"sum(torch.linalg.qr(x)[:1])"}                            | ${"8,8"}
  ${"torch.Tensor.softmax(x, dim=-1)"}                        | ${"8,16"}
  ${"torch.einsum('ij,jk,kl,lm->im', x, x.T, x, x.T)"}        | ${"8,8"}
  ${"torch.einsum(x, [0, 1], x, [2, 1], [0, 2])"}             | ${"8,8"}
  ${"torch.einsum('...ij,...jk', s, s[:1])"}                  | ${"5,8,8"}
  ${"torch.einsum('bii->bi', s)"}                             | ${"5,8"}
  ${"torch.einsum('bij,bjk->bik', s[:1], s)"}                 | ${"5,8,8"}
  ${"torch.einsum('ij,ij->ij', [x[:1], x])"}                  | ${"8,16"}
  ${"x.to(torch.device('cuda', 1)) if x.device.index else x"} | ${"8,16"}
  ${"x if x.device == torch.device('cpu') else x[0]"}         | ${"8,16"}
  ${"x if torch.device('cuda:1').index == 1 else x[0]"}       | ${"8,16"}
  ${"x if str(torch.device('cuda:1')) == 'cuda:1' else x[0]"} | ${"8,16"}
  ${"x if isinstance(x, torch.Tensor) else x[0]"}             | ${"8,16"}
  ${"x if isinstance(x, (int, torch.FloatTensor)) else x[0]"} | ${"8,16"}
  ${"x[0] if isinstance(x, torch.nn.Parameter) else x"}       | ${"8,16"}
  ${"x if isinstance(x.shape, torch.Size) else x[0]"}         | ${"8,16"}
  ${"torch.utils.checkpoint.checkpoint(torch.relu, x)"}       | ${"8,16"}
`("$line has the shape $shape", ({ line, shape }) => {
  const text = `${head}import torch.utils.checkpoint\ny = ${line}\n`;
  expect(saidOf(text)).toEqual([]);
  const y = readDocument(text).variables.get("y");
  expect(String(y?.shape)).toBe(shape);
});

test.each`
  line                                           | kind
  ${"torch.einsum('ij,jk->iz', x, x.T)"}         | ${/no input has/}
  ${"torch.einsum('ij,jk,kl->il', x, x.T)"}      | ${/annotates 3 inputs|fewer operands/}
  ${"torch.einsum('ij,jk,kl,lm', x, x.T, x, x)"} | ${/do not broadcast/}
  ${"torch.einsum('ijk,jk,k,k->i', x, x, x, x)"} | ${/number of subscripts/}
`("$line is refused", ({ line, kind }) => {
  const { diagnostics } = readDocument(`${head}y = ${line}\n`);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(kind)]);
});

test.each([
  "from torch import Tensor",
  "from torch import Tensor\nfrom torch.nn import Parameter",
  "Tensor = torch.Tensor",
])("beside %s the native words keep their meaning, and the class its own", (words) => {
  const text = `import torch
${words}
def f(a: Tensor, b: Tensor | None = None) -> Tensor:
    assert isinstance(a, Tensor) and not isinstance(3, Tensor)
    return a if b is None else a + b
x = Tensor((8, 4), "bf16")
w = Parameter((8, 4), "bf16")
y = f(x, w)
u = torch.Tensor(2, 3)
v = torch.Tensor((2, 3))
t = Tensor([1.0, 2.0, 3.0])
`;
  expect(drawn(text)).toBe("x[8,4] w[8,4] y[8,4] u[2,3] v[2] t[3]");
  expect(saidOf(text)).toEqual([]);
});

const layers = `import torch
from torch import nn
class MLP(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.up = nn.Linear(d, 4 * d)
    def forward(self, x):
        return self.up(x)
SIZE = 8
`;
const used = "m = MLP(SIZE)\ny = m(Tensor((2, SIZE)))\n";

test.each([
  `${layers}from mypkg.layers import MLP, SIZE\n${used}`,
  `${layers}from .layers import (MLP, SIZE)\n${used}`,
  `${layers}from timm.models.layers import MLP\n${used}`,
  `${layers}from ..a.layers import MLP as M\n${used.replace("MLP", "M")}`,
  `${layers}from . import layers\n${used.replace("MLP", "layers.MLP")}`,
  `${layers}from mypkg.layers import *\n${used}`,
  `from .layers import MLP, SIZE\n${layers}${used}`,
  `from .layers import MLP\nclass Big(MLP):\n    pass\n${layers}${used.replace("MLP", "Big")}`,
  `class Big(MLP):\n    pass\n${layers}${used.replace("MLP", "Big")}`,
  `# file: a/layers.py\n${layers}# file: model.py\nfrom .a.layers import MLP, SIZE\n${used}`,
  `# file: layers.py\n${layers}# file: model.py\nfrom mypkg.layers import MLP, SIZE\n${used}`,
  `# file: layers.py\n${layers}# file: m.py\nfrom . import layers\n${used.replace("MLP", "layers.MLP")}`,
  `# file: model.py\nfrom .layers import MLP, SIZE\n# file: layers.py\n${layers}# file: run.py\n${used}`,
])("of files in one text each has what the others define: %s", (text) => {
  expect(drawn(text)).toContain("y[2,32]");
  expect(readDocument(text).modules.get("m")).toBe(288);
  expect(saidOf(text).filter((line) => line.startsWith("error"))).toEqual([]);
});

test("a text of several files without headers says that headers tell them apart", () => {
  const codes = (text: string) => readDocument(text).diagnostics.map(({ code }) => code);
  const text = `${layers}from mypkg.layers import MLP\n${used}`;
  expect(codes(text)).toEqual(["document/files-in-one"]);
  const turned = `class Big(MLP):\n    pass\n${layers}`;
  expect(codes(turned)).toContain("document/defined-later");
});

test("a module of a package is no variable of its name", () => {
  const text = `import mypkg.model\n${layers}model = MLP(SIZE)\nm = getattr(mypkg.model, "MLP")(SIZE)\ny = m(Tensor((2, SIZE)))\n`;
  expect(drawn(text)).toContain("y[2,32]");
  expect(saidOf(text).filter((line) => line.startsWith("error"))).toEqual([]);
});

test("an import of a package that is known stands against a definition above it", () => {
  const text =
    "def relu(x):\n    return x[:1]\nfrom torch.nn.functional import relu\ny = relu(Tensor((3, 8)))\n";
  expect(drawn(text)).toContain("y[3,8]");
});

const model = `from typing import Optional
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator
from pydantic.dataclasses import dataclass
class Args(BaseModel):
    model_config = ConfigDict(extra="allow")
    dim: int = 64
    heads: int = Field(default=4, gt=0)
    rows: list = Field(default_factory=lambda: [1, 2])
    ratio: Optional[float] = None
    @field_validator("dim")
    @classmethod
    def even(cls, v):
        return v + v % 2
    @property
    def head_dim(self):
        return self.dim // self.heads
`;

test.each`
  line                                                          | shape
  ${"(Args(dim=127, heads=8).dim, Args().heads)"}               | ${"128,4"}
  ${"(Args().head_dim, len(Args().rows))"}                      | ${"16,2"}
  ${"(Args(**{'dim': 6}).dim, Args(more=3).more)"}              | ${"6,3"}
  ${"(Args().model_copy(update={'dim': 3}).dim,)"}              | ${"3"}
  ${"(Args.model_validate({'dim': 8}).model_dump()['dim'], 2)"} | ${"8,2"}
  ${"(len(Args.model_fields), len(dict(Args())))"}              | ${"4,4"}
`("a model of pydantic: $line", ({ line, shape }) => {
  const text = `${model}x = Tensor(${line})\n`;
  expect(saidOf(text)).toEqual([]);
  expect(drawn(text)).toBe(`x[${shape}]`);
});

test.each(["Args(heads=1, dim={}['a'])", "Strict()", "Strict(a=1, b=2)", "Args(3)"])(
  "%s is refused, as pydantic does",
  (call) => {
    const strict = `class Strict(BaseModel):\n    model_config = ConfigDict(extra="forbid")\n    a: int\n`;
    expect(saidOf(`${model}${strict}${call}\n`)).toHaveLength(1);
  },
);

test("attribute_map joins two names of a setting, both ways", () => {
  const text = `from transformers import GPT2Config, PretrainedConfig
class C(PretrainedConfig):
    attribute_map = {"hidden_size": "n_embd"}
    def __init__(self, n_embd=32, **options):
        self.n_embd = n_embd
        super().__init__(**options)
c, d = C(n_embd=24), C(hidden_size=48)
first = c.hidden_size
c.hidden_size = 64
x = Tensor((first, c.n_embd, d.n_embd, GPT2Config().hidden_size))
`;
  expect(drawn(text)).toBe("x[24,64,48,768]");
  expect(saidOf(text)).toEqual([]);
});
