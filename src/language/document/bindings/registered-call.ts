import type { Fix, Span } from "#core/diagnostics";
import { bindFirst, type Json, type OpAnno } from "#core/dimops";
import type { Argument, Context, Value } from "#language/python";
import { annotationFixes } from "../trace/annotation-fixes.ts";
import type { Recorder } from "../trace/recorder.ts";
import { provisional, type Size } from "../trace/size.ts";
import type { CalledFunction, PlainOperand, TracedTensor } from "../trace/traced.ts";
import { assumedOf } from "./assumed.ts";
import type { OpaqueOperators } from "./opaque-operators.ts";
import {
  argumentMissing,
  missingAnnotation,
  passingText,
  sizeAssumed,
  sizeMissing,
} from "./registered-faults.ts";
import type { Registered } from "./registration.ts";
import { hiddenIdentifiers, type Pairing, pairArguments } from "./signature.ts";
import type { TensorBindings } from "./tensors.ts";
import { jsonOf } from "./values/plain-json.ts";
import { integerOf, textOf } from "./values/values.ts";

/** Services that record calls. */
export interface Setting {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
}

/** Keyword arguments of a call, and the hidden sizes that had to be assumed. */
interface Named {
  readonly kwargs: Readonly<Record<string, Json>>;
  readonly hidden: Readonly<Record<string, Size>>;
}

/**
 * Calls a registered operator as nnScaler traces it (dimops.md §4): the first arguments pair with
 * the annotated inputs, the others are keyword arguments.
 *
 * @param isDrawn the program does not call the function, so missing arguments are no error
 */
export function callRegistered(
  { recorder, tensors, opaque }: Setting,
  registered: Registered,
  args: readonly Argument[],
  context: Context,
  span: Span,
  isDrawn: boolean,
): Value {
  const text = annotationText(registered, args, context, span);
  const { annotation, name } = registered;
  if (text === undefined) {
    context.report(missingAnnotation(registered.label, annotation.span, context.source));
    return opaque.call(registered.label, args, context, span, "silent") ?? { kind: "none" };
  }
  const parsed = recorder.parse(text);
  const pairs = pairArguments(registered.signature, args);
  const count = parsed.ok ? parsed.value.inputs.length : pairs.length;
  const given = annotatedInputs(tensors, registered, pairs, count, context, span);
  const inputs = given.map((argument, index) =>
    operandAt(tensors, parsed.ok ? parsed.value : undefined, index, argument, context),
  );
  const rest = pairs.slice(count);
  const named = parsed.ok
    ? namedArguments(recorder, registered, parsed.value, rest, context, span, isDrawn)
    : { kwargs: {}, hidden: {} };
  const place = annotation.kind === "text" ? { span: annotation.span } : {};
  const results = recorder.call(
    {
      op: name,
      stem: name,
      annotations: [{ text, ...place }],
      inputs,
      integers: integersIn(named.kwargs),
      kwargs: named.kwargs,
      ...(Object.keys(named.hidden).length > 0 && { hidden: named.hidden }),
      function: calledFunction(registered, args, given, rest),
      ...(registered.rules.length > 0 && { rules: registered.rules }),
      linear: [],
      reducesInside: false,
      span,
    },
    context,
  );
  for (const pair of pairs) {
    const tensor = tensors.tensorOf(pair.argument?.value);
    if (tensor !== undefined && registered.changed.includes(pair.name)) {
      recorder.noteChanged(tensor, registered.label);
    }
  }
  return tensors.result(results);
}

/** Arguments that a call gives the function itself, for runs of its body. */
function calledFunction(
  { label, body, generatesInputs }: Registered,
  args: readonly Argument[],
  given: readonly Given[],
  rest: readonly Pairing[],
): CalledFunction {
  const passed = rest.flatMap(({ name, argument }) =>
    argument === undefined ? [] : [[name, argument] as const],
  );
  const absent = rest.flatMap(({ name, argument, parameter }) =>
    argument === undefined && parameter !== undefined ? [name] : [],
  );
  const operands = given.map(({ argument }) => argument);
  return { label, body, generatesInputs, args, operands, named: new Map(passed), absent };
}

/**
 * Annotation text of a call; an annotation function is called with the call's own arguments.
 * `undefined` when missing.
 */
function annotationText(
  { annotation }: Registered,
  args: readonly Argument[],
  context: Context,
  span: Span,
): string | undefined {
  if (annotation.kind === "missing") return undefined;
  if (annotation.kind === "text") return annotation.text;
  const answer = context.call(annotation.callee, args, span);
  const text = textOf(answer);
  if (text !== undefined) return text;
  return context.raise("TypeError", "node_repr should return a string", annotation.span);
}

