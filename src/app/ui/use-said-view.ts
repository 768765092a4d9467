import { useMemo } from "react";
import { withDisplayedReaders } from "#app/scene";
import { shown } from "#app/state";
import type { TensorView } from "#compile";
import { useApp } from "./store-context.tsx";

/** View of a tensor whose readers have the names of the drawing. */
export function useSaidView(view: TensorView): TensorView {
  const compiled = useApp(shown);
  return useMemo(
    () => (compiled === undefined ? view : withDisplayedReaders(compiled, view)),
    [compiled, view],
  );
}
