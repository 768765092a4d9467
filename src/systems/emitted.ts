import { type Checked, failed, passed } from "#core/diagnostics";
import type { Document } from "#language/document";
import { type Emitted, emittedProgram } from "#systems/mindspore";

/**
 * The forward graph of a program as a system would run it, with the collectives of one rank.
 *
 * Systems whose own graph is not known, and ranks that the mesh does not have, are refused.
 */
export function emittedBy(system: unknown, document: Document, rank: unknown): Checked<Emitted> {
  const { mesh } = document.mesh;
  if (system !== "mindspore") return refused('"as" names a system: "mindspore"');
  const isRank = Number.isInteger(rank) && Number(rank) >= 0 && Number(rank) < mesh.devices.length;
  if (!isRank) return refused(`"rank" is a number from 0 to ${mesh.devices.length - 1}`);
  return passed(emittedProgram(document, mesh, Number(rank)));
}

function refused(message: string): Checked<never> {
  return failed({ code: "cli/bad-request", severity: "error", message });
}
