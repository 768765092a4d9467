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
 * A tensor and its layout as plain sentences, the accessible name of every drawing of it: `w2,
 * bf16, 4096 by 1024. k split 2 ways over mp. f whole. 2 copies over dp. Each device holds 2048 by
 * 1024, 4.19 MB.` Where blocks are unequal it gives the largest.
 */
export function sentenceOf(tensor: NamedTensor, layout: Layout): string {
  const of = tensor.gradientOf === undefined ? "" : ` the gradient of ${tensor.gradientOf},`;
  if (tensor.isUnknown)
    return `${tensor.name}, shape unknown: it follows from an operator that is not known.`;
  const head = `${tensor.name},${of} ${tensor.dtypeText}, ${sizesText(tensor.shape)}.`;
  const dims = layout.dims.map((_, dim) => dimText(layout, tensor.dimNames, dim));
  return [head, ...dims, ...copiesText(layout), heldText(tensor, layout)].join(" ");
}

/** The facts on which the bytes of a tensor depend. */
type Held = Pick<Tensor, "shape" | "dtype" | "isUnknown">;

/** Bytes of the fullest device's block of a tensor in a layout, padding not counted. */
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
 * The bytes of a tensor in the state that is drawn, and which state that is where it has several:
 * `16.8 MB each, at rest`; `134 MB each, as read`.
 */
export function shownWords(tensor: Held, view: TensorView): string {
  return `${heldWords(tensor, shownLayout(view))}${stateWords(view)}`;
}

/** `at rest` or `as read`, `as placed` or `as made`; nothing where a tensor has one state. */
export function stateWord(view: TensorView): string {
  const { reads, shown } = view;
  if (reads === undefined) return "";
  return shown === undefined || shown.operand === "made" ? stateName(view, shown) : "as read";
}

/** The drawn state to append to other words: `, at rest`; empty where a tensor has one state. */
export function stateWords(view: TensorView): string {
  const word = stateWord(view);
  return word === "" ? "" : `, ${word}`;
}

/**
 * The drawn state as a sentence to append: ` As y reads it.`; empty where a tensor has one state.
 */
export function stateSentence(view: TensorView): string {
  if (view.reads === undefined) return "";
  const name = stateName(view, view.shown);
  return ` ${capitalized(name)}.`;
}

/** The words after the bytes of a sum that is not added up yet. */
export const unsummed = ", unsummed";

/** How many devices hold the same block (and the same part of a sum): 1 when none is repeated. */
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
