import { type Compiled, compile } from "../../src/compile/index.ts";
import { hasErrors } from "../../src/core/diagnostics/index.ts";

export interface Card {
  readonly name: string;
  readonly program: string;
  /** Code of its deliberate error. */
  readonly fault?: string;
  /** Plan text, if it is separate from the program. */
  readonly plan?: string;
}

/**
 * Limits for a host that computes an example in a few seconds: elements of the largest tensor, and
 * devices. JAX simulates any number of devices on one host; beyond 64 ranks, PyTorch runs them as
 * threads of one process.
 */
const mostElements = 2 ** 20;
const mostDevices = (target: string) => (target === "jax" || target === "torch" ? 512 : 16);

/**
 * A program with its large numbers divided until a host can run it. In narrow dtypes rounding
 * decides which expert a token goes to, so programs with a gate run in wider ones.
 */
export function small({ program: given, plan }: Card, target: string): Compiled | string {
  const program = given.includes("gate(") ? given.replaceAll('"bf16"', '"f32"') : given;
  let reason = "it does not compile";
  for (const divisor of [1, 4, 16, 64]) {
    const text = program.replaceAll(/\b\d{3,}\b/g, (digits) =>
      String(Math.max(8, Math.floor(Number(digits) / divisor))),
    );
    const compiled = compiledCard({ program: text, ...(plan !== undefined && { plan }) });
    if (hasErrors(compiled.diagnostics)) continue;
    const { graph, devices } = compiled.program;
    if (devices.length > mostDevices(target))
      return `${devices.length} devices are more than a host runs`;
    const elements = graph.tensors.map(({ shape }) => shape.reduce((n, size) => n * size, 1));
    if (Math.max(...elements) <= mostElements) return compiled;
    reason = "its tensors are too large for a host";
  }
  return reason;
}

/** Compiles a program with its separate plan. */
export function compiledCard({ program, plan }: Pick<Card, "program" | "plan">): Compiled {
  return compile(program, plan === undefined ? {} : { planText: plan });
}

/** Linear layers and a table in forms for which an engine has layers; no example has them. */
const layerCard: Card = {
  name: "layers",
  program: `mesh = Mesh(tp=4)
ids = Tensor((16,), "int32")
table = Parameter((32, 16))
w1 = Parameter((64, 16))
w2 = Parameter((16, 64))
x = embedding(ids, table)
h = linear(x, w1)
a = relu(h)
y = linear(a, w2)
z = relu(y)
strategy(x, k="tp")
strategy(h, n="tp")
strategy(y, k="tp")
`,
};

/**
 * `layerCard` plus a norm, on a mesh of two axes: tables cut by rows, a cut sequence, and a whole
 * weight.
 */
const layersOnTwoAxes: Card = {
  name: "layers-on-two-axes",
  program: `mesh = Mesh(dp=2, tp=2)
ids = Tensor((8, 4), "int32")
table = Parameter((32, 16))
g = Parameter((16,))
w1 = Parameter((16, 32))
w2 = Parameter((16, 32))
w3 = Parameter((16, 8))
x = embedding(ids, table)
n = layer_norm(x, g)
h = matmul(n, w1)
a = gelu(h)
y = linear(a, w2)
z = matmul(y, w3)
strategy(x, a="dp", n="tp")
strategy(n, a="dp", b="tp")
strategy(h, a="dp", n="tp")
strategy(y, a="dp", k="tp")
`,
};

/**
 * The second half of a transformer block as in models: linear layers over rows, on batches of
 * sequences.
 */
const blockCard: Card = {
  name: "block",
  program: `mesh = Mesh(dp=2, tp=4)
x = Tensor((8, 16, 64))
g = Parameter((64,))
w1 = Parameter((256, 64))
b1 = Parameter((256,))
w2 = Parameter((64, 256))
n = layer_norm(x, g)
h = linear(n, w1)
hb = add(h, b1)
a = relu(hb)
y = linear(a, w2)
z = add(x, y)
strategy(n, a="dp")
strategy(h, a="dp", n="tp")
strategy(hb, a="dp", c="tp")
strategy(y, a="dp", k="tp")
strategy(z, a="dp")
`,
};

/** Batched products as in attention, with cut heads. */
const stacksCard: Card = {
  name: "stacks",
  program: `mesh = Mesh(dp=2, tp=4)
q = Tensor((4, 8, 16, 32))
k = Tensor((4, 8, 16, 32))
v = Tensor((4, 8, 16, 32))
kt = transpose(k, 2, 3)
s = matmul(q, kt)
p = softmax(s)
o = matmul(p, v)
strategy(kt, a="dp", b="tp")
strategy(s, a="dp", b="tp")
`,
};

/** Cards in forms that engines can express and no example has. */
export const madeCards = [layerCard, layersOnTwoAxes, blockCard, stacksCard];
