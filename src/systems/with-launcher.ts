import {
  type CodeInput,
  type CodeTarget,
  type CodeWriter,
  refusedForm,
  slurmScript,
} from "#systems/arrays";
import type { WrittenCode } from "./code.ts";

/** A plan as a file of an engine with its launcher, unless it has a form that has no place there. */
export function withLauncher(
  { refuses = {}, launch }: CodeTarget,
  { write }: CodeWriter,
  input: CodeInput,
): WrittenCode {
  const reason = refusedForm(input.program, refuses);
  if (reason !== undefined) return { ok: false, reason };
  const written = write(input);
  if (!written.ok) return written;
  return {
    ok: true,
    files: [
      { name: "plan.py", text: written.text },
      { name: "launch.sh", text: slurmScript(input.program.devices.length, launch) },
    ],
    claims: written.claims,
    ...(written.note !== undefined && { note: written.note }),
  };
}
