import type { TracedOperator } from "./traced.ts";

/** Of a loop over what is written out every round is evaluated, of a count one, of else two. */
function roundsEvaluated(loop: string): number {
  if (/^for\b[^\n]*?\bin\s*[[({]/u.test(loop)) return Number.POSITIVE_INFINITY;
  return /^(?:while\b|for\b[^\n]*?\bin\s+(?:range|trange)\()/u.test(loop) ? 1 : 2;
}

/** Whether a text runs a backward pass itself. */
export function trains(source: string): boolean {
  return /\.backward\(/u.test(source);
}

/** Where a loop stands. */
interface LoopPlace {
  readonly isForward: boolean;
  readonly trains: boolean;
}

/** What a program does over and over: a loop that has done it once is over. */
export class RepeatedRounds {
  /** Steps of optimizers. */
  updates = 0;
  backwardPasses = 0;
  /** How many operators run with gradients, and which ones without. */
  followed = 0;
  readonly evaluated = new Set<TracedOperator>();
  /** Operators that stand for calls of objects of which nothing is known, as of a model. */
  ofUnknown = 0;
  /** How many of all those ran in loops that have ended by them. */
  private ended = 0;
  /** Whether a loop has ended by an update, and whether one has by a backward pass alone. */
  hasEndedLoop = false;
  hasEndedPasses = false;

  /** Takes note of a call of something unknown, whose name says what it is: `model().backward`. */
  noteUnknown(path: string): void {
    if (path.endsWith(".backward")) this.backwardPasses += 1;
    if (path.endsWith(".step") && this.backwardPasses > 0) this.updates += 1;
  }

  /**
   * Whether a loop that begins now is over, to be asked after each of its rounds: where the round has
   * ended a step; has run a backward pass, and the loop has no `step()` that waits for several of
   * them; or has only evaluated, or used what was trained.
   *
   * @param body the loop as it is written
   * @param place whether it is in the forward pass of a module, and whether the text trains
   * @param say says that of a loop around what is not known one round alone is drawn
   */
  loop(body: string, place: LoopPlace, say: () => void): () => boolean {
    const { updates, backwardPasses, followed, ran, ended, ofUnknown } = this;
    const mayEvaluate = place.trains && !place.isForward;
    const hasStep = /\.step\(/u.test(body);
    let left = roundsEvaluated(body);
    return () => {
      left -= 1;
      if (this.updates > updates) {
        this.hasEndedLoop = true;
        return true;
      }
      if (this.backwardPasses > backwardPasses && !hasStep) {
        this.hasEndedPasses = true;
        return true;
      }
      const isBeside = updates > 0 || this.followed === followed;
      const isOver = mayEvaluate && left <= 0 && isBeside && this.ran - this.ended > ran - ended;
      if (isOver) this.ended += this.ran - ran - (this.ended - ended);
      const isOpen = place.isForward || left > 0 || (hasStep && place.trains);
      if (isOver || isOpen || this.ofUnknown === ofUnknown) return isOver;
      say();
      return true;
    };
  }

  /** How many operators have run. */
  private get ran(): number {
    return this.followed + this.evaluated.size;
  }
}
