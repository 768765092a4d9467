import { type Checked, failed, passed } from "#core/diagnostics";
import type { Document } from "#language/document";
import { type Emitted, emittedProgram } from "#systems/mindspore";
import { type Arguments, badRequest } from "./answer.ts";

/**
 * The field that `as` adds to the answer of `plan`: the forward graph as that system would run it,
 * with the collectives in which `rank` (0 when unsaid) takes part.
 */
export function emittedFields(
  { as: system, rank = 0 }: Arguments,
  document: Document | undefined,
): Checked<{ readonly emitted?: Emitted }> {
  if (system === undefined) return passed({});
  if (system !== "mindspore") return refused('"as" names a system: "mindspore"');
  if (document === undefined) return refused('a LoomGraph has no form as "mindspore"');
  const { mesh } = document.mesh;
  const isRank = Number.isInteger(rank) && Number(rank) >= 0 && Number(rank) < mesh.devices.length;
  if (!isRank) return refused(`"rank" is a number from 0 to ${mesh.devices.length - 1}`);
  return passed({ emitted: emittedProgram(document, mesh, Number(rank)) });
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}
