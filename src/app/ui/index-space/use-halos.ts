import { useMemo } from "react";
import { type Halos, halosOf } from "#app/scene/glyph";
import { type AppState, drawn, projectedOperator } from "#app/state";
import type { TensorRead } from "#compile";
import type { Operator, OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { useShared } from "../store-context.tsx";

/**
 * The cells of a tensor that each device reads for the selected operation, where that reads
 * windows; for one reader's layout where that is shown.
 */
export function useSelectedHalos(
  tensor: TensorId,
  layout: Layout,
  read: TensorRead | undefined,
): Halos | undefined {
  return useHalos(tensor, layout, readsOfSelected, read);
}

/** The halos of the operation whose index space is of interest. */
export function useHalosOfInterest(
  tensor: TensorId,
  layout: Layout,
  read: TensorRead | undefined,
): Halos | undefined {
  return useHalos(tensor, layout, readsOfInterest, read);
}

type ReadsIn = (state: AppState) => Reads | undefined;

function useHalos(
  tensor: TensorId,
  layout: Layout,
  readsIn: ReadsIn,
  read: TensorRead | undefined,
): Halos | undefined {
  const reads = useShared(readsIn);
  const other = reads?.tensors.has(tensor) === true ? reads.operator : undefined;
  const reader = read === undefined || read.operand === "made" ? other : read.operator;
  const compiled = useShared(reader === undefined ? nothing : drawn);
  return useMemo(
    () =>
      compiled === undefined || reader === undefined
        ? undefined
        : halosOf(compiled, reader, tensor, layout),
    [compiled, reader, tensor, layout],
  );
}

const nothing = () => undefined;

interface Reads {
  readonly operator: OperatorId;
  readonly tensors: ReadonlySet<TensorId>;
}

const readsOfSelected = readsBy(({ selection: { operator } }) => operator);
const readsOfInterest = readsBy((state) => projectedOperator(state)?.id);

/** The same object while the operator is the same. */
function readsBy(readerIn: (state: AppState) => OperatorId | undefined): ReadsIn {
  const known = new WeakMap<Operator, Reads>();
  return (state) => {
    const compiled = drawn(state);
    const id = compiled?.imported === undefined ? undefined : readerIn(state);
    const operator = compiled?.program.graph.operators.find((each) => each.id === id);
    if (operator === undefined || id === undefined) return undefined;
    const before = known.get(operator);
    if (before !== undefined) return before;
    const reads = { operator: id, tensors: new Set(operator.inputs.map((each) => each.tensor)) };
    known.set(operator, reads);
    return reads;
  };
}