function annotatedInputs(
  tensors: TensorBindings,
  { label, signature, annotation }: Registered,
  pairs: readonly Pairing[],
  count: number,
  context: Context,
  span: Span,
): readonly Given[] {
  const inputs = pairs.slice(0, count);
  const missing = inputs.find(({ argument }) => argument === undefined);
  if (missing !== undefined) {
    const hasDefault = signature.defaults.has(missing.name);
    const kind = hasDefault ? "ValueError" : "TypeError";
    const message = hasDefault
      ? `calling function ${label} should include at least ${count} *args: "${missing.name}" must be passed`
      : `${label}() missing 1 required positional argument: '${missing.name}'`;
    const code = "nnscaler/missing-operand";
    const fixes = [passingText(`${missing.name}=Parameter()`, span, context)];
    return context.raise(kind, message, span, { code, fixes });
  }
  if (inputs.length < count) {
    const fixes = annotation.kind === "text" ? regrouped(annotation, inputs, tensors) : [];
    const message = `the annotation of "${label}" has ${count} inputs, but the call has ${inputs.length}`;
    const code = "nnscaler/missing-operand";
    return context.raise("IndexError", message, span, { code, fixes });
  }
  return inputs.flatMap(({ name, argument }) =>
    argument === undefined ? [] : [{ name, argument }],
  );
}

/** Fixes for an annotation with commas between dims: regrouped to match the operands' ranks. */
function regrouped(
  { text, span }: { readonly text: string; readonly span: Span },
  inputs: readonly Pairing[],
  tensors: TensorBindings,
): readonly Fix[] {
  const shapes = inputs.map(
    ({ argument }) => tensors.tensorOf(argument?.value)?.shape?.map(provisional) ?? [],
  );
  const args = shapes.map((shape) => ({ kind: "tensor", shape }) as const);
  return annotationFixes(text, span, shapes, (each) => bindFirst([each], args).ok);
}

interface Given {
  readonly name: string;
  readonly argument: Argument;
}

/** Operand of an annotated input: a tensor, unless the annotation marks it `?`. */
function operandAt(
  tensors: TensorBindings,
  annotation: OpAnno | undefined,
  index: number,
  { name, argument }: Given,
  context: Context,
): TracedTensor | PlainOperand {
  const { value, span } = argument;
  const ignored = annotation?.inputs[index]?.ignored === true;
  const isTensor = tensors.tensorOf(value) !== undefined;
  if (annotation === undefined || ignored || isTensor || assumedOf(value) !== undefined) {
    return tensors.operand(value, context, { asTensor: !ignored, span });
  }
  return context.raise(
    "ValueError",
    `input ${index} ("${name}") needs a tensor, but got ${context.text(value)}: write "?" for it in the annotation`,
    span,
    { code: "nnscaler/not-a-tensor" },
  );
}

function namedArguments(
  recorder: Recorder,
  registered: Registered,
  annotation: OpAnno,
  rest: readonly Pairing[],
  context: Context,
  span: Span,
  isDrawn: boolean,
): Named {
  const { signature } = registered;
  const given = rest.flatMap(({ name, argument }) =>
    argument === undefined ? [] : [[name, jsonOf(argument.value, context)] as const],
  );
  const parameters = new Set(signature.parameters.map(({ name }) => name));
  const passed = new Set(given.map(([name]) => name));
  const missing = hiddenIdentifiers(annotation, passed, parameters);
  const hidden = missing.map((name): [string, Size] => {
    const byDefault = integerOf(signature.defaults.get(name));
    // For a function drawn without a call, a default such as -1 is no size.
    const isSize = byDefault !== undefined && (byDefault > 0 || !isDrawn);
    return [name, isSize ? byDefault : recorder.hiddenSize(name)];
  });
  const absent = rest.flatMap(({ name, argument, parameter }) =>
    argument === undefined && parameter !== undefined ? [name] : [],
  );
  for (const [name, size] of hidden) {
    const value = provisional(size);
    if (!isDrawn) context.report(sizeMissing(registered, name, value, span, context));
    else if (size !== integerOf(signature.defaults.get(name)))
      context.report(sizeAssumed(registered, name, value));
  }
  for (const name of isDrawn ? [] : absent) {
    if (missing.includes(name) || signature.defaults.has(name)) continue;
    context.report(argumentMissing(registered, name, span));
  }
  return { kwargs: Object.fromEntries(given), hidden: Object.fromEntries(hidden) };
}

function integersIn(kwargs: Named["kwargs"]): Readonly<Record<string, number>> {
  const pairs = Object.entries(kwargs).filter(
    (pair): pair is [string, number] => typeof pair[1] === "number",
  );
  return Object.fromEntries(pairs);
}
