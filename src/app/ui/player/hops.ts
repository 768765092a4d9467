/** Stills of a hop: before, moving, after. */
const stills = 3;

/** The position after the next hop, counted in stills over all hops. */
export function hopAfter(position: number): number {
  return stills * (Math.floor((position + 1) / stills) + 1) - 1;
}

/** The position after the hop before, or the first still. */
export function hopBefore(position: number): number {
  return Math.max(0, stills * Math.floor(position / stills) - 1);
}
