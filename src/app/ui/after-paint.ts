/** Fallback delay (ms): a hidden tab gets no animation frame. */
const unseenMilliseconds = 200;

/** Longest wait (ms) for an idle period: a busy page calls back all the same. */
const patienceMilliseconds = 100;

/**
 * Calls back in its own task after the next frame has been painted and more urgent work, such as a
 * key press, is done. Returns a function that cancels the call.
 */
export function afterPaint(then: () => void): () => void {
  let callOff: (() => void) | undefined;
  const fallback = setTimeout(then, unseenMilliseconds);
  const frame = requestAnimationFrame(() => {
    clearTimeout(fallback);
    callOff = whenIdle(then);
  });
  return () => {
    clearTimeout(fallback);
    cancelAnimationFrame(frame);
    callOff?.();
  };
}

/**
 * Calls back when the page is idle; browsers without `requestIdleCallback` get a timeout of 0 ms.
 * Returns a function that cancels.
 */
function whenIdle(then: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const task = setTimeout(then);
    return () => clearTimeout(task);
  }
  const task = requestIdleCallback(then, { timeout: patienceMilliseconds });
  return () => cancelIdleCallback(task);
}
