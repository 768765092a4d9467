import { type Blocks, scatter } from "#core/collective";
import { volumeOf } from "#core/indexspace";
import type { TensorId } from "#core/ir";
import { boxesByIndex, type Layout, partSize } from "#core/mesh";
import type { Value } from "#core/program";

/**
 * A fault of a collective: it is left out (`drop`); the first two members of its groups change
 * places (`swap`); two groups exchange a member (`group`); its members come in another order
 * (`order`); one device keeps its old block (`stale`); the factor of a mean is left out, so that
 * the result is too large by the number of members in a group (`scale`).
 */
export type StepFaultKind = "drop" | "swap" | "group" | "order" | "stale" | "scale";

/** All faults of a step, in the order in which they are offered. */
export const stepFaults: readonly StepFaultKind[] = [
  "drop",
  "swap",
  "group",
  "order",
  "stale",
  "scale",
];

/** A fault of one collective. */
export interface StepFault {
  /** Number of the step in the program, from 0. */
  readonly step: number;
  readonly how: StepFaultKind;
}

/** An input or parameter that is cut along another dim than its layout says. */
export interface CutFault {
  readonly tensor: TensorId;
  readonly how: "cut";
}

/** Fault injected into a run to test that the comparison finds it. */
export type InjectedFault = StepFault | CutFault;

/** Fault of a step, by the step's index among all steps; `undefined` if the step has none. */
export function faultAt(
  sabotage: InjectedFault | undefined,
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
  sabotage?: InjectedFault,
): Blocks {
  const right = scatter(value.layout, shape, whole);
  if (sabotage?.how !== "cut" || sabotage.tensor !== value.tensor) return right;
  const other = swapCuts(value.layout, shape);
  return other === undefined ? right : reread(scatter(other, shape, whole), right);
}

/**
 * Layout with the cuts of two dims swapped, under which every device holds equally many, but
 * different elements; `undefined` if there is none.
 */
export function swapCuts(layout: Layout, shape: readonly number[]): Layout | undefined {
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

/** Memory of each device, read as other blocks. */
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
