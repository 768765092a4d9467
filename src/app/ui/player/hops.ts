/** Number of stills of a hop: before, moving, after. */
const stills = 3;

/** Position of the still after the next hop; positions count all stills. */
export function hopAfter(position: number): number {
  return stills * (Math.floor((position + 1) / stills) + 1) - 1;
}

/** Position of the still after the previous hop, or 0. */
export function hopBefore(position: number): number {
  return Math.max(0, stills * Math.floor(position / stills) - 1);
}
