import type { OperatorId } from "#core/ir";
import { rememberedFor } from "../remembered.ts";
import { formatSeconds } from "../text/numbers.ts";
import type { HiddenRows } from "./board.ts";
import { type BoardFacts, backwardSeconds, forwardSeconds } from "./board-facts.ts";
import type { BoardModule } from "./board-item.ts";
import type { BoardTree } from "./board-tree.ts";

/**
 * Seconds of operators, and the seconds in which the device only waits for their redistributions.
 */
export interface PassSeconds {
  readonly forward: number;
  readonly backward: number;
}

/** By the lists of operators that are asked for: modules are asked for more than once. */
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

/** The operators without a row. Casts and copies among them take time, which no card shows. */
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

/** The time that operators of the text take in either pass, with what is exposed of their sends. */
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
