import type { Layout, Part } from "#core/mesh";
import { partSize } from "#core/mesh";
import type { Plan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import { axisNode, dimNode, type SizeNode } from "./size-nodes.ts";

/** The numbers of pieces into which a plan cuts each size somewhere. */
export type CutCounts = ReadonlyMap<SizeNode, ReadonlySet<number>>;

/** Reads the cuts of dims and index axes from a program's layouts and its plan. */
export function cutCounts(plan: Plan, program: SpmdProgram): CutCounts {
  const counts = new Map<SizeNode, Set<number>>();
  const add = (node: SizeNode, parts: readonly Part[], times: number) => {
    const known = counts.get(node) ?? new Set();
    counts.set(node, known);
    let product = times;
    if (product > 1) known.add(product);
    for (const part of parts) {
      product *= partSize(part);
      if (product > 1) known.add(product);
    }
  };
  const { microbatches } = plan;
  const seen = new Set<string>();
  for (const { tensor, layout } of program.values) {
    const runs = microbatches?.dims.get(tensor);
    layout.dims.forEach(({ parts }, dim) => {
      const key = `${tensor} ${dim} ${parts.map(partText).join()}`;
      if (seen.has(key)) return;
      seen.add(key);
      add(dimNode(tensor, dim), parts, runs === dim ? (microbatches?.count ?? 1) : 1);
    });
  }
  for (const operator of program.graph.operators) {
    const own = plan.operators.get(operator.id);
    const rows = microbatches?.axes.get(operator.id);
    for (const [axis, parts] of Object.entries(own?.strategy.cuts ?? {}))
      add(axisNode(operator, axis), parts, rows === axis ? (microbatches?.count ?? 1) : 1);
  }
  return counts;
}

function partText(part: Part): string {
  return JSON.stringify(part);
}

/** Whether some layout has pieces of written lengths, which do not fit other sizes. */
export function hasWrittenPieces(layouts: Iterable<Layout>): boolean {
  for (const { dims } of layouts) if (dims.some(({ sizes }) => sizes !== undefined)) return true;
  return false;
}
