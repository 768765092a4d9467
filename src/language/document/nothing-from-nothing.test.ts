import { expect, test } from "vitest";
import { compile } from "#compile";

const head = `import torch
from torch import nn
from lib import cfg, scale
class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)
    def forward(self, x):
        return self.fc(x)
x = Tensor((4, 8))
`;

/** A net with the given lines in `__init__` and `forward`, called with `x`. */
function net(init: string, forward: string): string {
  const lines = (text: string) =>
    text
      .split("\n")
      .map((line) => `        ${line}\n`)
      .join("");
  return `${head}class N(nn.Module):
    def __init__(self, given=None):
        super().__init__()
        self.b = B()
${lines(init)}    def forward(self, x, given=None):
${lines(forward)}n = N()
y = n(x)
`;
}

/** Codes of diagnostics that every case has: the missing module, and the planner's notes. */
const apart = /^(document\/unknown-module|nnscaler\/.*)$/;

/** Shape of `y`, figures of the whole, and diagnostics other than of the missing module. */
function claimed(text: string) {
  const { graph, cost, memory, modules, diagnostics } = compile(text);
  const y = graph.tensors.find(({ name }) => name === "y");
  return {
    y: y?.isUnknown === true ? "unknown" : y?.shape,
    figures: [cost.seconds, cost.bytes, memory.peakBytes].some(Number.isNaN) ? "unknown" : "known",
    parameters: modules?.get("n"),
    said: diagnostics
      .filter(({ severity, code }) => severity !== "info" && !apart.test(code))
      .map(({ code }) => code),
  };
}

const count = "document/unknown-value";
const left = "python/type-error";

test.each`
  init                                                                               | forward                                                          | parameters   | said
  ${"self.s = given['s']"}                                                           | ${"return torch.cat([x, x], -1) * self.s"}                       | ${undefined} | ${[left]}
  ${"self.s = given['s']"}                                                           | ${"return self.b(x) @ self.s"}                                   | ${undefined} | ${[left]}
  ${"pass"}                                                                          | ${"x = given['f'](x)\nreturn self.b(x)"}                         | ${72}        | ${[left]}
  ${"pass"}                                                                          | ${"return given['f'](x)"}                                        | ${72}        | ${[left]}
  ${"pass"}                                                                          | ${"for g in given:\n    x = self.b(x)\nreturn x"}                | ${72}        | ${[left]}
  ${"pass"}                                                                          | ${"for i in range(cfg.n):\n    x = self.b(x)\nreturn x"}         | ${72}        | ${[count]}
  ${"pass"}                                                                          | ${"for i in range(len(cfg.rows)):\n    x = self.b(x)\nreturn x"} | ${72}        | ${[count]}
  ${"pass"}                                                                          | ${"while cfg.more:\n    x = self.b(x)\nreturn x"}                | ${72}        | ${[count]}
  ${"self.l = nn.ModuleList([B() for _ in range(cfg.n)])"}                           | ${"for l in self.l:\n    x = l(x)\nreturn x"}                    | ${undefined} | ${[count]}
  ${"self.l = nn.Sequential(*[B() for _ in range(cfg.n)])"}                          | ${"return self.l(x)"}                                            | ${undefined} | ${[count]}
  ${"self.l = nn.Sequential(*(B() for _ in cfg.rows))"}                              | ${"return self.l(x)"}                                            | ${undefined} | ${[count]}
  ${"l = []\nfor i in range(cfg.n):\n    l.append(B())\nself.l = nn.Sequential(*l)"} | ${"return self.l(x)"}                                            | ${undefined} | ${[count]}
  ${"self.l = nn.ModuleList()\nfor i in range(cfg.n):\n    self.l.append(B())"}      | ${"for l in self.l:\n    x = l(x)\nreturn x"}                    | ${undefined} | ${[count]}
  ${"pass"}                                                                          | ${"return x * cfg.scale"}                                        | ${72}        | ${[]}
  ${"pass"}                                                                          | ${"return torch.where(x > 0, x, scale)"}                         | ${72}        | ${[]}
  ${"pass"}                                                                          | ${"return x.sum(dim=cfg.dim)"}                                   | ${72}        | ${[]}
  ${"pass"}                                                                          | ${"return x.transpose(cfg.a, cfg.b)"}                            | ${72}        | ${[]}
  ${"pass"}                                                                          | ${"return x[cfg.i]"}                                             | ${72}        | ${[]}
  ${"pass"}                                                                          | ${"return x * torch.per_tensor_affine"}                          | ${72}        | ${[count]}
  ${"pass"}                                                                          | ${"return x + x.name"}                                           | ${72}        | ${[count]}
  ${"pass"}                                                                          | ${"return torch.remainder(x, cfg.n)"}                            | ${72}        | ${[]}
`(
  "after what nobody knows nothing is claimed, and its cause is said once: $init, $forward",
  ({ init, forward, parameters, said }) => {
    const text = net(init, forward);
    expect(claimed(text)).toEqual({ y: "unknown", figures: "unknown", parameters, said });
    expect(claimed(`${text}z = y * 2\nw = torch.cat([z, z])\n`).said).toEqual(said);
  },
);

