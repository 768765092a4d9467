import type { Layout } from "#core/mesh";
import type { Compiled, Reader, TensorRead, TensorView } from "./compiled.ts";

/**
 * One state of a tensor: its layout, and the devices' boxes if they are not the layout's blocks.
 */
export type TensorState = Pick<TensorRead, "layout" | "held">;

/**
 * The first state of a tensor: an input's or parameter's layout at rest; a result's layout as the
 * text places it, else as its operator leaves it.
 */
export function restState(view: TensorView): TensorState {
  if (view.placed !== undefined) return { layout: view.placed };
  return view.atRest === undefined ? view : { layout: view.atRest };
}

/** The state of a tensor that is drawn, named and edited: the first unless another one is chosen. */
export function shownState(view: TensorView): TensorState {
  return view.shown ?? restState(view);
}

/** The layout of the shown state of a tensor (`shownState`). */
export function shownLayout(view: TensorView): Layout {
  return shownState(view).layout;
}

/** The state in which a reader holds a tensor; `undefined` if that is the first state. */
export function readBy(
  { reads }: Pick<TensorView, "reads">,
  reader: Reader | undefined,
): TensorRead | undefined {
  if (reader === undefined) return undefined;
  return reads?.find(
    ({ operator, operand }) => operator === reader.operator && operand === reader.operand,
  );
}

/**
 * The name of a state: `at rest` or `as placed` for the first; others are `as y reads it` and `as
 * made`.
 */
export function stateName({ placed }: Pick<TensorView, "placed">, read?: TensorRead): string {
  if (read === undefined) return placed === undefined ? "at rest" : "as placed";
  return read.operand === "made" ? "as made" : `as ${read.reader} reads it`;
}

/**
 * A compiled text in which inputs and parameters are shown in the layout of a chosen reader. The
 * status and the span are then those of the reader.
 */
export function withReaders(
  compiled: Compiled,
  readers: ReadonlyMap<TensorView["tensor"], Reader>,
): Compiled {
  const tensors = compiled.tensors.map((view): TensorView => {
    const shown = readBy(view, readers.get(view.tensor));
    if (shown === undefined) return view;
    const { span: _, ...rest } = view;
    const { status = view.status, span } = compiled.plan.operators.get(shown.operator) ?? {};
    return { ...rest, shown, status, ...(span !== undefined && { span }) };
  });
  const isSame = tensors.every((view, at) => view === compiled.tensors[at]);
  return isSame ? compiled : { ...compiled, tensors };
}
