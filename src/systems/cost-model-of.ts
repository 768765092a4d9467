import { type CostModel, type Hardware, modelOf } from "#core/cost";
import type { Checked } from "#core/diagnostics";
import type { DeviceMesh } from "#core/mesh";
import { systems } from "./systems.ts";

/** `modelOf` of `core/cost` with the cost models of every system. */
export function costModelOf(
  name: string,
  hardware: Hardware,
  mesh: DeviceMesh,
): Checked<CostModel> {
  const more = systems.flatMap(({ costModel }) => costModel ?? []);
  return modelOf(name, hardware, mesh, more);
}
