import type { Graph } from "#core/ir";

/** A net of modules has a row for each operator from so many on, any other from more on. */
const leastInModules = 12;
const least = 25;

/** Whether a program is drawn by rows unless its reader chooses: boxes with lines suit few. */
export function isDrawnByRows({ operators }: Graph): boolean {
  if (operators.length >= least) return true;
  return operators.length >= leastInModules && operators.some(({ module }) => module !== undefined);
}
