/** One matmul of square matrices on one device. */
export function matmulProgram(size: number): string {
  return `mesh = Mesh(p=1)
x = Tensor((${size}, ${size}))
w = Parameter((${size}, ${size}))
y = matmul(x, w)
`;
}

/**
 * Timed collectives: the tensor moved on eight devices, and the statements that cause the
 * collective.
 */
const collectives = {
  "all-to-all": { shape: [8, 8, 131_072], asks: [`strategy(y, a="p")`, `strategy(z, b="p")`] },
  "all-gather": {
    shape: [512, 1_024],
    asks: [`strategy(y, b="p")`, `place(y, layout("None", "None"))`],
  },
  "all-reduce": { shape: [512, 512], asks: [`strategy(y, k="p")`] },
} as const;

export type CollectiveName = keyof typeof collectives;

/** A program with one collective on eight devices. */
export function collectiveProgram(name: CollectiveName): string {
  const { shape, asks } = collectives[name];
  const [rows, columns] = shape;
  const first =
    name === "all-reduce"
      ? `u = Tensor((${rows}, 8))\nw = Parameter((8, ${columns}))\ny = matmul(u, w)`
      : `x = Tensor((${shape.join(", ")}))\ny = relu(x)`;
  return ["mesh = Mesh(p=8)", first, "z = relu(y)", ...asks, ""].join("\n");
}

/** Elements of the tensor that a collective moves. */
export function elementsOf(name: CollectiveName): number {
  const shape: readonly number[] = collectives[name].shape;
  return shape.reduce((product, size) => product * size, 1);
}

/** Identifier of each operator of the block below that is cut along `tp` (heads and features). */
const along: Readonly<Record<string, string>> = {
  ...{ qm: "n", km: "n", vm: "n", up: "n", o: "k", down: "k" },
  ...{ q: "c", k: "c", v: "c", u: "c", qp: "c", kp: "c", vp: "c", m: "c", mp: "b" },
};

const block = `x = Tensor((8, 64, 128))
g1 = Parameter((128,))
wq = Parameter((128, 128))
wk = Parameter((128, 128))
wv = Parameter((128, 128))
wo = Parameter((128, 128))
g2 = Parameter((128,))
wi = Parameter((128, 512))
wd = Parameter((512, 128))
n = layer_norm(x, g1)
qm = matmul(n, wq)
km = matmul(n, wk)
vm = matmul(n, wv)
q = reshape(qm, shape=(8, 64, 8, 16))
k = reshape(km, shape=(8, 64, 8, 16))
v = reshape(vm, shape=(8, 64, 8, 16))
qp = permute(q, (0, 2, 1, 3))
kp = permute(k, (0, 2, 1, 3))
vp = permute(v, (0, 2, 1, 3))
s = attention(qp, kp, vp, is_causal=True)
mp = permute(s, (0, 2, 1, 3))
m = reshape(mp, shape=(8, 64, 128))
o = matmul(m, wo)
h = add(x, o)
n2 = layer_norm(h, g2)
up = matmul(n2, wi)
u = gelu(up)
down = matmul(u, wd)
y = add(h, down)`;

const results = [...block.matchAll(/^(\w+) = (?!Tensor|Parameter)/gm)].map(([, name = ""]) => name);

/** A GPT block, with its batch over `dp`, and its heads and features over `tp`. */
export function blockProgram(dp: number, tp: number): string {
  const strategies = results.map((name) => {
    if (name === "s") return `strategy(s, b="dp", h="tp")`;
    const second = along[name];
    return `strategy(${name}, a="dp"${second === undefined ? "" : `, ${second}="tp"`})`;
  });
  return [`mesh = Mesh(dp=${dp}, tp=${tp})`, block, ...strategies, ""].join("\n");
}
