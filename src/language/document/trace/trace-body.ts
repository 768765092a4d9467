import type { Span } from "#core/diagnostics";
import type { Json, Kwargs } from "#core/dimops";
import type { Operator, OperatorId } from "#core/ir";
import type { BodyCall, BodyOutcome, TraceBody } from "#core/ir/body";
import { fieldOf } from "#core/records";
import type { Argument, Context, Value } from "#language/python";
import { callFunction } from "../bindings/call-function.ts";
import { missingArgument } from "../bindings/missing-argument.ts";
import type { TensorBindings } from "../bindings/tensors.ts";
import { jsonOf, pythonOf } from "../bindings/values/plain-json.ts";
import { itemsOf } from "../bindings/values/values.ts";
import { bodyFrom, refused } from "../graph/body-graph.ts";
import type { BuiltGraph } from "../graph/build-graph.ts";
import { boundOf } from "./bind-traced.ts";
import type { Recorder } from "./recorder.ts";
import { ruleFor } from "./rule-cuts.ts";
import { settle } from "./size.ts";
import type { CalledFunction, TracedOperator, TracedTensor } from "./traced.ts";

/** Services that trace function bodies; they live as long as the reading. */
export interface BodySetting {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly context: Context;
  readonly built: BuiltGraph;
}

interface Made {
  readonly traced: TracedOperator;
  readonly operator: Operator;
}

/** Most evaluation steps (parts of expressions and statements) of one body. */
const stepLimit = 30_000;

/** Most bodies traced for one reading, and most operators they make together. */
const mostTraces = 1000;

const mostOperators = 12_000;

/**
 * Traces the bodies of a document's registered functions on demand.
 *
 * Nothing runs before a call, so reading a text costs nothing more. A function is traced once per
 * combination of shapes and arguments.
 */
export function bodyTracer(setting: BodySetting): TraceBody {
  const operators = new Map<OperatorId, Made>(
    [...setting.built.operatorOf].map(([traced, operator]) => [operator.id, { traced, operator }]),
  );
  const known = new Map<string, BodyOutcome>();
  const callees = new Map<unknown, number>();
  return (call) => {
    const made = operators.get(call.operator);
    const called = made?.traced.function;
    if (made === undefined || called === undefined) return refused("it is not registered");
    if (called.body.kind === "none") return refused(called.body.reason);
    const { traced } = made;
    const { callee } = called.body;
    const kwargs = kwargsOf(made, call, setting.context);
    if (typeof kwargs === "string") return refused(kwargs);
    callees.set(callee, callees.get(callee) ?? callees.size);
    const inputs = traced.inputs.map((input) =>
      input.kind === "plain" ? [input.text] : input.dtypeText,
    );
    const key = JSON.stringify([callees.get(callee), call.shapes, kwargs, inputs]);
    const isSpent = known.size >= mostTraces || setting.recorder.madeInBodies > mostOperators;
    if (isSpent && !known.has(key)) return refused("the functions of this text take too long");
    const outcome = known.get(key) ?? traceOnce(setting, made, called, call.shapes, kwargs);
    known.set(key, outcome);
    return outcome;
  };
}

/**
 * Keyword arguments of a piece of a call. An argument named like an identifier is divided as the
 * axis is, unless a transform rule splits that axis and its modifier computes the arguments
 * (dimops.md §3). Returns a reason when that is impossible.
 */
function kwargsOf({ traced, operator }: Made, call: BodyCall, context: Context): Kwargs | string {
  const sizes = boundOf(traced)?.sizes;
  const ruled = new Map(
    call.pieces.flatMap((piece) => {
      const rule = ruleFor(operator, traced, piece.axis);
      return rule === undefined ? [] : [[piece.axis, { rule, piece }] as const];
    }),
  );
  const kwargs: Record<string, Json> = {};
  for (const [name, value] of passed(traced, context)) {
    const [whole, here] = [sizes?.get(name), fieldOf(call.lengths, name)];
    const isSame = whole === undefined || here === undefined || whole === here || ruled.has(name);
    const divided = isSame ? value : scaled(value, here / whole);
    if (divided === undefined)
      return `its argument "${name}" cannot be divided like the axis of that name`;
    kwargs[name] = divided;
  }
  return [...ruled.values()].reduce<Kwargs>((each, { rule, piece }) => {
    const operand = rule.inputs.findIndex(({ kind }) => kind === "D");
    const split = rule.inputs[operand];
    const dim = split?.kind === "D" ? (split.dims[0] ?? 0) : 0;
    return rule.modify?.(each, { operand, dim, count: piece.count }, piece.index) ?? each;
  }, kwargs);
}

/** Keyword arguments that the call passes, and assumed hidden sizes that it leaves out. */
function passed(
  { function: called, hidden = {} }: TracedOperator,
  context: Context,
): readonly (readonly [string, Json])[] {
  const given = [...(called?.named ?? [])].map(
    ([name, { value }]) => [name, jsonOf(value, context)] as const,
  );
  const assumed = Object.entries(hidden)
    .filter(([name]) => called?.absent.includes(name) === true)
    .map(([name, size]) => [name, settle(size)] as const);
  return [...given, ...assumed];
}

