import { expect, test } from "vitest";
import { compile } from "#compile";
import { writeCode } from "../code.testing.ts";

/** Lines of the unsharded program and of the plan that assign the given names. */
function linesOf(program: string, target: string, names: readonly string[]) {
  const written = writeCode(compile(program), target);
  if (!written.ok) throw new Error(written.reason);
  const made = [...written.files[0].text.matchAll(/^ +(\w+) = (.*)$/gm)];
  return made.flatMap(([, name = "", code = ""]) => (names.includes(name) ? [code] : []));
}

const head = `mesh = Mesh(dp=2, tp=2)
x = Tensor((4, 16, 32))
w = Parameter((96, 32))
qkv = linear(x, w)
`;

test.each(["jax", "torch"])(
  "pieces of a dim that a device has whole are slices for %s",
  (target) => {
    const program = `${head}q, k, v = split(qkv, 32, dim=2)
strategy(qkv, a="dp")
strategy(q, a="dp")
`;
    const slices = ["qkv[:, :, :32]", "qkv[:, :, 32:64]", "qkv[:, :, 64:]"];
    expect(linesOf(program, target, ["q", "k", "v"])).toEqual([...slices, ...slices]);
  },
);

test.each(["jax", "torch"])(
  "a linear layer is a product with its weight turned for %s",
  (target) => {
    const program = `${head}strategy(qkv, a="dp", n="tp")\n`;
    expect(linesOf(program, target, ["qkv"])).toEqual(["x @ w.T", "x @ w.T"]);
  },
);

test("gradients are products of matrices, and compute nothing that they do not use", () => {
  const program = `mesh = Mesh(dp=2)
x = Tensor((8, 4))
w = Parameter((4, 6))
g = Parameter((6,))
b = Parameter((6,))
h = matmul(x, w)
y = layer_norm(h, g, b)
strategy(h, m="dp")
train(y.sum())
`;
  const [weight] = linesOf(program, "torch", ["w_grad"]);
  expect(weight).toBe("x.T @ h_grad");
  const [bias] = linesOf(program, "torch", ["b_grad"]);
  expect(bias).toBe("torch.sum(y_grad, dim=0)");
  const text = linesOf(program, "torch", ["mean", "b_grad"]);
  expect(text.slice(0, 4).filter((line) => line === bias)).toHaveLength(1);
});
