import { useMemo } from "react";
import { withSaidReaders } from "#app/scene";
import { shown } from "#app/state";
import type { TensorView } from "#compile";
import { useApp } from "./store-context.tsx";

/** A view whose readers are called as the drawing calls them. */
export function useSaidView(view: TensorView): TensorView {
  const compiled = useApp(shown);
  return useMemo(
    () => (compiled === undefined ? view : withSaidReaders(compiled, view)),
    [compiled, view],
  );
}
