import type { Diagnostic, Span } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { DeviceMesh, Part } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import { fieldOf, sameItems } from "#core/records";
import { arrange } from "#language/document/graph";
import {
  type MapEntry,
  type PrimitiveCall,
  type ShardStrategy,
  shapeOf,
  type TracedOperator,
} from "#language/document/trace";
import { dividingShape } from "../bindings/met-lengths.ts";
import { isTypeGuessed } from "../bindings/result-types.ts";
import { checkDeviceCount } from "../devices.ts";
import type { OperatorCall } from "../operators/call.ts";
import {
  modelOperator,
  type OperatorModel,
  type WrittenStrategy,
} from "../operators/model-operator.ts";
import { hasRule, ruleOf } from "../operators/rules.ts";
import { scatteredPlace, sharedPlace } from "./combined-fix.ts";
import { refuse } from "./reduced-plan.ts";

/** The call of a primitive in the form of MindSpore's rules; `undefined` if no rule is known. */
export function modelCall(traced: TracedOperator, devices: number): OperatorCall | undefined {
  const { op, primitive = saidByFunction(traced) } = traced;
  const isKnown = hasRule(op) || attributeOf(traced, "self_define_shard") !== undefined;
  if (!isKnown || checkDeviceCount(devices, undefined).length > 0) {
    return undefined;
  }
  const added = primitive.attributes.map(({ name, value }) => [name, value] as const);
  return {
    op,
    shapes: cutInputs(traced).map((input) => shapeIn(op, input)),
    dividing: cutInputs(traced).map((input) =>
      input.kind === "tensor" ? dividingShape(input) : shapeIn(op, input),
    ),
    attributes: { ...primitive.arguments, ...Object.fromEntries(added) },
    arguments: [],
    numbers: cutInputs(traced).flatMap((input, at) =>
      input.kind === "tensor" || shapeIn(op, input).length > 0 ? [] : [at],
    ),
    parameters: cutInputs(traced).flatMap((input, at) =>
      input.kind === "tensor" && input.role === "parameter" ? [at] : [],
    ),
    devices,
    rank: 0,
  };
}

/**
 * The shape of an operand. A number in place of a tensor has no dims; the lengths of sequences that
 * an attention is called with are one dim, also as a tuple.
 */
