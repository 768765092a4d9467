import { shownLayout, stateName, type TensorView } from "#compile";
import { product } from "#core/arithmetic";
import { capitalized } from "#core/diagnostics";
import { bytesOf, type Tensor } from "#core/ir";
import { blockCount, type Layout, localShape, type Part, replicationOf } from "#core/mesh";
import { partText } from "../hue.ts";
import { dimName, partialsByKind } from "./label.ts";
import { formatBytes } from "./numbers.ts";

/** The fields of a tensor that its sentence needs. */
export type NamedTensor = Pick<
  Tensor,
  "name" | "shape" | "dtype" | "dtypeText" | "dimNames" | "gradientOf" | "isUnknown"
>;

/**
 * A tensor and its layout as plain sentences, the accessible name of its drawings: `w2, bf16, 4096
 * by 1024. k split 2 ways over mp. f whole. 2 copies over dp. Each device holds 2048 by 1024, 4.19
 * MB.` The largest block counts if blocks are unequal.
 */
export function sentenceOf(tensor: NamedTensor, layout: Layout): string {
  const of = tensor.gradientOf === undefined ? "" : ` the gradient of ${tensor.gradientOf},`;
  if (tensor.isUnknown)
    return `${tensor.name}, shape unknown: it follows from an operator that is not known.`;
  const head = `${tensor.name},${of} ${tensor.dtypeText}, ${sizesText(tensor.shape)}.`;
  const dims = layout.dims.map((_, dim) => dimText(layout, tensor.dimNames, dim));
  return [head, ...dims, ...copiesText(layout), heldText(tensor, layout)].join(" ");
}

/** The fields on which the bytes of a tensor depend. */
type Held = Pick<Tensor, "shape" | "dtype" | "isUnknown">;

/** Bytes of a tensor's block on the fullest device, without padding. */
export function heldBytes(tensor: Pick<Tensor, "shape" | "dtype">, layout: Layout): number {
  const elements = product(localShape(layout, tensor.shape));
  return elements * bytesOf(tensor.dtype);
}

/**
 * The bytes of a tensor beside its drawing: `4.19 MB each`, `16.8 MB, unsummed`, `at most 144 B`.
 */
export function heldWords(tensor: Held, layout: Layout): string {
  if (tensor.isUnknown) return "shape unknown";
  const bytes = formatBytes(heldBytes(tensor, layout));
  if (layout.dims.some(({ sizes }) => sizes !== undefined)) return `at most ${bytes}`;
  if (layout.partials.length > 0) return `${bytes}${unsummed}`;
  return layout.mesh.devices.length > 1 ? `${bytes} each` : bytes;
}

/**
 * The bytes of a tensor in its drawn state, and the state's name if it has several: `16.8 MB each,
 * at rest`; `134 MB each, as read`.
 */
export function shownWords(tensor: Held, view: TensorView): string {
  return `${heldWords(tensor, shownLayout(view))}${stateWords(view)}`;
}

/**
 * Name of the drawn state: `at rest` or `as read`, `as placed` or `as made`; empty for a tensor
 * with one state.
 */
export function stateWord(view: TensorView): string {
  const { reads, shown } = view;
  if (reads === undefined) return "";
  return shown === undefined || shown.operand === "made" ? stateName(view, shown) : "as read";
}

/** The drawn state to append to other words: `, at rest`; empty for a tensor with one state. */
export function stateWords(view: TensorView): string {
  const word = stateWord(view);
  return word === "" ? "" : `, ${word}`;
}

/**
 * The drawn state as a sentence to append: ` As y reads it.`; empty for a tensor with one state.
 */
export function stateSentence(view: TensorView): string {
  if (view.reads === undefined) return "";
  const name = stateName(view, view.shown);
  return ` ${capitalized(name)}.`;
}

/** The words after the bytes of a pending sum. */
export const unsummed = ", unsummed";

/** Number of devices that hold the same block (and the same partial sum); 1 without copies. */
function copyCount(layout: Layout): number {
  return blockCount(replicationOf(layout));
}

function dimText(layout: Layout, dimNames: readonly string[], dim: number): string {
  const parts = layout.dims[dim]?.parts ?? [];
  const name = dimName(dimNames, dim);
  const ways = blockCount(parts);
  if (ways === 1) return `${name} whole.`;
  const over = parts.filter((part) => part.kind === "axis");
  const inside = parts.filter((part) => part.kind === "pieces");
  const pieces = inside.length === 0 ? "" : `, in ${blockCount(inside)} pieces on each device`;
  const sizes = layout.dims[dim]?.sizes;
  const unequal = sizes === undefined ? "" : `, in pieces of ${sizes.join(", ")}`;
  return `${name} split ${ways} ways over ${listText(layout, over)}${pieces}${unequal}.`;
}

function copiesText(layout: Layout): readonly string[] {
  const copies = copyCount(layout);
  if (copies === 1) return [];
  return [`${copies} copies over ${listText(layout, replicationOf(layout))}.`];
}

function heldText(tensor: NamedTensor, layout: Layout): string {
  const local = localShape(layout, tensor.shape);
  const isEven = layout.dims.every(
    (dim, at) => (local[at] ?? 0) * axisWays(dim.parts) === tensor.shape[at],
  );
  const size = `${isEven ? "" : "at most "}${sizesText(local)}`;
  const bytes = formatBytes(heldBytes(tensor, layout));
  const each = layout.mesh.devices.length === 1 ? "The device" : "Each device";
  return `${each} holds ${size}, ${bytes}${partialText(layout)}.`;
}

function partialText(layout: Layout): string {
  return partialsByKind(layout)
    .map(({ reduce, partials }) => {
      const over = listText(
        layout,
        partials.map((partial) => partial.part),
      );
      return `, an unfinished ${reduceWords[reduce]} over ${over}`;
    })
    .join("");
}

const reduceWords = {
  sum: "sum",
  prod: "product",
  max: "maximum",
  min: "minimum",
  avg: "average",
} as const;

function sizesText(sizes: readonly number[]): string {
  return sizes.length === 0 ? "a single number" : sizes.join(" by ");
}

function listText(layout: Layout, parts: readonly Part[]): string {
  return parts.map((part) => partText(layout.mesh, part)).join(", ");
}

function axisWays(parts: readonly Part[]): number {
  return blockCount(parts.filter((part) => part.kind === "axis"));
}
