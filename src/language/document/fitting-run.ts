import type { Diagnostic } from "#core/diagnostics";
import type { TokenRows } from "./bindings/model-settings.ts";
import { failedIn, isOfSizes, type Known, leavesOf, ones, othersFor } from "./fitting-shapes.ts";
import type { ProgramRun } from "./run-program.ts";
import { hasWindow, isEmptyWindow } from "./trace/empty-windows.ts";
import { imageRank, imagesFor } from "./trace/image-sizes.ts";
import { type KnownLeaf, type Memory, nothingKnown } from "./trace/memory.ts";
import { reshapeFaults } from "./trace/reshape-size.ts";

/** Runs the text again with other assumed sizes. */
type Run = (memory: Memory) => ProgramRun;

/** Work limit of all runs of a search, in the unit of `workOf`: a few tenths of a second. */
const mostWork = 1500;

/** Work of a run, in drawn operators: the operators, evaluator steps ÷ 1000, and 20 per run. */
function workOf({ trace, steps }: ProgramRun): number {
  return trace.operators.length + steps / 1000 + 20;
}

/** Factor by which assumed sizes are scaled to test whether a fault depends on them. */
const otherwise = 3;

/**
 * The run of a text with sizes that fit each other. Sizes that nothing gives are assumed, and other
 * sizes are tried if they do not fit those in the text. A fault that depends on assumed sizes
 * becomes a warning.
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
 * A run on rows of token ids of the maximum length of the model; `undefined` if that changes the
 * drawn operators or adds complaints.
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

/** The run with its size faults as warnings if a class was constructed with assumed arguments. */
function withGuesses(run: ProgramRun): ProgramRun {
  if (!run.diagnostics.some(({ code }) => code === "document/assumed-arguments")) return run;
  return weakened(run, () => true, "arguments of its class are assumed: make it with its own");
}

function isImage({ role, shape }: KnownLeaf): boolean {
  return role === "input" && shape.length >= imageRank;
}

/** A search for sizes that fit; it keeps the run that draws the most operators. */
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

  /** Whether a guessed rank has changed since images were last tried. */
  get hasOtherRanks(): boolean {
    return this.best.memory.leaves.some(({ shape }, at) => shape.length !== this.ranks[at]);
  }

  /** Tries images of common side lengths. */
  images(): void {
    const { memory } = this.best;
    this.ranks = memory.leaves.map(({ shape }) => shape.length);
    for (const known of imagesFor(memory, this.source, this.imageSide)) {
      if (this.isOver) return;
      this.isBetter(known);
    }
  }

  /** Tries the sizes and ranks that the first fault suggests; returns whether one was better. */
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

  /** The best run; faults that remain only because of assumed sizes become warnings. */
  end(): ProgramRun {
    return doubted(this.best, this.run);
  }
}

/** Number of operators that a run draws before the first that fails. */
function drawnBefore(run: ProgramRun, source: string): number {
  const failed = failedIn(run, source);
  const { operators } = run.trace;
  return failed === undefined ? operators.length : operators.indexOf(failed);
}

/** Number of lines left out and classes stopped because of assumed values. */
function refusals({ diagnostics }: ProgramRun): number {
  return diagnostics.filter((each) => each.code.startsWith("python/") || isStopped(each)).length;
}

/** Whether a class that the program never instantiates stopped before anything of it was drawn. */
function isStopped({ code, related }: Diagnostic): boolean {
  return code === "document/assumed-arguments" && related !== undefined;
}

/** The run with its size faults as warnings if scaling the assumed sizes changes them. */
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

/**
 * The run with the size errors chosen by `isWeak` as warnings; `why` is appended to their messages.
 */
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

/** Diagnostic codes of exceptions with which a text itself rejects sizes. */
const refusing: ReadonlySet<string> = new Set(
  ["value-error", "assertion-error", "runtime-error", "index-error"].map(
    (kind) => `python/${kind}`,
  ),
);

/** Whether a run's assumed sizes do not fit those in the text. */
function isMisfit({ built, diagnostics, trace, names }: ProgramRun, source: string): boolean {
  // Python exceptions over assumed shapes are warnings, such as a pattern that divides no side.
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
