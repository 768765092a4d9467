import { type Box, boxesWithout, volumeOf } from "#core/indexspace";
import type { BoundCall } from "#core/ir";
import { type Body, type Definition, operatorBody, type PointOutput } from "#core/ir/body";
import { append, groupedBy } from "#core/records";
import { createWriteCounter } from "#execute/engine";
import { writeAttention } from "./attention-kernel.ts";
import { attentionIn } from "./attention-shape.ts";
import {
  areWhole,
  type Follower,
  type FoundFollowers,
  followersOf,
  isWrittenOnce,
} from "./followers.ts";
import { type KernelTask, writeKernel } from "./kernel.ts";
import type { FollowingWork, LocalWork } from "./local-work.ts";
import { pointSpace, storeSpace, tableSpace } from "./output-space.ts";
import { planProduct } from "./plan-product.ts";
import type { Holding, ProgramBuilder } from "./program-builder.ts";
import { type ClassWork, classesOf, type Instance, rangesIn } from "./range-classes.ts";
import { move, transfersBetween } from "./regions.ts";
import { areRows, type RowResult, writeRows } from "./row-kernel.ts";
import type { TableView } from "./scope.ts";
import { type ArrangedTables, arrangeTables, namesIn } from "./tables.ts";

/**
 * Plans the kernels of an operator: one per class of devices whose parts have equal sizes.
 *
 * @param candidates steps that its kernels may make too
 * @returns the candidates that they do make
 */
export function planLocal(
  builder: ProgramBuilder,
  given: LocalWork,
  candidates: readonly FollowingWork[] = [],
): ReadonlySet<FollowingWork> {
  const { call, body, points } = operatorBody(given.operator, given.shapeOf);
  const { length: tables } = arrangeTables(body, call).stored;
  const work = { ...given, inputs: fewerBuffers(builder, given.inputs, tables) };
  prepareOutputs(builder, work, points !== undefined);
  const classes = classesOf(builder, work, call, body);
  const isOne = points === undefined && body.outputs.length === 1;
  const { of: followers, taken } = isOne
    ? followedBy(builder, work, classes, { bound: boundBy(body, call), candidates })
    : none;
  for (const alike of classes) {
    planClass(builder, work, alike, { body, points, followers: followers(alike) });
  }
  return taken;
}

/** The computation of a class of devices, and the followers of its kernels. */
interface ClassBody {
  readonly body: Body;
  readonly points: readonly PointOutput[] | undefined;
  readonly followers: readonly Follower[];
}

function planClass(
  builder: ProgramBuilder,
  work: LocalWork,
  alike: ClassWork,
  whole: ClassBody,
): void {
  const { body, points, followers } = whole;
  const tables = arrangeTables(body, alike.call);
  if (points === undefined && planRows(builder, work, alike, tables, whole)) return;
  const writesOf = createWriteCounter(work.operator);
  const turns = work.ranges.map((range) => range.outputs.map((_, at) => writesOf(range, at)));
  const stored = new Map<string, TableView>();
  for (const { name, axes, ...definition } of tables.stored) {
    const table = { name, axes, definition };
    stored.set(name, planTable(builder, alike, table, tables.inline, stored));
  }
  for (const [at, definition] of body.outputs.entries()) {
    const output = { at, definition, folds: tables.foldsOf(at), point: points?.[at], followers };
    planOutput(builder, alike, output, tables.inline, stored, turns);
  }
}

const none: FoundFollowers = { of: () => [], taken: new Set() };

/**
 * The number of operands and tables that the kernel of a body's first result binds, if its tables
 * are stored.
 */
function boundBy(body: Body, call: BoundCall): number {
  const { inline, foldsOf } = arrangeTables(body, call);
  const [output] = body.outputs;
  const own = new Set(foldsOf(0).map(({ name }) => name));
  const names = [...foldsOf(0), ...(output === undefined ? [] : [output])].flatMap(({ value }) =>
    namesIn(value, inline),
  );
  return new Set(names.filter((name) => !own.has(name))).size;
}

