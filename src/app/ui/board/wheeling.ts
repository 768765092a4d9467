/**
 * Time in milliseconds after a wheel event in which cards that pass below the pointer do not count
 * as pointed at.
 */
const settled = 150;

let last = Number.NEGATIVE_INFINITY;

/** Records a wheel event on the board. */
export function noteWheel(): void {
  last = performance.now();
}

/** Whether cards pass below a resting pointer because of a wheel event. */
export function isWheeling(): boolean {
  return performance.now() - last < settled;
}
