/** Fallback delay (ms): a hidden tab gets no animation frame. */
const unseenMilliseconds = 200;

/** A page that is never idle calls back all the same. */
const patienceMilliseconds = 100;

/**
 * Calls back in a task of its own when the next frame has been painted and nothing more urgent
 * waits, such as a key that was pressed meanwhile; returns how to call it off.
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

/** Not every browser says when it is idle. */
function whenIdle(then: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const task = setTimeout(then);
    return () => clearTimeout(task);
  }
  const task = requestIdleCallback(then, { timeout: patienceMilliseconds });
  return () => cancelIdleCallback(task);
}
