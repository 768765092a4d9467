import type { Document } from "#language/document";
import type { ProgramSystem } from "./compiled.ts";

/**
 * The system in whose words a program is written: MindSpore's where every operator is one of its
 * primitives, nnScaler's where functions are annotated or a policy cuts them. None for programs of
 * library operators alone, and where both are mixed; a
 * LoomGraph is neither.
 */
export function systemOf({ trace, built, graph }: Document): ProgramSystem | undefined {
  const { operators } = graph;
  if (built.operatorOf.size === 0) return undefined;
  const isMindspore = operators.map(({ reducesInside }) => reducesInside);
  if (isMindspore.every(Boolean)) return "mindspore";
  const isAnnotated = operators.some(({ entry }) => entry === undefined);
  const hasPolicy = trace.partitions.length + trace.unassigned.length > 0;
  const isNnscaler = isAnnotated || hasPolicy;
  return isNnscaler && !isMindspore.some(Boolean) ? "nnscaler" : undefined;
}
