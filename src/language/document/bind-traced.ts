// The call of a traced operator, bound to its annotation with the sizes that it has in the end.

import type { Diagnostic, Fix } from "#core/diagnostics";
import {
  type Argument,
  type Bound,
  bindFirst,
  type Kwargs,
  type OpAnno,
  parseAnnotation,
} from "#core/dimops";
import { annotationFixes } from "./annotation-fixes.ts";
import { followsGuess } from "./bindings/guessed-rank.ts";
import { areNumbers, settle } from "./size.ts";
import { dividingFixes, sizeFixes } from "./size-fixes.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/** The call of an operator bound exactly, or nothing when it does not bind. */
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
  const fixes = binding.ok ? [] : fixesOf(traced, candidates, inputs, { kwargs, divides });
  diagnostics.push(
    ...binding.diagnostics.map(
      (fault): Diagnostic => ({
        ...fault,
        ...assumedFault(fault, traced),
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
): Pick<Diagnostic, "message" | "severity"> {
  const said = `"${traced.op}": ${withNames(message, traced)}`;
  const isGuess = code === "dimops/rank-mismatch" && followsGuess(traced.inputs);
  if (!isGuess) return { message: said, severity };
  return {
    message: `${said}; its rank is a guess, since nothing gives a shape: call it with one`,
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

/** The shape in the end; a tensor that nothing said anything about is a scalar. */
export function shapeOf(tensor: TracedTensor): readonly number[] {
  const { shape = [] } = tensor;
  return areNumbers(shape) ? shape : shape.map(settle);
}
