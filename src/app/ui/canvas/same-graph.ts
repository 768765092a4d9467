import type { LaidOutDrawing } from "#app/state";

/** Whether at least half of the operators are the same as before. */
export function isSameGraph(
  before: Pick<LaidOutDrawing, "of">,
  after: Pick<LaidOutDrawing, "of">,
): boolean {
  if (before.of.graph === after.of.graph) return true;
  return overlap(operatorsOf(before), operatorsOf(after)) >= 0.5;
}

function operatorsOf({ of }: Pick<LaidOutDrawing, "of">): ReadonlySet<string> {
  return new Set(of.graph.operators.map(({ id, call }) => `${id} ${call}`));
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((name) => b.has(name)).length;
  return shared / Math.max(1, Math.max(a.size, b.size));
}
