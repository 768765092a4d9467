import { expect, test } from "vitest";
import { readDocument } from "#systems";

const head = "import torch\nx = Tensor((4, 6))\n";

function read(lines: string) {
  const { diagnostics, graph } = readDocument(`${head}${lines}\n`);
  const y = graph.tensors.find(({ name }) => name === "y");
  const known = graph.tensors.find(({ name }) => name === "x");
  return {
    y: y?.isUnknown === true ? "unknown" : (y ?? known)?.shape,
    said: diagnostics
      .filter(({ code }) => code !== "nnscaler/unknown-function")
      .map(({ severity, code, span }) => {
        const line = `${head}${lines}`.slice(0, span?.from).split("\n").length - 2;
        return `${severity} ${code} ${line}`;
      }),
  };
}

/** A condition on a tensor's values is reported once, at its line. */
test.each`
  lines                                                              | severity
  ${"y = torch.tanh(x) if x.sum() > 0 else x[:2]"}                   | ${"warning"}
  ${"y = torch.tanh(x) if x.sum() > 0 and x.mean() < 1 else x[:2]"}  | ${"warning"}
  ${"y = x[:2] if not x.any() else torch.tanh(x)"}                   | ${"warning"}
  ${"y = torch.tanh(x) if x.max().item() > 3 else x[:2]"}            | ${"warning"}
  ${"y = torch.tanh(x) if bool(x.sum()) else x[:2]"}                 | ${"warning"}
  ${"y = torch.tanh(x) if float(x.sum()) > 1.5 else x[:2]"}          | ${"warning"}
  ${"y = torch.tanh(x) if x.sum() in [1, 2] else x[:2]"}             | ${"warning"}
  ${"y = torch.tanh(x) if torch.equal(x, x) else x[:2]"}             | ${"warning"}
  ${"y = torch.tanh(x) if torch.allclose(x, x) else x[:2]"}          | ${"warning"}
  ${"y = torch.tanh(x) if any(t > 0 for t in [x.sum()]) else x[:2]"} | ${"warning"}
  ${"y = torch.tanh([t for t in [x] if t.sum() > 0][0])"}            | ${"warning"}
  ${"while x.sum() > 0:\n    x = x[:2]\ny = torch.tanh(x)"}          | ${"warning"}
  ${"while not x.any():\n    x = x[:2]\ny = torch.tanh(x)"}          | ${"warning"}
  ${"assert (x > 0).all()\ny = torch.tanh(x)"}                       | ${"info"}
  ${"assert not (x > 0).any()\ny = torch.tanh(x)"}                   | ${"info"}
`("$lines is read one way, which is said", ({ lines, severity }) => {
  expect(read(lines)).toEqual({ y: [4, 6], said: [`${severity} document/branch-on-data 1`] });
});

test("of two conditions each is said", () => {
  const lines = "if x.sum() > 0:\n    x = torch.tanh(x)\nif x.sum() > 1:\n    y = torch.tanh(x)";
  expect(read(lines).said).toEqual([
    "warning document/branch-on-data 1",
    "warning document/branch-on-data 3",
  ]);
});

test.each`
  lines
  ${"y = torch.tanh(x) if x is not None else x[:2]"}
  ${"y = torch.tanh(x) if torch.is_tensor(x) else x[:2]"}
  ${"y = torch.tanh(x) if x.dim() == 2 and x.shape[0] in (2, 4) else x[:2]"}
  ${"y = torch.tanh(x)\nprint(f'{x.sum().item():.2f}', '%.3f' % float(x.mean()))"}
`("$lines asks for no values", ({ lines }) => {
  expect(read(lines)).toEqual({ y: [4, 6], said: [] });
});

/** Tensors whose shape depends on values have no known shape, and that is reported at the line. */
test.each`
  lines                                       | line
  ${"n = int(x.max())\ny = x[:n]"}            | ${2}
  ${"y = torch.zeros(x.max().item(), 3)"}     | ${1}
  ${"y = torch.full((int(x.max()), 3), 0.5)"} | ${1}
  ${"y = torch.arange(int(x.max()))"}         | ${1}
  ${"y = x.repeat(int(x.max()), 1)"}          | ${1}
  ${"n = x.sum().item()\ny = x.view(n, -1)"}  | ${2}
  ${"y = x.expand(int(x.max()), 4, 6)"}       | ${1}
`("$lines has no known shape", ({ lines, line }) => {
  expect(read(lines)).toEqual({ y: "unknown", said: [`warning document/unknown-value ${line}`] });
});

