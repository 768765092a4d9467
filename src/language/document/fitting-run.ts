import type { Diagnostic } from "#core/diagnostics";
import type { TokenRows } from "./bindings/model-settings.ts";
import { failedIn, isOfSizes, type Known, leavesOf, ones, othersFor } from "./fitting-shapes.ts";
import type { ProgramRun } from "./run-program.ts";
import { hasWindow, isEmptyWindow } from "./trace/empty-windows.ts";
import { imageRank, imagesFor } from "./trace/image-sizes.ts";
import { type KnownLeaf, type Memory, nothingKnown } from "./trace/memory.ts";
import { reshapeFaults } from "./trace/reshape-size.ts";

/** Runs the text anew with other sizes for what it leaves open. */
type Run = (memory: Memory) => ProgramRun;

/** How much all runs together may do that look for sizes: some tenths of a second. */
const mostWork = 1500;

/** What a run does, counted in operators that it draws: steps of the evaluator, and what each run does. */
function workOf({ trace, steps }: ProgramRun): number {
  return trace.operators.length + steps / 1000 + 20;
}

/** By how much the sizes that nobody gave are multiplied to see whether a fault depends on them. */
const otherwise = 3;

/**
 * The run of a text with sizes that fit each other. Those that nobody gave are assumed; where they do
 * not fit those that the text gives, others are tried. A fault that depends on what is assumed is no
 * fault of the text: it is a warning.
 */
export function fittingRun(first: ProgramRun, source: string, run: Run): ProgramRun {
  return withGuesses(searched(first, source, run));
}

function searched(first: ProgramRun, source: string, run: Run): ProgramRun {
  const { memory } = first;
  if (memory === undefined) return first;
  const long = first.rows && runOnRows(first, first.rows, run);
  if (long !== undefined && !isMisfit(long, source)) return long;
  const second = run(memory);
  if (!isMisfit(second, source)) return second;
  const readsImages = second.trace.operators.some(hasWindow) || memory.leaves.some(isImage);
  const failed = failedIn(second, source);
  const reached = failed === undefined ? memory.leaves : leavesOf(memory, failed);
  const search = new Search({ memory, run: second }, source, run, first.imageSide);
  if (readsImages && reached.some(isImage)) search.images();
  while (search.others()) if (search.hasOtherRanks) search.images();
  return search.end();
}

/**
 * The text on rows of token ids as long as its model takes them; nothing where that changes more than
 * sizes: what runs, or what Python complains of.
 */
function runOnRows(first: ProgramRun, rows: TokenRows, run: Run): ProgramRun | undefined {
  const { memory } = run({ ...nothingKnown, rows: rows.lengths });
  const long = memory && run(memory);
  const complaints = ({ diagnostics }: ProgramRun) =>
    diagnostics.filter(({ severity }) => severity !== "info").length;
  const isAlike =
    long?.trace.operators.length === first.trace.operators.length &&
    complaints(long) <= complaints(first);
  return isAlike ? { ...long, rows } : undefined;
}

/** A run of which faults of sizes are warnings where a class is made with arguments that are guesses. */
function withGuesses(run: ProgramRun): ProgramRun {
  if (!run.diagnostics.some(({ code }) => code === "document/assumed-arguments")) return run;
  return weakened(run, () => true, "arguments of its class are assumed: make it with its own");
}

function isImage({ role, shape }: KnownLeaf): boolean {
  return role === "input" && shape.length >= imageRank;
}

/** A search for sizes in place of those that do not fit: the run that draws most is kept. */
class Search {
  private best: Known;
  private readonly source: string;
  private readonly run: Run;
  private readonly refused: number;
  private readonly imageSide: number | undefined;
  private left = mostWork;
  private ranks: readonly number[];

  constructor(begin: Known, source: string, run: Run, imageSide: number | undefined) {
    this.best = begin;
    this.imageSide = imageSide;
    this.source = source;
    this.run = run;
    this.refused = refusals(begin.run);
    this.ranks = begin.memory.leaves.map(({ shape }) => shape.length);
  }

  private get isOver(): boolean {
    return this.left <= 0 || !isMisfit(this.best.run, this.source);
  }

  /** Whether a rank that was a guess is another one since images were tried. */
  get hasOtherRanks(): boolean {
    return this.best.memory.leaves.some(({ shape }, at) => shape.length !== this.ranks[at]);
  }

