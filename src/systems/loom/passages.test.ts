import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile, exportGraph } from "#compile";
import { printLayout } from "#core/mesh";
import { flatSteps } from "#core/program";
import { runPlan } from "#execute/verify";
import { chainOf, idOf } from "./chains.testing.ts";
import { checkLoom } from "./check-loom.ts";

const base = "http://tensortapestry.org/schemas/loom/2024-01/";
const nodeType = (kind: string) => `${base}node_types.jsd#/nodes/${kind}`;
const point = { [`${base}tag_types.jsd#/tags/IOSequencePoint`]: {} };

interface Rows {
  readonly start: number;
  readonly end: number;
}

/**
 * An operation by which data enters or leaves the graph, with an Application for each run of rows.
 */
function passage(
  id: number,
  kernel: string,
  side: "inputs" | "outputs",
  tensor: number,
  runs: readonly Rows[],
): readonly object[] {
  const selected = ({ start, end }: Rows) => ({
    [side]: { x: [{ tensorId: idOf(tensor), range: { start: [start, 0], end: [end, 4] } }] },
  });
  const whole = { start: runs[0]?.start ?? 0, end: runs.at(-1)?.end ?? 0 };
  const operation = { id: idOf(id), type: nodeType("Operation"), tags: point };
  return [
    { ...operation, body: { kernel, ...selected(whole) } },
    ...runs.map((rows, at) => ({
      id: idOf(id + 1 + at),
      type: nodeType("Application"),
      body: { operationId: idOf(id), ...selected(rows) },
    })),
  ];
}

/**
 * A document where `x0` enters, a chain turns it into `x1`, and `x1` leaves: 10 by 4, from row 5
 * on.
 */
function document(entering: readonly Rows[], leaving: readonly Rows[]): string {
  const axes = [
    { start: 5, lengths: [4, 3, 3] },
    { start: 0, lengths: [4] },
  ];
  const { nodes, ...graph } = chainOf([{ axes, hasApplications: true }]);
  const passages = [
    ...passage(300, "op:import", "outputs", 100, entering),
    ...passage(400, "op:export", "inputs", 101, leaving),
  ];
  return JSON.stringify({ ...graph, nodes: [...passages, ...nodes] });
}

const whole = [{ start: 5, end: 15 }];
const halves = [
  { start: 5, end: 10 },
  { start: 10, end: 15 },
];

test.each([
  ["whole", whole, whole, ["_,_", "d0{4,3,3},_"]],
  ["in two pieces", halves, whole, ["d1,_", "d0{4,3,3},_"]],
  [
    "in uneven pieces",
    [
      { start: 5, end: 6 },
      { start: 6, end: 15 },
    ],
    halves,
    ["d1{1,9},_", "d0{4,3,3},_"],
  ],
] as const)(
  "what enters and leaves %s is drawn so, runs, and leaves as it came",
  (_, entering, leaving, drawn) => {
    const text = document(entering, leaving);
    expect(checkLoom(text).issues).toEqual([]);
    const compiled = compile(text);
    expect(compiled.diagnostics).toEqual([]);
    expect(compiled.graph.operators.map(({ name }) => name)).toEqual(["import", "relu", "export"]);
    expect(compiled.tensors.map(({ layout }) => printLayout(layout))).toEqual(drawn);
    for (const values of ["integers", "floats"] as const) {
      const run = runPlan(compiled.plan, compiled.program, { seed: 3, values });
      expect(run.diagnostics).toEqual([]);
      expect(run.ok && [run.value.equal, run.value.tensors.map(({ name }) => name)]).toEqual([
        true,
        ["x0", "x1"],
      ]);
    }
    expect(exportGraph(compiled).text).toBe(text);
  },
);

test("what leaves is compared: without the exchange before it, it differs", () => {
  const { plan, program } = compile(document(whole, halves));
  const steps = flatSteps(program);
  const step = steps.findLastIndex(({ kind }) => kind === "collective");
  expect(steps[step + 1]).toMatchObject({ kind: "local", operator: "export" });
  const run = runPlan(plan, program, {
    seed: 1,
    values: "integers",
    sabotage: { step, how: "drop" },
  });
  expect(run.ok && run.value.first?.tensor).toBe("x1");
});

test("an import whose cut the plan changes gets other Applications without an index", () => {
  const text = document(whole, whole);
  const planText = 'mesh = Mesh(a=3, b=2)\nstrategy("import", i0="b")\n';
  const left = exportGraph(compile(text, { planText })).text;
  expect(checkLoom(left).issues).toEqual([]);
  const { imported } = compile(left);
  const shards = imported?.operations.find(({ operator }) => operator === "import")?.shards ?? [];
  expect(
    shards.map(({ ranges: [range] }) => range?.map(({ start, stop }) => [start, stop])),
  ).toEqual([
    [
      [5, 10],
      [0, 4],
    ],
    [
      [10, 15],
      [0, 4],
    ],
  ]);
});

test("the sharded source and sink of the cases are drawn as their Applications say", () => {
  const { cases } = JSON.parse(readFileSync("conformance/loom.json", "utf8"));
  const found = cases.find(({ id }: { readonly id: string }) => id === "source-sink-sharded");
  const compiled = compile(found.request.args.program);
  expect(compiled.diagnostics).toEqual([]);
  expect(compiled.tensors.map(({ layout }) => printLayout(layout))).toEqual(["d0,_"]);
  const run = runPlan(compiled.plan, compiled.program, { seed: 1, values: "integers" });
  expect(run.diagnostics[0]?.message).toContain('the kernel "source" of "source" has no body here');
});
