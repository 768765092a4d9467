import { product } from "#core/arithmetic";
import type { Constant, PlainOperand, TracedOperator, TracedTensor } from "../trace/traced.ts";
import { elementRule, inType, isOfNumbers, type KnownElements, sizesOf } from "./element-rules.ts";

type Operand = TracedTensor | PlainOperand;

/** More elements are read by nobody one by one. */
const mostElements = 4096;
/** Operators that are looked through: a model's own are not followed to its inputs. */
const mostOperators = 64;

/**
 * The elements of a tensor that the text makes of numbers by arithmetic, casts, cuts and sums, as a
 * builder counts its widths: `arange(depth) * a + b`. `undefined` for any other tensor.
 */
export function knownElements(tensor: TracedTensor | undefined): KnownElements | undefined {
  return tensor && new Reading().of(tensor);
}

/**
 * The one element of a tensor that stands in the text, with nothing computed on the way: the number
 * that it is made of, or one of a row, of `linspace`, of a list, of a part of it. It has the text's
 * own digits, not rounded to the data type, so that no comparison hangs on the last digit.
 */
export function elementInText(tensor: TracedTensor): number | undefined {
  if (tensor.producer?.entry === "select") return selectedElement(tensor.producer);
  const { shape = [1] } = tensor;
  return shape.every((size) => size === 1) ? elementAt(tensor, 0) : undefined;
}

/** All elements of a tensor that stand in the text, likewise. */
export function elementsInText(tensor: TracedTensor): readonly number[] | undefined {
  const count = countOf(tensor);
  if (count === undefined || count > mostElements) return undefined;
  const values = Array.from({ length: count }, (_, place) => elementAt(tensor, place));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** One of the elements of a row, which `select` gives. */
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

/** The number that an operand is which is no tensor. */
export function numberOfPlain({ text }: PlainOperand): number | undefined {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? undefined : value;
}

/** The element at a place of a row, or of a part of a longer one. */
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

/** Whether a data type has a number: integers and conditions are made of others in a run. */
function isHeld(value: number, dtype: string): boolean {
  return inType({ values: [value], isExact: true }, dtype) !== undefined;
}

/**
 * The constant that the text gave a tensor, if nothing was written into the tensor since and no
 * graph is fed with it.
 */
export function constantOf(tensor: TracedTensor): Constant | undefined {
  const { role, constant, isWritten, fed } = tensor;
  return role === "input" && isWritten !== true && fed === undefined ? constant : undefined;
}

function valueAt(constant: Constant, place: number): number | undefined {
  if (constant.kind === "data") return constant.values[place];
  return constant.kind === "fill" ? constant.value : constant.start + place * constant.step;
}

/** Whether the elements are exact: those of a row of whole numbers are, or of numbers that are listed. */
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
    // Rounding is none of the library's own operators; a function that a text registers is another.
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
