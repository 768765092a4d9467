import type { Compiled } from "#compile";
import type { OperatorPlan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import { twoMatmuls } from "../../fixture.testing.ts";

/** A training program as canvas input: the forward graph, and the whole program. */
export function compiledTraining(program: SpmdProgram): Compiled {
  const { graph } = program;
  const later = new Set(
    graph.operators.flatMap(({ id, phase = "forward" }) => (phase === "forward" ? [] : [id])),
  );
  const tensors = graph.tensors.filter(
    ({ role, producer }) =>
      (producer === undefined || !later.has(producer)) && role !== "gradient" && role !== "state",
  );
  const kept = new Set(tensors.map(({ id }) => id));
  const [first] = program.values;
  const mesh = first?.layout.mesh ?? twoMatmuls.mesh.mesh;
  const strategies = program.stages
    .flatMap(({ steps }) => steps)
    .flatMap((step) => (step.kind === "local" ? [step] : []))
    .map(({ operator, strategy }): readonly [typeof operator, OperatorPlan] => [
      operator,
      { strategy, mesh, status: "inferred" },
    ]);
  const values = new Map(program.values.map((value) => [value.id, value]));
  const views = graph.tensors.flatMap(({ id }) => {
    const made = program.made.get(id);
    const value = made === undefined ? undefined : values.get(made);
    return value === undefined
      ? []
      : [{ tensor: id, layout: value.layout, status: "set" as const }];
  });
  return {
    ...twoMatmuls,
    mesh: { ...twoMatmuls.mesh, mesh },
    graph: {
      tensors,
      operators: graph.operators.filter(({ id }) => !later.has(id)),
      outputs: graph.outputs.filter((id) => kept.has(id)),
    },
    plan: { ...twoMatmuls.plan, operators: new Map(strategies) },
    program,
    tensors: views,
  };
}
