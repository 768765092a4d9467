import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { AppState } from "./app-state.ts";
import { newestOf } from "./compiled-slice.ts";

/** The worst diagnostic of a node of an imported graph. */
export type NodeFault = Pick<Diagnostic, "severity" | "message">;

type Faults = ReadonlyMap<OperatorId | TensorId, NodeFault>;

const none: Faults = new Map();
const known = new WeakMap<Compiled, Faults>();

/**
 * The worst diagnostic of each node of the newest text, by the id of its tensor or operator; empty
 * for a program.
 */
export function nodeFaults(state: AppState): Faults {
  const newest = newestOf(state.compiled);
  if (newest?.imported === undefined) return none;
  const faults = known.get(newest) ?? faultsOf(newest, newest.imported);
  known.set(newest, faults);
  return faults;
}

function faultsOf({ diagnostics }: Compiled, { nodes }: NonNullable<Compiled["imported"]>): Faults {
  const faults = new Map<OperatorId | TensorId, NodeFault>();
  const placed = nodes.toSorted((a, b) => a.whole.from - b.whole.from);
  for (const { span, severity, message } of diagnostics) {
    if (span === undefined || severity === "info") continue;
    const node = placed.findLast(({ whole }) => whole.from <= span.from);
    const id = node?.tensor ?? node?.operator;
    if (node === undefined || id === undefined || span.to > node.whole.to) continue;
    if (faults.get(id)?.severity !== "error") faults.set(id, { severity, message });
  }
  return faults;
}
