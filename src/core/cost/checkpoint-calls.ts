import { flatSteps, type SpmdProgram } from "#core/program";

/**
 * Indices of the steps at which the recomputation of a checkpoint begins: the first recomputed step
 * of each block of the model, or of each run of steps outside blocks. Steps that read only
 * parameters belong to no checkpoint.
 */
export function checkpointCalls(program: SpmdProgram): ReadonlySet<number> {
  const isWithout = program.graph.operators.every(({ phase }) => phase !== "recompute");
  if (isWithout) return new Set();
  const names = new Map(program.graph.operators.map(({ id, name }) => [id, name]));
  const held = new Set(
    program.values.flatMap(({ id, role }) => (role === "parameter" ? [id] : [])),
  );
  const calls = new Set<number>();
  let open: string | undefined;
  for (const [at, step] of flatSteps(program).entries()) {
    if (step.kind !== "local") continue;
    const { phase, inputs } = step;
    const isAgain = phase === "recompute" && !inputs.every((id) => held.has(id));
    if (!isAgain) continue;
    const name = names.get(step.operator) ?? "";
    const block = name.slice(0, name.indexOf("]") + 1);
    if (block !== open) calls.add(at);
    open = block;
  }
  return calls;
}
