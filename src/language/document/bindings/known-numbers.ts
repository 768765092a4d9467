import { product } from "#core/arithmetic";
import { isFloat } from "#core/ir/types";
import type { Value } from "#language/python";
import type { TracedTensor } from "../trace/traced.ts";
import { mayCross, sizesOf } from "./element-rules.ts";
import { elementsInText, knownElements, selectedElement } from "./known-elements.ts";
import { float, integer } from "./values/values.ts";

/** The number of a tensor that has one, where it is one of a row in the text or follows from it. */
export function knownNumber(tensor: TracedTensor | undefined): number | undefined {
  const { producer } = tensor ?? {};
  const selected = producer?.entry === "select" ? selectedElement(producer) : undefined;
  if (selected !== undefined) return selected;
  const numbers = knownNumbers(tensor);
  return numbers?.length === 1 ? numbers[0] : undefined;
}

/** The numbers of a tensor in lists, row by row, as `tolist` gives them. */
export function knownList(tensor: TracedTensor | undefined): Value | undefined {
  return tensor && listOf(tensor, knownNumbers(tensor));
}

/**
 * The numbers of a tensor, nested as its dims, if they all stand in the text; with the text's own
 * digits.
 */
export function listInText(tensor: TracedTensor | undefined): Value | undefined {
  return tensor && listOf(tensor, elementsInText(tensor));
}

function listOf(tensor: TracedTensor, numbers: readonly number[] | undefined): Value | undefined {
  if (numbers === undefined) return undefined;
  const rows = (place: number, [size, ...inner]: readonly number[]): Value => {
    if (size === undefined) return asNumber(tensor, numbers[place] ?? 0);
    const each = product(inner);
    const items = Array.from({ length: size }, (_, row) => rows(place + row * each, inner));
    return { kind: "list", items };
  };
  return rows(0, sizesOf(tensor));
}

/**
 * The numbers of a tensor as Python has them, where integers may be made of them: one whose last
 * digit is not certain is not read beside an integer, or half-way between two.
 */
function knownNumbers(tensor: TracedTensor | undefined): readonly number[] | undefined {
  const known = knownElements(tensor);
  return known === undefined || mayCross(known, 0.5) ? undefined : known.values;
}

/** A number of a tensor as Python has it. */
function asNumber({ dtype }: TracedTensor, value: number): Value {
  if (dtype === "bool") return { kind: "bool", value: value !== 0 };
  return isFloat(dtype) ? float(value) : integer(value);
}
