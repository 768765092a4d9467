/** Stills of a hop: what was before, what moves, what is then. */
const stills = 3;

/** The still behind the next hop, from a position counted over all stills. */
export function hopAfter(position: number): number {
  return stills * (Math.floor((position + 1) / stills) + 1) - 1;
}

/** The still behind the hop before, or the first of all. */
export function hopBefore(position: number): number {
  return Math.max(0, stills * Math.floor(position / stills) - 1);
}
