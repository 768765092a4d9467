import { type Checked, failed, passed } from "#core/diagnostics";
import type { Document } from "#language/document";
import type { EmittedProgram } from "#systems/system";
import { systems } from "./systems.ts";

/**
 * The forward graph of a program as a system would run it, with the collectives of one rank.
 *
 * Systems whose own graph is not known, and ranks that the mesh does not have, are refused.
 */
export function emittedBy(
  name: unknown,
  document: Document,
  rank: unknown,
): Checked<EmittedProgram> {
  const { mesh } = document.mesh;
  const emitting = systems.filter(({ emits }) => emits !== undefined);
  const emits = emitting.find((system) => system.name === name)?.emits;
  if (emits === undefined) {
    const names = emitting.map((system) => JSON.stringify(system.name)).join(" or ");
    return refused(`"as" names a system: ${names}`);
  }
  const isRank = Number.isInteger(rank) && Number(rank) >= 0 && Number(rank) < mesh.devices.length;
  if (!isRank) return refused(`"rank" is a number from 0 to ${mesh.devices.length - 1}`);
  return passed(emits(document, mesh, Number(rank)));
}

function refused(message: string): Checked<never> {
  return failed({ code: "cli/bad-request", severity: "error", message });
}
