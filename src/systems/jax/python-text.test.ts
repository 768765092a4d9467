import { expect, test } from "vitest";
import { readDocument } from "#systems";

const said = (text: string) =>
  readDocument(text).diagnostics.map(({ code, span }) => `${code} ${span?.from}`);

test.each`
  text
  ${"import jax\nimport jax.numpy as jnp\nfrom flax import linen as nn\nx = jnp.ones((4, 8))\n"}
  ${"import jax, optax\ny = jax.nn.relu(3)\nz = optax.adamw(1e-3)\n"}
  ${"from flax import nnx\nclass Net(nnx.Module):\n    def __call__(self, x): return x\n"}
`("a text for JAX is told once that its Python is not read: $text", ({ text }) => {
  expect(said(text).filter((each) => !each.startsWith("document/nothing-runs"))).toEqual([
    "jax/python 0",
  ]);
});

test("what follows from it is unknown, with figures for nothing", () => {
  const document = readDocument(
    "import jax\nx = Tensor((4, 8))\ny = jax.lax.cumlogsumexp(x) @ x\n",
  );
  expect(document.graph.tensors.filter(({ isUnknown }) => isUnknown === true)).not.toEqual([]);
});

test("a text for another system is not told of it", () => {
  expect(said("# import jax\nx = Tensor((4, 8))\n")).toEqual([]);
});
