import { type AppStore, selectedTensor, shown } from "#app/state";
import type { DimGesture } from "#edit";

/** The most targets whose effects are worked out ahead. */
const limit = 48;

/** Asks what putting an axis on each dim would do, so that targets can say so. */
export function askForAxis(store: AppStore, axis: string): void {
  const compiled = shown(store.getState());
  if (compiled === undefined) return;
  const inspected = selectedTensor(store.getState())?.id;
  const tensors = [...compiled.graph.tensors].sort(
    (a, b) => Number(b.id === inspected) - Number(a.id === inspected),
  );
  const gestures = tensors.flatMap((tensor) =>
    tensor.shape.map((_, dim): DimGesture => ({ kind: "split", tensor: tensor.id, dim, axis })),
  );
  void store.getState().preview(gestures.slice(0, limit));
}
