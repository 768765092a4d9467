import type { Collective } from "#core/collective";
import { bytesOf } from "#core/ir";
import type { Layout } from "#core/mesh";
import { flatSteps, type Redistribution, type SpmdProgram } from "#core/program";
import { append } from "#core/records";

/** The steps and cost of one way to redistribute an edge. */
export interface EdgeFigures {
  readonly steps: readonly { readonly collective: Collective; readonly axes: readonly string[] }[];
  /** Bytes received by the busiest device. */
  readonly bytes: number;
  readonly seconds: number;
}

/**
 * An edge of a program: a tensor that changes from one layout to another, and the plan's own
 * redistribution of it.
 */
export interface Edge {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
  readonly bytesPerElement: number;
  readonly ours: EdgeFigures;
  /** Whether it reduces an operator's own partial result to a written layout (`out_strategy`). */
  readonly isWritten: boolean;
}

/** Finds the edge of a redistribution; `undefined` for a redistribution of another program. */
export function edgesIn(program: SpmdProgram): (wanted: Redistribution) => Edge | undefined {
  const layouts = new Map(program.values.map(({ id, layout }) => [id, layout]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const steps = new Map<number, EdgeFigures["steps"][number][]>();
  for (const step of flatSteps(program)) {
    if (step.kind !== "collective") continue;
    const { reshard, collective, axes } = step;
    append(steps, reshard, { collective, axes });
  }
  return ({ index, input, output, tensor: id, bytes, seconds, reasons }) => {
    const [from, to, tensor] = [layouts.get(input), layouts.get(output), tensors.get(id)];
    if (from === undefined || to === undefined || tensor === undefined) return undefined;
    return {
      from,
      to,
      shape: tensor.shape,
      bytesPerElement: bytesOf(tensor.dtype),
      ours: { steps: steps.get(index) ?? [], bytes, seconds },
      isWritten: reasons.some(({ kind }) => kind === "reduction"),
    };
  };
}
