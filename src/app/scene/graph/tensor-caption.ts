import { type Compiled, restState, shownLayout, type TensorView } from "#compile";
import type { Tensor, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { glyphGap, glyphRooms } from "../card/card-look.ts";
import type { Size } from "../mark.ts";
import { rememberedFor, rememberedForPairs } from "../remembered.ts";
import { labelText } from "../text/label.ts";
import { formatBytes } from "../text/numbers.ts";
import { heldBytes, heldWords, stateWord, unsummed } from "../text/sentence.ts";
import type { TensorCaption } from "./canvas.ts";

const characterWidth = 6.4;
const bytesCharacterWidth = 6.4;
const nameCharacterWidth = 7.5;
/** Of the state behind the name, with a share of the gap before it. */
const stateCharacterWidth = 6.4;
const leastText = 58;

/** What stands beside the glyph of a tensor on the canvas. */
export function captionOf(
  tensor: Tensor,
  layout: Layout | undefined,
  name = tensor.name,
): TensorCaption {
  const bytes = layout === undefined ? "" : wordsOf(tensor, layout).bytes;
  const shown = layout === undefined ? {} : { layout };
  return { name, bytes, glyph: glyphRooms.tensor, ...shown };
}

/**
 * A name divided before its last dot: `layers[0].norm` and `.weight`; without a dot, it and
 * nothing.
 */
export function nameParts(name: string): readonly [string, string] {
  const at = name.lastIndexOf(".");
  return at <= 0 ? [name, ""] : [name.slice(0, at), name.slice(at)];
}

/** How wide and high a tensor's glyph and words are together, in whichever of its states. */
export function captionSize(
  tensor: Tensor,
  view: TensorView | undefined,
  name = tensor.name,
): Size {
  const words = view === undefined ? 0 : widthIn(tensor, view);
  const state = view === undefined ? 0 : stateWord(view).length * stateCharacterWidth;
  const text = Math.max(words, name.length * nameCharacterWidth + state, leastText);
  return { width: besideGlyph(text), height: glyphRooms.tensor.height + 4 };
}

/** Letters of a name that can be read from farther away too, and how wide they are then. */
const afarCharacters = 12;
const afarCharacterWidth = 10.2;

/** How wide glyph and name are where names are written larger, as seen from farther away. */
export function afarWidth(name: string): number {
  return besideGlyph(Math.min(name.length, afarCharacters) * afarCharacterWidth);
}

/**
 * How wide a result would be whose sum is still to be added, whatever its layout is now: with that
 * room a split that leaves sums moves nothing aside and stays in sight.
 */
export function unsummedWidth(tensor: Tensor, layout: Layout | undefined): number {
  if (layout === undefined || layout.mesh.devices.length === 1) return 0;
  return besideGlyph(wordsOf(tensor, layout).unsummedWidth);
}

function widthIn(tensor: Tensor, view: TensorView): number {
  const states = [restState(view), ...(view.reads ?? [])];
  return Math.max(...states.map(({ layout }) => wordsOf(tensor, layout).width));
}

/** The words below the name of a tensor, and the room that they take. */
const wordsOf = rememberedForPairs((tensor: Tensor, layout: Layout) => {
  const bytes = heldWords(tensor, layout);
  const label = labelText(layout, tensor.dimNames).length * characterWidth;
  const later = `${formatBytes(heldBytes(tensor, layout))}${unsummed}`;
  return {
    bytes,
    width: Math.max(label, bytes.length * bytesCharacterWidth),
    unsummedWidth: later.length * bytesCharacterWidth,
  };
});

function besideGlyph(text: number): number {
  return Math.ceil(glyphRooms.tensor.width + 2 + glyphGap + text);
}

/** The layout in which a tensor is shown. */
export function layoutsOf({ tensors }: Compiled): ReadonlyMap<TensorId, Layout> {
  return layoutsByTensor(tensors);
}

const layoutsByTensor = rememberedFor(
  (tensors: readonly TensorView[]): ReadonlyMap<TensorId, Layout> =>
    new Map(tensors.map((view) => [view.tensor, shownLayout(view)])),
);

/** The views of all tensors by their ids. */
export const viewsOf = rememberedFor(
  (tensors: readonly TensorView[]): ReadonlyMap<TensorId, TensorView> =>
    new Map(tensors.map((view) => [view.tensor, view])),
);

/** The tensors of a graph by their ids. */
export const tensorsOf = rememberedFor(
  ({ tensors }: Compiled["graph"]): ReadonlyMap<TensorId, Tensor> =>
    new Map(tensors.map((tensor) => [tensor.id, tensor])),
);
