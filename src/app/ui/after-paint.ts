/** A page that is not in sight paints nothing: then so many milliseconds have to do. */
const unseenMilliseconds = 200;

/** Calls back in a task of its own when the next frame has been painted; returns how to call it off. */
export function afterPaint(then: () => void): () => void {
  let task: ReturnType<typeof setTimeout> | undefined;
  const fallback = setTimeout(then, unseenMilliseconds);
  const frame = requestAnimationFrame(() => {
    clearTimeout(fallback);
    task = setTimeout(then);
  });
  return () => {
    clearTimeout(fallback);
    cancelAnimationFrame(frame);
    clearTimeout(task);
  };
}
