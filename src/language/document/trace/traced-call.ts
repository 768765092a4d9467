// Operators as calls leave them in the trace, and their result shapes.

import type { Diagnostic, Span } from "#core/diagnostics";
import type { Bound, Argument as BoundArgument, Kwargs, OpAnno } from "#core/dimops";
import type { Frame } from "#language/python";
import type { OperatorCall, ResultType } from "./operator-call.ts";
import { areNumbers, freshSize, knownSize, type Size } from "./size.ts";
import { symbolicShapes } from "./symbolic.ts";
import type { PlainOperand, TracedOperator, TracedTensor } from "./traced.ts";

/** Placeholder shape of a tensor of unknown shape; its `isUnknown` flag marks it as not real. */
export const unknownShape = { shape: [], shapeStatus: "assumed" } as const;

/** Circumstances of a call's run, and its results. */
export interface Run {
  readonly outputs: readonly TracedTensor[];
  readonly frames: readonly Frame[];
  readonly isFree: boolean;
  readonly endsGradient?: boolean | undefined;
  readonly arithmetic?: TracedOperator["arithmetic"];
}

/** Functions that return a tensor without its gradient. */
const ends: ReadonlySet<string> = new Set(["detach", "stop_gradient", "StopGradient"]);

/**
 * Traced operator of a call. All fields are written out so that all objects have one shape, since
 * every later pass reads them.
 */
export function tracedFrom(
  call: OperatorCall,
  bound: Bound | undefined,
  { outputs, frames, isFree, endsGradient, arithmetic }: Run,
): TracedOperator {
  return {
    op: call.op,
    stem: call.stem,
    entry: call.entry,
    annotations: call.annotations,
    inputs: call.inputs,
    integers: call.integers,
    attributes: call.attributes,
    kwargs: call.kwargs,
    bound,
    hidden: call.hidden,
    function: call.function,
    rules: call.rules,
    path: call.path,
    isReplicated: call.isReplicated,
    isFree: isFree ? true : undefined,
    passesBack: call.passesBack,
    endsGradient: endsGradient === true || ends.has(call.op) ? true : undefined,
    outputs,
    linear: call.linear,
    reducesInside: call.reducesInside,
    strategy: call.strategy,
    primitive: call.primitive,
    arithmetic,
    frames,
    span: call.span,
  };
}

/** Result tensor of an operator; its data type is by default that of the first tensor operand. */
export function resultOf(
  operator: TracedOperator,
  shape: readonly Size[],
  {
    type,
    isUnknown = false,
    isGuessed = false,
  }: {
    /** Data type; absent means that of the first tensor. */
    readonly type?: ResultType | undefined;
    readonly isUnknown?: boolean;
    readonly isGuessed?: boolean;
  } = {},
): TracedTensor {
  const first = operator.inputs.find((operand) => operand.kind === "tensor");
  return {
    kind: "tensor",
    role: "activation",
    shape,
    shapeStatus: "inferred",
    dtype: type?.dtype ?? first?.dtype ?? "f32",
    dtypeText: type?.dtypeText ?? first?.dtypeText ?? "f32",
    isTypeAssumed: type === undefined ? isUnknown || first?.isTypeAssumed : type.isAssumed,
    name: undefined,
    isUnknown,
    isGuessed,
    isModuleVariable: false,
    frames: operator.frames,
    producer: operator,
    span: operator.span,
  };
}

/** Shapes of results as far as known: sizes are unified, and open ones stay variables. */
export function openShapes(annotation: OpAnno, call: OperatorCall): readonly (readonly Size[])[] {
  const inputs = call.inputs.map((operand) =>
    operand.kind === "tensor" ? operand.shape : undefined,
  );
  return symbolicShapes(annotation, inputs, { ...call.integers, ...call.hidden });
}

