import { useMemo } from "react";
import { type Halos, halosOf } from "#app/scene";
import { type AppState, type Compiled, drawn, projectedOperator } from "#app/state";
import type { OperatorId, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { useApp } from "../store-context.tsx";

/** What each device reads of a tensor for the operation that is selected, where that is in windows. */
export function useSelectedHalos(tensor: TensorId, layout: Layout): Halos | undefined {
  return useHalos(tensor, layout, ({ selection: { operator } }) => operator);
}

/** The same for the operation whose index space is of interest. */
export function useHalosOfInterest(tensor: TensorId, layout: Layout): Halos | undefined {
  return useHalos(tensor, layout, (state) => projectedOperator(state)?.id);
}

function useHalos(
  tensor: TensorId,
  layout: Layout,
  readerIn: (state: AppState) => OperatorId | undefined,
): Halos | undefined {
  const reader = useApp((state) => {
    const compiled = drawn(state);
    const operator = compiled?.loom === undefined ? undefined : readerIn(state);
    if (compiled === undefined || operator === undefined) return undefined;
    return readsOf(compiled, operator).has(tensor) ? operator : undefined;
  });
  const compiled = useApp((state) => (reader === undefined ? undefined : drawn(state)));
  return useMemo(
    () =>
      compiled === undefined || reader === undefined
        ? undefined
        : halosOf(compiled, reader, tensor, layout),
    [compiled, reader, tensor, layout],
  );
}

interface Reads {
  readonly operator: OperatorId;
  readonly tensors: ReadonlySet<TensorId>;
}

/** Every tensor on screen asks for the same operator: it is looked up for the first of them. */
const known = new WeakMap<Compiled, Reads>();

function readsOf(compiled: Compiled, operator: OperatorId): ReadonlySet<TensorId> {
  const before = known.get(compiled);
  if (before?.operator === operator) return before.tensors;
  const found = compiled.program.graph.operators.find(({ id }) => id === operator);
  const tensors = new Set(found?.inputs.map(({ tensor }) => tensor));
  known.set(compiled, { operator, tensors });
  return tensors;
}
