import { boxOf, containsBox, lengthOf, volumeOf } from "#core/indexspace";
import type { Operator, Tensor, TensorId } from "#core/ir";
import type { TracedBody } from "#core/ir/body";
import { standInNumber } from "#core/ir/body";
import type { DeviceId } from "#core/mesh";
import type { IndexRange } from "#core/program";
import { append, required } from "#core/records";
import { createWriteCounter } from "#execute/engine";
import type { BufferId } from "./gpu-program.ts";
import { KernelText } from "./kernel-text.ts";
import { kernelOf, launchOf, overCells } from "./launch.ts";
import type { LocalWork } from "./local-work.ts";
import { planLocal } from "./plan-local.ts";
import type { HeldBlock, Holding, Numbers, ProgramBuilder } from "./program-builder.ts";
import { move, moveByKernels, transfersBetween } from "./regions.ts";

/** The body of a registered function on a device's part; `undefined` if it fails there. */
export type BodyAt = (range: IndexRange) => TracedBody | undefined;

/** A part on which a body runs; in the body's own program each part is a device. */
interface Part {
  readonly range: IndexRange;
  /** Number of times the device has computed the same cells before, by output. */
  readonly turns: readonly number[];
}

/**
 * Plans a registered function on every device by its own body, on the device's parts of the
 * operands alone, as the system itself does. If the body fails, nothing is filled.
 */
export function planTraced(builder: ProgramBuilder, work: LocalWork, bodyAt: BodyAt): void {
  for (const output of work.outputs) builder.markUnfilled(output.buffer);
  const writesOf = createWriteCounter(work.operator);
  const parts = new Map<TracedBody, Part[]>();
  for (const range of work.ranges) {
    if (range.outputs.every(({ box }) => volumeOf(box) === 0)) continue;
    const body = bodyAt(range);
    if (body === undefined) continue;
    const turns = range.outputs.map((_, at) => writesOf(range, at));
    append(parts, body, { range, turns });
  }
  for (const [body, alike] of parts) planBody(builder, work, body, alike);
}

function planBody(
  builder: ProgramBuilder,
  work: LocalWork,
  { graph, inputs, outputs, constants }: TracedBody,
  parts: readonly Part[],
): void {
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
  const shapeOf = (id: TensorId) => tensors.get(id)?.shape ?? [];
  const held = new Map<TensorId, Holding>();
  for (const [id, values] of constants) {
    const content = constantWords(values, builder.numbers);
    const buffer = builder.buffer(`constant ${id}`, content.length, content);
    const block = { box: boxOf(shapeOf(id)), base: 0 };
    held.set(id, { buffer, blocks: new Map(parts.map((_, at) => [at, [block]])) });
  }
  for (const [at, id] of inputs.entries()) {
    held.set(id, cutOut(builder, work, parts, at, shapeOf(id)));
  }
  for (const operator of graph.operators) planInner(builder, operator, tensors, held, parts.length);
  for (const [at, id] of outputs.entries()) {
    const holding = id === undefined ? undefined : held.get(id);
    if (holding !== undefined) putIn(builder, work, parts, at, holding);
  }
}

function constantWords(values: Float64Array, { type, isExact }: Numbers): Uint32Array {
  const known = isExact ? values.map(standInNumber) : values;
  const numbers = type === "f32" ? Float32Array.from(known) : Int32Array.from(known);
  return new Uint32Array(numbers.buffer);
}

/** The places of parts of equal shapes, dense one after the other. */
function denseBlocks(shape: readonly number[], count: number): ReadonlyMap<DeviceId, HeldBlock[]> {
  const box = boxOf(shape);
  const words = volumeOf(box);
  return new Map(Array.from({ length: count }, (_, at) => [at, [{ box, base: at * words }]]));
}

/** Plans one operator of a body on all parts, each a whole. */
function planInner(
  builder: ProgramBuilder,
  operator: Operator,
  tensors: ReadonlyMap<TensorId, Tensor>,
  held: Map<TensorId, Holding>,
  count: number,
): void {
  const shapeOf = (id: TensorId) => tensors.get(id)?.shape ?? [];
  const whole = ({ tensor }: Operator["inputs"][number]) => ({
    box: boxOf(shapeOf(tensor)),
    offset: shapeOf(tensor).map(() => 0),
  });
  const ranges = Array.from(
    { length: count },
    (_, device): IndexRange => ({
      device,
      piece: 0,
      box: boxOf(operator.axes.map(({ size }) => size)),
      inputs: operator.inputs.map(whole),
      outputs: operator.outputs.map(whole),
    }),
  );
  const outputs = operator.outputs.map(({ tensor }): Holding => {
    const shape = shapeOf(tensor);
    const buffer = builder.scratch(`inner ${tensor}`, Math.max(1, count * volumeOf(boxOf(shape))));
    return { buffer, blocks: denseBlocks(shape, count) };
  });
  const inputs = operator.inputs.map(({ tensor }): Holding => {
    return required(held, tensor, "value yet of");
  });
  planLocal(builder, { operator, ranges, inputs, outputs, shapeOf });
  for (const [at, { tensor }] of operator.outputs.entries()) {
    const output = outputs[at];
    if (output !== undefined) held.set(tensor, output);
  }
}

