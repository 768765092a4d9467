import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import { flatSteps } from "#core/program";
import { drawLeaves } from "#execute/reference";
import { readDocument } from "#systems";
import { planRun } from "./plan-run.ts";

const common = {
  ...{ storageBuffers: 10, bindingWords: 2 ** 28, compareFrom: 0, workgroups: 2 ** 16 - 1 },
  ...{ cutFrom: 2 ** 40, workgroupBytes: 2 ** 14 },
};
const adapters = {
  "a GPU": { ...common, isCpu: false, hasQuads: false },
  "a CPU": { ...common, isCpu: true, hasQuads: true },
  "a GPU of few bindings": { ...common, isCpu: false, hasQuads: false, storageBuffers: 4 },
};

function planned(text: string, adapter: keyof typeof adapters) {
  const { program, diagnostics } = compileDocument(readDocument(text));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const task = { program, leaves: drawLeaves(program.graph, 1, "floats"), settings: {} };
  const numbers = { type: "f32", isExact: false } as const;
  const run = planRun({ ...task, settings: { values: "singles" } }, numbers, adapters[adapter]);
  const kernels = run.gpu.commands.flatMap((each) => (each.kind === "kernel" ? [each] : []));
  const steps = kernels.filter(({ label }) => !label.startsWith("draw"));
  return { ...run, program, dispatches: steps.map(({ label }) => label) };
}

/** A block of GPT: its batch cut over one axis, its heads and features over the other. */
function block(dp: number, tp: number): string {
  return `mesh = Mesh(dp=${dp}, tp=${tp})
x = Tensor((8, 8, 128))
wq = Parameter((128, 128))
wk = Parameter((128, 128))
wv = Parameter((128, 128))
wo = Parameter((128, 128))
wi = Parameter((128, 512))
wd = Parameter((512, 128))
n = layer_norm(x)
qm = matmul(n, wq)
km = matmul(n, wk)
vm = matmul(n, wv)
q = permute(reshape(qm, shape=(8, 8, 8, 16)), (0, 2, 1, 3))
k = permute(reshape(km, shape=(8, 8, 8, 16)), (0, 2, 1, 3))
v = permute(reshape(vm, shape=(8, 8, 8, 16)), (0, 2, 1, 3))
s = attention(q, k, v, is_causal=True)
m = reshape(permute(s, (0, 2, 1, 3)), shape=(8, 8, 128))
o = matmul(m, wo)
h = add(x, o)
i = layer_norm(h)
up = matmul(i, wi)
u = gelu(up)
down = matmul(u, wd)
y = add(h, down)
${["qm", "km", "vm", "up"].map((name) => `strategy(${name}, a="dp", n="tp")`).join("\n")}
${["o", "down"].map((name) => `strategy(${name}, a="dp", k="tp")`).join("\n")}
${["n", "h", "i", "y"].map((name) => `strategy(${name}, a="dp")`).join("\n")}
`;
}

test.each`
  adapter    | dp   | tp   | most
  ${"a GPU"} | ${1} | ${1} | ${9}
  ${"a GPU"} | ${8} | ${8} | ${16}
  ${"a CPU"} | ${1} | ${1} | ${12}
  ${"a CPU"} | ${8} | ${8} | ${16}
`("a block of GPT on $dp × $tp devices is at most $most dispatches on $adapter", (row) => {
  const { dispatches } = planned(block(row.dp, row.tp), row.adapter);
  expect(dispatches.length, dispatches.join(", ")).toBeLessThanOrEqual(row.most);
});

test("what a kernel makes along with a result is there too: every value has its buffer", () => {
  for (const adapter of ["a GPU", "a CPU", "a GPU of few bindings"] as const) {
    const { program, holdings, gpu, starts } = planned(block(2, 4), adapter);
    const buffers = program.values.map(({ id }) => holdings.get(id)?.buffer);
    expect(new Set(buffers).size, adapter).toBe(program.values.length);
    const touched = new Set(
      gpu.commands.flatMap((each) =>
        each.kind === "copy" ? [each.source, each.target] : each.buffers,
      ),
    );
    expect(buffers.filter((each) => each !== undefined && !touched.has(each))).toEqual([]);
    expect(starts.length).toBe(flatSteps(program).length);
  }
});

test("kernels bind no more buffers than an adapter allows", () => {
  const { gpu } = planned(block(2, 4), "a GPU of few bindings");
  for (const command of gpu.commands) {
    if (command.kind !== "kernel") continue;
    const bound = command.buffers.length + (command.rows === undefined ? 0 : 1);
    expect(bound, command.label).toBeLessThanOrEqual(4);
  }
});

const rounds = [
  ["the same cells", `y = relu(x)\nz = gelu(y)`, 1],
  ["turned", `y = relu(x)\nz = permute(y, (1, 0))`, 1],
  ["turned, then flat", `y = permute(relu(x), (1, 0))\nz = reshape(y, shape=(96,))`, 1],
  ["beside another", `y = relu(x)\nz = add(y, x)`, 1],
  ["read twice", `y = relu(x)\nz = mul(y, y)`, 1],
  ["spread out", `y = relu(x)\nz = add(u, y)`, 2],
  ["rolled", `y = relu(x)\nz = roll(y, shifts=1, dims=0)`, 2],
  ["summed", `y = relu(x)\nz = softmax(y)`, 2],
] as const;

test.each(rounds)("%s: %s takes %i dispatches", (_, text, wanted) => {
  const leaves = "mesh = Mesh(p=1)\nx = Tensor((12, 8))\nu = Tensor((4, 12, 8))\n";
  const { dispatches } = planned(`${leaves}${text}\n`, "a GPU");
  expect(dispatches).toHaveLength(wanted);
});
