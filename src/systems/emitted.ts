import { type Checked, failed, passed } from "#core/diagnostics";
import type { Document } from "#language/document";
import type { EmittedProgram } from "#systems/system";
import { systems } from "./systems.ts";

/**
 * The forward graph of a program as a system would run it, with the collectives of one rank;
 * `undefined` for a system whose own graph is not known.
 *
 * Unknown systems, and ranks outside the mesh, are refused.
 */
export function emittedBy(
  name: unknown,
  document: Document,
  rank: unknown,
): Checked<EmittedProgram | undefined> {
  const { mesh } = document.mesh;
  const owners = systems.filter(({ emits, isTextOf }) => (emits ?? isTextOf) !== undefined);
  const owner = owners.find((system) => system.name === name);
  if (owner === undefined) {
    const names = owners.map((system) => JSON.stringify(system.name)).join(" or ");
    return refused(`"as" names a system: ${names}`);
  }
  if (owner.emits === undefined) return passed(undefined);
  const isRank = Number.isInteger(rank) && Number(rank) >= 0 && Number(rank) < mesh.devices.length;
  if (!isRank) return refused(`"rank" is a number from 0 to ${mesh.devices.length - 1}`);
  return passed(owner.emits(document, mesh, Number(rank)));
}

function refused(message: string): Checked<never> {
  return failed({ code: "cli/bad-request", severity: "error", message });
}