/** Candidates that the kernels of a step can also compute. */
function followedBy(
  builder: ProgramBuilder,
  work: LocalWork,
  classes: readonly ClassWork[],
  { bound, candidates }: { readonly bound: number; readonly candidates: readonly FollowingWork[] },
): FoundFollowers {
  if (candidates.length === 0 || work.earlier?.[0] !== undefined) return none;
  if (!isWrittenOnce(work) || !areWhole(work)) return none;
  const made = classes.flatMap((alike) => {
    const output = alike.outputs[0];
    return output === undefined
      ? []
      : [{ alike, targets: output.targetsOf(alike.instances), buffer: output.buffer }];
  });
  const operands = new Set(work.inputs.map(({ buffer }) => buffer)).size;
  // Three more bindings: the result, the rows, and an operand that is also bound as vectors.
  const buffers = Math.max(operands, bound) + 3;
  return followersOf(builder, made, buffers, candidates);
}

/**
 * Operands in as many buffers as a kernel can bind beside its tables, its result and its rows;
 * surplus ones are copied into one buffer.
 */
function fewerBuffers(
  builder: ProgramBuilder,
  inputs: readonly Holding[],
  tables: number,
): readonly Holding[] {
  const buffers = new Set(inputs.map(({ buffer }) => buffer));
  if (buffers.size + tables + 2 <= builder.limits.storageBuffers) return inputs;
  const offsets = new Map<number, number>();
  let words = 0;
  for (const buffer of buffers) {
    offsets.set(buffer, words);
    words += builder.wordsOf(buffer);
  }
  const all = builder.scratch("operands", words);
  for (const [buffer, to] of offsets) {
    builder.copy("operands", buffer, all, [{ from: 0, to, words: builder.wordsOf(buffer) }]);
  }
  return inputs.map(({ buffer, blocks }): Holding => {
    const offset = offsets.get(buffer) ?? 0;
    const moved = [...blocks].map(([device, held]) => {
      return [device, held.map(({ box, base }) => ({ box, base: base + offset }))] as const;
    });
    return { buffer: all, blocks: new Map(moved) };
  });
}

/**
 * Prepares results: cells that no kernel writes become unfilled, or those that earlier operators
 * made.
 */
function prepareOutputs(builder: ProgramBuilder, work: LocalWork, isAtPoints: boolean): void {
  for (const [at, output] of work.outputs.entries()) {
    const earlier = work.earlier?.[at];
    const made = new Map<number, Box[]>();
    for (const { device, outputs } of work.ranges) {
      const box = outputs[at]?.box ?? [];
      append(made, device, box);
    }
    const isFull = [...output.blocks].every(([device, blocks]) => {
      const boxes = blocks.map(({ box }) => box);
      return boxesWithout(boxes, made.get(device) ?? []).length === 0;
    });
    if (isAtPoints || !isFull) builder.markUnfilled(output.buffer);
    if (earlier === undefined) continue;
    const kept = [...output.blocks].flatMap(([device, blocks]) =>
      transfersBetween(earlier.blocks.get(device) ?? [], blocks),
    );
    move(builder, "earlier parts", [earlier.buffer, output.buffer], kept);
  }
}

/**
 * Plans rows whose cells all read the row's sums, in one kernel; returns whether the body has such
 * rows.
 */
function planRows(
  builder: ProgramBuilder,
  work: LocalWork,
  alike: ClassWork,
  { stored, inline, foldsOf }: ArrangedTables,
  { body, followers }: ClassBody,
): boolean {
  const { type } = builder.numbers;
  if (stored.length === 0 || !isWrittenOnce(work)) return false;
  const operands = new Set(work.inputs.map(({ buffer }) => buffer)).size;
  const bound = operands + body.outputs.length + 1;
  if (bound > builder.limits.storageBuffers) return false;
  const results = body.outputs.flatMap((definition, at): readonly RowResult[] => {
    const output = alike.outputs[at];
    const targets = output?.targetsOf(alike.instances) ?? [];
    if (output === undefined || targets.length === 0 || foldsOf(at).length > 0) return [];
    const space = storeSpace(alike.call, alike.call.outputs[at] ?? { dims: [] }, targets);
    return [{ space, target: output.buffer, definition, followers }];
  });
  const scope = scopeOf(builder, alike, inline, new Map());
  const { limits: traits } = builder;
  const task = { type, traits, scope, tables: stored, results, rangeOf: alike.rangeOf };
  if (results.length !== body.outputs.length) return false;
  const attention = attentionIn(task);
  if (attention === undefined && !areRows(task)) return false;
  const kernel = attention === undefined ? writeRows(task) : writeAttention(task, attention);
  builder.kernel(alike.label, kernel);
  return true;
}

