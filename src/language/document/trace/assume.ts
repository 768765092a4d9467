import type { Diagnostic } from "#core/diagnostics";
import { type OpAnno, parseAnnotation } from "#core/dimops";
import { wildcardMatcher } from "#core/ir";
import { fieldOf } from "#core/records";
import type { BuiltGraph } from "../graph/build-graph.ts";
import { shapeOf } from "./bind-traced.ts";
import { requireDivisor, unify } from "./size.ts";
import type { StrategyCall, Trace } from "./trace.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";
import type { WrittenAxes } from "./written-layouts.ts";

/** Gives tensors the shapes of `shapes(…)`; a wrong name or size is an error at its span. */
export function meetShapes(
  trace: Trace,
  names: ReadonlyMap<TracedTensor, string>,
): readonly Diagnostic[] {
  return trace.shapes.flatMap(({ name, shape, span }): Diagnostic[] => {
    const tensor = trace.tensors.find((candidate) => names.get(candidate) === name);
    if (tensor === undefined) {
      const message = `no tensor is called "${name}"`;
      return [{ code: "document/no-such-tensor", severity: "error", message, span }];
    }
    const before = tensor.shape;
    const isFree = tensor.isOpen === true && tensor.shapeStatus === "assumed";
    if (isFree && (before === undefined || before.length !== shape.length)) tensor.shape = shape;
    const agrees =
      before === undefined ||
      tensor.shape === shape ||
      (before.length === shape.length && before.every((size, dim) => unify(size, shape[dim] ?? 0)));
    if (tensor.shapeStatus === "assumed") tensor.shapeStatus = "set";
    if (agrees) return [];
    const message = `shapes() gives "${name}" a shape that the program contradicts`;
    return [{ code: "document/shape-contradicts", severity: "error", message, span }];
  });
}

/** Requires that open sizes are divisible by the number of pieces their dims are split into. */
export function requireDivisors(trace: Trace, names: ReadonlyMap<TracedTensor, string>): void {
  const sizes = new Map(trace.meshes[0]?.axes.map((axis) => [axis.name, axis.size]));
  const pieces = (written: WrittenAxes) =>
    written.axes.reduce((product, { name }) => product * (sizes.get(name) ?? subAxisSize(name)), 1);
  const callsOf = callsByOperator(trace.strategies, names);
  for (const operator of trace.operators) {
    if (!hasOpenSizes(operator)) continue;
    divideByStrategy(operator);
    for (const call of callsOf(operator)) {
      for (const { key, written } of call.cuts) divideByCut(operator, key, pieces(written));
    }
  }
  for (const { target, layout } of trace.places) {
    const tensor = targetTensor(target, trace, names);
    for (const [dim, written] of layout.dims.entries()) {
      const size = tensor?.shape?.[dim];
      if (size !== undefined) requireDivisor(size, pieces(written));
    }
  }
}

/** Size of a sub-axis such as `y:(1)2`; 1 for other names. */
function subAxisSize(name: string): number {
  return Number(/:\(\d+\)(\d+)$/.exec(name)?.[1] ?? 1);
}

/** Whether an operator has open sizes; sizes that are numbers can no longer be adapted. */
function hasOpenSizes({ inputs, hidden }: TracedOperator): boolean {
  if (hidden !== undefined) return true;
  return inputs.some(
    (input) => input.kind === "tensor" && input.shape?.some((size) => typeof size !== "number"),
  );
}

function divideByStrategy({ strategy, inputs }: TracedOperator): void {
  const tensors = inputs.filter((input) => input.kind === "tensor");
  for (const [operand, entries] of requestedTuples(strategy).entries()) {
    for (const [dim, value] of entries.entries()) {
      const size = tensors[operand]?.shape?.[dim];
      if (size !== undefined) requireDivisor(size, value);
    }
  }
}

