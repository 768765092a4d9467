import { product } from "#core/arithmetic";
import { type Checked, passed } from "#core/diagnostics";
import { meshLimit } from "#core/mesh";
import { checkDeviceCount, isFeasibleGroup } from "../devices.ts";
import type { MapEntry } from "../layout.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import { groupAlong } from "../redistribution/rank-list.ts";
import {
  entryList,
  type Inferred,
  type OperatorCall,
  type OperatorOutput,
  type OperatorRule,
  refused,
  sliceOf,
  type TupleCall,
} from "./call.ts";
import { strategyFault } from "./check-strategy.ts";
import { batchParallel } from "./default-strategy.ts";
import { inferLayouts, type WrittenLayouts } from "./infer-layouts.ts";
import { reshapeLayouts } from "./reshape.ts";
import { ruleOf } from "./rules.ts";
import { selfDefinedRule } from "./scatter.ts";

/** A strategy as it is written: tuples, Layouts on one device matrix, or nothing. */
export type WrittenStrategy =
  | {
      readonly kind: "tuples";
      readonly inputs?: readonly (readonly number[])[];
      readonly output?: readonly number[];
    }
  | WrittenLayouts;

/** A collective of an operator, with the group of one rank. */
export interface OperatorCollective {
  readonly primitive: "AllReduce" | "ReduceScatter" | "AllGather";
  readonly group: readonly number[];
}

/** MindSpore's placement of an operator. */
export interface OperatorModel {
  /** Includes the axis of copies, if there are copies. */
  readonly deviceMatrix: readonly number[];
  readonly inputMaps: readonly (readonly MapEntry[])[];
  readonly inputSlices: readonly (readonly number[])[];
  readonly outputs: readonly (OperatorOutput & { readonly slice: readonly number[] })[];
  /** Number of copies of the calculation. */
  readonly repeated: number;
  readonly forward: readonly OperatorCollective[];
  /** Gradient reductions of parameters: input index and group. */
  readonly mirror: readonly { readonly input: number; readonly group: readonly number[] }[];
  /**
   * Divisor of the gradients when the operator is the loss: the number of devices with the same
   * slice of its first result, all devices for a scalar (mindspore.md §5).
   */
  readonly lossDivisor: number;
  readonly offset?: number;
  /** Number of pieces inside each card; slices are those of one piece. */
  readonly interleaved?: number;
}

/**
 * MindSpore's treatment of an operator with a strategy: its checks in order (mindspore.md §2.2),
 * device matrix, maps, slices, repeated calculation, collectives and mirror operators (§5).
 * Refusals are RuntimeErrors; faults that 2.10 compiles without an error are warnings.
 */
export function modelOperator(
  call: OperatorCall,
  strategy: WrittenStrategy,
): Checked<OperatorModel> {
  const [count] = checkDeviceCount(call.devices, undefined);
  if (count !== undefined) return refused(count.message);
  const limit = meshLimit([call.devices]);
  if (limit !== undefined) return refused(limit.message);
  if (call.op === "Reshape") return modelReshape(call, strategy);
  const rule = ruleFor(call);
  if (!rule.ok) return rule;
  const inferred =
    strategy.kind === "layouts"
      ? inferLayouts(call, rule.value, strategy)
      : inferTuples(call, rule.value, strategy);
  if (!inferred.ok) return inferred;
  const model = finished(call, inferred.value);
  const fault = groupsFault(model);
  return fault === undefined ? passed(model, inferred.diagnostics) : refused(fault);
}

function groupsFault({ forward, mirror }: OperatorModel): string | undefined {
  const groups = [...forward, ...mirror].map(({ group }) => group);
  const bad = groups.find((group) => !isFeasibleGroup(group));
  return bad && `the communication group {${bad.join(", ")}} is uneven over nodes of 8 devices`;
}

function ruleFor({ op, attributes }: OperatorCall): Checked<OperatorRule> {
  const { self_define_shard: isSelfDefined = false } = attributes;
  if (typeof isSelfDefined !== "boolean") return refused("self_define_shard must be bool");
  if (isSelfDefined) return passed(selfDefinedRule);
  const rule = ruleOf(op);
  return rule === undefined ? refused(`no rule of MindSpore's ${op} is known here`) : passed(rule);
}

