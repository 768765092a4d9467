/** Number of renamings beyond which only the identity is tried. */
const mostNamings = 24;

/** Permutations of axes that keep their kinds, the identity first. */
export function namingsOf(kinds: readonly string[]): readonly (readonly number[])[] {
  let ways: readonly (readonly number[])[] = [[]];
  for (const kind of kinds) {
    ways = ways.flatMap((way) =>
      [...kinds.keys()].flatMap((at) =>
        kinds[at] === kind && !way.includes(at) ? [[...way, at]] : [],
      ),
    );
  }
  return ways.length > mostNamings ? [[...kinds.keys()]] : ways;
}

/** Set of axes as bits, axis 0 the lowest. */
export function bitsOf(axes: readonly number[]): number {
  let bits = 0;
  for (const axis of axes) bits |= 1 << axis;
  return bits;
}
