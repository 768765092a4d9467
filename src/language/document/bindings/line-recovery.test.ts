import { expect, test } from "vitest";
import { readDocument } from "#systems";

/**
 * A module with lines in its `__init__` and `forward`, called as `y` and read afterwards as `z`.
 */
function read(init: string, forward: string, base = "nn.Module", method = "forward") {
  const text = `import torch
from torch import nn
x = Tensor((4, 6))
class N(${base}):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(6, 8)
        ${init}
        self.c = nn.Linear(8, 5)
    def ${method}(self, x):
        h = self.a(x)
        ${forward}
        return self.c(h)
net = N()
y = net(x)
`;
  const { diagnostics, graph, modules } = readDocument(text);
  const y = graph.tensors.find(({ name }) => name === "y");
  return {
    said: diagnostics.map(
      ({ severity, code, span }) =>
        `${severity} ${code} ${text.slice(0, span?.from).split("\n").length}`,
    ),
    y: y?.isUnknown === true ? "unknown" : y?.shape,
    parameters: modules.get("net"),
  };
}

const whole = { y: [4, 5], parameters: 101 };

/**
 * A failing line gives one warning at its cause. What does not depend on it is as in PyTorch, and
 * parameters are not counted when the line would have set some.
 */
test.each`
  init                                | forward                    | said
  ${"self.b = nn.Linear(6, 4 / 0)"}   | ${"pass"}                  | ${["warning python/zero-division-error 8"]}
  ${"self.b = nn.Linear(8, 'wide')"}  | ${"z = self.b(h)"}         | ${["warning python/type-error 8"]}
  ${"self.nothing_like_it(3)"}        | ${"pass"}                  | ${["warning python/attribute-error 8"]}
  ${"self.k = {}['missing']"}         | ${"z = self.k(h)"}         | ${["warning python/key-error 8"]}
  ${"self.k, self.l = {}['missing']"} | ${"z = self.l"}            | ${["warning python/key-error 8"]}
  ${"pass"}                           | ${"z = h.softmax(dim=7)"}  | ${["warning python/index-error 12"]}
  ${"pass"}                           | ${"z = [][3]; z = z + 1"}  | ${["warning python/index-error 12"]}
  ${"pass"}                           | ${"for i in [][3]: h = i"} | ${["warning python/index-error 12"]}
`("$init, $forward: $said", ({ init, forward, said }) => {
  const found = read(init, forward);
  expect(found.said).toEqual(said);
  expect(found.parameters).toBe(/self\.\w+.* = /.test(init) ? undefined : whole.parameters);
  if (!forward.includes("h = i")) expect(found.y).toEqual(whole.y);
});

test("a layer of which a line could not be read gives an unknown result, and no other fault", () => {
  const found = read("self.b = nn.Linear(8, {}['width'])", "h = self.b(h)");
  expect(found).toEqual({
    said: ["warning python/key-error 8"],
    y: "unknown",
    parameters: undefined,
  });
});

/** Exceptions that the text raises or catches itself behave as in Python. */
test.each`
  init                                                          | forward                                       | said
  ${"raise ValueError('no')"}                                   | ${"pass"}                                     | ${["error python/value-error 8"]}
  ${"pass"}                                                     | ${"assert x.shape[1] == 7"}                   | ${["error python/assertion-error 12"]}
  ${"pass"}                                                     | ${"if x.shape[1] != 7: raise TypeError('x')"} | ${["error python/type-error 12"]}
  ${"self.k = getattr(self, 'nothing', 3)"}                     | ${"pass"}                                     | ${[]}
  ${"try: self.k = {}[1]\n        except KeyError: self.k = 2"} | ${"h = h.reshape(self.k, -1, 8)[0]"}          | ${[]}
`("$init, $forward: $said", ({ init, forward, said }) => {
  expect(read(init, forward).said.filter((line) => !line.includes("nnscaler"))).toEqual(said);
});

test("a line that runs once a layer is said once", () => {
  const text = `import torch
from torch import nn
class B(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = {}[1]
        self.a = nn.Linear(6, 6)
    def forward(self, x):
        return self.a(x)
net = nn.Sequential(B(), B(), B())
y = net(Tensor((4, 6)))
`;
  const { diagnostics, graph } = readDocument(text);
  expect(diagnostics.map(({ code }) => code)).toEqual(["python/key-error"]);
  expect(graph.operators.filter(({ op }) => op === "linear")).toHaveLength(3);
});

test("outside of modules of PyTorch a fault ends the function", () => {
  const text =
    "class N:\n    def __init__(self):\n        self.k = {}[1]\n        self.l = 2\nn = N()\n";
  expect(readDocument(text).diagnostics.map(({ severity }) => severity)).toEqual(["error"]);
});

test("a program of too many tensors ends there, and is not read on line by line", () => {
  const text = `import torch
from torch import nn
class N(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.ModuleList([nn.Linear(2, 2) for _ in range(9000)])
        self.b = nn.Linear(2, 2)
    def forward(self, x):
        return self.b(x)
net = N()
`;
  const said = readDocument(text).diagnostics.map(({ severity, code }) => `${severity} ${code}`);
  expect(said).toEqual(["error document/too-many-tensors"]);
});

test("what depends on something unknown in a layer is said once, however many layers there are", () => {
  const text = `import torch
from elsewhere import config
from torch import nn
class B(nn.Module):
    def forward(self, x):
        return x * 2 if config.doubles == 1 else x + 1
net = nn.Sequential(*[B() for _ in range(20)])
y = net(Tensor((4, 6)))
`;
  const said = readDocument(text).diagnostics.filter(
    ({ code }) => code === "document/unknown-value",
  );
  expect(said).toHaveLength(1);
});