function inferTuples(
  call: OperatorCall,
  rule: OperatorRule,
  { inputs, output }: Extract<WrittenStrategy, { kind: "tuples" }>,
): Checked<Inferred> {
  const { op, devices } = call;
  if (rule.tuples === undefined) return refused(`${op} takes Layouts only`);
  if (inputs === undefined && rule.noDefault !== undefined) return refused(rule.noDefault);
  const strategies = withNumbers(call, inputs ?? batchParallel(call, rule));
  const fault = strategyFault(call, rule.cutSizes?.(call) ?? call.shapes, strategies);
  if (fault !== undefined) return refused(fault);
  const full: TupleCall = { ...call, strategies, ...(output && { outStrategy: output }) };
  const inferred = rule.tuples(full);
  if (!inferred.ok) return inferred;
  if (output !== undefined && rule.takesOutStrategy !== true) {
    return refused(`${op} takes no out_strategy`);
  }
  const needed = product(inferred.value.deviceMatrix);
  if (devices % needed !== 0) {
    return refused(`the strategy of ${op} requires ${needed} devices, but there are ${devices}`);
  }
  const isLeft = call.attributes.repeated_num_in_dev_matrix_right_ === false;
  const placed = isLeft ? { ...inferred.value, repeatSide: "left" as const } : inferred.value;
  return passed(repeated(placed, devices / needed), inferred.diagnostics);
}

/** The strategy with empty tuples inserted for inputs that are numbers. */
function withNumbers(
  { shapes, numbers = [] }: OperatorCall,
  strategies: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  if (numbers.length === 0 || strategies.length !== shapes.length - numbers.length) {
    return strategies;
  }
  let next = 0;
  return shapes.map((_, input) => (numbers.includes(input) ? [] : (strategies[next++] ?? [])));
}

/**
 * The result with an axis for copies, at the right end unless the rule says left (mindspore.md
 * §2.3).
 */
function repeated(inferred: Inferred, copies: number): Inferred {
  if (copies === 1) return inferred;
  const { deviceMatrix, repeatSide } = inferred;
  if (repeatSide === "left") {
    return { ...inferred, copies, deviceMatrix: [copies, ...deviceMatrix] };
  }
  const shift = (value: number) => (value < 0 ? value : value + 1);
  const shifted = (map: readonly MapEntry[]) =>
    map.map((entry) => (typeof entry === "number" ? shift(entry) : entry.map(shift)));
  return {
    ...inferred,
    copies,
    deviceMatrix: [...deviceMatrix, copies],
    inputMaps: inferred.inputMaps.map(shifted),
    outputs: inferred.outputs.map((output) => ({
      ...output,
      map: shifted(output.map),
      ...(output.deviceMatrix && { deviceMatrix: [...output.deviceMatrix, copies] }),
    })),
    forward: inferred.forward.map((step) => ({ ...step, axes: step.axes.map(shift) })),
  };
}

function finished(call: OperatorCall, inferred: Inferred): OperatorModel {
  const { shapes, parameters, rank } = call;
  const { deviceMatrix, inputMaps, outputs, offset, interleaved } = inferred;
  const cards = cardsOf(inferred);
  const forward = inferred.forward.map(({ primitive, axes, isOfAll, standsAlone }) => ({
    primitive,
    standsAlone,
    group:
      isOfAll === true
        ? Array.from({ length: call.devices }, (_, device) => device)
        : groupOver(cards.deviceMatrix, axes.map(cards.axis), rank),
  }));
  return {
    deviceMatrix,
    inputMaps,
    inputSlices: shapes.map(
      (shape, input) =>
        inferred.inputSlices?.[input] ?? sliceOf(shape, inputMaps[input] ?? [], deviceMatrix),
    ),
    outputs: outputs.map((output) => ({
      ...output,
      slice: output.slice ?? sliceOf(output.shape, output.map, output.deviceMatrix ?? deviceMatrix),
    })),
    repeated: inferred.copies ?? 1,
    forward: forward.flatMap(({ primitive, group, standsAlone }) =>
      group.length > 1 || standsAlone === true ? [{ primitive, group }] : [],
    ),
    mirror: parameters.flatMap((input) => {
      const mapped = (inputMaps[input] ?? []).flatMap(entryList).map(cards.axis);
      return mirrorOf(cards.deviceMatrix, mapped, input, rank);
    }),
    lossDivisor: lossDivisor(call, inferred),
    ...(offset !== undefined && { offset }),
    ...(interleaved !== undefined && { interleaved }),
  };
}

