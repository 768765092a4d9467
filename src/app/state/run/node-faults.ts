import type { Compiled } from "#compile";
import type { Diagnostic, Span } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { AppState } from "../app-state.ts";
import { newestOf } from "../compiled-slice.ts";
import { operatorsAt } from "../linked.ts";
import type { NodeFault } from "./node-fault.ts";
import { runFaults } from "./run-faults.ts";

type Faults = ReadonlyMap<OperatorId | TensorId, NodeFault>;

const none: Faults = new Map();
const known = new WeakMap<Compiled, Faults>();
const withRuns = new WeakMap<object, Faults>();

/**
 * The worst diagnostic of each drawn part of the newest text, by tensor or operator id. For an
 * imported graph they follow from its nodes, for a program from the spans that make an operator or
 * set its strategy; tensors wrong in the last run are added.
 */
export function nodeFaults(state: AppState): Faults {
  const faults = textFaults(state);
  const { run } = state;
  if (run.kind !== "done" || run.verdict.kind !== "different") return faults;
  const both = withRuns.get(run.verdict) ?? new Map([...faults, ...runFaults(run.verdict)]);
  withRuns.set(run.verdict, both);
  return both;
}

function textFaults(state: AppState): Faults {
  const newest = newestOf(state.compiled);
  if (newest === undefined) return none;
  const before = known.get(newest);
  if (before !== undefined) return before;
  const { imported } = newest;
  const made = imported === undefined ? programFaults(newest) : graphFaults(newest, imported);
  // Texts without faults share one object, so that no card re-renders.
  const faults = made.size === 0 ? none : made;
  known.set(newest, faults);
  return faults;
}

type Placed = Diagnostic & { readonly span: Span };

function placedFaults({ diagnostics }: Compiled): readonly Placed[] {
  return diagnostics.flatMap((each) =>
    each.span === undefined || each.severity === "info" ? [] : [{ ...each, span: each.span }],
  );
}

function note(
  faults: Map<OperatorId | TensorId, NodeFault>,
  id: OperatorId | TensorId,
  of: Placed,
) {
  const { severity, message } = of;
  if (faults.get(id)?.severity !== "error") faults.set(id, { severity, message });
}

/**
 * The worst diagnostic of each operator of a program.
 * @internal
 */
export function programFaults(newest: Compiled): Faults {
  const faults = new Map<OperatorId | TensorId, NodeFault>();
  const all = newest.graph.operators.length;
  for (const fault of placedFaults(newest)) {
    const { span } = fault;
    const said = (newest.lines?.plan ?? []).filter(
      (line) => line.span.from <= span.from && span.to <= line.span.to,
    );
    // A fault of a line that sets all operators alike is not attributed to each of them.
    const split = said.flatMap(({ operators }) => operators);
    const made = operatorsAt(newest, span);
    for (const id of [...made, ...(split.length > 1 && split.length === all ? [] : split)])
      note(faults, id, fault);
  }
  return faults;
}

function graphFaults(newest: Compiled, { nodes }: NonNullable<Compiled["imported"]>): Faults {
  const faults = new Map<OperatorId | TensorId, NodeFault>();
  const placed = nodes.toSorted((a, b) => a.whole.from - b.whole.from);
  for (const fault of placedFaults(newest)) {
    const { span } = fault;
    const node = placed.findLast(({ whole }) => whole.from <= span.from);
    const id = node?.tensor ?? node?.operator;
    if (node === undefined || id === undefined || span.to > node.whole.to) continue;
    note(faults, id, fault);
  }
  return faults;
}
