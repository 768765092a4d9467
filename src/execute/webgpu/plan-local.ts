import { type Box, boxesWithout, volumeOf } from "#core/indexspace";
import { type Definition, operatorBody, type PointOutput } from "#core/ir";
import { append, groupedBy } from "#core/records";
import { createWriteCounter } from "#execute/engine";
import { writeKernel } from "./kernel.ts";
import type { LocalWork } from "./local-work.ts";
import { pointSpace, storeSpace, tableSpace } from "./output-space.ts";
import type { Holding, ProgramBuilder } from "./program-builder.ts";
import { type ClassWork, classesOf, type Instance, rangesIn } from "./range-classes.ts";
import { move, transfersBetween } from "./regions.ts";
import type { TableView } from "./scope.ts";
import { arrangeTables } from "./tables.ts";

/** Plans the kernels of an operator: one per class of devices whose parts have equal sizes. */
export function planLocal(builder: ProgramBuilder, given: LocalWork): void {
  const { operator, shapeOf, ranges } = given;
  const { call, body, points } = operatorBody(operator, shapeOf);
  const work = {
    ...given,
    inputs: fewerBuffers(builder, given.inputs, arrangeTables(body, call).stored.length),
  };
  prepareOutputs(builder, work, points !== undefined);
  const writesOf = createWriteCounter(operator);
  const turns = ranges.map((range) => range.outputs.map((_, at) => writesOf(range, at)));
  for (const alike of classesOf(builder, work, call, body)) {
    const tables = arrangeTables(body, alike.call);
    const stored = new Map<string, TableView>();
    for (const { name, axes, ...definition } of tables.stored) {
      stored.set(
        name,
        planTable(builder, alike, { name, axes, definition }, tables.inline, stored),
      );
    }
    for (const [at, definition] of body.outputs.entries()) {
      const output = { at, definition, folds: tables.foldsOf(at), point: points?.[at] };
      planOutput(builder, alike, output, tables.inline, stored, turns);
    }
  }
}

/**
 * Operands as a kernel can bind them: copied into one buffer where there are more than it may have
 * beside its tables, its result and its rows.
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

/** Makes what no kernel writes known as unfilled, or what earlier operators made of it. */
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
}

/** Plans one result: in as many rounds as a device makes the same cells over again. */
function planOutput(
  builder: ProgramBuilder,
  alike: ClassWork,
  { at, definition, folds, point }: OutputWork,
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
    builder.kernel(
      alike.label,
      writeKernel({
        type: builder.numbers.type,
        traits: builder.limits,
        scope: scopeOf(builder, part, inline, tablesOf(stored, alike, instances)),
        space,
        target: output.buffer,
        inline: folds,
        definition,
        rangeOf: part.rangeOf,
        ...(turn > 0 && { merge: combine }),
      }),
    );
  }
}

/** Tables as some of the instances see them, which lie behind each other only if they are all. */
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
