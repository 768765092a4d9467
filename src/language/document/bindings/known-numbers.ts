import { product } from "#core/arithmetic";
import { isFloat } from "#core/ir/types";
import type { Value } from "#language/python";
import type { TracedTensor } from "../trace/traced.ts";
import { mayCross, sizesOf } from "./element-rules.ts";
import { elementsInText, knownElements, selectedElement } from "./known-elements.ts";
import { float, integer } from "./values/values.ts";

/**
 * Number of a one-element tensor, taken from a row in the text or computed from its numbers; else
 * `undefined`.
 */
export function knownNumber(tensor: TracedTensor | undefined): number | undefined {
  const { producer } = tensor ?? {};
  const selected = producer?.entry === "select" ? selectedElement(producer) : undefined;
  if (selected !== undefined) return selected;
  const numbers = knownNumbers(tensor);
  return numbers?.length === 1 ? numbers[0] : undefined;
}

/** Elements of a tensor as nested lists, as `tolist` gives them; `undefined` when not known. */
export function knownList(tensor: TracedTensor | undefined): Value | undefined {
  return tensor && listOf(tensor, knownNumbers(tensor));
}

/**
 * Elements of a tensor as nested lists, with the text's own digits; `undefined` when one is not in
 * the text.
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
 * Known numbers of a tensor that Python code may round. `undefined` when an inexact value lies
 * close to an integer or half-integer, where rounding could go either way.
 */
function knownNumbers(tensor: TracedTensor | undefined): readonly number[] | undefined {
  const known = knownElements(tensor);
  return known === undefined || mayCross(known, 0.5) ? undefined : known.values;
}

/** Python value of a tensor element. */
function asNumber({ dtype }: TracedTensor, value: number): Value {
  if (dtype === "bool") return { kind: "bool", value: value !== 0 };
  return isFloat(dtype) ? float(value) : integer(value);
}
