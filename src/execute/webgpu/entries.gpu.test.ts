import { expect, test } from "vitest";
import type { Graph } from "#core/ir";
import { wholeAxis } from "#core/mesh";
import { isSplittable, type OperatorPlan, propagate } from "#core/plan";
import { lower } from "#core/program";
import { runProgramOn } from "#execute/verify";
import { testMesh } from "../../core/plan/graph.testing.ts";
import { sampleCalls } from "../reference/calls.testing.ts";
import { createSeen, entryNamed, gradientCalls, graphOf } from "../reference/operator.testing.ts";
import { testEngine } from "./dawn.testing.ts";

const engine = await testEngine();
const mesh = testMesh({ p: 2, q: 2 });

/** A one-operator graph, cut at the last identifiers that may be cut. */
function programOf(graph: Graph) {
  const [operator] = graph.operators;
  const names = (operator?.axes ?? [])
    .filter(({ name, size, reduction }) => {
      const isKept = operator?.outputs.every((output) =>
        output.dims.some(({ identifiers }) => identifiers.includes(name)),
      );
      const isEven = size % 2 === 0;
      return operator && isSplittable(operator, name) && isEven && (isKept || reduction === "+");
    })
    .map(({ name }) => name);
  const cuts = Object.fromEntries(
    names.slice(-2).map((name, at) => [name, [wholeAxis(mesh, at === 0 ? "q" : "p")]]),
  );
  const plan: OperatorPlan = { strategy: { cuts, carry: [] }, mesh, status: "set" };
  const operators = new Map(graph.operators.map(({ id }) => [id, plan]));
  return lower(graph, propagate(graph, mesh, { operators, placements: new Map() }).plan);
}

const isNew = createSeen();

async function faultsOf(graph: Graph): Promise<readonly string[]> {
  const program = programOf(graph);
  const faults: string[] = [];
  for (const values of ["integers", "floats"] as const) {
    const run = await runProgramOn(engine, program, { seed: 3, values });
    if (!run.ok) faults.push(`${values}: ${run.diagnostics[0]?.message}`);
    else if (run.value.first !== undefined)
      faults.push(`${values}: ${JSON.stringify(run.value.first)}`);
  }
  return faults;
}

test.each(sampleCalls(() => 4))(
  "$title and its gradient run cut as they run whole",
  async ({ entry, call }) => {
    expect(await faultsOf(graphOf(entry, call))).toEqual([]);
    const gradients = gradientCalls(entry, call).filter(({ graph }) => isNew(graph));
    for (const { graph } of gradients) expect(await faultsOf(graph)).toEqual([]);
  },
);

test("an operator of more operands than a kernel may bind runs too", async () => {
  const inputs = Array.from({ length: 14 }, () => [1, 6]);
  expect(await faultsOf(graphOf(entryNamed("concat"), { inputs, attributes: { dim: 0 } }))).toEqual(
    [],
  );
});
