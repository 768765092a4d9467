import { type Checked, failed, passed } from "#core/diagnostics";
import type { Document } from "#language/document";
import { emittedBy } from "#systems";
import type { EmittedProgram } from "#systems/system";
import { type Arguments, badRequest } from "./answer.ts";

/**
 * The field that `as` adds to the answer of `plan`: the forward graph as that system would run it,
 * with the collectives of `rank` (default 0).
 */
export function emittedFields(
  { as: system, rank = 0 }: Arguments,
  document: Document | undefined,
): Checked<{ readonly emitted?: EmittedProgram }> {
  if (system === undefined) return passed({});
  if (document === undefined) {
    return failed(...badRequest('"as" is asked of programs').diagnostics);
  }
  const emitted = emittedBy(system, document, rank);
  if (!emitted.ok) return emitted;
  return passed(emitted.value === undefined ? {} : { emitted: emitted.value });
}
