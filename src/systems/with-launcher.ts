import {
  type CodeInput,
  type CodeTarget,
  type CodeWriter,
  type NotWrittenFile,
  refusedForm,
  slurmScript,
} from "#systems/arrays";

/** A file of code, by the name under which the other files refer to it. */
export interface CodeFile {
  readonly name: string;
  readonly text: string;
}

/**
 * A plan as code: the program file, then the launcher; or why there is none, as half a sentence.
 */
export type WrittenCode =
  | {
      readonly ok: true;
      readonly files: readonly [CodeFile, CodeFile];
      readonly claims: unknown;
      /** A sentence on a part of the plan that the file expresses differently. */
      readonly note?: string;
    }
  | NotWrittenFile;

/**
 * Writes a plan as an engine's file with its launcher, unless the engine refuses the plan's form.
 */
export function withLauncher(
  { refuses = {}, asWritten = (program) => program, launch, file = "plan.py" }: CodeTarget,
  { write }: CodeWriter,
  input: CodeInput,
): WrittenCode {
  const reason = refusedForm(asWritten(input.program), refuses);
  if (reason !== undefined) return { ok: false, reason };
  const written = write(input);
  if (!written.ok) return written;
  return {
    ok: true,
    files: [
      { name: file, text: written.text },
      { name: "launch.sh", text: slurmScript(input.program.devices.length, launch) },
    ],
    claims: written.claims,
    ...(written.note !== undefined && { note: written.note }),
  };
}
