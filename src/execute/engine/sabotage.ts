import { type Blocks, type LayoutStep, scatter } from "#core/collective";
import { volumeOf } from "#core/indexspace";
import type { TensorId } from "#core/ir";
import { boxesByIndex, type DeviceId, type Layout, partSize } from "#core/mesh";
import type { Value } from "#core/program";

/** A collective that is left out (`drop`), or whose groups are permuted (`swap`). */
export interface StepFault {
  /** Number of the step in the program, from 0. */
  readonly step: number;
  readonly how: "drop" | "swap";
}

/** An input or parameter that is cut along another dim than its layout says. */
export interface CutFault {
  readonly tensor: TensorId;
  readonly how: "cut";
}

/** A fault that is put into a run on purpose, to see that the comparison finds it. */
export type Sabotage = StepFault | CutFault;

/** The fault to put into a step, by its number among all steps; `undefined` where there is none. */
export function faultAt(
  sabotage: Sabotage | undefined,
  step: number,
): StepFault["how"] | undefined {
  return sabotage !== undefined && sabotage.how !== "cut" && sabotage.step === step
    ? sabotage.how
    : undefined;
}

/**
 * The blocks that devices hold of a leaf at the start; under a `CutFault`, cut along the wrong dim.
 */
export function scatterLeaf(
  value: Pick<Value, "layout" | "tensor">,
  shape: readonly number[],
  whole: Float64Array,
  sabotage?: Sabotage,
): Blocks {
  const right = scatter(value.layout, shape, whole);
  if (sabotage?.how !== "cut" || sabotage.tensor !== value.tensor) return right;
  const other = otherCut(value.layout, shape);
  return other === undefined ? right : reread(scatter(other, shape, whole), right);
}

/**
 * A layout with the cuts of two dims swapped, such that every device holds as many elements as
 * before but others; `undefined` where there is none.
 */
export function otherCut(layout: Layout, shape: readonly number[]): Layout | undefined {
  const { dims } = layout;
  const volumes = String(volumesOf(layout, shape));
  for (const [from, cut] of dims.entries()) {
    if (cut.sizes !== undefined || !cut.parts.some((part) => partSize(part) > 1)) continue;
    for (const [to, kept] of dims.entries()) {
      if (to === from || kept.sizes !== undefined) continue;
      const swappedDims = dims.map((dim, at) => (at === from ? kept : at === to ? cut : dim));
      const other = { ...layout, dims: swappedDims };
      const isOther =
        String(boxesByIndex(other, shape).map(textOf)) !==
        String(boxesByIndex(layout, shape).map(textOf));
      if (isOther && String(volumesOf(other, shape)) === volumes) return other;
    }
  }
  return undefined;
}

type Boxes = ReturnType<typeof boxesByIndex>[number];

function textOf(boxes: Boxes): string {
  return JSON.stringify(boxes);
}

function volumesOf(layout: Layout, shape: readonly number[]): readonly number[] {
  return boxesByIndex(layout, shape).map((boxes) =>
    boxes.reduce((sum, box) => sum + volumeOf(box), 0),
  );
}

/** The same memory, device by device, read as other blocks. */
function reread(memory: Blocks, blocks: Blocks): Blocks {
  return new Map(
    [...blocks].map(([device, own]) => {
      const numbers = (memory.get(device) ?? []).flatMap(({ values }) => [...values]);
      const filled = own.map(({ box, values }) => ({
        box,
        values: Float64Array.from(numbers.splice(0, values.length)),
      }));
      return [device, filled];
    }),
  );
}

/**
 * A step in which the first two members of every group, or the senders of two transfers, are
 * swapped.
 */
export function withSwappedMembers(step: LayoutStep): LayoutStep {
  if (step.transfers === undefined) {
    const groups = step.groups.map(([a, b, ...rest]) =>
      a === undefined || b === undefined ? [] : [b, a, ...rest],
    );
    return { ...step, groups };
  }
  const [first, ...rest] = step.transfers;
  const other = rest.find(({ from }) => from !== first?.from);
  if (first === undefined || other === undefined) return { ...step, transfers: [] };
  const exchange: ReadonlyMap<DeviceId, DeviceId> = new Map([
    [first.from, other.from],
    [other.from, first.from],
  ]);
  return {
    ...step,
    transfers: step.transfers.map((each) => ({
      ...each,
      from: exchange.get(each.from) ?? each.from,
    })),
  };
}