function shapeIn(op: string, input: TracedOperator["inputs"][number]): readonly number[] {
  if (input.kind === "tensor") return shapeOf(input);
  const isList = op === "FlashAttentionScore" && /^[([]/u.test(input.text);
  return isList ? [input.text.match(/\d+/gu)?.length ?? 0] : [];
}

/** Operators whose strategy may have a tuple for the first operand only. */
const cutsFirst: ReadonlySet<string> = new Set(["PadV3"]);

/** The tuples that MindSpore's search writes for an operator. */
export function searchedTuples(
  op: string,
  tuples: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  return cutsFirst.has(op) ? tuples.slice(0, 1) : tuples;
}

function cutInputs({ op, inputs, strategy }: TracedOperator): TracedOperator["inputs"] {
  const isShort = strategy?.kind === "tuples" && strategy.values.length === 1;
  return isShort && cutsFirst.has(op) ? inputs.slice(0, 1) : inputs;
}

/** Whether an operand has an unknown shape, or only a guessed one. */
export function takesUnknown({ inputs }: TracedOperator): boolean {
  return inputs.some(
    (input) => input.kind === "tensor" && (input.isUnknown === true || input.isGuessed === true),
  );
}

/** The settings of a call by a function or a Python operator, besides its operands. */
function saidByFunction({ op, attributes = {} }: TracedOperator): PrimitiveCall {
  const said = Object.entries(attributes).map(
    ([name, value]) => [theirName(op, name), value] as const,
  );
  return { arguments: Object.fromEntries(said), attributes: [] };
}

function theirName(op: string, name: string): string {
  if (op === "BroadcastTo" && name === "size") return "shape";
  return fieldOf(theirNames, name) ?? name;
}

/** MindSpore's names of attributes of library operators. */
const theirNames: Readonly<Record<string, string>> = {
  dim: "axis",
  keepdim: "keep_dims",
  dims: "perm",
};

/** The last attribute of this name set by `add_prim_attr`; `undefined` if there is none. */
export function attributeOf({ primitive }: TracedOperator, name: string) {
  return primitive?.attributes.findLast((attribute) => attribute.name === name);
}

/**
 * A strategy as pieces or tensor maps; `undefined` if its Layouts have different device matrices.
 */
export function writtenStrategy(strategy: ShardStrategy | undefined): WrittenStrategy | undefined {
  if (strategy === undefined) return { kind: "tuples" };
  if (strategy.kind === "tuples") {
    const [output] = strategy.outputs ?? [];
    return { kind: "tuples", inputs: strategy.values, ...(output && { output }) };
  }
  const spec = (strategy.inputs[0] ?? strategy.outputs?.[0])?.spec;
  if (spec === undefined) return undefined;
  const isOne = strategy.inputs.every(
    (layout) => layout.spec.deviceMatrix.join() === spec.deviceMatrix.join(),
  );
  if (!isOne) return undefined;
  const mapOf = ({ dims }: (typeof strategy.inputs)[number]): readonly MapEntry[] =>
    dims.map(({ entry }) => entry ?? -1);
  const outputs = strategy.outputs?.map(mapOf) ?? [];
  const [output] = outputs;
  const outMatrix = strategy.outputs?.[0]?.spec.deviceMatrix ?? spec.deviceMatrix;
  return {
    kind: "layouts",
    deviceMatrix: spec.deviceMatrix,
    inputs: strategy.inputs.map(mapOf),
    ...(output && { output }),
    ...(!sameItems(outMatrix, spec.deviceMatrix) && { outMatrix }),
    ...(outputs.length > 1 && { outputs }),
    isInterleaved: spec.isInterleaved,
  };
}

/**
 * MindSpore's model of a call; "refused" if it refuses, with a diagnostic at the attribute or
 * strategy concerned. Without a written strategy only attributes, and defaults that MindSpore
 * checks, are reported. `undefined` if no rule is known.
 */
export function modelled(
  traced: TracedOperator,
  devices: number,
  diagnostics: Diagnostic[],
): OperatorModel | "refused" | undefined {
  const call = modelCall(traced, devices);
  const strategy = writtenStrategy(traced.strategy);
  // An unknown shape is no fault of the strategy.
  if (call === undefined || strategy === undefined || takesUnknown(traced)) return undefined;
  const model = modelOperator(call, strategy);
  const scattered = model.ok ? scatteredPlace(traced.strategy, model.value) : undefined;
  const found = model.diagnostics.flatMap((diagnostic): readonly Diagnostic[] => {
    const { message, severity } = diagnostic;
    const isShared = diagnostic.code === "mindspore/shares-last-axis";
    const wrong = isShared ? sharedPlace(traced.strategy) : scattered;
    if (severity === "warning" && wrong !== undefined)
      return [{ ...diagnostic, span: wrong.span, fixes: [wrong.fix] }];
    const span =
      attributeSpan(traced, message) ?? traced.strategy?.span ?? ownDefaultAt(traced, call);
    if (span === undefined) return [];
    return [
      severity === "warning"
        ? { ...diagnostic, span }
        : { ...refuse(span, withSource(message, traced)), severity },
    ];
  });
  diagnostics.push(...found);
  const fault = model.ok ? widthFault(traced, model.value) : rankFault(traced, call.shapes);
  if (fault !== undefined) {
    if (found.length === 0) diagnostics.push(refuse(traced.strategy?.span ?? traced.span, fault));
    return "refused";
  }
  if (model.ok) return model.value;
  return found.length > 0 ? "refused" : undefined;
}

/**
 * Whether 64-bit indices look up rows that are cut: MindSpore 2.10 subtracts each device's first
 * row as a 32-bit number, which its Sub refuses.
 */
function comparesWide({ op, inputs }: TracedOperator, model: OperatorModel): boolean {
  if (!/^(Gather|SparseGatherV2|Embedding|IndexSelect)$/.test(op)) return false;
  const indices = inputs[op === "Embedding" ? 0 : 1];
  const isWide = indices?.kind === "tensor" && indices.dtype === "i64";
  return isWide && (model.forward.length > 0 || model.offset !== undefined);
}

/**
 * The fault of a MatMul on operands other than matrices, which MindSpore 2.10 refuses even without
 * a strategy.
 */
function rankFault({ op, primitive }: TracedOperator, shapes: readonly (readonly number[])[]) {
  const isOther = op === "MatMul" && primitive !== undefined && shapes.flat().length !== 4;
  return isOther
    ? "MatMul takes two matrices in MindSpore 2.10: BatchMatMul takes more dims"
    : undefined;
}

/** The fault of an integer width that MindSpore 2.10 refuses. */
function widthFault(traced: TracedOperator, model: OperatorModel): string | undefined {
  const { op, inputs } = traced;
  if (comparesWide(traced, model))
    return `${op} with rows that are cut: MindSpore 2.10 takes a 32-bit offset off the indices, which fails on int64: use int32 indices`;
  const [indices, ...written] = inputs;
  const isNarrow =
    op === "OneHot" &&
    indices?.kind === "tensor" &&
    indices.dtype === "i32" &&
    !isTypeGuessed(indices);
  const isWhole = written.some((each) => each.kind === "plain" && /^[01]$/.test(each.text));
  return isNarrow && isWhole
    ? "OneHot that writes whole numbers: on Ascend they are 64 bits wide in MindSpore 2.10, which int32 indices are refused beside: write 1.0 and 0.0"
    : undefined;
}

/**
 * Span of an operator whose default strategy MindSpore checks like a written one; else `undefined`.
 */
function ownDefaultAt({ op, span }: TracedOperator, call: OperatorCall): Span | undefined {
  const { defaultStrategies, noDefault } = ruleOf(op) ?? {};
  return noDefault === undefined && defaultStrategies?.(call) === undefined ? undefined : span;
}

function attributeSpan({ primitive }: TracedOperator, message: string): Span | undefined {
  return primitive?.attributes.find(({ name }) => message.includes(name))?.span;
}

/** The message with the section of MindSpore's documentation and the values that it allows. */
function withSource(message: string, traced: TracedOperator): string {
  const attribute = traced.primitive?.attributes.find(({ name }) => message.includes(name));
  const allowed = attribute && fieldOf(allowedOf, attribute.name);
  if (allowed === undefined) return message;
  return `${message} (Operator-level Parallelism, "${attribute?.name}": ${allowed})`;
}

const allowedOf: Readonly<Record<string, string>> = {
  manual_split:
    "whole numbers, one per slice of dim 0 of the first input, which add up to its length; axis 0 only",
  self_define_shard: "a bool, with Layouts for all inputs and outputs",
  skip_redistribution: "a bool",
  cross_batch: "a bool",
};

/**
 * The plan from MindSpore's own maps: each index axis gets the parts of the input dims that it
 * indexes.
 */
export function planOfModel(
  operator: Operator,
  model: OperatorModel,
  mesh: DeviceMesh,
): OperatorPlan {
  const { deviceMatrix, inputMaps } = model;
  const arranged = arrange(mesh, deviceMatrix);
  const partsOfEntry = (entry: MapEntry | undefined): readonly Part[] =>
    [entry ?? -1]
      .flat()
      .flatMap((value) =>
        value < 0 ? [] : (arranged.parts[deviceMatrix.length - 1 - value] ?? []),
      );
  const cuts: Record<string, readonly Part[]> = {};
  for (const [at, operand] of operator.inputs.entries()) {
    for (const [dim, { splittable }] of operand.dims.entries()) {
      const parts = partsOfEntry(inputMaps[at]?.[dim]);
      if (splittable !== undefined && parts.length > 0) cuts[splittable] = parts;
    }
  }
  return { strategy: { cuts, carry: [] }, mesh: arranged.mesh, status: "set" };
}
