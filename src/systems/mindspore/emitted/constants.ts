import type { Span } from "#core/diagnostics";
import {
  shapeOf,
  type Trace,
  type TracedOperator,
  type TracedTensor,
} from "#language/document/trace";
import { askedTensors, type NetResult, netResultsIn } from "../bindings/net-results.ts";
import { bodyAround, unreadStatements } from "../bindings/unread-statements.ts";
import type { PlacedOperator } from "./placed-operators.ts";
import { primitiveName } from "./primitive-name.ts";

/**
 * Primitives that MindSpore 2.10 works out while it compiles where all their operands are constants
 * (asked of its compiler one by one; `compiled-nets.json`, "constants").
 */
const folded: ReadonlySet<string> = new Set(
  [
    "Abs Add BroadcastTo Cast Concat Div DivNoNan Divs EqScalar Equal FillV2 Greater GreaterEqual Less LessEqual",
    "LessScalar Log Max MeanExt Min Minimum Mod Mul Muls Neg NotEqual ProdExt RealDiv Reciprocal ReduceAll",
    "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Reshape Select Softmax Sqrt Squeeze Stack Sub SumExt Tile",
    "TensorToScalar",
  ].flatMap((names) => names.split(" ")),
);

/** Foldable operators that stay where the other operand is a number. */
const keptByNumbers: ReadonlySet<string> = new Set(
  "Add Equal Greater GreaterEqual Less LessEqual Minimum Mod NotEqual Sub".split(" "),
);

/** Foldable operators that only place the elements of their operands. */
const placing: ReadonlySet<string> = new Set(
  "BroadcastTo Cast Concat FillV2 Reshape Stack Tile".split(" "),
);

/** Foldable operators of two constants that are folded also where one is broadcast. */
const broadcasting: ReadonlySet<string> = new Set(["Div"]);

/** Primitives that make their result of numbers, worked out like them. */
const counting: ReadonlySet<string> = new Set(["Arange", "Range"]);

/** Whether MindSpore computes a row of numbers with known ends, after it has split the net. */
export function isRowOfNumbers({ op, inputs }: Pick<TracedOperator, "op" | "inputs">): boolean {
  return /^LinSpace(Ext)?$/u.test(op) && inputs.every(isNumber);
}

/** Whether MindSpore makes a result of numbers alone while it compiles, whatever its strategy says. */
export function isCounted({
  op,
  inputs,
  primitive,
}: Pick<TracedOperator, "op" | "inputs" | "primitive">): boolean {
  if (op === "FillV2" && hasOpenShape(primitive)) return false;
  if (counting.has(op)) return inputs.every(({ kind }) => kind !== "tensor");
  return folded.has(op) && inputs.some(({ kind }) => kind === "tensor") && inputs.every(isNumber);
}

/**
 * Whether the shape argument of a primitive is a tensor, or has a length that is known only at run
 * time.
 */
function hasOpenShape(primitive: TracedOperator["primitive"]): boolean {
  const { isHeld, runTimeDims } = primitive?.arguments ?? {};
  return isHeld === true || runTimeDims !== undefined;
}

/** A number, or a tensor that the text makes of one and that no net is called with. */
function isNumber(input: TracedOperator["inputs"][number]): boolean {
  if (input.kind !== "tensor") return true;
  const { constant, role, shape, fed } = input;
  return constant?.kind === "fill" && role === "input" && shape?.length === 0 && fed === undefined;
}

/** A tensor's value at compile time: the common value of all its elements, if they are equal. */
interface ConstantValue {
  readonly fill?: number;
}

/** The operators that remain when constants are folded. */
export interface WithoutConstants {
  readonly kept: readonly PlacedOperator[];
  /** Results that equal one of their operands, with that operand. */
  readonly same: ReadonlyMap<TracedTensor, TracedTensor>;
  /** The results that are worked out. */
  readonly workedOut: ReadonlySet<TracedTensor>;
  /** Operators that are worked out once the net is split: what is sent of their results stays. */
  readonly late: ReadonlySet<TracedOperator>;
}

/**
 * Folds constants at compile time, and `x · 1` and `x + 0` to `x`. Tensors that a cell holds are
 * constants; parameters and the arguments of a net are not.
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

/** What makes a constant of others: what makes the same of the same gives the same. */
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

/** Of a tensor that is worked out once the net is split: into how many pieces its numbers are cut. */
type LateNumbers = Map<TracedTensor, number>;

