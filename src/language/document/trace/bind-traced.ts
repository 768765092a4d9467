import type { Diagnostic, Fix } from "#core/diagnostics";
import {
  type Argument,
  axisIdentifiers,
  type Bound,
  bindFirst,
  indexAxesOf,
  type Kwargs,
  type OpAnno,
  operandDims,
  parseAnnotation,
} from "#core/dimops";
import type { Operand, Operator } from "#core/ir";
import { annotationFixes } from "./annotation-fixes.ts";
import { failsByAssumed } from "./assumed-sizes.ts";
import { followsGuess } from "./follows.ts";
import { areNumbers, settle } from "./size.ts";
import { dividingFixes, sizeFixes } from "./size-fixes.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

// The call of a traced operator, bound to its annotation with the sizes that it has in the end.

/**
 * An operator's call bound to its annotation with final sizes; `undefined` where it does not bind.
 */
export function boundOf(traced: TracedOperator): Bound | undefined {
  return bind(traced, []);
}

/** nnScaler computes with any sizes that are passed; of a tensor with a negative one nothing is known. */
export function boundSoundly(traced: TracedOperator, diagnostics: Diagnostic[]): Bound | undefined {
  const bound = bind(traced, diagnostics);
  const shapes = bound === undefined ? [] : [...bound.inputs.map(shapeIn), ...bound.outputs];
  const wrong = shapes.find((shape) => shape?.some((size) => size < 0));
  if (wrong === undefined) return bound;
  diagnostics.push({
    code: "document/negative-size",
    severity: "error",
    message: `"${traced.op}": its annotation gives a tensor of the shape (${wrong.join(", ")}); nnScaler accepts that, but no tensor has a negative size`,
    span: traced.span,
  });
  return undefined;
}

function shapeIn(argument: Argument): readonly number[] | undefined {
  return argument.kind === "tensor" ? argument.shape : undefined;
}

function bind(traced: TracedOperator, diagnostics: Diagnostic[]): Bound | undefined {
  if (traced.bound !== undefined) return traced.bound;
  const read = traced.annotations.map((candidate) => parseAnnotation(candidate.text));
  const candidates = read.flatMap((checked) => (checked.ok ? [checked.value] : []));
  const inputs = traced.inputs.map((input) =>
    input.kind === "tensor"
      ? ({ kind: "tensor", shape: shapeOf(input) } as const)
      : ({ kind: "plain", value: input.integer ?? input.text } as const),
  );
  const hidden = Object.entries(traced.hidden ?? {}).map(([name, size]) => [name, settle(size)]);
  const kwargs = { ...(traced.kwargs ?? traced.integers), ...Object.fromEntries(hidden) };
  const binding = bindFirst(candidates, inputs, kwargs);
  const divides = binding.diagnostics.every(({ code }) => code !== "dimops/indivisible-size");
  const shapes = inputs.map((input) => (input.kind === "tensor" ? input.shape : undefined));
  const fixes = binding.ok ? [] : fixesOf(traced, candidates, inputs, { kwargs, divides });
  diagnostics.push(
    ...binding.diagnostics.map(
      (fault): Diagnostic => ({
        ...fault,
        ...assumedFault(fault, traced, failsByAssumed(fault.code, traced, candidates, shapes)),
        span: traced.span,
        ...(fixes.length > 0 && { fixes }),
      }),
    ),
  );
  return binding.ok ? binding.value : undefined;
}

/** The fault of a call; one in a rank that nobody gave is no fault of the text. */
function assumedFault(
  { code, message, severity }: Diagnostic,
  traced: TracedOperator,
  isAssumed: boolean,
): Pick<Diagnostic, "message" | "severity"> {
  const said = `"${traced.op}": ${withNames(message, traced)}`;
  const isGuess = code === "dimops/rank-mismatch" && followsGuess(traced.inputs);
  if (!isGuess && !isAssumed) return { message: said, severity };
  const what = isGuess ? "its rank is a guess" : "its sizes are assumed";
  return {
    message: `${said}; ${what}, since nothing gives a shape: call it with one`,
    severity: "warning",
  };
}

