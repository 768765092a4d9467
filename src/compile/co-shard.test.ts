import { expect, test } from "vitest";
import { flatSteps } from "#core/program";
import { runPlan } from "#execute/verify";
import { compile } from "./compile.ts";
import { upstreamRun } from "./upstream-run.ts";

/** Two products under a policy that gives each device several pieces of both. */
function program(dims: readonly [number, number], device: string, rest = ""): string {
  return `import nnscaler

@nnscaler.register_op('m k+, k+ n -> m n', name='mm')
def mm(x, w):
    return x @ w

mesh = Mesh(g=4)
x = Tensor((16, 32))
w = Parameter((32, 16))
v = Parameter((16, 8))
h = mm(x, w)
y = mm(h, v)
${rest}
def policy(graph, cfg):
    for node, dim in zip(graph.nodes(), ${JSON.stringify(dims)}):
        parts = graph.partition(node, node.algorithm('dim'), idx=0, dim=dim, num=8)
        for i, piece in enumerate(parts):
            graph.assign(piece, ${device})
    return graph
`;
}

function stepsOf(source: string): readonly string[] {
  const { program: own, plan } = compile(source);
  const names = new Map(own.graph.operators.map(({ id, name }) => [id, name]));
  return flatSteps(own).map((step) => {
    if (step.kind === "collective") return step.collective;
    const cuts = Object.entries(plan.operators.get(step.operator)?.strategy.cuts ?? {});
    const text = cuts.map(
      ([name, parts]) =>
        `${name}=${parts.map((part) => (part.kind === "axis" ? part.axis : `~${part.count}`)).join("*")}`,
    );
    return [names.get(step.operator), ...text].join(" ");
  });
}

// dimops.md §8: num = k × devices
test.each`
  dims      | device      | steps
  ${[0, 0]} | ${"i // 2"} | ${["h m=g*~2", "y m=g*~2"]}
  ${[0, 1]} | ${"i // 2"} | ${["h m=g*~2", "all-to-all", "y k=g*~2", "all-reduce"]}
  ${[1, 0]} | ${"i % 4"}  | ${["h k=~2*g", "reduce-scatter", "y m=~2*g"]}
`("pieces $dims on devices $device run as $steps, with the right values", (row) => {
  const source = program(row.dims, row.device);
  expect(stepsOf(source)).toEqual(row.steps);
  for (const text of [source, program(row.dims, row.device, "train(y)\n")]) {
    for (const values of ["integers", "floats"] as const) {
      const { plan, program: own } = compile(text);
      const run = runPlan(plan, own, { seed: 1, values });
      if (!run.ok) throw new Error(run.diagnostics[0]?.message);
      expect(run.value.first).toBe(undefined);
    }
  }
});

test("several pieces cost a device as much as one piece of their size together", () => {
  const [one, two] = ["num=4", "num=8"].map((num) => {
    const device = num === "num=4" ? "i" : "i // 2";
    return compile(program([0, 0], device).replace("num=8", num)).cost.seconds;
  });
  expect(two).toBe(one);
});

test("nnScaler's lines say how many pieces a device runs; its adapter joins those of the maker", () => {
  const rows = upstreamRun(compile(program([0, 1], "i // 2")))?.rows ?? [];
  expect(rows.map((row) => (row.kind === "operator" ? row.slices : row.theirs.kind))).toEqual([
    "2 × (2, 32), (32, 16) → 2 × (2, 16)",
    "declined",
    "2 × (16, 2), 2 × (2, 8) → (16, 8)",
    "planned",
  ]);
});
