import type { Compiled } from "#compile";
import { joinWithAnd } from "#core/diagnostics";
import { type Box, boxesWithout, intersect, type Range, sameBox, volumeOf } from "#core/indexspace";
import type { OperatorId, TensorId } from "#core/ir";
import { boxesByIndex, type DeviceId, type Layout } from "#core/mesh";
import { flatSteps, indexRangesOf, type LocalStep } from "#core/program";
import { drawnRange, movedBy } from "../rows.ts";
import { dimName } from "../text/label.ts";

/** The cells of a tensor that one device reads. */
export interface DeviceReads {
  readonly device: DeviceId;
  /** The device's own part, in the drawn layout. */
  readonly own: readonly Box[];
  readonly windows: readonly Box[];
  /** The cells of its windows outside its own part, as disjoint boxes. */
  readonly halos: readonly Box[];
}

/** The windows of a tensor that an operator reads, by device in mesh order. */
export interface Halos {
  /** Name of the operator that reads the windows. */
  readonly reader: string;
  /**
   * First index of each dim, if not 0: boxes count from it, sentences give the tensor's own
   * indices.
   */
  readonly start?: readonly number[];
  readonly devices: readonly DeviceReads[];
}

/**
 * The windows in which each device reads a tensor for an operator; `undefined` if devices read the
 * blocks of a layout, so that there is no halo.
 *
 * @param layout the drawn layout, which gives each device's own part
 */
export function halosOf(
  { program }: Pick<Compiled, "program">,
  reader: OperatorId,
  tensor: TensorId,
  layout: Layout,
): Halos | undefined {
  const operator = program.graph.operators.find(({ id }) => id === reader);
  const places = (operator?.inputs ?? []).flatMap((operand, at) =>
    operand.tensor === tensor && operand.projection !== undefined ? [at] : [],
  );
  const { shape, start } = program.graph.tensors.find(({ id }) => id === tensor) ?? {};
  if (operator === undefined || shape === undefined || places.length === 0) return undefined;
  const step = flatSteps(program).find(
    (each): each is LocalStep => each.kind === "local" && each.operator === reader,
  );
  if (step === undefined) return undefined;
  const windows = windowsIn(indexRangesOf(program, step), places);
  const values = new Set(places.map((at) => step.inputs[at]));
  const isHeld = program.values.some(({ id, held }) => held !== undefined && values.has(id));
  if (!isHeld && !overlapInPart([...windows.values()].flat())) return undefined;
  const blocks = boxesByIndex(layout, shape);
  const devices = layout.mesh.devices.map((device, index): DeviceReads => {
    const own = (blocks[index] ?? []).filter((box) => volumeOf(box) > 0);
    const read = windows.get(device) ?? [];
    return { device, own, windows: read, halos: boxesWithout(read, own) };
  });
  return { reader: operator.name, devices, ...(start !== undefined && { start }) };
}

/** The distinct boxes that each device reads. */
function windowsIn(
  ranges: ReturnType<typeof indexRangesOf>,
  places: readonly number[],
): ReadonlyMap<DeviceId, readonly Box[]> {
  const windows = new Map<DeviceId, readonly Box[]>();
  for (const { device, inputs } of ranges) {
    const read = places.flatMap((at) => {
      const box = inputs[at]?.box;
      return box === undefined || volumeOf(box) === 0 ? [] : [box];
    });
    windows.set(device, distinct(windows.get(device) ?? [], read));
  }
  return windows;
}

function distinct(before: readonly Box[], more: readonly Box[]): readonly Box[] {
  const all = [...before];
  for (const box of more) if (!all.some((other) => sameBox(other, box))) all.push(box);
  return all;
}

/** Whether two boxes share some cells without being equal. */
function overlapInPart(boxes: readonly Box[]): boolean {
  const [first, ...rest] = distinct([], boxes);
  if (first === undefined) return false;
  const isShared = rest.some((other) => {
    const common = intersect(first, other);
    return common !== undefined && volumeOf(common) > 0;
  });
  return isShared || overlapInPart(rest);
}

