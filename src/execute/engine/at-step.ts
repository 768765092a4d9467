import type { Operator } from "#core/ir";
import type { SpmdProgram } from "#core/program";

/** Optimizers whose first steps differ, since their running means begin at zero. */
const counting: ReadonlySet<string> = new Set(["adam", "adamw"]);

/** Whether a program has an update that depends on the number of updates before. */
export function countsSteps({ graph }: Pick<SpmdProgram, "graph">): boolean {
  return graph.operators.some(isCounting);
}

/**
 * A training step as the optimizer's n-th: with the bias corrections of its means after n steps.
 * The means themselves are inputs, drawn like all others.
 */
export function atStep(program: SpmdProgram, step: number): SpmdProgram {
  if (step === 1 || !countsSteps(program)) return program;
  const operators = program.graph.operators.map((operator) =>
    isCounting(operator) ? { ...operator, attributes: { ...operator.attributes, step } } : operator,
  );
  return { ...program, graph: { ...program.graph, operators } };
}

function isCounting({ entry, phase }: Operator): boolean {
  return phase === "update" && counting.has(entry ?? "");
}
