import type { Layout } from "#core/mesh";
import type { Compiled, Reader, TensorRead, TensorView } from "./compiled.ts";

/** One way in which a tensor lies: its layout, and what devices hold where that is not its blocks. */
export type TensorState = Pick<TensorRead, "layout" | "held">;

/** How an input or parameter lies at rest; what is computed, as its operator leaves it. */
export function restState(view: TensorView): TensorState {
  return view.atRest === undefined ? view : { layout: view.atRest };
}

/** The state of a tensor that is drawn, named and edited: at rest unless another one is chosen. */
export function shownState(view: TensorView): TensorState {
  return view.shown ?? restState(view);
}

/** The layout of that state. */
export function shownLayout(view: TensorView): Layout {
  return shownState(view).layout;
}

/** The read of a view by a reader; `undefined` where that holds the tensor as it lies at rest. */
export function readBy(
  { reads }: Pick<TensorView, "reads">,
  reader: Reader | undefined,
): TensorRead | undefined {
  if (reader === undefined) return undefined;
  return reads?.find(
    ({ operator, operand }) => operator === reader.operator && operand === reader.operand,
  );
}

/** `at rest`, or `as y reads it`. */
export function stateName(read?: TensorRead): string {
  return read === undefined ? "at rest" : `as ${read.reader} reads it`;
}

/**
 * What is drawn when inputs and parameters show as the chosen readers hold them. How such a state
 * came to be, and where the text says so, is what is known of the reader.
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
