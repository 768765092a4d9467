import {
  type CodeInput,
  type CodeTarget,
  type CodeWriter,
  type NotWrittenFile,
  refusedForm,
  slurmScript,
} from "#systems/arrays";

/** A file of code, by the name that the others call it by. */
export interface CodeFile {
  readonly name: string;
  readonly text: string;
}

/** A plan as code: the program first, then how it is launched; or half a sentence why it is none. */
export type WrittenCode =
  | {
      readonly ok: true;
      readonly files: readonly [CodeFile, CodeFile];
      readonly claims: unknown;
      /** A form that a reader may miss, and why there is another: a sentence. */
      readonly note?: string;
    }
  | NotWrittenFile;

/** A plan as a file of an engine with its launcher, unless it has a form that has no place there. */
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