/** Other annotations and other sizes with which a call binds. */
function fixesOf(
  { annotations, inputs }: TracedOperator,
  candidates: readonly OpAnno[],
  args: readonly Argument[],
  { kwargs, divides }: { readonly kwargs: Kwargs; readonly divides: boolean },
): readonly Fix[] {
  const [first] = annotations;
  const shapes = args.map((argument) => (argument.kind === "tensor" ? argument.shape : []));
  const annotated =
    annotations.length !== 1 || first === undefined
      ? []
      : annotationFixes(
          first.text,
          first.span,
          shapes,
          (each) => bindFirst([each], args, kwargs).ok,
        );
  const sized = (divides ? sizeFixes : dividingFixes)(inputs, (others) => {
    const changed = args.map((argument, index) =>
      argument.kind === "tensor" ? { ...argument, shape: others[index] ?? [] } : argument,
    );
    return bindFirst(candidates, changed, kwargs).ok;
  });
  return [...annotated, ...sized];
}

/** `input 0` as the text calls it, where it has a name. */
function withNames(message: string, { inputs }: TracedOperator): string {
  return message.replace(/\binput (\d+)/g, (whole, index: string) => {
    const input = inputs[Number(index)];
    const name = input?.kind === "tensor" ? input.name?.text : undefined;
    return name === undefined ? whole : `"${name}"`;
  });
}

/** The final shape of a tensor; `[]` where nothing tells its rank. */
export function shapeOf(tensor: TracedTensor): readonly number[] {
  const { shape = [] } = tensor;
  return areNumbers(shape) ? shape : shape.map(settle);
}

// The index space that a bound annotation gives an operator; equal calls share it.

/** What a bound annotation says of every operator that it is bound for. */
export interface Space {
  readonly annotation: Bound["annotation"];
  readonly axes: Operator["axes"];
  /** By position, from the inputs on into the outputs. */
  readonly dims: readonly Operand["dims"][];
}

/** The space of a bound annotation. */
export type SpaceOf = (bound: Bound) => Space;

/** Spaces that are remembered; with more, all are forgotten. */
const mostSpaces = 20_000;

/** Spaces of graphs: equal calls share what they are bound to, which is read once. */
export function createSpaces(): SpaceOf {
  const spaces = new Map<Bound, Space>();
  const readings = new Map<Bound["annotation"], Reading>();
  return (bound) => {
    const known = spaces.get(bound);
    if (known !== undefined) return known;
    if (spaces.size >= mostSpaces) {
      spaces.clear();
      readings.clear();
    }
    const reading = readings.get(bound.annotation) ?? readingOf(bound);
    readings.set(bound.annotation, reading);
    const space = spaceFrom(bound, reading);
    spaces.set(bound, space);
    return space;
  };
}

/** What an annotation says of every call that is bound to it. */
interface Reading {
  readonly axes: ReturnType<typeof axisIdentifiers>;
  /** By what they depend on besides (`formOf`). */
  readonly dims: Map<string, Space["dims"]>;
}

function readingOf({ annotation }: Bound): Reading {
  return { axes: axisIdentifiers(annotation), dims: new Map() };
}

function spaceFrom(bound: Bound, { axes, dims }: Reading): Space {
  const form = formOf(bound);
  const found = dims.get(form) ?? dimsFrom(bound);
  dims.set(form, found);
  return { annotation: bound.annotation, axes: indexAxesOf(bound, axes), dims: found };
}

function dimsFrom(bound: Bound): Space["dims"] {
  return [...bound.inputs, ...bound.annotation.outputs].map((_, position) =>
    operandDims(bound, position).map(({ identifiers, splittable }) => ({
      identifiers,
      ...(splittable !== undefined && { splittable }),
    })),
  );
}

/** What the dims of an annotation depend on besides: which arguments are tensors, which sizes 1. */
function formOf({ inputs, sizes }: Bound): string {
  let form = "";
  for (const { kind } of inputs) form += kind === "tensor" ? "t" : "p";
  for (const [name, size] of sizes) if (size === 1) form += ` ${name}`;
  return form;
}
