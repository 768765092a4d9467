import type { Definition } from "#core/ir/body";
import type { BufferId } from "./gpu-program.ts";
import { type KernelTask, writeKernel } from "./kernel.ts";
import type { OutputSpace } from "./output-space.ts";
import { writeProduct } from "./product-kernel.ts";
import { productShape } from "./product-shape.ts";
import { productTile } from "./product-tile.ts";
import type { ProgramBuilder } from "./program-builder.ts";
import type { TableView } from "./scope.ts";

/** Name of the axis of a split sum's parts, and of the table of these parts. */
const [partAxis, partTable] = ["#part", "#parts"];

/** Plans a product by panels if that pays; returns whether it does. */
export function planProduct(builder: ProgramBuilder, label: string, task: KernelTask): boolean {
  if (task.merge !== undefined || task.inline.length > 0 || task.type === "u32") return false;
  const { definition, space, scope, rangeOf, type, traits } = task;
  const shape = productShape({ definition, space, scope, rangeOf });
  if (shape === undefined) return false;
  const tile = productTile(shape, scope.instances, traits);
  if (tile === undefined) return false;
  const common = { type, traits, tile, instances: scope.instances } as const;
  if (tile.parts === 1) {
    const result = { buffer: task.target, bases: space.bases };
    const { followers = [] } = task;
    builder.kernel(label, writeProduct({ ...common, shape, result, partStride: 0, followers }));
    return true;
  }
  const { space: inParts, table, partStride } = partsSpace(builder, label, task, tile.parts);
  const cut = productShape({ definition, space: inParts, scope, rangeOf });
  if (cut === undefined) return false;
  const result = { buffer: table.buffer, bases: inParts.bases };
  builder.kernel(label, writeProduct({ ...common, shape: cut, result, partStride, followers: [] }));
  builder.kernel(`${label} parts`, writeKernel(joined(task, table, tile.parts)));
  return true;
}

/**
 * A buffer for the parts of a sum: part by part, rows of the result, each beginning at a whole
 * vector.
 */
function partsSpace(builder: ProgramBuilder, label: string, task: KernelTask, parts: number) {
  const { space, scope } = task;
  let step = 1;
  const counters = space.counters
    .toReversed()
    .map((counter, at) => {
      const own = { ...counter, step };
      step *= counter.length;
      if (at === 0) step = Math.ceil(step / 4) * 4;
      return own;
    })
    .reverse();
  const size = step * parts;
  const buffer: BufferId = builder.scratch(`${label} parts`, size * scope.instances);
  const bases = Array.from({ length: scope.instances }, (_, at) => at * size);
  const axes = [...counters.map(({ name: axis, step: stride }) => ({ axis, stride }))];
  const table: TableView = { buffer, axes: [...axes, { axis: partAxis, stride: step }], size };
  const inParts: OutputSpace = { ...space, counters, bases };
  return { space: inParts, table, partStride: step };
}

/** The task that adds the parts up, in their order. */
function joined(task: KernelTask, table: TableView, parts: number): KernelTask {
  const definition: Definition = {
    over: [{ axis: partAxis, size: parts }],
    combine: "sum",
    value: { kind: "table", name: partTable },
  };
  const starts = task.space.bases.map(() => 0);
  const scope = { ...task.scope, tables: new Map([[partTable, table]]) };
  return { ...task, definition, scope, rangeOf: () => ({ length: parts, starts }) };
}
