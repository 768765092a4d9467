import { greatestCommonDivisor, product } from "#core/arithmetic";
import { type Checked, passed } from "#core/diagnostics";
import { sameItems } from "#core/records";
import type { MapEntry } from "../layout.ts";
import { piecesWithoutRule, specOf, withoutOwnRule } from "../primitives/index.ts";
import { classesOf, has, type LinkedDim, type Links, type Ref } from "../primitives/links.ts";
import type { PrimitiveSpec } from "../primitives/spec.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import {
  entryList,
  type ForwardStep,
  type Inferred,
  isNone,
  isSameEntry,
  type LayoutCall,
  type OperatorCall,
  type OperatorRule,
  refused,
  type TupleCall,
  valueAt,
} from "./call.ts";

/**
 * The rule of an operator whose dims are linked: dims of one class are cut alike, other dims of
 * inputs stay whole, and dims of results follow their classes. The device matrix has one axis per
 * class, in the order of the inputs.
 */
export function linkedRule({
  links: linksOf,
  takesLayouts = false,
  batch,
  splitsFirst,
}: Pick<PrimitiveSpec, "links" | "takesLayouts" | "batch" | "splitsFirst">): OperatorRule {
  return {
    defaultStrategies: (call) => {
      const links = linksOf(call);
      if (typeof links === "object" && splitsRowsAlone(links, call)) return undefined;
      const isSplit = splitsFirst === true || (typeof links === "object" && links.splitsAnyway);
      return isSplit === true ? firstRows(call) : undefined;
    },
    tuples: (call) => withLinks(call, linksOf, (links) => linkedTuples(call, links)),
    ...(takesLayouts && {
      layouts: (call: LayoutCall) =>
        withLinks(call, linksOf, (links) => linkedLayouts(call, links)),
    }),
    batchDims: (call) => {
      if (batch !== undefined) return batch;
      const links = linksOf(call);
      if (links === undefined || typeof links === "string") return [];
      if (links.isInResultOrder === true) return firstOfResult(links, call);
      const cut = classesOf(links, call.shapes).find(({ refs }) => has(refs, [0, 0]));
      if (links.unsplit?.some((ref) => cut && has(cut.refs, ref)) === true) return [];
      if (cut && links.evenly?.some((ref) => has(cut.refs, ref)) === true)
        return cut.size % call.devices === 0 ? cut.refs : [];
      const isFirst = ([input, dim]: Ref) => dim === 0 && (call.shapes[input]?.[0] ?? 1) > 1;
      return cut?.refs.filter(isFirst) ?? [];
    },
  };
}

/**
 * Whether an operator without a rule has its rows split although no result dim is linked to them.
 */
function splitsRowsAlone(links: Links, { op, shapes, devices }: OperatorCall): boolean {
  // With a stated length, a piece fits only if it is one row, which is broadcast.
  if (links.splitsAnyway === true && shapes[0]?.[0] !== devices) return false;
  return withoutOwnRule.has(op) && !classesOf(links, shapes).some(({ refs }) => has(refs, [0, 0]));
}

/** Dims of inputs linked to dim 0 of the first result, except those of length 1. */
function firstOfResult(
  { outputs: [output = []] }: Links,
  { shapes }: OperatorCall,
): readonly Ref[] {
  return (output[0]?.refs ?? []).filter(([input, dim]) => (shapes[input]?.[dim] ?? 1) > 1);
}

/**
 * The strategy that cuts dim 0 of the first input over all devices (or their common divisor) and
 * nothing else.
 */
export function firstRows(call: OperatorCall): readonly (readonly number[])[] {
  const { op, shapes, devices } = call;
  const rows = shapes[0]?.[0] ?? 1;
  const isOwn = !withoutOwnRule.has(op) && op !== "MaskedFillScalar";
  const pieces = isOwn ? greatestCommonDivisor(rows, devices) : piecesWithoutRule(call, devices);
  return shapes.map((shape, input) =>
    shape.map((_, dim) => (input === 0 && dim === 0 ? pieces : 1)),
  );
}

/** Operators without a rule that broadcast a piece of one row over the rows of another operand. */
const stretches: ReadonlySet<string> = new Set(
  "Addcdiv AddcdivExt Addcmul Atan2Ext BitwiseAndTensor BitwiseOrTensor BitwiseXorTensor Fmax Fmin Heaviside Cross LogAddExp LogAddExp2 LogicalXor".split(
    " ",
  ),
);

function isFirstRows(call: TupleCall): boolean {
  return call.strategies.every((cuts, input) => sameItems(cuts, firstRows(call)[input] ?? []));
}

function withLinks(
  call: OperatorCall,
  linksOf: PrimitiveSpec["links"],
  infer: (links: Links) => Checked<Inferred>,
): Checked<Inferred> {
  const links = linksOf(call);
  if (links === undefined) return refused(`what ${call.op} makes is not known here`);
  return typeof links === "string" ? refused(links) : infer(links);
}

