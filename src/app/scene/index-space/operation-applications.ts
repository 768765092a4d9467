import type { Compiled } from "#compile";
import type { Span } from "#core/diagnostics";
import { type Box, volumeOf } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import { indexPieces } from "#core/plan";
import { rangeText } from "./projection-images.ts";

type Operation = NonNullable<Compiled["imported"]>["operations"][number];

/** One Application as a row of its list. */
export interface ApplicationRow {
  readonly id: string;
  /** The Application's label, else its number in the Operation, from 1. */
  readonly name: string;
  /** Range in the Operation's index; absent if the Application gives none. */
  readonly index?: string;
  /**
   * The devices that compute the Application; empty if the plan divides the operation differently.
   */
  readonly devices: readonly DeviceId[];
  /** The selected range of each operand; `undefined` for an operand without a selection. */
  readonly selections: readonly (string | undefined)[];
  readonly span: Span;
}

/** The Applications of an Operation, each with the devices that compute it under the drawn plan. */
export function applicationRows(
  compiled: Pick<Compiled, "graph" | "plan">,
  operation: Operation,
): readonly ApplicationRow[] {
  const devices = devicesByPiece(compiled, operation);
  return operation.shards.map((shard, at): ApplicationRow => {
    const { id, label, index, ranges, span } = shard;
    return {
      id,
      name: label ?? `${at + 1}`,
      ...(index !== undefined && { index: rangeText(index) }),
      devices: devices.get(JSON.stringify(index ?? [])) ?? [],
      selections: ranges.map((range) => range && rangeText(range)),
      span,
    };
  });
}

/**
 * The devices that compute each piece of the index, by the piece as JSON in the operation's own
 * coordinates.
 */
function devicesByPiece(
  { graph, plan }: Pick<Compiled, "graph" | "plan">,
  { operator: id, axes, index = [] }: Operation,
): ReadonlyMap<string, readonly DeviceId[]> {
  const found = new Map<string, DeviceId[]>();
  const operator = graph.operators.find((each) => each.id === id);
  const own = plan.operators.get(id);
  if (operator === undefined || own === undefined) return found;
  const places = axes.map((name) => operator.axes.findIndex((axis) => axis.name === name));
  const movedTo = (box: Box): Box =>
    places.map((place, at) => {
      const { start, stop } = box[place] ?? { start: 0, stop: 1 };
      const from = index[at]?.start ?? 0;
      return { start: from + start, stop: from + stop };
    });
  for (const [at, boxes] of indexPieces(operator, own).entries()) {
    const device = own.mesh.devices[at] ?? 0;
    for (const box of boxes) {
      if (volumeOf(box) === 0) continue;
      const key = JSON.stringify(movedTo(box));
      const list = found.get(key) ?? [];
      found.set(key, list);
      if (!list.includes(device)) list.push(device);
    }
  }
  for (const list of found.values()) list.sort((a, b) => a - b);
  return found;
}
