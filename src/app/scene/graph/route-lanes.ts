/** A vertical interval of the page, in CSS pixels. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Number of lanes tried from the drawing outwards; intervals that fit in none get a lane farther
 * out.
 */
const triedLanes = 48;

/**
 * Assigns each interval a lane, counted from 0 next to the drawing outwards, so that no two
 * intervals of a lane touch. Short intervals choose first, so that they lie inside long ones.
 */
export function lanesOf(stretches: readonly Stretch[]): readonly number[] {
  const order = stretches
    .map((stretch, at) => ({ stretch, at }))
    .sort((a, b) => lengthOf(a.stretch) - lengthOf(b.stretch) || a.at - b.at);
  const lanes = Array.from({ length: triedLanes }, () => new Lane());
  const laneOf = stretches.map(() => 0);
  const left = order.filter(({ stretch, at }) => {
    const free = lanes.findIndex((lane) => lane.take(stretch));
    laneOf[at] = free;
    return free === -1;
  });
  for (const [at, lane] of outerLanes(left)) laneOf[at] = lane;
  return laneOf;
}

const clearance = 4;

/** The intervals of one lane, from top to bottom. */
class Lane {
  private readonly taken: Stretch[] = [];

  /** Adds an interval if there is room; returns whether it was added. */
  take(stretch: Stretch): boolean {
    const at = this.placeOf(stretch);
    const [above, below] = [this.taken[at - 1], this.taken[at]];
    if (above !== undefined && touches(stretch, above)) return false;
    if (below !== undefined && touches(stretch, below)) return false;
    this.taken.splice(at, 0, stretch);
    return true;
  }

  private placeOf({ from }: Stretch): number {
    let [low, high] = [0, this.taken.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.taken[middle]?.from ?? from) < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Placed {
  readonly stretch: Stretch;
  readonly at: number;
}

/**
 * Lanes beyond the tried ones, assigned from top to bottom; a lane is reused as soon as it is free.
 */
function outerLanes(left: readonly Placed[]): readonly (readonly [at: number, lane: number])[] {
  const busy: { readonly to: number; readonly lane: number }[] = [];
  const free: number[] = [];
  let count = triedLanes;
  return left
    .toSorted((a, b) => a.stretch.from - b.stretch.from || a.at - b.at)
    .map(({ stretch, at }) => {
      for (let first = busy[0]; first !== undefined; first = busy[0]) {
        if (first.to + clearance > stretch.from) break;
        free.push(first.lane);
        busy.shift();
      }
      const lane = free.pop() ?? count++;
      const { to } = stretch;
      const place = busy.findIndex((other) => other.to > to);
      busy.splice(place === -1 ? busy.length : place, 0, { to, lane });
      return [at, lane] as const;
    });
}

function touches(a: Stretch, b: Stretch): boolean {
  return a.from < b.to + clearance && b.from < a.to + clearance;
}

function lengthOf({ from, to }: Stretch): number {
  return to - from;
}
