import type { LibraryEntry } from "#core/ir";
import type { Argument } from "#language/python";
import type { PlainOperand, TracedTensor } from "../traced.ts";
import { itemsOf } from "./values.ts";

/**
 * Whether a result that an annotation writes as `1` has no dims: annotations have no word for a
 * scalar (one is recorded with the shape (1,)), PyTorch has, and its programs read `x.dim()`.
 *
 * @param bound the arguments by parameter
 * @param annotation the annotation of the call
 */
export function isScalarResult(
  entry: LibraryEntry,
  bound: ReadonlyMap<string, Argument>,
  inputs: readonly (TracedTensor | PlainOperand)[],
  annotation: string,
): boolean {
  if (annotation.split("->")[1]?.trim() !== "1") return false;
  if (entry.name === "reshape") return itemsOf(bound.get("shape")?.value)?.length === 0;
  if (entry.name === "squeeze") return !bound.has("dim") || rankOf(inputs[0]) <= 1;
  if (addsDims.has(entry.name)) return false;
  if (entry.parameters.includes("keepdim")) return !isTrue(bound.get("keepdim"));
  if (entry.parameters.includes("reduction") || contracts.has(entry.name)) return true;
  return inputs.every((operand) => rankOf(operand) === 0);
}

/**
 * An annotation in which scalars are `1`, of one that writes them as `()`, or as nothing.
 *
 * @returns the annotation, and whether the call's results are scalars
 */
export function withoutScalars(
  annotation: string,
  inputs: readonly (TracedTensor | PlainOperand)[],
): { readonly text: string; readonly givesScalars: boolean } {
  const [read = [], written = []] = annotation
    .split("->")
    .map((side) => side.split(",").map((shape) => shape.trim()));
  const isScalar = (shape: string) => shape === "" || shape === "()";
  const isOfScalars = written.join() === "*" && inputs.every((each) => rankOf(each) === 0);
  const side = (shapes: readonly string[]) =>
    shapes.map((shape) => (isScalar(shape) ? "1" : shape)).join(", ");
  return {
    text: `${side(read)} -> ${side(written)}`,
    givesScalars: isOfScalars || written.every(isScalar),
  };
}

/** Operators whose results have as many dims as their arguments say. */
const addsDims: ReadonlySet<string> = new Set([
  ...["unsqueeze", "expand", "repeat", "stack", "concat", "flatten", "pad", "tile", "sum_to"],
]);

/** Operators that take dims away: what is left of a vector, or of two, is a scalar. */
const contracts: ReadonlySet<string> = new Set(["select", "einsum", "matmul", "argmax", "argmin"]);

/** Whether an operand is a tensor without dims. */
export function isRankZero(operand: TracedTensor | PlainOperand): boolean {
  return operand.kind === "tensor" && operand.shape?.length === 0;
}

/** A number beside tensors has no dims. */
function rankOf(operand: TracedTensor | PlainOperand | undefined): number {
  return operand?.kind === "tensor" ? (operand.shape?.length ?? 1) : 0;
}

function isTrue(argument: Argument | undefined): boolean {
  return argument?.value.kind === "bool" && argument.value.value;
}