test.each`
  init                                              | parameters
  ${"self.w = nn.Parameter(torch.empty(cfg.n, 8))"} | ${undefined}
  ${"self.w = nn.Linear(8, cfg.n)"}                 | ${undefined}
  ${"self.w = nn.Linear(8, cfg.n * 2)"}             | ${undefined}
  ${"self.n = cfg.n"}                               | ${72}
`("a count of parameters of which a size is a guess is none: $init", ({ init, parameters }) => {
  expect(claimed(net(init, "return self.b(x)")).parameters).toBe(parameters);
});

test("what changes in place keeps its shape, whatever it is multiplied by", () => {
  const text = net("pass", "x = x + 1\nx *= cfg.scale\nreturn x");
  expect(claimed(text)).toMatchObject({ y: [4, 8], figures: "known", said: [] });
});

test.each([
  ...["cfg.n % 2 == 0", "x.shape[1] == cfg.d", "cfg.n > 3 and x.dim() == 2", "not cfg.on"],
  ...["isinstance(cfg, dict)", "cfg.kind in ('a', 'b')", "cfg.a is None", "len(cfg.rows) == 3"],
  ...["all(r == 1 for r in cfg.rows)", "type(cfg.a) == int", "(cfg.a, 1) == (2, 1)"],
  ...["cfg.f(x).shape == (4, 8)", "cfg.f(x).dim() == 3", "len(cfg.f(x).shape) == 3"],
])("an assert on what is unknown is left out: %s", (test) => {
  const { y, said } = claimed(net("pass", `assert ${test}, 'no'\nreturn self.b(x)`));
  expect(y).toEqual([4, 8]);
  expect(said.filter((code) => code !== "document/unknown-result")).toEqual([]);
});

test("an assert on what is known stands", () => {
  expect(claimed(`${head}assert x.shape[0] == 5`).said).toEqual(["python/assertion-error"]);
});

test.each`
  text                                            | said
  ${"if cfg.kind in ('a', 'b'):\n    x = x + 1"}  | ${[count]}
  ${"if isinstance(cfg.a, dict):\n    x = x + 1"} | ${[count]}
  ${"if 'a' in cfg:\n    x = x + 1"}              | ${[count]}
`("which way it goes is said where nobody knows: $text", ({ text, said }) => {
  expect(claimed(head + text).said).toEqual(said);
});

test.each`
  text                                                                                                       | x
  ${"from attrs import define\n@define\nclass C:\n    d: int = 8\n    e: int = 2"}                           | ${[3, 2]}
  ${"import msgspec\nclass C(msgspec.Struct):\n    d: int\n    e: int = 2"}                                  | ${[3, 2]}
  ${"from conf import Base\nclass C(Base):\n    d: int = 8\n    e = 2"}                                      | ${[3, 2]}
  ${"from conf import Base\nclass C(Base):\n    def __init__(self, d):\n        super().__init__(d=d, e=2)"} | ${[3, 2]}
`("a class of an unknown base or decorator keeps what it is given: $text", ({ text, x }) => {
  const { graph, diagnostics } = compile(`${text}\nc = C(d=3)\nx = Tensor((c.d, c.e))\n`);
  expect(graph.tensors[0]?.shape).toEqual(x);
  expect(diagnostics.map(({ code }) => code)).toEqual(["document/unknown-module"]);
});

test("a net of an unknown base runs, and of what the base has nothing is known", () => {
  const text = net("self.keep_settings()", "return self.b(x)").replace(
    "(nn.Module):\n    def __init__(self, given",
    "(cfg.Base):\n    def __init__(self, given",
  );
  expect(claimed(text)).toMatchObject({ y: [4, 8], parameters: undefined, said: [] });
  const scaled = text.replace("return self.b(x)\nn =", "return self.b(x) * self.scale\nn =");
  expect(claimed(scaled)).toMatchObject({ y: "unknown", figures: "unknown", said: [] });
});
