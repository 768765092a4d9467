import type { Span } from "#core/diagnostics";
import {
  shapeOf,
  type Trace,
  type TracedOperator,
  type TracedTensor,
} from "#language/document/trace";
import { askedTensors, type NetResult, netResultsIn } from "../bindings/net-results.ts";
import { bodyAround, unreadStatements } from "../bindings/unread-statements.ts";
import {
  type ConstantValue,
  foldedValue,
  held,
  isHeld,
  isNumber,
  numberIn,
  unchanged,
} from "./folded-values.ts";
import type { PlacedOperator } from "./placed-operators.ts";
import { primitiveName } from "./primitive-name.ts";

/**
 * Whether an operator is a LinSpace with known ends, which MindSpore computes after it has split
 * the net.
 */
export function isRowOfNumbers({ op, inputs }: Pick<TracedOperator, "op" | "inputs">): boolean {
  return /^LinSpace(Ext)?$/u.test(op) && inputs.every(isNumber);
}

/** The operators that remain when constants are folded. */
export interface WithoutConstants {
  readonly kept: readonly PlacedOperator[];
  /** Results that equal one of their operands, with that operand. */
  readonly same: ReadonlyMap<TracedTensor, TracedTensor>;
  /** Results that are computed at compile time. */
  readonly workedOut: ReadonlySet<TracedTensor>;
  /** Operators folded after the net is split; redistributions of their results remain. */
  readonly late: ReadonlySet<TracedOperator>;
}

/**
 * Folds constants at compile time, and `x · 1` and `x + 0` to `x`. Tensors that a cell holds are
 * constants; parameters and arguments of a net are not.
 */
export function withoutConstants(
  placed: readonly PlacedOperator[],
  isCalled = readsFed(placed),
): WithoutConstants {
  const values = new Map<TracedTensor, ConstantValue>();
  const same = new Map<TracedTensor, TracedTensor>();
  const late = new Set<TracedOperator>();
  const lateNumbers: LateNumbers = new Map();
  const folds = new Map<string, TracedTensor>();
  const numbers = new Map<TracedTensor, number>();
  const constantIn = (input: TracedOperator["inputs"][number]): ConstantValue | undefined => {
    if (input.kind !== "tensor") return numberIn(input.text);
    const known = values.get(input);
    if (known !== undefined || input.producer !== undefined) return known;
    return isCalled && input.role === "input" && input.fed === undefined ? held(input) : undefined;
  };
  const kept = placed.filter((each) => {
    const { op, traced } = each;
    const [output] = traced.outputs;
    const found = traced.inputs.map(constantIn);
    if (workedOutLater(each, found, lateNumbers)) late.add(traced);
    const result = foldedValue(op, traced, found);
    if (output !== undefined && result !== undefined) {
      values.set(output, result);
      const key = foldedKey(each, same, numbers);
      const first = folds.get(key);
      if (first === undefined) folds.set(key, output);
      else same.set(output, first);
    }
    const itself = result === undefined ? unchanged(op, traced, found) : undefined;
    if (output !== undefined && itself !== undefined) {
      same.set(output, same.get(itself) ?? itself);
      const value = constantIn(itself);
      if (value !== undefined) values.set(output, value);
    }
    return result === undefined && itself === undefined;
  });
  return { kept, same, workedOut: new Set(values.keys()), late };
}

/**
 * Key of a folded operator: its kind, operands, result shapes and attributes. Equal keys have equal
 * results.
 */
function foldedKey(
  { op, traced }: PlacedOperator,
  same: ReadonlyMap<TracedTensor, TracedTensor>,
  numbers: Map<TracedTensor, number>,
): string {
  const { inputs, outputs, attributes, integers, primitive } = traced;
  const read = inputs.map((input) => {
    if (input.kind !== "tensor") return input.text;
    const tensor = same.get(input) ?? input;
    const number = numbers.get(tensor) ?? numbers.size;
    numbers.set(tensor, number);
    return number;
  });
  return JSON.stringify([
    op,
    read,
    outputs.map(shapeOf),
    attributes,
    integers,
    primitive?.arguments,
  ]);
}

