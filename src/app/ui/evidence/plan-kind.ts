import { memoryError, type PlanKind, type StatedError, timeError } from "#app/evidence";
import type { Compiled } from "#compile";
import { deviceCount } from "#core/mesh";

/** The error of the model for measured plans of the same kind as this one. */
export function statedError(compiled: Compiled, of: "time" | "memory"): StatedError {
  return of === "time" ? timeError(kindOf(compiled)) : memoryError(kindOf(compiled));
}

function kindOf({ program, mesh, cost, hardware }: Compiled): PlanKind {
  return {
    devices: deviceCount(mesh.mesh),
    trains: program.graph.operators.some(({ phase }) => phase === "backward"),
    isCompiled: cost.hostSeconds === 0,
    limit: cost.limit,
    chip: hardware.name,
  };
}
