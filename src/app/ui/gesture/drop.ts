import { type AppStore, type DimTarget, shown, tensorView } from "#app/state";
import { shownLayout } from "#compile";
import { type TensorId, tensorId } from "#core/ir";
import type { DimGesture } from "#edit";
import { axesOn } from "./layout-after.ts";

/**
 * The dragged axis: off a dim that it splits, from the mesh, or from the partial sums of a tensor.
 */
export interface Carried {
  readonly axis: string;
  readonly from?: DimTarget;
  /** The tensor whose partial sums lie over the axis. */
  readonly sumOf?: TensorId;
}

/** The target under the pointer, and the effect of a drop there. */
export interface Drop {
  readonly over?: DimTarget;
  readonly gesture?: DimGesture;
  readonly order?: readonly string[];
}

/** The effect of dropping an axis at a point of the page. */
export function dropAt(store: AppStore, carried: Carried, x: number, y: number): Drop {
  const element = document.elementFromPoint(x, y);
  const over = dimAt(element);
  if (over !== undefined) {
    const gesture = dropOnDim(store, carried, over, x);
    return { over, ...(gesture !== undefined && { gesture }) };
  }
  const { axis, from, sumOf } = carried;
  if (sumOf !== undefined) return {};
  if (from !== undefined) {
    const isAway = element?.closest(".dims") === null;
    return isAway ? { gesture: { kind: "unsplit", ...from, axis } } : {};
  }
  const order = orderAt(store, axis, element, x);
  return order === undefined ? {} : { order };
}

/**
 * The gesture of an axis on a dim: it splits the dim, moves there from another dim, or adds a sum
 * into its blocks.
 */
export function gestureOn({ axis, from, sumOf }: Carried, over: DimTarget): DimGesture | undefined {
  if (sumOf === over.tensor) return { kind: "scatter", ...over, axis };
  if (from?.tensor !== over.tensor) return { kind: "split", ...over, axis };
  return from.dim === over.dim ? undefined : { kind: "move", ...over, axis };
}

/** The gestures that a drag of a chip of a tensor may end in. */
export function gesturesOfChip(store: AppStore, carried: Carried): readonly DimGesture[] {
  const { axis, from, sumOf } = carried;
  const compiled = shown(store.getState());
  const tensor = compiled?.graph.tensors.find(({ id }) => id === (from?.tensor ?? sumOf));
  if (tensor === undefined) return [];
  if (from === undefined) {
    return tensor.shape.flatMap((_, dim) => gestureOn(carried, { tensor: tensor.id, dim }) ?? []);
  }
  const dims = tensor.shape.flatMap((_, dim) => gestureOn(carried, { ...from, dim }) ?? []);
  const now = axesOf(store, from);
  const orders = now.map((__, place) => reordered(now, axis, place));
  return [
    { kind: "unsplit", ...from, axis },
    ...dims,
    ...orders
      .filter((axes) => axes.join() !== now.join())
      .map((axes): DimGesture => ({ kind: "set", ...from, axes })),
  ];
}

/** A list with one item at another place. */
export function reordered(
  items: readonly string[],
  item: string,
  place: number,
): readonly string[] {
  return items.filter((each) => each !== item).toSpliced(place, 0, item);
}

/** The axes that split a dim on screen, outermost first. */
function axesOf(store: AppStore, { tensor, dim }: DimTarget): readonly string[] {
  const compiled = shown(store.getState());
  const view = compiled && tensorView(compiled, tensor);
  return view === undefined ? [] : axesOn(shownLayout(view), dim);
}

function dropOnDim(
  store: AppStore,
  carried: Carried,
  over: DimTarget,
  x: number,
): DimGesture | undefined {
  const { axis, from } = carried;
  if (from?.tensor !== over.tensor || from.dim !== over.dim) return gestureOn(carried, over);
  const now = axesOf(store, over);
  const chips = [...document.querySelectorAll(`[data-chip-of="${over.tensor}.${over.dim}"]`)];
  const axes = reordered(now, axis, placeAmong(chips, axis, x));
  return axes.join() === now.join() ? undefined : { kind: "set", ...over, axes };
}

function orderAt(
  store: AppStore,
  axis: string,
  element: Element | null,
  x: number,
): readonly string[] | undefined {
  const over = element?.closest("[data-mesh-axis]");
  if (!(over instanceof HTMLElement) || over.dataset.meshAxis === axis) return undefined;
  const now = shown(store.getState())?.mesh.mesh.axes.map(({ name }) => name) ?? [];
  const at = now.indexOf(over.dataset.meshAxis ?? "");
  const { left, width } = over.getBoundingClientRect();
  const before = at + (x > left + width / 2 ? 1 : 0);
  const place = before - (now.indexOf(axis) < before ? 1 : 0);
  const order = reordered(now, axis, place);
  return order.join() === now.join() ? undefined : order;
}

/** How many of the other chips lie to the left of a point. */
function placeAmong(chips: readonly Element[], axis: string, x: number): number {
  return chips.filter((chip) => {
    const { left, width } = chip.getBoundingClientRect();
    return chip.getAttribute("data-axis") !== axis && left + width / 2 < x;
  }).length;
}

function dimAt(element: Element | null): DimTarget | undefined {
  const target = element?.closest("[data-dim]");
  if (!(target instanceof HTMLElement)) return undefined;
  const { tensor, dim } = target.dataset;
  if (tensor === undefined || dim === undefined) return undefined;
  return { tensor: tensorId(tensor), dim: Number(dim) };
}
