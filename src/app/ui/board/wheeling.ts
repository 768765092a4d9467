/**
 * Milliseconds after a turn of the wheel in which cards that pass below the pointer are not pointed
 * at.
 */
const settled = 150;

let last = Number.NEGATIVE_INFINITY;

/** A wheel is being turned over the board. */
export function noteWheel(): void {
  last = performance.now();
}

/** Whether cards pass below a pointer that rests. */
export function isWheeling(): boolean {
  return performance.now() - last < settled;
}
