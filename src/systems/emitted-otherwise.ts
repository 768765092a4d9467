import type { Diagnostic } from "#core/diagnostics";
import type { EmittedProgram } from "#systems/system";

/** Fields of a step of the drawn plan that are compared with what a system sends. */
export interface DrawnStep {
  readonly collective?: unknown;
  readonly phase?: unknown;
}

/** Kinds of steps that send nothing. */
const local: ReadonlySet<unknown> = new Set(["operator", "slice"]);

/**
 * Diagnostic when a system sends otherwise than the drawn plan: only one of the two sends anything,
 * or only one adds up partial sums. Which collectives make up a redistribution is not compared.
 */
export function emittedOtherwise(
  { collectives }: Pick<EmittedProgram, "collectives">,
  steps: readonly DrawnStep[],
): readonly Diagnostic[] {
  const theirs = collectives.map(({ op }) => op);
  const drawn = steps
    .filter(({ collective, phase = "forward" }) => phase === "forward" && !local.has(collective))
    .map(({ collective }) => String(collective));
  const differs = (isOne: (name: string) => boolean) => theirs.some(isOne) !== drawn.some(isOne);
  const isSum = (name: string) =>
    /^(AllReduce|ReduceScatter|all-reduce|reduce-scatter)$/.test(name);
  if (!differs(() => true) && !differs(isSum)) return [];
  return [
    {
      code: "mindspore/sends-otherwise",
      severity: "info",
      message: `MindSpore itself sends ${listOf(theirs)} in its forward graph, where the drawn plan has ${listOf(drawn)}`,
    },
  ];
}

/** `AllGather ×2, AllReduce`, or `nothing`. */
function listOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
  return parts.length === 0 ? "nothing" : parts.join(", ");
}
