import { shapeOf, type TracedOperator, type TracedTensor } from "#language/document/trace";
import { type WithoutConstants, withoutConstants } from "./constants.ts";
import { placesOfRank, type RankOfDevices } from "./held-places.ts";
import { EmittedLayouts, samePieces } from "./layouts.ts";
import { isView, isWrite, readsItself, unloaded } from "./memory-readers.ts";
import { type NetEnds, unknownEnds } from "./net-ends.ts";
import type { PlacedOperator } from "./placed-operators.ts";
import { readsShapeAlone } from "./transparent.ts";

/**
 * The operators that remain of a program after merging, and replacements for tensors of removed
 * ones.
 */
export interface MergedOperators {
  readonly kept: readonly PlacedOperator[];
  /** Maps a tensor that an operator would compute a second time to the first one. */
  readonly same: ReadonlyMap<TracedTensor, TracedTensor>;
  /** Folded operators; only the communication of their results remains. */
  readonly late: ReadonlySet<TracedOperator>;
}

/**
 * Operators that MindSpore does not merge: random ones, those that write into an operand or read
 * from memory, views, and Reshapes, each of which produces the layout that its own reader wants.
 */
const runsEachTime =
  /Dropout|Random|Uniform|Normal|Gamma|Poisson|Multinomial|Assign|^Scatter|^Inplace|^GetData$|^Reshape$|View$/;

/**
 * The graph after MindSpore's front end. Of operators that do the same with the same operands only
 * the first remains; operators whose results are unneeded or needed only for their shape, and
 * operators of constants, are removed.
 */
export function mergedOperators(
  placed: readonly PlacedOperator[],
  ends: NetEnds = unknownEnds,
  device: RankOfDevices = { rank: 0, devices: 1 },
): MergedOperators {
  const running = withoutConstants(placed);
  const same = new Map(running.same);
  const seen = new Map<string, TracedOperator>();
  const numbers = new Map<TracedTensor, number>();
  const fills = new Map<string, TracedTensor>();
  const numberOf = (tensor: TracedTensor, pieces: number) => {
    const alike = firstAlike(tensor, pieces, device, fills);
    const number = numbers.get(alike) ?? numbers.size;
    numbers.set(alike, number);
    return number;
  };
  const held = heldAsMade(running, device.devices);
  const readBy = ({ op, traced }: PlacedOperator, input: TracedTensor) =>
    readsItself(op, traced) ? unloaded(input, same) : (same.get(input) ?? input);
  const needed = neededOperators(placed, running, ends);
  const kept = running.kept.filter((each) => {
    const { traced } = each;
    if (!needed.has(traced)) return false;
    const piecesOf = (at: number) => each.strategies?.[at]?.[0] ?? 1;
    const inputs = traced.inputs.map((input, at) =>
      input.kind === "tensor" ? numberOf(readBy(each, input), piecesOf(at)) : JSON.stringify(input),
    );
    const key = JSON.stringify([inputs, saidBy(each)]);
    const runsAlone = runsEachTime.test(each.op) || traced.outputs.some((made) => held.has(made));
    const first = runsAlone ? undefined : seen.get(key);
    if (runsAlone) return true;
    if (first === undefined) seen.set(key, traced);
    else
      for (const [at, output] of traced.outputs.entries()) stand(same, output, first.outputs[at]);
    return first === undefined;
  });
  return { kept, same, late: running.late };
}

/**
 * Tensors that writes or views use in the layout in which their producer leaves them, without
 * another redistribution.
 */
function heldAsMade(
  { kept, same }: WithoutConstants,
  devices: number,
): ReadonlySet<TracedTensor | undefined> {
  const accesses = kept.filter(({ op }) => isWrite(op) || isView(op));
  if (accesses.length === 0) return new Set();
  const layouts = new EmittedLayouts(kept, devices, same);
  const looked = accesses.map(({ traced }) => {
    const [into] = traced.inputs;
    const isMoved = layouts
      .edgesInto(traced)
      .some(({ at, from, to }) => at === 0 && !samePieces(from, to));
    return isMoved || into?.kind !== "tensor" ? undefined : unloaded(into, same);
  });
  return new Set(looked);
}

/**
 * The first of equal constants: tensors filled with one value, or with equal parts on the device.
 */
function firstAlike(
  tensor: TracedTensor,
  pieces: number,
  device: RankOfDevices,
  fills: Map<string, TracedTensor>,
): TracedTensor {
  const places = placesOfRank(tensor, pieces, device);
  if (places !== undefined) {
    const first = fills.get(places) ?? tensor;
    fills.set(places, first);
    return first;
  }
  const { constant, role, fed, dtype, producer } = tensor;
  const isMade = role === "input" && fed === undefined && producer === undefined;
  if (!isMade || constant?.kind !== "fill") return tensor;
  const key = JSON.stringify([constant.value, dtype, shapeOf(tensor)]);
  const first = fills.get(key) ?? tensor;
  fills.set(key, first);
  return first;
}

function stand(
  same: Map<TracedTensor, TracedTensor>,
  output: TracedTensor,
  first: TracedTensor | undefined,
): void {
  if (first !== undefined) same.set(output, first);
}

/** Everything that identifies an operator's computation except its operands. */
function saidBy({ op, strategies, traced }: PlacedOperator): readonly unknown[] {
  const { primitive, attributes, integers, strategy, outputs } = traced;
  const layouts = strategy?.kind === "layouts" ? strategy.inputs : [];
  const maps = layouts.map(({ spec, dims }) => [
    spec.deviceMatrix,
    dims.map(({ entry }) => entry ?? -1),
  ]);
  const added = primitive?.attributes.map(({ name, value }) => [name, value]);
  const shapes = outputs.map(shapeOf);
  return [op, strategies, maps, primitive?.arguments, added, attributes, integers, shapes];
}

/** The operators that compute results of the nets or unread tensors, and those that these need. */
function neededOperators(
  all: readonly PlacedOperator[],
  { kept: placed, same }: WithoutConstants,
  { given, dead }: NetEnds,
): ReadonlySet<TracedOperator> {
  const itself = (input: TracedOperator["inputs"][number]) =>
    input.kind === "tensor" ? (same.get(input) ?? input) : input;
  const read = new Set(all.flatMap(({ traced }) => traced.inputs));
  const unread = all.flatMap(({ traced }) =>
    dead.has(traced) ? [] : traced.outputs.filter((output) => !read.has(output)),
  );
  const lasts = new Set([...given, ...unread].map(itself));
  // Unread results of an operator with several do not make it a result by themselves.
  const isResult = (traced: TracedOperator) =>
    !dead.has(traced) &&
    (traced.outputs.some(
      (output) => lasts.has(output) && (read.has(output) || given.has(output)),
    ) ||
      traced.outputs.every((output) => lasts.has(output)));
  const needed = new Set<TracedOperator>();
  for (const { traced, op } of placed.toReversed()) {
    if (!isResult(traced) && !needed.has(traced) && !isWrite(op)) continue;
    needed.add(traced);
    if (readsShapeAlone(traced)) continue;
    for (const input of traced.inputs.map(itself)) {
      if (input.kind === "tensor" && input.producer !== undefined) needed.add(input.producer);
    }
  }
  return needed;
}
