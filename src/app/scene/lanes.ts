/** A stretch of the page, from above to below, in CSS pixels. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Gives each stretch a lane, counted from 0 beside the drawing outwards, so that no two stretches
 * of one lane touch. Short ones come first, so that they lie inside long ones.
 */
export function lanesOf(stretches: readonly Stretch[]): readonly number[] {
  const order = stretches
    .map((stretch, at) => ({ stretch, at }))
    .sort((a, b) => lengthOf(a.stretch) - lengthOf(b.stretch) || a.at - b.at);
  const lanes: Stretch[][] = [];
  const laneOf = stretches.map(() => 0);
  for (const { stretch, at } of order) {
    const free = lanes.findIndex((taken) => taken.every((other) => !touches(stretch, other)));
    const lane = free === -1 ? lanes.length : free;
    lanes[lane] = [...(lanes[lane] ?? []), stretch];
    laneOf[at] = lane;
  }
  return laneOf;
}

const clearance = 4;

function touches(a: Stretch, b: Stretch): boolean {
  return a.from < b.to + clearance && b.from < a.to + clearance;
}

function lengthOf({ from, to }: Stretch): number {
  return to - from;
}