/** Operands of a call for binding; `undefined` when a size is open. */
export function argumentsOf(inputs: OperatorCall["inputs"]): readonly BoundArgument[] | undefined {
  const read: BoundArgument[] = [];
  for (const input of inputs) {
    if (input.kind === "plain") read.push({ kind: "plain", value: input.integer ?? input.text });
    else {
      const shape = input.shape && knownShape(input.shape);
      if (shape === undefined) return undefined;
      read.push({ kind: "tensor", shape });
    }
  }
  return read;
}

/** Shape in numbers; `undefined` when a size is open. */
function knownShape(shape: readonly Size[]): readonly number[] | undefined {
  if (areNumbers(shape)) return shape;
  const known = shape.map(knownSize);
  return known.every((size) => size !== undefined) ? known : undefined;
}

/** Keyword arguments for binding; `undefined` when a size among them is open. */
export function kwargsOf({ kwargs, integers, hidden }: OperatorCall): Kwargs | undefined {
  if (hidden === undefined) return kwargs ?? integers;
  const assumed = Object.entries(hidden).map(([name, size]) => [name, knownSize(size)] as const);
  if (assumed.some(([, size]) => size === undefined)) return undefined;
  const sizes = assumed.map(([name, size]) => [name, size ?? 1] as const);
  return { ...(kwargs ?? integers), ...Object.fromEntries(sizes) };
}

/** Fault inside an annotation, moved to its position in the program's text. */
export function placed(fault: Diagnostic, text: Span | undefined, call: Span): Diagnostic {
  const { fixes = [], ...said } = fault;
  if (text === undefined || fault.span === undefined) return { ...said, span: call };
  const moved = <T extends Span>(place: T): T => ({
    ...place,
    from: text.from + place.from,
    to: text.from + place.to,
  });
  const { from, to } = moved(fault.span);
  return {
    ...said,
    span: { from, to },
    ...(fixes.length > 0 && {
      fixes: fixes.map(({ title, edits }) => ({ title, edits: edits.map(moved) })),
    }),
  };
}

/** Whether an operand is a tensor of unknown shape. */
export function isUnknownTensor(operand: TracedTensor | PlainOperand): boolean {
  return operand.kind === "tensor" && operand.isUnknown === true;
}

/** Whether the result shapes of a call are unknown. */
export function hasUnknownResults({ inputs, results }: OperatorCall): boolean {
  return results === "unknown" || (results !== "known" && inputs.some(isUnknownTensor));
}

/** Whether the result shapes of a call depend on a guess. */
export function hasGuessedResults({
  inputs,
  results,
}: Pick<TracedOperator, "inputs"> & { readonly results: OperatorCall["results"] }): boolean {
  if (results !== undefined) return results === "guessed";
  return inputs.some((each) => each.kind === "tensor" && each.isGuessed === true);
}

/**
 * A call with unknown results: it runs whole on every device, and nothing is asserted about its
 * results.
 *
 * @param count number of results
 */
export function withUnknownResults(call: OperatorCall, count: number): OperatorCall {
  const { op, stem, inputs, types, strategy, primitive, span } = call;
  return {
    ...{ op, stem, inputs, span, results: "unknown", integers: {}, linear: [] },
    annotations: [{ text: frozenAnnotation(inputs, count) }],
    ...(types !== undefined && { types }),
    ...(strategy !== undefined && { strategy }),
    ...(primitive !== undefined && { primitive }),
    reducesInside: false,
    isReplicated: true,
  };
}

/** Annotation with every dim frozen; a tensor of unknown shape is `?`. */
function frozenAnnotation(inputs: OperatorCall["inputs"], count: number): string {
  let used = 0;
  const shapes = inputs.map((operand) => {
    if (operand.kind === "plain" || isUnknownTensor(operand)) return "?";
    operand.shape ??= [freshSize(), freshSize()];
    return operand.shape.map(() => `${nameAt(used++)}^`).join(" ") || "1";
  });
  return `${shapes.join(", ")} -> ${Array.from({ length: count }, () => "?").join(", ")}`;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

function nameAt(index: number): string {
  return letters[index] ?? `d${index}`;
}
