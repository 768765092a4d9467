import { product } from "#core/arithmetic";
import { type Checked, type Diagnostic, passed } from "#core/diagnostics";
import type { MapEntry } from "../layout.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import {
  entryList,
  type Inferred,
  isNone,
  isSameEntry,
  type LayoutCall,
  type OperatorCall,
  type OperatorRule,
  refused,
  type TupleCall,
  valueAt,
  valuesFrom,
} from "./call.ts";
import { anyStrategy, likeFirstInput, ruleOfFirstInput } from "./first-input.ts";

/** Element-wise operators of two inputs with broadcasting (mindspore.md §5.2). */
export const binaryRule = {
  tuples: binaryTuples,
  layouts: binaryLayouts,
  batchDims,
} satisfies OperatorRule;

/**
 * Operators of a tensor and a number; the number is among the inputs if a Python operator was
 * written.
 */
export const scalarRule: OperatorRule = {
  tuples: (call) => (hasNumber(call) ? binaryRule : anyStrategy).tuples(call),
  layouts: (call) => (hasNumber(call) ? binaryRule : anyStrategy).layouts(call),
  batchDims: (call) => (hasNumber(call) ? batchDims(call) : [[0, 0]]),
};

function hasNumber({ shapes }: OperatorCall): boolean {
  return shapes.length !== 1;
}

/**
 * For each dim of the result, the dim of each input: right-aligned, but BiasAdd's bias is at dim 1.
 */
function alignment({ op, shapes }: OperatorCall) {
  const [a = [], b = []] = shapes;
  const rank = Math.max(a.length, b.length);
  const dimIn = (input: number, dim: number) => {
    const length = input === 0 ? a.length : b.length;
    if (op === "BiasAdd" && input === 1) return dim === 1 ? 0 : -1;
    return dim - (rank - length);
  };
  return Array.from({ length: rank }, (_, dim) => {
    const dims = [dimIn(0, dim), dimIn(1, dim)] as const;
    return { dims, sizes: [a[dims[0]] ?? 1, b[dims[1]] ?? 1] as const };
  });
}

/** The aligned dims of both inputs; a refusal if they do not broadcast. */
function broadcastDims(call: OperatorCall): Checked<ReturnType<typeof alignment>> {
  if (call.shapes.length !== 2) return refused(`${call.op} takes two inputs`);
  const aligned = alignment(call);
  const bad = aligned.find(({ sizes: [a, b] }) => a !== b && a !== 1 && b !== 1);
  return bad === undefined
    ? passed(aligned)
    : refused(`dims of ${bad.sizes.join(" and ")} do not broadcast`);
}

function binaryTuples(call: TupleCall): Checked<Inferred> {
  const { op, shapes, strategies } = call;
  const checked = broadcastDims(call);
  if (!checked.ok) return checked;
  const aligned = checked.value;
  const cuts = aligned.map(({ dims: [inA, inB] }) => {
    return [strategies[0]?.[inA] ?? 1, strategies[1]?.[inB] ?? 1] as const;
  });
  const bad = cuts.findIndex(([a, b], dim) => a !== b && !aligned[dim]?.sizes.includes(1));
  if (bad >= 0) {
    return refused(`${op} needs equal strategy values, but they are ${cuts[bad]?.join(" and ")}`);
  }
  const deviceMatrix = cuts.map(([a, b]) => (a === b ? a : a * b));
  const count = deviceMatrix.length;
  const inputMaps = shapes.map((shape, input) =>
    shape.map((_, own) => {
      const dim = aligned.findIndex(({ dims }) => dims[input] === own);
      return strategies[input]?.[own] === deviceMatrix[dim] ? valueAt(count, dim) : -1;
    }),
  );
  const shape = aligned.map(({ sizes }) => Math.max(...sizes));
  const outputs = [{ shape, map: valuesFrom(count, 0, count) }];
  return passed({ deviceMatrix, inputMaps, outputs, forward: [] });
}

/**
 * Dims of equal size need equal entries; the result takes those of the input with more dims, or the
 * other's where they are none.
 */
function binaryLayouts(call: LayoutCall): Checked<Inferred> {
  const { op, shapes, maps, deviceMatrix } = call;
  const checked = broadcastDims(call);
  if (!checked.ok) return checked;
  const aligned = checked.value;
  const pairs = aligned.map(({ dims: [inA, inB], sizes }) => {
    const entries: readonly MapEntry[] = [maps[0]?.[inA] ?? -1, maps[1]?.[inB] ?? -1];
    return { entries, isShared: inA >= 0 && inB >= 0 && sizes[0] === sizes[1] };
  });
  const bad = pairs.find(({ entries: [a, b], isShared }) => isShared && !isSameEntry(a, b));
  if (bad !== undefined) return refused(`${op} needs the same axes on dims of the same size`);
  const [a = [], b = []] = shapes;
  const map = pairs.map(({ entries: [left = -1, right = -1] }) => {
    const [first, second] = b.length > a.length ? [right, left] : [left, right];
    return isNone(first) ? second : first;
  });
  const shape = aligned.map(({ sizes }) => Math.max(...sizes));
  return passed({ deviceMatrix, inputMaps: maps, outputs: [{ shape, map }], forward: [] });
}

/** Dim 0 of the result in each input that has it with a size above 1 (mindspore.md §2.4). */
function batchDims(call: OperatorCall): readonly (readonly [number, number])[] {
  const [first] = alignment(call);
  if (first === undefined) return [];
  return first.dims.flatMap((dim, input) =>
    dim >= 0 && (first.sizes[input] ?? 1) > 1 ? [[input, dim] as const] : [],
  );
}

/**
 * BiasAdd: tuples cut the bias as dim 1 of the input; Layouts of 2.10 cut it as the last dim, even
 * where that is another one.
 */
export const biasRule: OperatorRule = { ...binaryRule, layouts: biasLayouts };

function biasLayouts(call: LayoutCall): Checked<Inferred> {
  const { shapes, maps, deviceMatrix } = call;
  const [input = [], bias = []] = maps;
  if (!isSameEntry(input.at(-1), bias[0]))
    return refused("BiasAdd needs the same axes on the last dim of its input and on its bias");
  const [pieces, own] = [input[1], bias[0]].map((entry) =>
    product(entryList(entry).map((axis) => axisSizeOf(deviceMatrix, axis))),
  );
  if (pieces !== own)
    return refused("the pieces of the bias of BiasAdd do not fit dim 1 of its input");
  const outputs = [{ shape: shapes[0] ?? [], map: input }];
  const inferred = { deviceMatrix, inputMaps: maps, outputs, forward: [] };
  return passed(inferred, isSameEntry(input[1], bias[0]) ? [] : [biasNote]);
}

/** Warning for a bias that is cut as another dim than the one to which it is added. */
const biasNote: Diagnostic = {
  code: "mindspore/wrong-values",
  severity: "warning",
  message:
    "MindSpore 2.10 cuts the bias as the last dim, but adds it to dim 1: its values are wrong where the devices differ there",
};

/**
 * Dropout: any strategy; result and mask have the input's layout, and Layouts are refused (§6.5).
 */
export const dropoutRule: OperatorRule = {
  tuples: ruleOfFirstInput((input) => {
    const like = likeFirstInput(input);
    return passed({ ...like, outputs: [...like.outputs, ...like.outputs] });
  }).tuples,
};
