import type { Layout } from "#core/mesh";
import type { Compiled, Reader, TensorRead, TensorView } from "./compiled.ts";

/**
 * One state of a tensor: its layout, and the devices' boxes if they are not the layout's blocks.
 */
export type TensorState = Pick<TensorRead, "layout" | "held">;

/**
 * The layout at rest of an input or parameter; of a result the layout in which the text places it,
 * else that in which its operator leaves it.
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

/** The state of a view that a reader holds; `undefined` where that is the first one. */
export function readBy(
  { reads }: Pick<TensorView, "reads">,
  reader: Reader | undefined,
): TensorRead | undefined {
  if (reader === undefined) return undefined;
  return reads?.find(
    ({ operator, operand }) => operator === reader.operator && operand === reader.operand,
  );
}

/** The first state is `at rest` or `as placed`; others are `as y reads it` and `as made`. */
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
