import type { Diagnostic } from "#core/diagnostics";
import type { EmittedProgram } from "#systems/system";

/** A step of the drawn plan, as far as it is held against what a system sends. */
export interface DrawnStep {
  readonly collective?: unknown;
  readonly phase?: unknown;
}

/** What no rank sends. */
const local: ReadonlySet<unknown> = new Set(["operator", "slice"]);

/**
 * Says that a system itself sends otherwise than the drawn plan does: nothing where that sends
 * something, or the other way round, or parts are added up in one of them alone. Which collectives a
 * redistribution takes is the system's own affair.
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