/** The dim in which a halo lies beside a device's own part. */
export function haloDim(halo: Box, own: readonly Box[]): number {
  const isBeside = (range: Range, dim: number) =>
    own.every((box) => {
      const part = box[dim];
      return part === undefined || range.stop <= part.start || part.stop <= range.start;
    });
  return Math.max(0, halo.findIndex(isBeside));
}

/** The reach of windows beyond a device's own part, by dim: the maximum over all devices. */
function haloReach({ devices }: Halos, rank: number): readonly number[] {
  return Array.from({ length: rank }, (_, dim) => {
    const reaches = devices.map(({ own, windows }) => {
      const [part, window] = [hullOf(own, dim), hullOf(windows, dim)];
      if (part === undefined || window === undefined) return 0;
      return Math.max(0, part.start - window.start) + Math.max(0, window.stop - part.stop);
    });
    return Math.max(0, ...reaches);
  });
}

function hullOf(boxes: readonly Box[], dim: number): Range | undefined {
  const ranges = boxes.flatMap((box) => box[dim] ?? []);
  if (ranges.length === 0) return undefined;
  const start = Math.min(...ranges.map((range) => range.start));
  return { start, stop: Math.max(...ranges.map((range) => range.stop)) };
}

/**
 * The windows in one plain sentence: `For conv each device reads 6 by 6, its own part plus 1 row of
 * d0.` Where a window does not contain the device's own part: `…, including 1 row of d0 that others
 * hold.`
 */
export function haloSentence(halos: Halos, dimNames: readonly string[]): string {
  const { devices, reader } = halos;
  const rank = devices.flatMap(({ windows }) => windows)[0]?.length ?? 0;
  const shapes = devices.map(({ windows }) => lengthsOf(windows, rank));
  const most = Array.from({ length: rank }, (_, dim) => {
    return Math.max(0, ...shapes.map((shape) => shape[dim] ?? 0));
  });
  const size = `${isAlike(shapes) ? "" : "at most "}${most.join(" by ")}`;
  return `For ${reader} each device reads ${size}, ${beyondText(halos, dimNames, rank)}.`;
}

/** The part of the windows beyond the reader's own part, in words. */
function beyondText(halos: Halos, dimNames: readonly string[], rank: number): string {
  const { devices } = halos;
  if (devices.every((device) => device.halos.length === 0)) return "all of it in its own part";
  const rows = haloReach(halos, rank).flatMap((reach, dim) =>
    reach === 0 ? [] : [`${reach} ${reach === 1 ? "row" : "rows"} of ${dimName(dimNames, dim)}`],
  );
  if (rows.length === 0) return "more than its own part";
  const reaches = devices.map((device) => haloReach({ ...halos, devices: [device] }, rank));
  const words = `${isAlike(reaches) ? "" : "up to "}${joinWithAnd(rows)}`;
  const hasOwn = devices.every(({ own, windows }) => boxesWithout(own, windows).length === 0);
  return hasOwn ? `its own part plus ${words}` : `including ${words} that others hold`;
}

function lengthsOf(boxes: readonly Box[], rank: number): readonly number[] {
  return Array.from({ length: rank }, (_, dim) => {
    const hull = hullOf(boxes, dim);
    return hull === undefined ? 0 : hull.stop - hull.start;
  });
}

function isAlike(lists: readonly (readonly number[])[]): boolean {
  return lists.every((list) => list.every((each, at) => each === lists[0]?.[at]));
}

/**
 * The text of a device's reads in the table: one range per dim, `0…16, 4…9`; several windows are
 * joined by `and`.
 */
export function readsText({ devices, start = [] }: Halos, device: DeviceId): string {
  const windows = devices.find((each) => each.device === device)?.windows ?? [];
  if (windows.length === 0) return "nothing";
  const words = (range: Range, dim: number) => drawnRange(movedBy(range, start[dim] ?? 0)).text;
  return windows.map((box) => box.map(words).join(", ")).join(" and ");
}