/** Copies the parts of an operand out of the devices' blocks. */
function cutOut(
  builder: ProgramBuilder,
  work: LocalWork,
  parts: readonly Part[],
  at: number,
  shape: readonly number[],
): Holding {
  const blocks = denseBlocks(shape, parts.length);
  const words = volumeOf(boxOf(shape));
  const buffer = builder.scratch("parts", Math.max(1, words * parts.length));
  const source = work.inputs[at];
  builder.markUnfilled(buffer);
  if (source === undefined) return { buffer, blocks };
  const transfers = parts.flatMap(({ range }, part) => {
    const target = { box: range.inputs[at]?.box ?? [], base: part * words };
    return transfersBetween(source.blocks.get(range.device) ?? [], [target]);
  });
  move(builder, "parts", [source.buffer, buffer], transfers);
  const shares = parts.map(({ range }) => shareOf(work.operator, at, range, builder.numbers));
  if (shares.some((share) => share !== 1)) scaleParts(builder, buffer, shares, words);
  return { buffer, blocks };
}

/**
 * Share that a piece gets of an operand shared by value. Integers are not divided: the first piece
 * gets all of them, the others 0.
 */
function shareOf(
  operator: Operator,
  at: number,
  { box }: IndexRange,
  { isExact }: Numbers,
): number {
  return (operator.inputs[at]?.shared ?? []).reduce((share, name) => {
    const axis = operator.axes.findIndex((each) => each.name === name);
    const [size, part] = [operator.axes[axis]?.size ?? 1, box[axis]];
    if (part === undefined) return share;
    if (isExact) return part.start === 0 ? share : 0;
    return share * Math.ceil(size / Math.max(1, lengthOf(part)));
  }, 1);
}

function scaleParts(
  builder: ProgramBuilder,
  buffer: BufferId,
  shares: readonly number[],
  words: number,
): void {
  const { type, isExact } = builder.numbers;
  const text = new KernelText(type);
  const launch = launchOf(words, shares.length, builder.limits);
  overCells(text, launch, (place) => {
    const word = text.sum(text.column(shares.map((_, at) => at * words)), place);
    const cell = `${text.buffer(buffer, "read_write")}[${word.text}]`;
    const share = `${type}(${text.column(shares).text})`;
    text.statement(isExact ? `${cell} = ${cell} * ${share};` : `${cell} = ${cell} / ${share};`);
  });
  builder.kernel("shares", kernelOf(text, launch, 2 * words, builder.limits));
}

/** Writes results to the blocks that contain their cells. */
function putIn(
  builder: ProgramBuilder,
  work: LocalWork,
  parts: readonly Part[],
  at: number,
  { buffer, blocks }: Holding,
): void {
  const output = work.outputs[at];
  if (output === undefined) return;
  const rounds = new Map<number, { readonly source: HeldBlock; readonly target: HeldBlock }[]>();
  for (const [part, { range, turns }] of parts.entries()) {
    const box = range.outputs[at]?.box ?? [];
    const target = (output.blocks.get(range.device) ?? []).find((each) =>
      containsBox(each.box, box),
    );
    const base = blocks.get(part)?.[0]?.base;
    if (target === undefined || base === undefined) continue;
    const turn = turns[at] ?? 0;
    rounds.set(turn, [...(rounds.get(turn) ?? []), { source: { box, base }, target }]);
  }
  for (const [turn, pairs] of [...rounds].sort(([a], [b]) => a - b)) {
    const transfers = pairs.flatMap(({ source, target }) => transfersBetween([source], [target]));
    if (turn === 0) move(builder, "results", [buffer, output.buffer], transfers);
    else addTo(builder, work.operator, [buffer, output.buffer], pairs);
  }
}

/** Joins further parts of results to the present ones after laying both side by side. */
function addTo(
  builder: ProgramBuilder,
  { combine }: Operator,
  [source, target]: readonly [BufferId, BufferId],
  pairs: readonly { readonly source: HeldBlock; readonly target: HeldBlock }[],
): void {
  const words = pairs.reduce((sum, pair) => sum + volumeOf(pair.source.box), 0);
  const both = builder.scratch("parts to join", 2 * words);
  let base = 0;
  const blocks = pairs.map((pair) => {
    const block = { box: pair.source.box, base };
    base += volumeOf(block.box);
    return { ...pair, block };
  });
  const held = blocks.flatMap((each) => transfersBetween([each.target], [each.block]));
  const added = blocks.flatMap((each) =>
    transfersBetween([each.source], [{ ...each.block, base: each.block.base + words }]),
  );
  move(builder, "what is there", [target, both], held);
  move(builder, "what comes", [source, both], added);
  const joined = blocks.flatMap((each) =>
    transfersBetween([each.block], [each.target]).map((transfer) => ({
      ...transfer,
      from: [...transfer.from, ...transfer.from.map((word) => word + words)],
    })),
  );
  moveByKernels(builder, "join", [both, target], joined, {
    combine: combine ?? "sum",
    scale: 1,
  });
}