/** Shapes as PyTorch 2.13 computes them. */
test.each`
  lines                                      | shape
  ${"y = x[x.argmax().item()]"}              | ${[6]}
  ${"y = x[0, int(x.sum()):][:, None] * 1"}  | ${"unknown"}
  ${"y = x.argmax()"}                        | ${[]}
  ${"y = torch.argmin(x, dim=None)"}         | ${[]}
  ${"y = x.argmax(0)"}                       | ${[6]}
  ${"y = torch.argmax(x, -1, keepdim=True)"} | ${[4, 1]}
  ${"y = torch.full((2, 3), x.max())"}       | ${[2, 3]}
  ${"y = x * x.sum().item()"}                | ${[4, 6]}
`("$lines gives $shape", ({ lines, shape }) => {
  expect(read(lines).y).toEqual(shape);
  expect(read(lines).said.filter((line) => line.startsWith("error"))).toEqual([]);
});

test("a loop as long as a value of a tensor is left out: what it sets is unknown", () => {
  const lines = "for i in range(int(x.max())):\n    x = x[:2]\ny = torch.tanh(x)";
  expect(read(lines)).toEqual({ y: "unknown", said: ["warning document/unknown-value 1"] });
});

/** A layer that is skipped with probability 0.1 is drawn. */
test.each`
  lines
  ${"y = torch.tanh(x) if torch.rand([]) > 0.1 else x[:2]"}
  ${"y = x[:2] if torch.rand(1) < 0.1 else torch.tanh(x)"}
  ${"y = torch.tanh(x) if not torch.rand(1).item() <= 0.2 else x[:2]"}
`("$lines goes the way that it mostly goes, which is said", ({ lines }) => {
  expect(read(lines)).toEqual({ y: [4, 6], said: ["info document/branch-on-data 1"] });
});

test("a draw of many numbers is none that is known", () => {
  const said = ["warning document/branch-on-data 1"];
  expect(read("y = torch.tanh(x) if (torch.rand(3) < 0.1).any() else x[:2]").said).toEqual(said);
});

test.each`
  lines
  ${'if x.max() > 3:\n    raise ValueError("large")\ny = torch.tanh(x)'}
  ${"if torch.isnan(x).any():  # no\n    # never\n    raise ValueError\ny = torch.tanh(x)"}
  ${"if not torch.isfinite(x).all():\n    raise ValueError\ny = torch.tanh(x)"}
`("a check that would raise passes, which is said: $lines", ({ lines }) => {
  expect(read(lines)).toEqual({ y: [4, 6], said: ["warning document/branch-on-data 1"] });
});

// Values given by the text itself are known: elements of rows, lists and NumPy arrays.
test.each`
  made                                                 | size                         | shape
  ${"r = [x.item() for x in torch.linspace(0, 1, 3)]"} | ${"3 if r[0] == 0.0 else 5"} | ${[3]}
  ${"r = torch.linspace(0, 1, 3).tolist()"}            | ${"3 if r[2] > 0.9 else 5"}  | ${[3]}
  ${"r = torch.linspace(4, 6, 3)"}                     | ${"int(r[1])"}               | ${[5]}
  ${"r = np.array([13, 32, 8])"}                       | ${"int(r[1])"}               | ${[32]}
  ${"r = np.array([13, 32, 8])"}                       | ${"r.size"}                  | ${[3]}
  ${"r = np.zeros((3, 4))"}                            | ${"r.size"}                  | ${[12]}
  ${"r = torch.tensor([2, 7])"}                        | ${"r[1].item()"}             | ${[7]}
`("of $made $size is known", ({ made, size, shape }) => {
  const { diagnostics, graph } = readDocument(
    `import numpy as np\nimport torch\n${made}\ny = torch.zeros(${size})\n`,
  );
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(graph.tensors.find(({ name }) => name === "y")?.shape).toEqual(shape);
});