/** Number of pieces into which each tensor folded after the split is cut. */
type LateNumbers = Map<TracedTensor, number>;

/**
 * Whether an operator is folded after the net is split, and notes its result. Folded are Add and
 * Sub of one-dim constants with one element per device and a number, a Select among such results,
 * and a Reshape or BroadcastTo of them that sends nothing.
 */
function workedOutLater(
  { op, traced, strategies }: PlacedOperator,
  found: readonly (ConstantValue | undefined)[],
  late: LateNumbers,
): boolean {
  const { inputs, outputs } = traced;
  const [output] = outputs;
  const [input] = inputs;
  if (output === undefined || input === undefined) return false;
  const lateIn = (each: TracedOperator["inputs"][number]) =>
    each.kind === "tensor" ? late.get(each) : undefined;
  if (op === "Reshape" || op === "BroadcastTo") {
    const before = lateIn(input);
    if (before === undefined || input.kind !== "tensor") return false;
    const cut = strategies?.[0]?.reduce((product, each) => product * each, 1);
    if (op === "BroadcastTo" && cut !== before) return false;
    late.set(output, before);
    return true;
  }
  const shape = shapeOf(output);
  const pieces = strategies?.find((dims) => dims.length > 0)?.[0] ?? 1;
  if (shape.length !== 1 || shape[0] !== pieces) return false;
  if (!inputs.every((each, at) => found[at] !== undefined || lateIn(each) !== undefined))
    return false;
  const isLate =
    op === "Select"
      ? inputs.some((each) => lateIn(each) !== undefined)
      : /^(Add|Sub)$/u.test(op) && inputs.some(({ kind }) => kind !== "tensor");
  if (isLate) late.set(output, pieces);
  return isLate;
}

function readsFed(placed: readonly PlacedOperator[]): boolean {
  const operands = placed.flatMap(({ traced }) => traced.inputs);
  return operands.some((each) => each.kind === "tensor" && each.fed !== undefined);
}

/**
 * The nets that return only constants, which MindSpore computes at compile time. Under a parallel
 * mode 2.10 then fails ("key not found"), unless a net computes a result that nothing reads.
 */
export function constantResults(trace: Trace): readonly NetResult[] {
  const { operators, moduleOf, training } = trace;
  if (training.length > 0) return [];
  const { workedOut } = withoutConstants(
    operators.map((traced) => ({ traced, op: primitiveName(traced) })),
    true,
  );
  const held = new Set(trace.tensors);
  // A gradient is a net result but no tensor of the program.
  const isKnown = (tensor: TracedTensor) =>
    (held.has(tensor) && isHeld(tensor)) || workedOut.has(tensor);
  const asked = askedTensors(trace);
  return netResultsIn(trace).filter(({ net, tensors, isOpen, isEmpty, unread, body, source }) => {
    if (isOpen || !tensors.every(isKnown)) return false;
    if (isEmpty) return true;
    const computed = operators.filter(
      (traced) => moduleOf?.(traced)?.called === net && !traced.outputs.every(isKnown),
    );
    const isIn = ({ from, to }: Span) =>
      computed.some(({ span }) => from <= span.from && span.from < to);
    if (unread.some((statement) => statement.isKept || isIn(statement))) return false;
    const elsewhere = computed.filter(({ span }) => body === undefined || !isWithin(span, body));
    const isCalled = unread.some(({ from, to }) => /\(/u.test(source.slice(from, to)));
    const isLeft = ({ outputs }: TracedOperator) => isCalled && !outputs.some((t) => asked.has(t));
    return !elsewhere.some((traced) => isLeft(traced) || isUnreadAt(traced.span, source));
  });
}

/** Whether a function called by a net computes a result at a place and never reads it. */
function isUnreadAt(place: Span, source: string): boolean {
  const body = bodyAround(source, place.from);
  const statements = body === undefined ? [] : unreadStatements(body, source);
  return statements.some((statement) => isWithin(place, statement));
}

function isWithin({ from }: Span, around: Span): boolean {
  return around.from <= from && from < around.to;
}
