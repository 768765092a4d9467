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

// Binding of traced calls to their annotations with final sizes.

/** Call bound to its annotation with final sizes; `undefined` when it does not bind. */
export function boundOf(traced: TracedOperator): Bound | undefined {
  return bind(traced, []);
}

/**
 * Bound call, with an error for a negative size. nnScaler accepts any passed sizes, but no tensor
 * has a negative one.
 */
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

/**
 * Message and severity of a binding fault; a warning when a guessed rank or assumed size causes it.
 */
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

/** Fixes of a call that does not bind: other annotations, other sizes. */
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

/** Message with `input 0` replaced by the operand's name, where it has one. */
function withNames(message: string, { inputs }: TracedOperator): string {
  return message.replace(/\binput (\d+)/g, (whole, index: string) => {
    const input = inputs[Number(index)];
    const name = input?.kind === "tensor" ? input.name?.text : undefined;
    return name === undefined ? whole : `"${name}"`;
  });
}

/** Final shape of a tensor; `[]` when its rank is unknown. */
export function shapeOf(tensor: TracedTensor): readonly number[] {
  const { shape = [] } = tensor;
  return areNumbers(shape) ? shape : shape.map(settle);
}

// Index space that a bound annotation gives an operator, shared by equal calls.

/** Index space of a bound annotation. */
export interface Space {
  readonly annotation: Bound["annotation"];
  readonly axes: Operator["axes"];
  /** Dims by operand position: inputs, then outputs. */
  readonly dims: readonly Operand["dims"][];
}

/** Looks up or builds the index space of a bound annotation. */
export type SpaceOf = (bound: Bound) => Space;

/** Size limit of the cache; when reached it is cleared. */
const mostSpaces = 20_000;

/** Cache of index spaces: equal calls share one. */
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

/** Facts of an annotation that all calls bound to it share. */
interface Reading {
  readonly axes: ReturnType<typeof axisIdentifiers>;
  /** Dims by the properties of the call they also depend on (`formOf`). */
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

/**
 * Key of the call properties that dims depend on: which arguments are tensors, which sizes are 1.
 */
function formOf({ inputs, sizes }: Bound): string {
  let form = "";
  for (const { kind } of inputs) form += kind === "tensor" ? "t" : "p";
  for (const [name, size] of sizes) if (size === 1) form += ` ${name}`;
  return form;
}