/** Number of pieces per dim of each operand, as a `shard` requests. */
function requestedTuples(strategy: TracedOperator["strategy"]): readonly (readonly number[])[] {
  if (strategy === undefined) return [];
  if (strategy.kind === "tuples") return strategy.values;
  return strategy.inputs.map(({ spec, dims }) => {
    const size = (name: string) => spec.deviceMatrix[spec.aliasName.indexOf(name)] ?? 1;
    return dims.map(({ axes }) => axes.reduce((product, { name }) => product * size(name), 1));
  });
}

/** `strategy(…)` calls that match an operator, including wildcards. */
function callsByOperator(
  calls: readonly StrategyCall[],
  names: ReadonlyMap<TracedTensor, string>,
): (operator: TracedOperator) => readonly StrategyCall[] {
  const matched = calls.map((call) => {
    const { target } = call;
    return { call, matches: typeof target === "string" ? wildcardMatcher(target) : undefined };
  });
  return ({ outputs: [first] }) => {
    const name = first === undefined ? undefined : names.get(first);
    const found = matched.filter(({ call, matches }) =>
      matches === undefined ? call.target === first : name !== undefined && matches(name),
    );
    return found.map(({ call }) => call);
  };
}

/** Requires divisibility of the input dims that consist of one identifier. */
function divideByCut(operator: TracedOperator, key: string, count: number): void {
  const hidden = fieldOf(operator.hidden, key);
  if (hidden !== undefined) requireDivisor(hidden, count);
  const annotation = readFirst(operator);
  for (const [index, shape] of (annotation?.inputs ?? []).entries()) {
    const operand = operator.inputs[index];
    if (operand?.kind !== "tensor" || operand.shape?.length !== shape.dims.length) continue;
    for (const [dim, { identifiers }] of shape.dims.entries()) {
      const size = operand.shape[dim];
      if (size !== undefined && identifiers[0]?.name === key) requireDivisor(size, count);
    }
  }
}

function readFirst(operator: TracedOperator): OpAnno | undefined {
  const read = operator.annotations.map(({ text }) => parseAnnotation(text));
  const good = read.find((checked) => checked.ok);
  return good?.ok ? good.value : undefined;
}

function targetTensor(
  target: TracedTensor | string,
  trace: Trace,
  names: ReadonlyMap<TracedTensor, string>,
): TracedTensor | undefined {
  if (typeof target !== "string") return target;
  const matches = wildcardMatcher(target);
  return trace.tensors.find((tensor) => matches(names.get(tensor) ?? ""));
}

/**
 * One note for all assumed shapes, with a fix that writes them down.
 *
 * @param rows setting that gives the length of token rows
 */
export function assumedShapes(
  built: BuiltGraph,
  source: string,
  rows?: { readonly name: string; readonly size: number },
): readonly Diagnostic[] {
  const assumed = [...built.tracedBy].filter(
    ([, { producer, shape = [], shapeStatus, isUnknown }]) =>
      producer === undefined && shape.length > 0 && shapeStatus === "assumed" && isUnknown !== true,
  );
  const [first] = assumed;
  if (first === undefined) return [];
  const written = assumed.map(([name, tensor]) => `${name}=${tupleText(shapeOf(tensor))}`);
  const shown = assumed.map(([name, tensor]) => `"${name}" ${tupleText(shapeOf(tensor))}`);
  const call = `shapes(${written.join(", ")})`;
  const lead = source === "" || source.endsWith("\n") ? "" : "\n";
  const isWritable = assumed.every(([name]) => /^[A-Za-z_]\w*$/u.test(name));
  const edits = [{ from: source.length, to: source.length, text: `${lead}${call}\n` }];
  return [
    {
      code: "document/assumed-shape",
      severity: "info",
      message: `${assumed.length === 1 ? "a shape is" : "shapes are"} assumed: ${shown.join(", ")}${rows === undefined ? "" : `; ${rows.name} is ${rows.size}`}`,
      span: first[1].span,
      ...(isWritable && { fixes: [{ title: `Write ${call}`, edits }] }),
    },
  ];
}

function tupleText(shape: readonly number[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}
