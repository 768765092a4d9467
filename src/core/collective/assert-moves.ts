import { axisPartsOf, blockCount, type Layout, type Part, partsCoexist } from "#core/mesh";
import type { Collective, Move } from "./collective.ts";

/** Throws if moves lack the ends that their collective needs, which is a bug of the caller. */
export function assertEnds(collective: Collective, moves: readonly Move[]): void {
  for (const { from, to } of moves) {
    const ends = `${from === undefined ? "" : "from"}>${to === undefined ? "" : "to"}`;
    if (!endsOf[collective].includes(ends)) throw new Error(`${collective} has no move ${ends}`);
  }
  if (collective !== "collective-permute") return;
  const [left, entered] = [moves.filter(({ from }) => from), moves.filter(({ to }) => to)];
  if (sizeOf(left) !== sizeOf(entered)) throw new Error("a permute changes the number of blocks");
}

/** Throws if two parts of the layout overlap, that is, use the same digits of a mesh axis. */
export function assertDisjoint(layout: Layout): void {
  const parts: readonly Part[] = axisPartsOf(layout);
  const twice = parts.find((part, at) =>
    parts.some((other, before) => before < at && !partsCoexist(other, part)),
  );
  if (twice !== undefined) throw new Error(`used twice: ${JSON.stringify(twice)}`);
}

const endsOf: Readonly<Record<Collective, readonly string[]>> = {
  slice: [">to"],
  "all-gather": ["from>"],
  "reduce-scatter": [">to"],
  "all-reduce": [">"],
  "all-to-all": ["from>to"],
  "collective-permute": ["from>to", "from>", ">to"],
  exchange: [],
};

function sizeOf(moves: readonly Move[]): number {
  return blockCount(moves.map(({ part }) => part));
}
