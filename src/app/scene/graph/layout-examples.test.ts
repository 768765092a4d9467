import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { layoutFaults } from "./layout-faults.testing.ts";
import { layoutGraph } from "./layout-graph.ts";

test.each(examples)("$name is drawn without a fault, folded and open", ({ program, plan }) => {
  const compiled = compile(program, plan === undefined ? {} : { planText: plan });
  const folded = layoutGraph(compiled);
  expect(layoutFaults(folded)).toEqual([]);
  const keys = folded.nodes.flatMap((node) =>
    node.kind === "stack" ? node.stack.runs.map(({ key }) => key) : [],
  );
  if (keys.length === 0) return;
  expect(layoutFaults(layoutGraph(compiled, new Set(keys.slice(0, 1))))).toEqual([]);
  expect(layoutFaults(layoutGraph(compiled, new Set(keys.slice(0, 4))))).toEqual([]);
});

const layers = `mesh = Mesh(dp=2, tp=4)
def layers(x):
    n = layer_norm(x, Parameter((16,), "bf16"))
    q = matmul(n, Parameter((16, 16), "bf16"))
    k = matmul(n, Parameter((16, 16), "bf16"))
    v = matmul(n, Parameter((16, 16), "bf16"))
    s = add(q, k)
    o = mul(s, v)
    p = matmul(o, Parameter((16, 16), "bf16"))
    return add(x, p)
x = Tensor((8, 16), "bf16")
for i in range(4):
    x = layers(x)
strategy("layers[*].q", m="dp", n="tp")
strategy("layers[*].v", m="dp", n="tp")
strategy("layers[*].p", m="dp", k="tp")
`;

test("branches stand side by side in open blocks too", () => {
  const compiled = compile(layers);
  const folded = layoutGraph(compiled);
  const keys = folded.nodes.flatMap((node) =>
    node.kind === "stack" ? node.stack.runs.map(({ key }) => key) : [],
  );
  expect(keys).toHaveLength(3);
  for (const open of [[], keys.slice(0, 1), keys.slice(1, 3), keys]) {
    const layout = layoutGraph(compiled, new Set(open));
    expect(layoutFaults(layout)).toEqual([]);
    const heights = layout.nodes.flatMap((node) =>
      node.kind === "operator" && ["q", "k", "v"].includes(node.name) ? [node.y] : [],
    );
    expect(heights).toHaveLength(3 * open.length);
    expect(new Set(heights).size).toBe(open.length);
  }
});
