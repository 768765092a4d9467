import type { Compiled } from "#compile";
import { rememberedFor } from "../remembered.ts";

/**
 * A compiled program whose graph has the forward operators that are executed: operators that the
 * plan runs in stages are drawn stage by stage, with the reductions between them. Returns the same
 * object if no operator has stages.
 */
export const inStages: (compiled: Compiled) => Compiled = rememberedFor((compiled: Compiled) => {
  const { graph, program } = compiled;
  const operators = program.graph.operators.filter(({ phase = "forward" }) => phase === "forward");
  if (operators.length === graph.operators.length) return compiled;
  const given = new Set(graph.tensors.map(({ id }) => id));
  const made = new Set(operators.flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor)));
  const tensors = program.graph.tensors.filter(({ id }) => given.has(id) || made.has(id));
  return { ...compiled, graph: { ...graph, tensors, operators } };
});
