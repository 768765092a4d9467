import type { OperatorId } from "#core/ir";
import { rememberedFor } from "../remembered.ts";
import { formatSeconds } from "../text/numbers.ts";
import type { HiddenRows } from "./board.ts";
import { type BoardFacts, backwardSeconds, forwardSeconds } from "./board-facts.ts";
import type { BoardModule } from "./board-item.ts";
import type { BoardTree } from "./board-tree.ts";

/** Seconds of operators, plus the seconds in which devices only wait for their redistributions. */
export interface PassSeconds {
  readonly forward: number;
  readonly backward: number;
}

/** Cached seconds by module key, since modules are queried repeatedly. */
const knownSeconds = rememberedFor((_facts: BoardFacts) => new Map<string, PassSeconds>());

/** `passSeconds` for all runs of a module. */
export function moduleSeconds(facts: BoardFacts, { key, runs }: BoardModule): PassSeconds {
  const known = knownSeconds(facts);
  const before = known.get(key);
  if (before !== undefined) return before;
  const all = passSeconds(
    facts,
    runs.flatMap(({ operators }) => operators),
  );
  known.set(key, all);
  return all;
}

/**
 * The operators without a row, and their total time; casts and copies among them take time that no
 * card shows.
 */
export function hiddenRows(
  facts: BoardFacts,
  { drawn }: Pick<BoardTree, "drawn">,
  forwardOnly: boolean,
): HiddenRows {
  const hidden = facts.operators.flatMap(({ id }) => (drawn.has(id) ? [] : [id]));
  const seconds = hidden.reduce(
    (sum, id) => sum + forwardSeconds(facts, id) + (forwardOnly ? 0 : backwardSeconds(facts, id)),
    0,
  );
  return { hiddenOperators: hidden.length, hiddenTime: seconds > 0 ? formatSeconds(seconds) : "" };
}

/**
 * Seconds of operators of the text in both passes, including the exposed time of their
 * redistributions.
 */
export function passSeconds(facts: BoardFacts, operators: readonly OperatorId[]): PassSeconds {
  let [forward, backward] = [0, 0];
  for (const id of operators) {
    forward += forwardSeconds(facts, id);
    backward += backwardSeconds(facts, id);
    for (const { redistribution, isAgain } of facts.sends.get(id) ?? []) {
      const waits = facts.figures.sends.get(redistribution.index)?.exposed ?? 0;
      if (isAgain) backward += waits;
      else forward += waits;
    }
  }
  return { forward, backward };
}

/** The seconds of a card as text; empty for 0 and for unknown seconds. */
export function timeText(seconds: number): string {
  return seconds > 0 ? formatSeconds(seconds) : "";
}
