import { useMemo } from "react";
import { shown } from "#app/state";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";

/** The mesh and its machine, which most edits do not change. */
export type Machined = Pick<Compiled, "mesh" | "hardware" | "hardwareStatus">;

/** Those of the plan on screen; the same object until one of them changes. */
export function useMachined(): Machined | undefined {
  const mesh = useApp((state) => shown(state)?.mesh);
  const hardware = useApp((state) => shown(state)?.hardware);
  const hardwareStatus = useApp((state) => shown(state)?.hardwareStatus);
  return useMemo(
    () =>
      mesh === undefined || hardware === undefined || hardwareStatus === undefined
        ? undefined
        : { mesh, hardware, hardwareStatus },
    [mesh, hardware, hardwareStatus],
  );
}