function linkedTuples(call: TupleCall, links: Links): Checked<Inferred> {
  const { op, shapes, strategies } = call;
  const classes = classesOf(links, shapes);
  const fault = frozenFault(call, links, ([input, dim]) => (strategies[input]?.[dim] ?? 1) > 1);
  if (fault !== undefined) return refused(fault);
  const pieces = classes.map(({ refs, size }) =>
    refs
      .filter((ref) => isAsLong(ref, size, call, links))
      .map(([input, dim]) => strategies[input]?.[dim] ?? 1),
  );
  // An operator without a rule cuts only the rows of its first input: a piece of one row broadcasts
  // to any other operand, and MindSpore checks nothing else.
  const isUnchecked = stretches.has(op) && shapes[0]?.[0] === call.devices && isFirstRows(call);
  const unequal = pieces.find((values) => new Set(values).size > 1);
  if (unequal !== undefined && !isUnchecked) {
    return refused(`${op} needs equal strategy values, but they are ${unequal.join(" and ")}`);
  }
  const deviceMatrix = pieces.map((values) => Math.max(1, ...values));
  const entryOf = (ref: Ref): MapEntry => {
    const at = classes.findIndex(({ refs }) => has(refs, ref));
    const isWhole = isUnchecked && ref[0] > 0;
    const isCut = at >= 0 && !isWhole && isAsLong(ref, classes[at]?.size, call, links);
    return isCut ? valueAt(classes.length, at) : -1;
  };
  const summed = classes.flatMap(({ isSummed }, at) =>
    isSummed && (deviceMatrix[at] ?? 1) > 1 ? [valueAt(classes.length, at)] : [],
  );
  return inferred(call, links, deviceMatrix, entryOf, summed);
}

/** Whether a dim is cut with its class; a broadcast dim of length 1 is not. */
function isAsLong(
  [input, dim]: Ref,
  size: number | undefined,
  { shapes }: OperatorCall,
  { isScaled }: Links,
): boolean {
  return isScaled === true || (shapes[input]?.[dim] ?? 1) === size;
}

function linkedLayouts(call: LayoutCall, links: Links): Checked<Inferred> {
  const { op, shapes, maps, deviceMatrix } = call;
  const entryOf = ([input, dim]: Ref): MapEntry => maps[input]?.[dim] ?? -1;
  const pieces = (entry: MapEntry) =>
    product(entryList(entry).map((axis) => axisSizeOf(deviceMatrix, axis)));
  const fault = frozenFault(call, links, (ref) => pieces(entryOf(ref)) > 1);
  if (fault !== undefined) return refused(fault);
  const classes = classesOf(links, shapes);
  for (const { refs, size } of classes) {
    const alike = refs.filter((ref) => isAsLong(ref, size, call, links));
    const [first] = alike;
    if (first !== undefined && !alike.every((ref) => isSameEntry(entryOf(ref), entryOf(first)))) {
      return refused(`${op} needs the same axes on dims that belong together`);
    }
  }
  const summed = classes.flatMap(({ refs: [first], isSummed }) =>
    isSummed && first !== undefined ? [entryOf(first)].flat().filter((axis) => axis >= 0) : [],
  );
  return inferred(call, links, deviceMatrix, entryOf, summed);
}

function inferred(
  { shapes }: OperatorCall,
  { outputs, sums = 1, gathers = false }: Links,
  deviceMatrix: readonly number[],
  entryOf: (ref: Ref) => MapEntry,
  summed: readonly number[],
): Checked<Inferred> {
  const inputMaps = shapes.map((shape, input) => shape.map((_, dim) => entryOf([input, dim])));
  const entryFor = ({ refs }: LinkedDim): MapEntry =>
    refs.map(entryOf).find((entry) => !isNone(entry)) ?? -1;
  return passed({
    deviceMatrix,
    inputMaps,
    outputs: outputs.map((dims) => ({
      shape: dims.map(({ size }) => size),
      map: dims.map(entryFor),
    })),
    forward:
      summed.length === 0
        ? []
        : Array.from(
            { length: sums },
            (): ForwardStep =>
              gathers
                ? { primitive: "AllGather", axes: summed, isOfAll: true }
                : { primitive: "AllReduce", axes: summed },
          ),
  });
}

/** The fault of cutting a dim that belongs to no class. */
function frozenFault(
  { op, shapes }: OperatorCall,
  links: Links,
  isCut: (ref: Ref) => boolean,
): string | undefined {
  const classes = classesOf(links, shapes);
  const refs = shapes.flatMap((shape, input) => shape.map((_, dim): Ref => [input, dim]));
  const bad = refs.find((ref) => isCut(ref) && !classes.some((each) => has(each.refs, ref)));
  return bad && `${op} cannot be split on dim ${bad[1]} of its input ${bad[0]}`;
}

/**
 * Four of TopPRouter's six operands are numbers, for each of which MindSpore requires a tuple of
 * one entry.
 */
const numbers = [[1], [1], [1], [1]];

/** TopPRouter: experts and their probabilities are cut alike on the groups of tokens. */
export const topPRouterRule: OperatorRule = {
  tuples: (call) => {
    const [experts = [], , , , , probabilities = []] = call.strategies;
    const spec = specOf("TopPRouter");
    const tensors = { ...call, strategies: [experts, probabilities] };
    const inferred = spec && linkedRule(spec).tuples?.(tensors);
    return inferred ?? refused("TopPRouter is not known here");
  },
  cutSizes: ({ shapes: [experts = [], probabilities = []] }) => [
    experts,
    ...numbers,
    probabilities,
  ],
  batchDims: () => [
    [0, 0],
    [5, 0],
  ],
};
