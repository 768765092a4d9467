import { expect, test } from "vitest";
import { compile } from "#compile";
import { readDocument } from "#systems";

const body = `x = torch.randn(512, 512)
w = torch.nn.Parameter(torch.randn(512, 512))
`;

/** The arithmetic of every operator that says one, and what is printed. */
function readOf(lines: string, after = "y = x @ w") {
  const document = readDocument(`import torch\n${body}${lines}\n${after}\n`);
  const { operators } = document.graph;
  return {
    said: operators.flatMap(({ attributes }) => attributes["arithmetic"] ?? []),
    faults: document.diagnostics.map(({ severity, code }) => `${severity} ${code}`),
  };
}

test.each`
  lines                                                                                                      | said
  ${""}                                                                                                      | ${[]}
  ${'torch.set_float32_matmul_precision("high")'}                                                            | ${["tf32"]}
  ${'torch.set_float32_matmul_precision("medium")'}                                                          | ${["tf32"]}
  ${'torch.set_float32_matmul_precision("high")\ntorch.set_float32_matmul_precision("highest")'}             | ${[]}
  ${"torch.backends.cuda.matmul.allow_tf32 = True"}                                                          | ${["tf32"]}
  ${"torch.backends.cuda.matmul.allow_tf32 = True\ntorch.backends.cuda.matmul.allow_tf32 = False"}           | ${[]}
  ${'torch.backends.cuda.matmul.fp32_precision = "tf32"'}                                                    | ${["tf32"]}
  ${'torch.backends.cuda.matmul.fp32_precision = "ieee"'}                                                    | ${[]}
  ${"from torch.backends import cuda\ncuda.matmul.allow_tf32 = True"}                                        | ${["tf32"]}
  ${"import torch.backends.cuda\ntorch.backends.cuda.matmul.allow_tf32 = torch.cuda.is_available() or True"} | ${["tf32"]}
`("$lines makes products in $said", ({ lines, said }) => {
  expect(readOf(lines)).toEqual({ said, faults: [] });
});

test("just the products of f32 that run while it holds", () => {
  const fast = 'torch.set_float32_matmul_precision("high")';
  expect(
    readOf("a = x @ w", `${fast}\nb = torch.relu(a @ w)\nc = b.bfloat16() @ w.bfloat16()`),
  ).toEqual({ said: ["tf32"], faults: [] });
});

test.each`
  line                                                   | fault
  ${'torch.set_float32_matmul_precision("hgih")'}        | ${"warning torch/unknown-precision"}
  ${'torch.backends.cuda.matmul.fp32_precision = "bad"'} | ${"error python/runtime-error"}
  ${"torch.backends.cuda.matmul.allow_tf32 = 3"}         | ${"error python/runtime-error"}
`("$line is said", ({ line, fault }) => {
  expect(readOf(line)).toEqual({ said: [], faults: [fault] });
});

test("what is set is read back as PyTorch says it", () => {
  const text = `import torch
torch.backends.cuda.matmul.allow_tf32 = True
x = torch.randn(2, 2) if torch.get_float32_matmul_precision() == "high" else 3
torch.set_float32_matmul_precision("highest")
y = torch.relu(x) if not torch.backends.cuda.matmul.allow_tf32 else 3
`;
  const { graph, diagnostics } = readDocument(text);
  expect([graph.operators.map(({ name }) => name), diagnostics]).toEqual([["y"], []]);
});

test("a step in tf32 takes less time, its backward pass too", () => {
  const program = (line: string, after: string) =>
    compile(`import torch
mesh = Mesh(dp=1, hardware="H100")
${line}
x = torch.randn(4096, 4096)
w = torch.nn.Parameter(torch.randn(4096, 4096))
loss = (x @ w).sum()
${after}
`).cost.computeSeconds;
  const fast = 'torch.set_float32_matmul_precision("high")';
  const [forward, step] = ["", "train(loss)"].map((after) => [
    program("", after),
    program(fast, after),
  ]);
  const saved = ([slow = 0, quick = 0]: readonly number[] = []) => slow - quick;
  expect(saved(forward)).toBeGreaterThan(0);
  expect(saved(step)).toBeGreaterThan(1.8 * saved(forward));
});

test.each`
  call                                                                                        | result
  ${"torch._scaled_mm(a, a.t(), one, one)"}                                                   | ${"f8e4m3"}
  ${"torch._scaled_mm(a, a.t(), one, one, out_dtype=torch.bfloat16)"}                         | ${"bf16"}
  ${"torch._scaled_mm(a, a.t(), scale_a=one, scale_b=one, bias=b, out_dtype=torch.bfloat16)"} | ${"bf16"}
  ${"torch._int_mm(i, i)"}                                                                    | ${"i32"}
`("$call is a product of 8 bits that gives $result", ({ call, result }) => {
  const { graph, diagnostics } = readDocument(`import torch
a = torch.randn(32, 32).to(torch.float8_e4m3fn)
b = torch.randn(32, dtype=torch.bfloat16)
i = torch.zeros(32, 32, dtype=torch.int8)
one = torch.tensor(1.0)
y = ${call}
`);
  const made = graph.tensors.find(({ name }) => name === "y");
  expect([made?.shape, made?.dtype, diagnostics]).toEqual([[32, 32], result, []]);
  expect(graph.operators.some(({ entry }) => entry === "matmul")).toBe(true);
});
