import type { TracedOperator, TracedTensor } from "./traced.ts";

/** A loop that evaluates the same layers again and again ends when it has drawn more operators. */
const mostRepeated = 1024;

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
  /** Whether it is in the forward pass of a module. */
  readonly isForward: boolean;
  readonly trains: boolean;
  /** What the program has drawn by now. */
  readonly operators: readonly TracedOperator[];
  /** Says how many rounds are drawn of a loop that has more, and why. */
  readonly say: (why: string, rounds: number) => void;
}

/** What a program does over and over: a loop that has done it once is over. */
export class RepeatedRounds {
  /** Steps of optimizers. */
  updates = 0;
  backwardPasses = 0;
  /** How many operators run with gradients, and which ones without. */
  followed = 0;
  readonly evaluated = new Set<TracedOperator>();
  /** Calls of unknown objects, as of a model, drawn as operators. */
  ofUnknown = 0;
  /** The part of `ran` that fell in loops which ended because they only evaluate. */
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
   * A function to call after each round of a beginning loop, which says whether the loop is over.
   * It is over when the round has ended a step; when it has run a backward pass and the loop has no
   * `step()` that would wait for several; or when it has only evaluated, or used trained weights.
   *
   * @param body the loop as it is written
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
        // Rounds over what is written out may differ, as over sizes that a model is tried with.
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
   * A function to call after each round, which says whether the loop evaluates the same layers
   * again, like one that makes one token after the other. Loops that draw few operators are not
   * ended.
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

  /** How many operators have run. */
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
