import type { TracedOperator, TracedTensor } from "./traced.ts";

/** Number of operators after which a loop that evaluates the same layers repeatedly is stopped. */
const mostRepeated = 1024;

/**
 * Number of rounds evaluated per loop: all for a literal list, one for a count or `while`, else
 * two.
 */
function roundsEvaluated(loop: string): number {
  if (/^for\b[^\n]*?\bin\s*[[({]/u.test(loop)) return Number.POSITIVE_INFINITY;
  return /^(?:while\b|for\b[^\n]*?\bin\s+(?:range|trange)\()/u.test(loop) ? 1 : 2;
}

/** Whether a text calls `backward()` itself. */
export function trains(source: string): boolean {
  return /\.backward\(/u.test(source);
}

/** Context of a loop. */
interface LoopPlace {
  /** Whether the loop runs in the forward pass of a module. */
  readonly isForward: boolean;
  readonly trains: boolean;
  /** Operators recorded so far. */
  readonly operators: readonly TracedOperator[];
  /** Reports how many rounds of a longer loop are drawn, and why. */
  readonly say: (why: string, rounds: number) => void;
}

/**
 * Detects loops that repeat a training step or an evaluation, and stops them after a representative
 * round.
 */
export class RepeatedRounds {
  /** Number of optimizer steps. */
  updates = 0;
  backwardPasses = 0;
  /** Number of operators with gradients, and the operators without. */
  followed = 0;
  readonly evaluated = new Set<TracedOperator>();
  /** Calls of unknown objects, such as a model, that were drawn as operators. */
  ofUnknown = 0;
  /** Part of `ran` inside loops that were stopped because they only evaluate. */
  private ended = 0;
  /**
   * Whether a loop was stopped after an optimizer step, and whether one was after a backward pass
   * alone.
   */
  hasEndedLoop = false;
  hasEndedPasses = false;

  /** Notes a call of an unknown function, whose path tells its kind: `model().backward`. */
  noteUnknown(path: string): void {
    if (path.endsWith(".backward")) this.backwardPasses += 1;
    if (path.endsWith(".step") && this.backwardPasses > 0) this.updates += 1;
  }

  /**
   * Function to call after each round of a starting loop; it returns whether to stop the loop. It
   * stops when the round ended a step, when it ran a backward pass and the loop has no `step()`
   * that would wait for several, or when it only evaluated or used trained weights.
   *
   * @param body text of the loop
   */
  loop(body: string, { trains, isForward, operators, say }: LoopPlace): () => boolean {
    const { updates, backwardPasses, followed, ran, ended, ofUnknown } = this;
    const mayEvaluate = trains && !isForward;
    const hasStep = /\.step\(/u.test(body);
    const repeats = this.repetition(operators);
    let rounds = 0;
    const most = roundsEvaluated(body);
    return () => {
      rounds += 1;
      if (this.updates > updates) {
        this.hasEndedLoop = true;
        return true;
      }
      if (this.backwardPasses > backwardPasses && !hasStep) {
        this.hasEndedPasses = true;
        // Rounds over a literal list may differ, e.g. over sizes that a model is tried with, so
        // this is reported.
        if (most === Number.POSITIVE_INFINITY) say("runs a backward pass in each round", rounds);
        return true;
      }
      const isBeside = updates > 0 || this.followed === followed;
      const isOver =
        mayEvaluate && rounds >= most && isBeside && this.ran - this.ended > ran - ended;
      if (isOver) this.ended += this.ran - ran - (this.ended - ended);
      if (isOver || isForward || rounds < most || (hasStep && trains)) return isOver;
      const isUnknown = this.ofUnknown > ofUnknown;
      if (!isUnknown && !repeats()) return false;
      say(
        isUnknown ? "calls what is not known here" : "evaluates the same layers each time",
        rounds,
      );
      return true;
    };
  }

  /**
   * Function to call after each round; it returns whether the loop evaluates the same layers again,
   * like one that generates tokens. Loops that record few operators are not stopped.
   */
  private repetition(operators: readonly TracedOperator[]): () => boolean {
    const begin = operators.length;
    const seen = new Set<TracedTensor>();
    let from = begin;
    return () => {
      const reading = operators.slice(from).filter((each) => parametersOf(each).length > 0);
      const read = reading.flatMap(parametersOf);
      const isRepeated = read.length > 0 && read.every((each) => seen.has(each));
      for (const each of read) seen.add(each);
      from = operators.length;
      const isLong = from - begin > mostRepeated;
      return isLong && isRepeated && reading.every((each) => this.evaluated.has(each));
    };
  }

  /** Number of operators that ran. */
  private get ran(): number {
    return this.followed + this.evaluated.size;
  }
}

function parametersOf({ inputs }: TracedOperator): readonly TracedTensor[] {
  return inputs.flatMap((each) =>
    each.kind === "tensor" && each.role === "parameter" && each.producer === undefined
      ? [each]
      : [],
  );
}
