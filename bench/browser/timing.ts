/** A measured figure in the browser, the median of several runs, with its aim. */
export interface Timing {
  readonly name: string;
  readonly unit: "ms" | "kB" | "×";
  /** Milliseconds on the reference machine; elsewhere multiplied by the calibration's factor. */
  readonly aim: number;
  /** Lower bound of the aim on any machine, since a screen shows no more frames than that. */
  readonly leastAim?: number;
  /** One figure per run; the name says how it is computed. */
  readonly figures: readonly number[];
}

/** Factor by which a timing may exceed its aim before a check fails. */
const tolerance = 2;

/** Number of rounds of every timing. */
export const rounds = 3;

/** The median of the runs. */
function figureOf({ figures }: Timing): number {
  return share(figures, 0.5);
}

/**
 * The aim on a machine that is `factor` times slower than the reference; sizes and ratios are not
 * scaled.
 */
function aimAt({ unit, aim, leastAim = 0 }: Timing, factor: number): number {
  return unit === "ms" ? Math.max(leastAim, aim * factor) : aim;
}

export function isSlow(timing: Timing, factor: number): boolean {
  const most = tolerance * aimAt(timing, factor);
  // A size does not vary between runs, so it gets no tolerance.
  return !(figureOf(timing) <= (timing.unit === "kB" ? timing.aim : most));
}

/** One line: name, median, minimum and maximum of the runs, aim. */
export function lineOf(timing: Timing, factor: number): string {
  const { name, unit, aim, figures } = timing;
  const figure = figureOf(timing);
  const times = figure / aimAt(timing, factor);
  const verdict = times <= 1 ? "" : ` ${times.toFixed(1)} × the aim`;
  const digits = unit === "×" ? 2 : 0;
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  const spread = `${least.toFixed(digits)} to ${most.toFixed(digits)}`;
  const here = unit === "ms" ? `, here × ${factor.toFixed(2)}` : "";
  const shown = `${figure.toFixed(Math.max(1, digits)).padStart(8)} ${unit}`;
  return `${name.padEnd(58)}${shown}  (${spread})  aim ${aim} ${unit}${here}${verdict}`;
}

/** Quantile of the figures; infinite without figures. */
export function share(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1);
  return sorted[at] ?? Number.POSITIVE_INFINITY;
}
