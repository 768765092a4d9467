import type { Preview } from "#app/engine";
import type { DimGesture, Gesture, StepsGesture } from "#edit";

/** Whether two gestures have the same effect on the same dim. */
function sameGesture(a: Gesture, b: Gesture): boolean {
  if (!("tensor" in a) || !("tensor" in b)) return false;
  return (
    a.kind === b.kind &&
    a.tensor === b.tensor &&
    a.dim === b.dim &&
    a.axis === b.axis &&
    (a.axes ?? []).join() === (b.axes ?? []).join()
  );
}

/** Known preview of a choice of steps; `undefined` if there is none. */
export function stepsPreviewOf(
  known: readonly Preview[],
  { redistribution, steps }: StepsGesture,
): Preview | undefined {
  return known.find(
    ({ gesture }) =>
      gesture.kind === "choose-steps" &&
      gesture.redistribution === redistribution &&
      gesture.steps === steps,
  );
}

/** Known preview of a gesture; `undefined` if there is none. */
export function previewOf(
  known: readonly Preview[],
  gesture: DimGesture | undefined,
): Preview | undefined {
  return gesture && known.find((preview) => sameGesture(preview.gesture, gesture));
}
