import type { Layout } from "#core/mesh";
import type { Compiled, Reader, TensorRead, TensorView } from "./compiled.ts";

/**
 * One state of a tensor: its layout, and the devices' boxes if they differ from the layout's
 * blocks.
 */
export type TensorState = Pick<TensorRead, "layout" | "held">;

/**
 * First state of a tensor: an input's or parameter's layout at rest; a result's layout as placed by
 * the text, else as its operator leaves it.
 */
export function restState(view: TensorView): TensorState {
  if (view.placed !== undefined) return { layout: view.placed };
  return view.atRest === undefined ? view : { layout: view.atRest };
}

/** The state that is drawn, named and edited: the first unless another one is chosen. */
export function shownState(view: TensorView): TensorState {
  return view.shown ?? restState(view);
}

/** The layout of the shown state of a tensor (`shownState`). */
export function shownLayout(view: TensorView): Layout {
  return shownState(view).layout;
}

/** The state in which a reader holds a tensor; `undefined` if that is the first state. */
export function stateReadBy(
  { reads }: Pick<TensorView, "reads">,
  reader: Reader | undefined,
): TensorRead | undefined {
  if (reader === undefined) return undefined;
  return reads?.find(
    ({ operator, operand }) => operator === reader.operator && operand === reader.operand,
  );
}

/**
 * Name of a state: `at rest` or `as placed` for the first; `as y reads it` or `as made` for others.
 */
export function stateName({ placed }: Pick<TensorView, "placed">, read?: TensorRead): string {
  if (read === undefined) return placed === undefined ? "at rest" : "as placed";
  return read.operand === "made" ? "as made" : `as ${read.reader} reads it`;
}

/**
 * A compiled text with inputs and parameters shown in the layout of a chosen reader, whose status
 * and span they then have.
 */
export function withReaders(
  compiled: Compiled,
  readers: ReadonlyMap<TensorView["tensor"], Reader>,
): Compiled {
  const tensors = compiled.tensors.map((view): TensorView => {
    const shown = stateReadBy(view, readers.get(view.tensor));
    if (shown === undefined) return view;
    const { span: _, ...rest } = view;
    const { status = view.status, span } = compiled.plan.operators.get(shown.operator) ?? {};
    return { ...rest, shown, status, ...(span !== undefined && { span }) };
  });
  const isSame = tensors.every((view, at) => view === compiled.tensors[at]);
  return isSame ? compiled : { ...compiled, tensors };
}
