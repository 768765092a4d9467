import type { TracedOperator } from "./traced.ts";

/** What a program that trains does over and over: a loop that has done it once is over. */
export class RepeatedRounds {
  /** Steps of optimizers. */
  updates = 0;
  backwardPasses = 0;
  /** How many operators run with gradients, and which ones without. */
  followed = 0;
  readonly evaluated = new Set<TracedOperator>();
  /** Whether a loop has ended by an update, and whether one has by a backward pass alone. */
  hasEndedLoop = false;
  hasEndedPasses = false;

  /**
   * Whether a loop that begins now is over, to be asked after each of its rounds: where the round has
   * ended a step; has run a backward pass, and the loop has no `step()` that waits for several of
   * them; or has only evaluated.
   *
   * @param body the loop as it is written
   * @param mayEvaluate whether the text trains, and the loop is in no module
   */
  loop(body: string, mayEvaluate: boolean): () => boolean {
    const { updates, backwardPasses, followed } = this;
    const evaluated = this.evaluated.size;
    const hasStep = /\.step\(/u.test(body);
    return () => {
      if (this.updates > updates) {
        this.hasEndedLoop = true;
        return true;
      }
      if (this.backwardPasses > backwardPasses && !hasStep) {
        this.hasEndedPasses = true;
        return true;
      }
      return mayEvaluate && this.evaluated.size > evaluated && this.followed === followed;
    };
  }
}