  /** Tries images of usual sides. */
  images(): void {
    const { memory } = this.best;
    this.ranks = memory.leaves.map(({ shape }) => shape.length);
    for (const known of imagesFor(memory, this.source, this.imageSide)) {
      if (this.isOver) return;
      this.isBetter(known);
    }
  }

  /** Tries what the first fault asks for; whether something was better. */
  others(): boolean {
    for (const known of othersFor(this.best, this.source)) {
      if (this.isOver) return false;
      if (this.isBetter(known)) return true;
    }
    return false;
  }

  private isBetter(memory: Memory): boolean {
    const run = this.run(memory);
    this.left -= workOf(run);
    if (refusals(run) > this.refused) return false;
    const before = drawnBefore(this.best.run, this.source);
    const isFit = !isMisfit(run, this.source);
    if (!isFit && drawnBefore(run, this.source) <= before) return false;
    if (ones(run.trace.operators[before]) > ones(this.best.run.trace.operators[before]))
      return false;
    this.best = { memory, run };
    return true;
  }

  /** The best run; what stays wrong by assumed sizes alone is a warning. */
  end(): ProgramRun {
    return doubted(this.best, this.run);
  }
}

/** How many operators a run draws before one fails. */
function drawnBefore(run: ProgramRun, source: string): number {
  const failed = failedIn(run, source);
  const { operators } = run.trace;
  return failed === undefined ? operators.length : operators.indexOf(failed);
}

/** How many lines are left out, and classes end, that fail with what is assumed. */
function refusals({ diagnostics }: ProgramRun): number {
  return diagnostics.filter((each) => each.code.startsWith("python/") || isStopped(each)).length;
}

/** Whether a class that nobody makes has ended before anything of it was drawn. */
function isStopped({ code, related }: Diagnostic): boolean {
  return code === "document/assumed-arguments" && related !== undefined;
}

/** A run whose faults are warnings where other sizes in place of the assumed ones change them. */
function doubted({ memory, run: known }: Known, run: Run): ProgramRun {
  if (!known.built.diagnostics.some(isOfSizes) || !memory.leaves.some(isAssumed)) return known;
  const leaves = memory.leaves.map((leaf) =>
    isAssumed(leaf)
      ? {
          ...leaf,
          shape: leaf.shape.map((size, dim) => (leaf.defaults[dim] ? size * otherwise : size)),
        }
      : leaf,
  );
  const { built } = run({ ...memory, leaves });
  const again = new Set(built.diagnostics.map(textOf));
  const why =
    "sizes that it follows from are assumed, since nothing gives a shape: call it with one";
  return weakened(known, (each) => !again.has(textOf(each)), why);
}

/** A run whose faults of sizes are warnings where something else is to blame. */
function weakened(
  run: ProgramRun,
  isWeak: (fault: Diagnostic) => boolean,
  why: string,
): ProgramRun {
  const diagnostics = run.built.diagnostics.map((each): Diagnostic => {
    if (!isOfSizes(each) || each.severity !== "error" || !isWeak(each)) return each;
    return { ...each, severity: "warning", message: `${each.message}; ${why}` };
  });
  return { ...run, built: { ...run.built, diagnostics } };
}

function isAssumed({ role, defaults }: KnownLeaf): boolean {
  return role === "input" && defaults.includes(true);
}

function textOf({ code, message, span }: Diagnostic): string {
  return `${span?.from} ${code} ${message}`;
}

/** How a text refuses sizes in its own words. */
const refusing: ReadonlySet<string> = new Set(
  ["value-error", "assertion-error", "runtime-error", "index-error"].map(
    (kind) => `python/${kind}`,
  ),
);

/** Whether sizes that a run has assumed do not fit those that the text gives. */
function isMisfit({ built, diagnostics, trace, names }: ProgramRun, source: string): boolean {
  // Python's own words of what is drawn with assumed shapes are warnings: a pattern that divides no side.
  const isRefused = ({ code, severity }: Diagnostic) =>
    severity === "warning" && refusing.has(code);
  return (
    trace.operators.length === 0 ||
    built.diagnostics.some(isOfSizes) ||
    diagnostics.some((each) => isRefused(each) || isStopped(each)) ||
    trace.operators.some(isEmptyWindow) ||
    reshapeFaults(trace.operators, names, source).length > 0
  );
}
