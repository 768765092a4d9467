import { type Box, containsBox, lengthOf } from "#core/indexspace";
import type { BoundCall, Operator } from "#core/ir";
import type { Body, Expr, Loop } from "#core/ir/body";
import type { IndexRange } from "#core/program";
import { append } from "#core/records";
import type { LoopRange } from "./definition.ts";
import type { BufferId } from "./gpu-program.ts";
import type { LocalWork } from "./local-work.ts";
import type { Target } from "./output-space.ts";
import type { HeldBlock, Holding, ProgramBuilder } from "./program-builder.ts";
import { move, originOf, stridesOf, transfersBetween } from "./regions.ts";
import type { BlockView, OperandViews } from "./scope.ts";

/** A part of an operator's index space on one device. */
export interface Instance {
  /** Index among the ranges of the step. */
  readonly at: number;
  readonly range: IndexRange;
}

/** Parts of equal sizes: one dispatch runs them all. */
export interface ClassWork {
  readonly operator: Operator;
  readonly label: string;
  readonly call: BoundCall;
  readonly instances: readonly Instance[];
  readonly operands: readonly (OperandViews | undefined)[];
  readonly outputs: readonly {
    readonly buffer: BufferId;
    readonly targetsOf: (
      instances: readonly Instance[],
    ) => readonly (Target & { readonly index: Box })[];
  }[];
  readonly rangeOf: (loop: Loop) => LoopRange;
  readonly views: (instances: readonly Instance[]) => readonly (OperandViews | undefined)[];
}

/** The parts of a step, in classes whose boxes and blocks have equal sizes. */
export function classesOf(
  builder: ProgramBuilder,
  work: LocalWork,
  call: BoundCall,
  body: Body,
): readonly ClassWork[] {
  const sources = operandSources(builder, work, call, body);
  const classes = new Map<string, Instance[]>();
  for (const [at, range] of work.ranges.entries()) {
    const key = formOf(work, sources, range);
    append(classes, key, { at, range });
  }
  return [...classes.values()].map((instances) => classOf(work, call, sources, instances));
}

/** A class with some of its instances. */
export function rangesIn(alike: ClassWork, instances: readonly Instance[]): ClassWork {
  if (instances.length === alike.instances.length) return alike;
  const { operator, views } = alike;
  return {
    ...alike,
    instances,
    operands: views(instances),
    rangeOf: rangesOf(operator, instances),
  };
}

/** The place of a parameter's operand on a device. */
interface OperandSource {
  readonly shape: readonly number[];
  /**
   * Buffer of the devices' blocks; `mainBuffer` equals it, or holds parts joined from several
   * blocks.
   */
  readonly buffer: BufferId;
  readonly mainBuffer: BufferId;
  /** The block that contains the part of a range, and all blocks of its device. */
  readonly main: (range: IndexRange) => HeldBlock | undefined;
  readonly all: (range: IndexRange) => readonly HeldBlock[];
}

function operandSources(
  builder: ProgramBuilder,
  work: LocalWork,
  call: BoundCall,
  body: Body,
): readonly (OperandSource | undefined)[] {
  let given = 0;
  return call.inputs.map((input, parameter) => {
    if (input === undefined) return undefined;
    const at = given++;
    const holding = work.inputs[at];
    if (holding === undefined) return undefined;
    const operand = work.operator.inputs[at];
    const shape = operand === undefined ? [] : work.shapeOf(operand.tensor);
    const { buffer } = holding;
    const blocksOf = ({ device }: IndexRange) => holding.blocks.get(device) ?? [];
    const isHeld = (range: IndexRange) =>
      blocksOf(range).length < 2 ||
      mainOf(blocksOf(range), range.inputs[at]?.box ?? []) !== undefined;
    const isRead = [...body.tables, ...body.outputs].some(({ value }) => readsAt(value, parameter));
    if (!isRead || work.ranges.every(isHeld)) {
      const main = (range: IndexRange) => mainOf(blocksOf(range), range.inputs[at]?.box ?? []);
      return { shape, buffer, mainBuffer: buffer, main, all: blocksOf };
    }
    const joined = joinBlocks(builder, holding, work.ranges, at);
    return { shape, buffer, mainBuffer: joined.buffer, main: joined.blockOf, all: blocksOf };
  });
}

/** Whether an expression reads an operand at its projection. */
function readsAt(expr: Expr, operand: number): boolean {
  if (expr.kind === "read") {
    return expr.at === undefined
      ? expr.operand === operand
      : expr.at.some((each) => readsAt(each, operand));
  }
  return expr.kind === "apply" && expr.args.some((arg) => readsAt(arg, operand));
}

/** Whether every part of a step has each operand in one block of its device. */
export function holdsAll({ ranges, inputs }: LocalWork): boolean {
  return ranges.every(({ device, inputs: parts }) =>
    inputs.every(
      ({ blocks }, at) => mainOf(blocks.get(device) ?? [], parts[at]?.box ?? []) !== undefined,
    ),
  );
}

