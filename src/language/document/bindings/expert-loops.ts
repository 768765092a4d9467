// Loops over experts: detected in their first round, then run as one round for all experts.

import type { Span } from "#core/diagnostics";
import type { Context, HostObject, HostType, LoopWatch, Value } from "#language/python";
import { expertFacts } from "../graph/expert-facts.ts";
import type { Recorder } from "../trace/recorder.ts";
import { Rounds } from "../trace/rounds.ts";
import { knownSize } from "../trace/size.ts";
import type { TraceMark } from "../trace/trace.ts";
import type { TracedOperator, TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import {
  type ExpertIndex,
  expertIndexType,
  expertListType,
  isExpertIndex,
} from "./expert-index.ts";
import { ExpertParts, isExpertPart } from "./expert-parts.ts";
import { ExpertRows } from "./expert-rows.ts";
import type { ExpertWords } from "./expert-words.ts";
import { rowFrom } from "./picked-row.ts";
import { StackedExperts } from "./stacked-experts.ts";
import type { TensorCalls } from "./tensor-calls.ts";

/** A loop whose first round is running, with the values that differ between its rounds. */
interface Watch {
  readonly numbers: ReadonlySet<Value>;
  readonly signal: Error;
  /** Number of experts, set when the round is left: the loop must have as many rounds. */
  experts?: number;
}

/** Most operators that may lie between a condition and the comparison with the loop's number. */
const farthest = 8;

/**
 * Loops over experts in a program, and the values of the single round that runs for all of them.
 */
export class ExpertLoops implements ExpertWords {
  private readonly recorder: Recorder;
  private readonly words: TensorCalls;
  private readonly watches: Watch[] = [];
  /** Tensors that depend on the number of a watched round. */
  private readonly marks = new WeakMap<TracedTensor, Watch>();
  private readonly indexType: HostType;
  readonly stacks: StackedExperts;
  /** Tokens of each expert, picked by position. */
  readonly rows: ExpertRows;
  /** Rows sorted by expert. */
  readonly parts: ExpertParts;
  private isSaid = false;
  /** Value of `isSaid` before the current round. */
  private wasSaid = false;

  constructor(recorder: Recorder, words: TensorCalls) {
    this.recorder = recorder;
    this.words = words;
    this.indexType = expertIndexType(this);
    this.stacks = new StackedExperts(recorder, words);
    this.rows = new ExpertRows(words);
    this.parts = new ExpertParts(recorder, words);
  }

  /** Whether one round currently runs for all rounds of a loop. */
  get areGrouped(): boolean {
    return this.recorder.rounds !== undefined;
  }

  get rounds(): Rounds | undefined {
    return this.recorder.rounds;
  }

  /**
   * Watches the first round of a loop over numbers, expert indices or expert parts. `undefined` for
   * other loops.
   */
  watch(first: Value, span: Span, context: Context): LoopWatch | undefined {
    if (this.recorder.isInBody || this.areGrouped) return undefined;
    const parts = [first, ...(first.kind === "tuple" ? first.items : [])];
    const isOne = parts.some((each) => isExpertIndex(each) || isExpertPart(each));
    const tensors = parts.flatMap((each) => this.words.tensorOf(each) ?? []).filter(isCount);
    const numbers = new Set(parts.filter(isNumber));
    if (!isOne && numbers.size + tensors.length === 0) return undefined;
    const mark = this.recorder.mark();
    const watch: Watch = { numbers, signal: new RoundsAreAlike() };
    for (const each of tensors) this.marks.set(each, watch);
    if (!isOne) this.watches.push(watch);
    return {
      ...{ signal: watch.signal, isOne },
      begin: (items) => this.begin(items, { mark, watch, at: { context, span } }),
      end: () => this.end(watch),
      abandon: () => this.abandon({ context, span }),
    };
  }

  private begin(
    items: readonly Value[],
    { mark, watch, at }: { mark: TraceMark; watch: Watch; at: At },
  ): Value | undefined {
    const [first] = items;
    this.recorder.forget(mark);
    const isOther = watch.experts !== undefined && watch.experts !== items.length;
    if (first === undefined || isOther) return undefined;
    const own = first.kind === "tuple" ? first.items.find(isExpertIndex) : first;
    const size = isExpertIndex(own) ? own.data.experts : items.length;
    this.recorder.rounds = new Rounds(size, this.recorder.trace);
    this.wasSaid = this.isSaid;
    this.words.noteChanges(true);
    if (isExpertIndex(first)) return first;
    const one = this.joined(items, at);
    if (one !== undefined) return one;
    return at.context.raise(
      "NotImplementedError",
      "what the rounds of this loop over experts go through differs, and is not read as one",
      at.span,
    );
  }

  /** The single value for the values of all rounds; `undefined` when there is none. */
  joined(values: readonly Value[], at?: At): Value | undefined {
    const [first] = values;
    if (first === undefined || isExpertIndex(first)) return first;
    if (isNumber(first)) {
      const numbers = values.flatMap((each) => (isNumber(each) ? [Number(each.value)] : []));
      const start = Number(first.value);
      if (numbers.length === values.length && numbers.every((each, at) => each === start + at))
        return numbers.length === 1 ? first : this.index(values.length, start);
      return numbers.every((each) => each === start) ? first : undefined;
    }
    if (first.kind === "tuple") {
      const items = first.items.map((_, place) =>
        this.joined(
          values.flatMap((each) => (each.kind === "tuple" ? (each.items[place] ?? []) : [])),
          at,
        ),
      );
      const known = items.filter((each) => each !== undefined);
      return known.length === items.length ? { kind: "tuple", items: known } : undefined;
    }
    if (isExpertPart(first)) return this.inRound(first.data.whole);
    if (this.words.tensorOf(first) !== undefined || first.kind === "instance")
      return this.stacks.stacked(values, at);
    return values.every((each) => each === first || each.kind === "none") ? first : undefined;
  }

  private end(watch: Watch): void {
    const at = this.watches.indexOf(watch);
    if (at >= 0) {
      this.watches.splice(at, 1);
      return;
    }
    const { rounds } = this.recorder;
    this.recorder.rounds = undefined;
    this.words.noteChanges(false);
    if (rounds === undefined) return;
    for (const each of rounds.end(this.recorder.trace)) this.recorder.roundsOwn.add(each);
  }

  /**
   * Gives up a loop whose single round failed: tensors changed in place keep their shape, all other
   * results become unknown.
   */
  private abandon({ context, span }: At): void {
    const { rounds } = this.recorder;
    this.recorder.rounds = undefined;
    rounds?.forget(this.recorder.trace);
    this.isSaid = this.wasSaid;
    for (const tensor of this.words.undoChanges()) this.words.changeUnknown(tensor, span, context);
  }

  /** The index of one of `experts` experts, the first of them `start`. */
  index(experts: number, start = 0, isRow = false): ExpertIndex {
    return { kind: "host", type: this.indexType, data: { experts, start, isRow } };
  }

  /**
   * Indices of the experts for which a condition holds; every expert is assumed to be chosen.
   * `undefined` when the condition is not over experts.
   */
  hits(condition: Value, isMatrix: boolean): Value | undefined {
    const tensor = this.words.tensorOf(condition);
    const sizes = tensor?.shape?.map(knownSize) ?? [];
    const facts = tensor && expertFacts(tensor);
    const [size, ...others] = sizes;
    if (size === undefined || facts === undefined || others.length > 0) return undefined;
    if (size !== facts.experts && size !== facts.places) return undefined;
    const list = this.listOf(facts.experts, isMatrix);
    return isMatrix ? list : { kind: "tuple", items: [list] };
  }

  /** Indices of the experts that a tensor of choices names; `undefined` without expert facts. */
  chosen(choices: Value): Value | undefined {
    const tensor = this.words.tensorOf(choices);
    const facts = tensor && expertFacts(tensor);
    return facts && this.listOf(facts.experts, false);
  }

  /** The indices of all experts as a list, which a loop iterates. */
  private listOf(experts: number, isMatrix: boolean): Value {
    return { kind: "host", type: expertListType(this), data: { experts, isMatrix } };
  }

  /** Marks a result tensor as dependent on a round's number, if the value is that number. */
  note(value: Value | undefined, result: Value | undefined): void {
    const watch = value && this.watches.find(({ numbers }) => numbers.has(value));
    const tensor = this.words.tensorOf(result);
    if (watch !== undefined && tensor !== undefined) this.marks.set(tensor, watch);
  }

  /** Leaves the first round of a loop when its number decides which elements are picked. */
  leaveRoundOf(tensor: TracedTensor | undefined): void {
    if (this.watches.length === 0 || tensor === undefined) return;
    let level: readonly TracedTensor[] = [tensor];
    for (let far = 0; far < farthest && level.length > 0; far += 1) {
      const watch = level.map((each) => this.marks.get(each)).find((each) => each !== undefined);
      const facts = watch && expertFacts(tensor);
      if (watch !== undefined && facts !== undefined) {
        watch.experts = facts.experts;
        throw watch.signal;
      }
      level = level.flatMap(({ producer }) =>
        (producer?.inputs ?? []).flatMap((each) => (each.kind === "tensor" ? each : [])),
      );
    }
  }

  /** Leaves the first round of the innermost watched loop. */
  leaveRound(): void {
    const watch = this.watches.at(-1);
    if (watch !== undefined) throw watch.signal;
  }

  /** The round's slice of a tensor whose dim 0 holds the experts. */
  inRound(tensor: TracedTensor): HostObject {
    const { rounds } = this.recorder;
    if (rounds === undefined) throw new Error("no loop over experts runs");
    return this.words.object(rounds.inRound(tensor));
  }

  /**
   * Notes a tensor of zeros (or an empty one) that a result replaces, and gives the result its
   * name.
   */
  noteFilled(tensor: TracedTensor | undefined, made: TracedTensor | undefined): void {
    const isLeaf = tensor?.role === "input" && tensor.producer === undefined;
    if (!isLeaf || tensor.constant === undefined) return;
    this.recorder.trace.filled.add(tensor);
    if (made === undefined || tensor.name === undefined) return;
    made.name ??= tensor.name;
    made.isModuleVariable ||= tensor.isModuleVariable;
  }

  /** Removes an operator of the round that nothing reads. */
  takeBack(operator: TracedOperator | undefined): void {
    if (operator !== undefined) this.recorder.rounds?.takeBack(operator, this.recorder.trace);
  }

  /** Reports once that all experts are assumed to get equally many tokens. */
  sayEqualLoads(context: Context, span: Span): void {
    if (this.isSaid) return;
    this.isSaid = true;
    context.report({
      code: "document/equal-loads",
      severity: "info",
      message:
        "which expert gets which token depends on values, which a graph does not have: each expert is taken to get the same number of tokens of every group, and what is beyond is left out",
      span,
    });
  }
}

/** Thrown to leave the first round of a loop, which then runs as one round for all experts. */
class RoundsAreAlike extends Error {}

/** Whether a tensor is one expert's number of tokens, taken from the counts of all experts. */
function isCount(tensor: TracedTensor): boolean {
  const whole = rowFrom(tensor)?.whole;
  const sizes = whole?.shape?.map(knownSize) ?? [];
  return whole !== undefined && sizes.length === 1 && expertFacts(whole)?.experts === sizes[0];
}

function isNumber(value: Value): value is Extract<Value, { kind: "int" }> {
  return value.kind === "int";
}
