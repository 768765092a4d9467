import { useMemo } from "react";
import { withSaidReaders } from "#app/scene";
import { shown } from "#app/state";
import type { TensorView } from "#compile";
import { useApp } from "./store-context.tsx";

/** A view whose readers have the names that the drawing gives them. */
export function useSaidView(view: TensorView): TensorView {
  const compiled = useApp(shown);
  return useMemo(
    () => (compiled === undefined ? view : withSaidReaders(compiled, view)),
    [compiled, view],
  );
}