function mainOf(blocks: readonly HeldBlock[], wanted: Box): HeldBlock | undefined {
  return blocks.find(({ box }) => containsBox(box, wanted));
}

/** Joins parts that no single block contains from the blocks that overlap them. */
function joinBlocks(
  builder: ProgramBuilder,
  holding: Holding,
  ranges: readonly IndexRange[],
  at: number,
) {
  let words = 0;
  const parts = ranges.map((range): HeldBlock => {
    const box = range.inputs[at]?.box ?? [];
    const base = words;
    words += box.reduce((product, each) => product * lengthOf(each), 1);
    return { box, base };
  });
  const buffer = builder.scratch("joined blocks", words);
  builder.markUnfilled(buffer);
  const transfers = ranges.flatMap(({ device }, index) => {
    const part = parts[index];
    return part === undefined ? [] : transfersBetween(holding.blocks.get(device) ?? [], [part]);
  });
  move(builder, "joined blocks", [holding.buffer, buffer], transfers);
  const places = new Map(ranges.map((range, index) => [range, parts[index]]));
  const blockOf = (range: IndexRange): HeldBlock => {
    const part = places.get(range);
    if (part === undefined) throw new Error("a part of another step");
    return part;
  };
  return { buffer, blockOf };
}

/** Key of the sizes that must be equal for one kernel to run several parts. */
function formOf(
  work: LocalWork,
  sources: readonly (OperandSource | undefined)[],
  range: IndexRange,
): string {
  const lengths = (box: Box | undefined) => box?.map(lengthOf) ?? null;
  return JSON.stringify([
    lengths(range.box),
    sources.map((source) => [
      lengths(source?.main(range)?.box),
      source?.all(range).map(({ box }) => lengths(box)) ?? null,
    ]),
    range.outputs.map(({ box }, at) => {
      const block = work.outputs[at] && targetBlock(work.outputs[at], range, at);
      const isAligned = box.map(({ start }, dim) => start - (block?.box[dim]?.start ?? 0));
      return [lengths(box), lengths(block?.box), isAligned.length];
    }),
  ]);
}

function targetBlock(holding: Holding, { device, outputs }: IndexRange, at: number) {
  return mainOf(holding.blocks.get(device) ?? [], outputs[at]?.box ?? []);
}

function classOf(
  work: LocalWork,
  call: BoundCall,
  sources: readonly (OperandSource | undefined)[],
  instances: readonly Instance[],
): ClassWork {
  const views = (some: readonly Instance[]) =>
    sources.map((source) => source && operandViews(source, some));
  return {
    operator: work.operator,
    label: work.operator.name,
    call,
    instances,
    operands: views(instances),
    outputs: work.outputs.map((holding, at) => ({
      buffer: holding.buffer,
      targetsOf: (some) => some.flatMap(({ range }) => targetOf(holding, range, at)),
    })),
    rangeOf: rangesOf(work.operator, instances),
    views,
  };
}

function operandViews(source: OperandSource, instances: readonly Instance[]): OperandViews {
  const { buffer, mainBuffer, shape } = source;
  const mains = instances.map(({ range }) => source.main(range));
  const lists = instances.map(({ range }) => source.all(range));
  const all = (lists[0] ?? []).map((_, block) =>
    viewOf(
      buffer,
      lists.map((list) => list[block]),
    ),
  );
  const main = mains[0] === undefined ? undefined : viewOf(mainBuffer, mains);
  return { shape, main, all };
}

/** View of one block per instance, all of equal lengths. */
function viewOf(buffer: BufferId, blocks: readonly (HeldBlock | undefined)[]): BlockView {
  const lengths = blocks[0]?.box.map(lengthOf) ?? [];
  const strides = blocks[0] === undefined ? [] : stridesOf(blocks[0].box);
  return {
    buffer,
    strides,
    lengths,
    starts: blocks.map((block) => block?.box.map(({ start }) => start) ?? []),
    origins: blocks.map((block) => (block === undefined ? 0 : originOf(block, strides))),
  };
}

function targetOf(holding: Holding, range: IndexRange, at: number) {
  const block = targetBlock(holding, range, at);
  if (block === undefined) return [];
  const strides = stridesOf(block.box);
  const box = range.outputs[at]?.box ?? [];
  return [{ box, strides, origin: originOf(block, strides), index: range.box }];
}

function rangesOf(operator: Operator, instances: readonly Instance[]) {
  const axes = new Map(operator.axes.map(({ name }, at) => [name, at]));
  return ({ axis, size }: Loop): LoopRange => {
    if (size !== undefined) return { length: size, starts: instances.map(() => 0) };
    const at = axes.get(axis);
    if (at === undefined) throw new Error(`${operator.name} has no axis ${axis}`);
    const ranges = instances.map(({ range }) => range.box[at] ?? { start: 0, stop: 0 });
    const [first] = ranges;
    return {
      length: first === undefined ? 0 : lengthOf(first),
      starts: ranges.map(({ start }) => start),
    };
  };
}
