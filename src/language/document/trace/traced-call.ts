// The operator that a call leaves in the trace, and what is known of its results.

import type { Diagnostic, Span } from "#core/diagnostics";
import type { Bound, Argument as BoundArgument, Kwargs, OpAnno } from "#core/dimops";
import type { Frame } from "#language/python";
import type { OperatorCall, ResultType } from "./operator-call.ts";
import { areNumbers, freshSize, knownSize, type Size } from "./size.ts";
import { symbolicShapes } from "./symbolic.ts";
import type { PlainOperand, TracedOperator, TracedTensor } from "./traced.ts";

/** The shape of a tensor of unknown shape; its flag says that the shape is not real. */
export const unknownShape = { shape: [], shapeStatus: "assumed" } as const;

/** How a call is run, and what it makes. */
export interface Run {
  readonly outputs: readonly TracedTensor[];
  readonly frames: readonly Frame[];
  readonly isFree: boolean;
  readonly endsGradient?: boolean | undefined;
  readonly arithmetic?: TracedOperator["arithmetic"];
}

/** Functions that pass a tensor on as one that is not trained. */
const ends: ReadonlySet<string> = new Set(["detach", "stop_gradient", "StopGradient"]);

/** A call as it is written down: all in one form, spelt out, since every later pass reads them. */
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

/** What an operator makes, of the data type of one of its operands. */
export function resultOf(
  operator: TracedOperator,
  shape: readonly Size[],
  {
    type,
    isUnknown = false,
    isGuessed = false,
  }: {
    /** Its data type; that of the first tensor when unsaid. */
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

/** The shapes of results as far as they are known: sizes meet, and what stays open is a variable. */
export function openShapes(annotation: OpAnno, call: OperatorCall): readonly (readonly Size[])[] {
  const inputs = call.inputs.map((operand) =>
    operand.kind === "tensor" ? operand.shape : undefined,
  );
  return symbolicShapes(annotation, inputs, { ...call.integers, ...call.hidden });
}

/** The operands of a call for binding, where all their sizes are known. */
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

/** A shape whose sizes are all known, in numbers. */
function knownShape(shape: readonly Size[]): readonly number[] | undefined {
  if (areNumbers(shape)) return shape;
  const known = shape.map(knownSize);
  return known.every((size) => size !== undefined) ? known : undefined;
}

/** The arguments by name for binding, where all sizes among them are known. */
export function kwargsOf({ kwargs, integers, hidden }: OperatorCall): Kwargs | undefined {
  if (hidden === undefined) return kwargs ?? integers;
  const assumed = Object.entries(hidden).map(([name, size]) => [name, knownSize(size)] as const);
  if (assumed.some(([, size]) => size === undefined)) return undefined;
  const sizes = assumed.map(([name, size]) => [name, size ?? 1] as const);
  return { ...(kwargs ?? integers), ...Object.fromEntries(sizes) };
}

/** A fault inside an annotation, at its place in the program's text. */
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

/** Whether an operand is a tensor of unknown rank. */
export function isUnknownTensor(operand: TracedTensor | PlainOperand): boolean {
  return operand.kind === "tensor" && operand.isUnknown === true;
}

/** Whether the result shapes of a call are unknown. */
export function hasUnknownResults({ inputs, results }: OperatorCall): boolean {
  return results === "unknown" || (results !== "known" && inputs.some(isUnknownTensor));
}

/** Whether the shapes of what a call gives follow from a guess. */
export function hasGuessedResults({
  inputs,
  results,
}: Pick<TracedOperator, "inputs"> & { readonly results: OperatorCall["results"] }): boolean {
  if (results !== undefined) return results === "guessed";
  return inputs.some((each) => each.kind === "tensor" && each.isGuessed === true);
}

/**
 * A call of which nobody knows what comes out: it runs whole on every device, and nothing is
 * claimed of its results.
 *
 * @param count how many results it has
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

/** Every dim frozen; a tensor of unknown shape is written as `?`, which says nothing of it. */
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
