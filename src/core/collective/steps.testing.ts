import { product } from "#core/arithmetic";
import type { Checked } from "#core/diagnostics";
import { volumeOf } from "#core/indexspace";
import { type DeviceMesh, type Layout, parseLayout } from "#core/mesh";
import { createExchange, type LayoutStep, type Move, type Slot, type Transfer } from "./index.ts";

/** The value of a check that must pass in a test. */
export function passedValue<T>(checked: Checked<T>): T {
  if (checked.ok) return checked.value;
  throw new Error(checked.diagnostics.map(({ message }) => message).join("; "));
}

/** A tensor whose elements are all different. */
export function numbered(shape: readonly number[]): Float64Array {
  const count = product(shape);
  return Float64Array.from({ length: count }, (_, at) => at + 1);
}

/** Moves from a short text: `x 0.1>1.0; y >0.0`. */
export function readMoves(mesh: DeviceMesh, text: string): readonly Move[] {
  return text.split(";").map((item) => {
    const [name = "", ends = ">"] = item.trim().split(" ");
    const [from, to] = ends.split(">").map(readSlot);
    const part = passedValue(parseLayout(name, mesh)).dims[0]?.parts[0];
    if (part === undefined) throw new Error(`no part in "${item}"`);
    return { part, ...(from ? { from } : {}), ...(to ? { to } : {}) };
  });
}

/** Elements that the busiest device receives. */
export function receivedByBusiest(transfers: readonly Transfer[]): number {
  const sums = new Map<number, number>();
  for (const { to, range } of transfers) sums.set(to, (sums.get(to) ?? 0) + volumeOf(range));
  return Math.max(0, ...sums.values());
}

function readSlot(text: string): Slot | undefined {
  const match = /^(\d+)\.(\d+)$/u.exec(text);
  return match === null ? undefined : { dim: Number(match[1]), position: Number(match[2]) };
}

/** An exchange that is small enough to be listed. */
export function testExchange(before: Layout, after: Layout, shape: readonly number[]): LayoutStep {
  const step = createExchange(before, after, shape);
  if (step === undefined) throw new Error("the exchange is too large to be listed");
  return step;
}
