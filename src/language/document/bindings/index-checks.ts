import type { Value } from "#language/python";
import { provisional } from "../trace/size.ts";
import type { TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import { constantOf } from "./known-elements.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { integerOf, itemsOf } from "./values/values.ts";

/** Indices along one dim: a tensor or a list. */
interface Places {
  readonly dim: number;
  readonly tensor?: Value;
  readonly list?: Value;
  readonly shape: readonly number[];
  readonly flags?: number;
  readonly isMask: boolean;
}

/**
 * Refuses out-of-range indices known in the text, masks of a wrong size and index shapes that do
 * not broadcast. Reports float indices.
 */
export function requirePlaces(
  words: TensorCalls,
  value: Value,
  picks: readonly Places[],
  { context, span }: At,
): void {
  const sizes = knownSizes(words.tensorOf(value));
  for (const { dim, tensor, list, flags, isMask } of picks) {
    if (flags !== undefined && sizes !== undefined && flags !== sizes[dim]) {
      const message = `The shape of the mask [${flags}] at index 0 does not match the shape of the indexed tensor [${sizes.join(", ")}] at index ${dim}`;
      context.raise("IndexError", message, span);
    }
    const places = isMask ? [] : numbersIn(list, words.tensorOf(tensor));
    const size = sizes?.[dim];
    const wrong = places.find((place) => size !== undefined && (place >= size || place < -size));
    if (wrong !== undefined) {
      const message = `index ${wrong} is out of bounds for dimension ${dim} with size ${size}`;
      context.raise("IndexError", message, span);
    }
    const given = tensor && words.types.operand(tensor, words.tensorOf(tensor));
    if (given !== undefined) words.types.sayRefused?.("places", [given], context, span);
  }
  const known = picks.filter(
    ({ tensor, isMask }) =>
      !isMask && (tensor === undefined || knownSizes(words.tensorOf(tensor)) !== undefined),
  );
  const shapes = known.map(({ shape }) => shape);
  if (shapes.every((shape) => shapes.every((other) => meet(shape, other)))) return;
  const said = shapes.map((shape) => `[${shape.join(", ")}]`).join(", ");
  const message = `shape mismatch: indexing tensors could not be broadcast together with shapes ${said}`;
  context.raise("IndexError", message, span);
}

/** Whether two shapes broadcast. */
function meet(shape: readonly number[], other: readonly number[]): boolean {
  return shape.every((size, at) => {
    const beside = other[at - shape.length + other.length];
    return beside === undefined || beside === size || beside === 1 || size === 1;
  });
}

function knownSizes(tensor: TracedTensor | undefined): readonly number[] | undefined {
  const isOpen = tensor?.shape?.some((size) => typeof size !== "number") !== false;
  if (isOpen || tensor.isUnknown === true || tensor.shapeStatus === "assumed") return undefined;
  return tensor.shape?.map(provisional);
}

/**
 * Integers of an index list, or of a tensor whose elements the text gives; empty for masks and
 * unknown elements.
 */
function numbersIn(list: Value | undefined, tensor: TracedTensor | undefined): readonly number[] {
  if (list !== undefined)
    return (itemsOf(list) ?? []).flatMap((each) => integerOf(each) ?? numbersIn(each, undefined));
  const constant = tensor && constantOf(tensor);
  if (constant?.kind === "data") return constant.values;
  if (constant?.kind === "fill") return [constant.value];
  const count = tensor?.shape?.[0];
  if (constant?.kind !== "row" || typeof count !== "number") return [];
  return count === 0 ? [] : [constant.start, constant.start + (count - 1) * constant.step];
}
