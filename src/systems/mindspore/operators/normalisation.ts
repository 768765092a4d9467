import { type Checked, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import {
  dimOf,
  entryList,
  type Inferred,
  integersIn,
  isNone,
  isSameEntry,
  type OperatorCall,
  type OperatorOutput,
  type OperatorRule,
  refused,
  valuesFrom,
} from "./call.ts";
import { likeFirstInput, ruleOfFirstInput } from "./first-input.ts";
import { firstRows } from "./linked.ts";

/** Softmax: its axes stay whole, other dims are free (mindspore.md §5.3). */
const alongAxes = ruleOfFirstInput((input) => {
  const { call, shape, isCut } = input;
  const axes = integersIn(call.attributes.axis ?? call.arguments[0] ?? -1);
  const dims = axes?.map((axis) => dimOf(axis, shape.length));
  if (dims === undefined || dims.includes(undefined)) return refused(`${call.op} has no such axis`);
  return dims.some((dim) => dim !== undefined && isCut(dim))
    ? refused(`${call.op} cannot be split on its axis`)
    : passed(likeFirstInput(input));
});

/** The default strategy splits dim 0 even for axis 0, which the rule's own check then refuses. */
export const softmaxRule: OperatorRule = { ...alongAxes, defaultStrategies: firstRows };

/**
 * LayerNorm: x is whole from begin_norm_axis on, gamma and beta are cut like x's last dims. Mean
 * and variance have the layout of x, unsharded on the normalised dims (mindspore.md §5.3).
 */
export const layerNormRule: OperatorRule = {
  tuples: (call) => {
    const { strategies, shapes } = call;
    const [x = [], ...others] = strategies;
    const rank = shapes[0]?.length ?? 0;
    const fault =
      layerNormFault(call, (dim) => (x[dim] ?? 1) !== 1) ??
      (others.every((entries) => entries.join() === x.slice(rank - entries.length).join())
        ? undefined
        : "gamma and beta of LayerNorm must be cut like the last dims of its input");
    if (fault !== undefined) return refused(fault);
    const map = valuesFrom(rank, 0, rank);
    const maps = shapes.map((shape) => map.slice(rank - shape.length));
    return passed(layerNorm(call, x, maps));
  },
  layouts: (call) => {
    const [x = [], ...others] = call.maps;
    const isLike = (map: readonly MapEntry[]) =>
      map.every((entry, dim) => isSameEntry(entry, x[x.length - map.length + dim]));
    const fault =
      layerNormFault(call, (dim) => !isNone(x[dim])) ??
      (others.every(isLike) ? undefined : "gamma and beta of LayerNorm must lie like its input");
    return fault === undefined
      ? passed(layerNorm(call, call.deviceMatrix, call.maps))
      : refused(fault);
  },
};

function beginAxis({ attributes, arguments: [given], shapes }: OperatorCall): number | undefined {
  return dimOf(attributes.begin_norm_axis ?? given ?? 1, shapes[0]?.length ?? 0);
}

function layerNormFault(call: OperatorCall, isCut: (dim: number) => boolean): string | undefined {
  const [x = []] = call.shapes;
  if (call.shapes.length !== 3) return "LayerNorm takes x, gamma and beta";
  const begin = beginAxis(call);
  if (begin === undefined) return "begin_norm_axis of LayerNorm is no dim of its input";
  return x.some((_, dim) => dim >= begin && isCut(dim))
    ? "LayerNorm cannot be split from begin_norm_axis on"
    : undefined;
}

function layerNorm(
  call: OperatorCall,
  deviceMatrix: readonly number[],
  inputMaps: readonly (readonly MapEntry[])[],
): Inferred {
  const [shape = []] = call.shapes;
  const [map = []] = inputMaps;
  const moments = momentsOf(shape, map, beginAxis(call) ?? shape.length);
  return { deviceMatrix, inputMaps, outputs: [{ shape, map }, moments, moments], forward: [] };
}

/** A result with one number per normalised slice: its dims from `begin` on have size 1. */
function momentsOf(
  shape: readonly number[],
  map: readonly MapEntry[],
  begin: number,
): OperatorOutput {
  return {
    shape: shape.map((size, dim) => (dim < begin ? size : 1)),
    map: map.map((entry, dim) => (dim < begin ? entry : -1)),
  };
}

/**
 * RmsNorm: gamma is cut like the dims of x that it covers; if these are cut, the squares are
 * all-reduced. The reciprocal root has the layout of x, unsharded on those dims (MindSpore 2.10's
 * `rms_norm_info`).
 */
export const rmsNormRule: OperatorRule = {
  tuples: (call) => {
    const [x = [], gamma = []] = call.strategies;
    const map = valuesFrom(x.length, 0, x.length);
    const isAlike = x.slice(firstNormed(call)).join() === gamma.join();
    return rmsNorm(call, x, [map, map.slice(firstNormed(call))], isAlike);
  },
  layouts: (call) => {
    const [x = [], gamma = []] = call.maps;
    const normed = x.slice(firstNormed(call));
    const isAlike = normed.every((entry, dim) => isSameEntry(entry, gamma[dim] ?? -1));
    return rmsNorm(call, call.deviceMatrix, call.maps, isAlike);
  },
};

function firstNormed({ shapes: [x = [], gamma = []] }: OperatorCall): number {
  return x.length - gamma.length;
}

function rmsNorm(
  call: OperatorCall,
  deviceMatrix: readonly number[],
  inputMaps: readonly (readonly MapEntry[])[],
  isAlike: boolean,
): Checked<Inferred> {
  const [shape = [], gamma] = call.shapes;
  const begin = firstNormed(call);
  if (gamma === undefined || call.shapes.length !== 2 || begin < 0) {
    return refused("RmsNorm takes x, and gamma of no more dims");
  }
  if (!isAlike) return refused("gamma of RmsNorm must be cut like the dims that it normalises");
  const [map = []] = inputMaps;
  const axes = map
    .slice(begin)
    .flatMap(entryList)
    .filter((axis) => axisSizeOf(deviceMatrix, axis) > 1);
  const forward = axes.length === 0 ? [] : [{ primitive: "AllReduce", axes } as const];
  return passed({
    deviceMatrix,
    inputMaps,
    outputs: [{ shape, map }, momentsOf(shape, map, begin)],
    forward,
  });
}
