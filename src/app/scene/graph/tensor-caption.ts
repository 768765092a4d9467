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
/**
 * Character width (px) of the state word behind the name, including a share of the gap before it.
 */
const stateCharacterWidth = 6.4;
const leastText = 58;

/** The caption beside a tensor's glyph on the canvas. */
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
 * A name split before its last dot: `layers[0].norm` and `.weight`; without a dot, the name and an
 * empty string.
 */
export function nameParts(name: string): readonly [string, string] {
  const at = name.lastIndexOf(".");
  return at <= 0 ? [name, ""] : [name.slice(0, at), name.slice(at)];
}

/** Size of a tensor's glyph with its words, the maximum over all its layouts. */
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

/**
 * Number of a name's characters that stay readable when zoomed out, and their enlarged width (px).
 */
const afarCharacters = 12;
const afarCharacterWidth = 10.2;

/** Width of glyph and name when zoomed out, where names are written larger. */
export function afarWidth(name: string): number {
  return besideGlyph(Math.min(name.length, afarCharacters) * afarCharacterWidth);
}

/**
 * Width of a result's caption if its sum were still pending, in its present layout. With this room
 * a split that leaves partial sums moves nothing aside.
 */
export function unsummedWidth(tensor: Tensor, layout: Layout | undefined): number {
  if (layout === undefined || layout.mesh.devices.length === 1) return 0;
  return besideGlyph(wordsOf(tensor, layout).unsummedWidth);
}

function widthIn(tensor: Tensor, view: TensorView): number {
  const states = [restState(view), ...(view.reads ?? [])];
  return Math.max(...states.map(({ layout }) => wordsOf(tensor, layout).width));
}

/** Words below the name of a tensor, and their widths. */
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

/** The shown layout of each tensor, by id. */
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