type Inline = ReadonlyMap<string, Definition["value"]>;

function planTable(
  builder: ProgramBuilder,
  alike: ClassWork,
  table: { name: string; axes: Definition["over"]; definition: Definition },
  inline: Inline,
  stored: ReadonlyMap<string, TableView>,
): TableView {
  const { name, axes, definition } = table;
  const loops = axes.map((loop) => ({ axis: loop.axis, ...alike.rangeOf(loop) }));
  const space = tableSpace(loops, alike.instances.length);
  const label = `${alike.label} ${name}`;
  const target = builder.scratch(label, Math.max(1, space.size) * alike.instances.length);
  const scope = scopeOf(builder, alike, inline, stored);
  if (space.size > 0) {
    const { type } = builder.numbers;
    const { limits: traits } = builder;
    const task = { type, traits, scope, space, target, inline: [], definition };
    builder.kernel(label, writeKernel({ ...task, rangeOf: alike.rangeOf }));
  }
  const strides = space.counters.map(({ name: axis, step }) => ({ axis, stride: step }));
  return { buffer: target, axes: strides, size: space.size };
}

interface OutputWork {
  readonly at: number;
  readonly definition: Definition;
  readonly folds: readonly (Definition & { readonly name: string })[];
  readonly point: PointOutput | undefined;
  readonly followers: readonly Follower[];
}

/** Plans one result, in as many rounds as a device recomputes the same cells. */
function planOutput(
  builder: ProgramBuilder,
  alike: ClassWork,
  { at, definition, folds, point, followers }: OutputWork,
  inline: Inline,
  stored: ReadonlyMap<string, TableView>,
  turns: readonly (readonly number[])[],
): void {
  const output = alike.outputs[at];
  if (output === undefined) return;
  const rounds = groupedBy(alike.instances, (instance) => turns[instance.at]?.[at] ?? 0);
  for (const [turn, instances] of [...rounds].sort(([a], [b]) => a - b)) {
    const part = rangesIn(alike, instances);
    const targets = output.targetsOf(instances);
    const [first] = targets;
    if (first === undefined || (point === undefined && volumeOf(first.box) === 0)) continue;
    const space =
      point === undefined
        ? storeSpace(alike.call, alike.call.outputs[at] ?? { dims: [] }, targets)
        : pointSpace(alike.call, point, targets);
    if (space.counters.some(({ length }) => length === 0)) continue;
    const { combine = "sum" } = alike.operator;
    const task: KernelTask = {
      type: builder.numbers.type,
      traits: builder.limits,
      scope: scopeOf(builder, part, inline, tablesOf(stored, alike, instances)),
      space,
      target: output.buffer,
      inline: folds,
      definition,
      ...{ rangeOf: part.rangeOf, followers },
      ...(turn > 0 && { merge: combine }),
    };
    if (!planProduct(builder, alike.label, task)) builder.kernel(alike.label, writeKernel(task));
  }
}

/**
 * Tables for some of the instances, whose entries lie one after the other only if these are all.
 */
function tablesOf(
  stored: ReadonlyMap<string, TableView>,
  alike: ClassWork,
  instances: readonly Instance[],
) {
  if (instances.length === alike.instances.length) return stored;
  const places = instances.map((instance) => alike.instances.indexOf(instance));
  return new Map([...stored].map(([name, table]) => [name, { ...table, places }]));
}

function scopeOf(
  { numbers }: ProgramBuilder,
  { call, operands, instances }: ClassWork,
  inline: Inline,
  stored: ReadonlyMap<string, TableView>,
) {
  const tables = new Map<string, Definition["value"] | TableView>([...inline, ...stored]);
  return { call, isExact: numbers.isExact, instances: instances.length, operands, tables };
}