function lossDivisor({ devices }: OperatorCall, inferred: Inferred): number {
  const [output] = inferred.outputs;
  const { deviceMatrix = inferred.deviceMatrix, map = [] } = output ?? {};
  const axes = map
    .flatMap(entryList)
    .filter((axis) => axis > 0 || inferred.interleaved === undefined);
  return devices / product(axes.map((axis) => axisSizeOf(deviceMatrix, axis)));
}

/**
 * The device matrix without an interleaved axis, and the conversion of map values to it:
 * collectives run between cards.
 */
function cardsOf({ deviceMatrix, interleaved }: Inferred) {
  if (interleaved === undefined) return { deviceMatrix, axis: (value: number) => value };
  return { deviceMatrix: deviceMatrix.slice(0, -1), axis: (value: number) => value - 1 };
}

/** Ranks that differ from `rank` only along the given axes, the first axis most significant. */
function groupOver(
  deviceMatrix: readonly number[],
  axes: readonly number[],
  rank: number,
): readonly number[] {
  return axes.reduce<readonly number[]>(
    (ranks, axis) => ranks.flatMap((each) => groupAlong(deviceMatrix, axis, each)),
    [rank],
  );
}

/** The mirror of a parameter over the ranks with the same slice; empty if no other rank has it. */
function mirrorOf(
  deviceMatrix: readonly number[],
  mapped: readonly number[],
  input: number,
  rank: number,
): OperatorModel["mirror"] {
  const group = copiesAmong(deviceMatrix, mapped, rank);
  return group.length > 1 ? [{ input, group }] : [];
}

/** The ranks that hold the same slice as `rank` of a tensor with these mapped axes. */
export function copiesAmong(
  deviceMatrix: readonly number[],
  mapped: readonly number[],
  rank: number,
): readonly number[] {
  const free = [...deviceMatrix.keys()].reverse().filter((value) => !mapped.includes(value));
  return groupOver(deviceMatrix, free, rank);
}

function modelReshape(call: OperatorCall, strategy: WrittenStrategy): Checked<OperatorModel> {
  if (strategy.kind === "layouts") return refused("Reshape does not support config layout");
  const { inputs, output } = strategy;
  const fault = inputs && strategyFault(call, call.shapes, inputs);
  if (fault !== undefined) return refused(fault);
  if (inputs !== undefined && !call.parameters.includes(0))
    return refused("MindSpore 2.10 takes a strategy of Reshape only where it reads a parameter");
  if (output !== undefined) return refused("Reshape takes no out_strategy");
  const needed = product(inputs?.[0] ?? []);
  if (call.devices % needed !== 0) {
    return refused(
      `the strategy of Reshape requires ${needed} devices, but there are ${call.devices}`,
    );
  }
  const layouts = reshapeLayouts(call, inputs?.[0]);
  if (!layouts.ok) return layouts;
  const { from, to, groups } = layouts.value;
  const { deviceMatrix, tensorMap } = from;
  const inferred: Inferred = {
    deviceMatrix,
    inputMaps: [tensorMap],
    outputs: [{ shape: to.shape, map: to.tensorMap, deviceMatrix: to.deviceMatrix }],
    forward: [],
    copies: inputs === undefined ? 1 : call.devices / needed,
  };
  const forward = groups.map((group) => ({ primitive: "AllGather" as const, group }));
  return passed({ ...finished(call, inferred), forward });
}