function scaled(value: Json, factor: number): number | undefined {
  const number = typeof value === "number" ? value * factor : Number.NaN;
  return Number.isInteger(number) ? number : undefined;
}

function traceOnce(
  { recorder, tensors, context }: BodySetting,
  { traced, operator }: Made,
  called: CalledFunction,
  shapes: BodyCall["shapes"],
  kwargs: Kwargs,
): BodyOutcome {
  const { body } = called;
  if (body.kind === "none") return refused(body.reason);
  if (isLeftOut(body.callee, context.source)) return refused("its body is left out");
  const apart = context.apart(
    () =>
      recorder.inBody(() => {
        const leaves = leavesOf(recorder, traced, shapes, context);
        const args = argumentsFor(called, traced, leaves, kwargs, tensors);
        const more = missingArguments(called, kwargs, traced.span);
        return { leaves, value: callFunction(body, [...args, ...more], context, traced.span) };
      }),
    stepLimit,
  );
  if (!apart.ok) return refused(apart.fault?.message ?? "it uses what is not known here");
  const { value, trace, reason } = apart.value;
  if (reason !== undefined) return refused(reason);
  const results = resultsIn(value.value, tensors);
  const wanted = operator.annotation.outputs;
  const missing = results?.findIndex((each, at) => each === undefined && !wanted[at]?.ignored) ?? 0;
  if (results === undefined || missing >= 0)
    return refused(`result ${missing + 1} of it is no tensor`);
  if (results.some((each) => each !== undefined && tensors.isStale(each)))
    return refused("it returns elements that it has changed in place under another name");
  return bodyFrom(trace, value.leaves, results, context.source);
}

/** Whether a function's body contains `...`, so that its code is missing. */
function isLeftOut(callee: Value, source: string): boolean {
  if (callee.kind !== "function") return false;
  const { from, to } = callee.bodySpan;
  return /(^|[\s=:])\.\.\.\s*(#[^\n]*)?(\n|$)/.test(source.slice(from, to));
}

/** An input for every tensor operand of the function, with the operand's name. */
function leavesOf(
  recorder: Recorder,
  traced: TracedOperator,
  shapes: BodyCall["shapes"],
  context: Context,
): readonly TracedTensor[] {
  const given = traced.inputs.filter((input) => input.kind === "tensor");
  return given.map(({ dtype, dtypeText, span, name }, at) => {
    const shape = shapes[at] ?? [];
    const spec = { role: "input", shape, shapeStatus: "set", dtype, dtypeText, span } as const;
    const leaf = recorder.leaf(spec, context);
    leaf.name = { text: name?.text ?? `input_${at + 1}`, frames: [] };
    return leaf;
  });
}

/** Arguments of the call with tensors and sizes replaced. */
function argumentsFor(
  { args, operands, named }: CalledFunction,
  { inputs }: TracedOperator,
  leaves: readonly TracedTensor[],
  kwargs: Kwargs,
  tensors: TensorBindings,
): readonly Argument[] {
  const left = [...leaves];
  const values = new Map<Argument, Value>();
  for (const [at, input] of inputs.entries()) {
    const [argument, leaf] = [operands[at], input.kind === "tensor" ? left.shift() : undefined];
    if (argument !== undefined && leaf !== undefined) values.set(argument, tensors.object(leaf));
  }
  for (const [name, argument] of named) {
    const { value } = argument;
    const number = fieldOf(kwargs, name);
    const isOther = value.kind === "int" && typeof number === "number";
    if (isOther) values.set(argument, pythonOf(number));
  }
  const span = args[0]?.span ?? nowhere;
  const more = Object.entries(kwargs).filter(([name]) => !named.has(name));
  const sizes = more.map(([name, value]): Argument => ({ name, value: pythonOf(value), span }));
  const given = args.map((each) => ({ ...each, value: values.get(each) ?? each.value }));
  return [...given, ...sizes];
}

const nowhere: Span = { from: 0, to: 0 };

/** Placeholders for missing arguments: a function that never reads them still runs. */
function missingArguments(
  { body, absent }: CalledFunction,
  kwargs: Kwargs,
  span: Span,
): readonly Argument[] {
  const callee = body.kind === "callable" ? body.callee : undefined;
  const defaults = callee?.kind === "function" ? callee.defaults : new Map();
  const missing = absent.filter(
    (name) => fieldOf(kwargs, name) === undefined && !defaults.has(name),
  );
  return missing.map((name) => ({ name, value: missingArgument(name), span }));
}

function resultsIn(
  value: Value,
  tensors: TensorBindings,
): readonly (TracedTensor | undefined)[] | undefined {
  const single = tensors.tensorOf(value);
  if (single !== undefined) return [single];
  return itemsOf(value)?.map((item) => tensors.tensorOf(item));
}
