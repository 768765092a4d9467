import type { OperatorId } from "#core/ir";
import { formatSeconds } from "../text/numbers.ts";
import { type BoardFacts, backwardSeconds, forwardSeconds } from "./board-facts.ts";

/** Seconds of operators, with those in which the device only waits for what is sent for them. */
export interface PassSeconds {
  readonly forward: number;
  readonly backward: number;
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

/** Seconds as a card says them; nothing of what takes no time or is not known. */
export function timeText(seconds: number): string {
  return seconds > 0 ? formatSeconds(seconds) : "";
}