/**
 * Folds an operator after the net is split: numbers of one dim beside one number, of which every
 * device has one; a selection of such numbers; a placement of them that sends nothing. Returns
 * whether it did.
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
 * The nets that give constants alone: MindSpore works out all that they give while it compiles. Under
 * a parallel mode 2.10 ends there ("key not found"), unless a net computes what nothing reads.
 */
export function constantResults(trace: Trace): readonly NetResult[] {
  const { operators, moduleOf, training } = trace;
  if (training.length > 0) return [];
  const { workedOut } = withoutConstants(
    operators.map((traced) => ({ traced, op: primitiveName(traced) })),
    true,
  );
  const held = new Set(trace.tensors);
  // A gradient is a result, and no tensor of the program.
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

/** Whether a function that a net calls computes something at a place and never reads it. */
function isUnreadAt(place: Span, source: string): boolean {
  const body = bodyAround(source, place.from);
  const statements = body === undefined ? [] : unreadStatements(body, source);
  return statements.some((statement) => isWithin(place, statement));
}

function isWithin({ from }: Span, around: Span): boolean {
  return around.from <= from && from < around.to;
}

/**
 * Whether a tensor is held by a cell, or made of numbers by the text. A row of numbers ends in a
 * cast, which stays.
 */
function isHeld({ producer, role, fed, constant }: TracedTensor): boolean {
  return (
    producer === undefined && role === "input" && fed === undefined && constant?.kind !== "row"
  );
}

function numberIn(text: string): ConstantValue {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? {} : { fill: value };
}

function held({ constant }: TracedTensor): ConstantValue {
  return constant?.kind === "fill" ? { fill: constant.value } : {};
}

/** What an operator makes while the program is compiled; `undefined` where it runs. */
function foldedValue(
  op: string,
  { inputs, primitive }: TracedOperator,
  found: readonly (ConstantValue | undefined)[],
): ConstantValue | undefined {
  if (op === "OnesLike") return { fill: 1 };
  if (op === "FillV2" && hasOpenShape(primitive)) return undefined;
  if (isCounted({ op, inputs, primitive })) return op === "FillV2" ? (found[0] ?? {}) : {};
  if (counting.has(op) && found.every((each) => each !== undefined)) return {};
  if (!folded.has(op) || found.length === 0 || found.some((each) => each === undefined))
    return undefined;
  if (!inputs.some(({ kind }) => kind === "tensor")) return undefined;
  if (keptByNumbers.has(op) && inputs.some(({ kind }) => kind !== "tensor")) return undefined;
  if (!placing.has(op) && !broadcasting.has(op) && broadcasts(inputs)) return undefined;
  const fills = new Set(found.map((each) => each?.fill));
  const [fill] = fills;
  return placing.has(op) && fills.size === 1 && fill !== undefined ? { fill } : {};
}

/** Whether operands have several shapes. */
function broadcasts(inputs: TracedOperator["inputs"]): boolean {
  const shapes = inputs.flatMap((input) => (input.kind === "tensor" ? [shapeOf(input)] : []));
  return new Set(shapes.map((shape) => shape.join())).size > 1;
}

/**
 * The operand that a product with ones, or a sum with zeros, is; `undefined` for anything else. A
 * product of a tensor and the whole number 1 stays, and so does one by the attribute 1.0 (asked of 2.10).
 */
function unchanged(
  op: string,
  { inputs, outputs, primitive }: TracedOperator,
  found: readonly (ConstantValue | undefined)[],
): TracedTensor | undefined {
  const neutral = op === "Mul" ? 1 : op === "Add" ? 0 : undefined;
  const [output] = outputs;
  if (op === "Muls") return unchangedByOne(inputs, primitive?.arguments.other);
  if (neutral === undefined || output === undefined || inputs.length !== 2) return undefined;
  if (op === "Mul" && inputs.some(isWhole)) return undefined;
  const at = found.findLastIndex((each) => each?.fill === neutral);
  const other = inputs[1 - at];
  if (at < 0 || other?.kind !== "tensor") return undefined;
  return shapeOf(other).join() === shapeOf(output).join() ? other : undefined;
}

function isWhole(input: TracedOperator["inputs"][number]): boolean {
  return input.kind !== "tensor" && /^\s*\d+\s*$/u.test(input.text);
}

/** The tensor of a product with the whole number 1, which stands beside it or is an attribute. */
function unchangedByOne(
  inputs: TracedOperator["inputs"],
  other: unknown,
): TracedTensor | undefined {
  const isOne =
    other === 1 || inputs.some((each) => each.kind !== "tensor" && each.text.trim() === "1");
  const tensor = inputs.find((each) => each.kind === "tensor");
  return isOne && tensor?.kind === "tensor" ? tensor : undefined;
}
