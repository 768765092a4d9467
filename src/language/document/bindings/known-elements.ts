import { product } from "#core/arithmetic";
import type { Constant, PlainOperand, TracedOperator, TracedTensor } from "../trace/traced.ts";
import { elementRule, inType, isOfNumbers, type KnownElements, sizesOf } from "./element-rules.ts";

type Operand = TracedTensor | PlainOperand;

/** Largest tensor (in elements) whose elements are computed. */
const mostElements = 4096;
/**
 * Most operators that are followed backwards, so that a model's own computation is not followed to
 * its inputs.
 */
const mostOperators = 64;

/**
 * Elements of a tensor computed from numbers in the text by arithmetic, casts, slices and sums, as
 * a builder computes its widths: `arange(depth) * a + b`. `undefined` for other tensors.
 */
export function knownElements(tensor: TracedTensor | undefined): KnownElements | undefined {
  return tensor && new Reading().of(tensor);
}

/**
 * The element of a one-element tensor that the text gives without arithmetic: a constant, or one of
 * a row, a `linspace`, a list or a slice of one. It keeps the text's digits, not rounded to the
 * data type, so that no comparison depends on the last digit.
 */
export function elementInText(tensor: TracedTensor): number | undefined {
  if (tensor.producer?.entry === "select") return selectedElement(tensor.producer);
  const { shape = [1] } = tensor;
  return shape.every((size) => size === 1) ? elementAt(tensor, 0) : undefined;
}

/**
 * All elements of a tensor that the text gives without arithmetic, unrounded; `undefined` when one
 * is not given.
 */
export function elementsInText(tensor: TracedTensor): readonly number[] | undefined {
  const count = countOf(tensor);
  if (count === undefined || count > mostElements) return undefined;
  const values = Array.from({ length: count }, (_, place) => elementAt(tensor, place));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Element of a 1-dim tensor that a `select` picks; `undefined` when not known. */
export function selectedElement(producer: TracedOperator): number | undefined {
  const { inputs, attributes } = producer;
  const [row] = inputs;
  const index = attributes?.index;
  if (row?.kind !== "tensor" || row.shape?.length !== 1 || typeof index !== "number") {
    return undefined;
  }
  const size = row.shape[0];
  if (typeof size !== "number") return undefined;
  return elementAt(row, index < 0 ? index + size : index);
}

/** Number of a plain operand; `undefined` when its text is none. */
export function numberOfPlain({ text }: PlainOperand): number | undefined {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? undefined : value;
}

/** Element of a 1-dim tensor, or of a slice of one. */
function elementAt(row: TracedTensor, place: number): number | undefined {
  if (row.producer?.entry === "slice" && row.shape?.length === 1 && row.isWritten !== true) {
    const [whole] = row.producer.inputs;
    const { start, step = 1 } = row.producer.attributes ?? {};
    const isKnown = typeof start === "number" && start >= 0 && typeof step === "number";
    return isKnown && whole?.kind === "tensor" ? elementAt(whole, start + place * step) : undefined;
  }
  const constant = constantOf(row);
  const value = constant && valueAt(constant, place);
  return value !== undefined && isHeld(value, row.dtype) ? value : undefined;
}

/** Whether a data type represents a number; integer and bool types would change others. */
function isHeld(value: number, dtype: string): boolean {
  return inType({ values: [value], isExact: true }, dtype) !== undefined;
}

/**
 * Constant value that the text gave a tensor; `undefined` if it was written since or a graph feeds
 * it.
 */
export function constantOf(tensor: TracedTensor): Constant | undefined {
  const { role, constant, isWritten, fed } = tensor;
  return role === "input" && isWritten !== true && fed === undefined ? constant : undefined;
}

function valueAt(constant: Constant, place: number): number | undefined {
  if (constant.kind === "data") return constant.values[place];
  return constant.kind === "fill" ? constant.value : constant.start + place * constant.step;
}

/** Whether a constant's elements are exact: listed numbers, or a row of integers. */
function isExactIn(constant: Constant): boolean {
  return constant.kind !== "row" || [constant.start, constant.step].every(Number.isInteger);
}

class Reading {
  private left = mostOperators;
  private readonly read = new Map<TracedTensor, KnownElements | undefined>();

  of(tensor: TracedTensor): KnownElements | undefined {
    if (this.read.has(tensor)) return this.read.get(tensor);
    if (tensor.written !== undefined) return tensor.written;
    const count = tensor.isWritten === true ? undefined : countOf(tensor);
    const isTaken = count !== undefined && count <= mostElements && isOfNumbers(tensor.dtype);
    const found = isTaken ? this.elements(tensor, count) : undefined;
    const isWhole = found?.values.length === count && found?.values.every(Number.isFinite);
    const known = found && isWhole === true ? inType(found, tensor.dtype) : undefined;
    this.read.set(tensor, known);
    return known;
  }

  private elements(tensor: TracedTensor, count: number): KnownElements | undefined {
    if (tensor.producer !== undefined) return this.computed(tensor, tensor.producer, count);
    const constant = constantOf(tensor);
    if (constant === undefined) return undefined;
    const length = constant.kind === "data" ? constant.values.length : count;
    const values = Array.from({ length }, (_, place) => valueAt(constant, place) ?? Number.NaN);
    return { values, isExact: isExactIn(constant) };
  }

  private computed(
    tensor: TracedTensor,
    producer: TracedOperator,
    count: number,
  ): KnownElements | undefined {
    this.left -= 1;
    const { op, inputs, attributes = {} } = producer;
    // `round` is no library entry. A function of the same name that the text registers is another
    // operator.
    const entry = producer.entry ?? (op === "round" && !producer.function ? op : "");
    const keys = Object.keys(attributes);
    if (this.left < 0 || producer.outputs.length !== 1) return undefined;
    const rule = elementRule(entry);
    if (rule === undefined || keys.some((key) => !rule.takes.includes(key))) return undefined;
    const operands = inputs.map((each) => this.operand(each));
    if (operands.includes(undefined)) return undefined;
    const known = operands.flatMap((each) => each ?? []);
    const shapes = inputs.map((each) => (each.kind === "tensor" ? sizesOf(each) : []));
    const dtypes = inputs.flatMap((each) => (each.kind === "tensor" ? [each.dtype] : []));
    return rule.apply({ known, shapes, dtypes, attributes, tensor, count });
  }

  private operand(operand: Operand): KnownElements | undefined {
    if (operand.kind === "tensor") return this.of(operand);
    const value = numberOfPlain(operand);
    return value !== undefined && Number.isFinite(value)
      ? { values: [value], isExact: true }
      : undefined;
  }
}

function countOf(tensor: TracedTensor): number | undefined {
  const isKnown = tensor.shape?.every((size) => typeof size === "number") === true;
  return isKnown ? product(sizesOf(tensor)) : undefined;
}
