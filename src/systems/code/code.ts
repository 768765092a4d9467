import type { Diagnostic } from "#core/diagnostics";
import { type CodeInput, type CodeWriter, slurmScript, type WrittenProgram } from "#systems/arrays";
import { refusedForm } from "./refused-forms.ts";
import { codeWriters } from "./writers.ts";

/** Every engine that plans are written for, with what its file is. */
export const codeTargets: readonly Pick<CodeWriter, "target" | "name" | "what" | "compares">[] =
  codeWriters;

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
  | { readonly ok: false; readonly reason: string };

/**
 * What an engine would compute wrongly if the plan were written for it by hand, what the file does
 * about it, and the rewriting of the text that takes the warning away.
 */
export function codeWarnings(written: WrittenProgram, target: string): readonly Diagnostic[] {
  return writerOf(target).warnings?.(written) ?? [];
}

/**
 * A plan as `plan.py` for an engine, which checks itself where it is run (MindSpore's
 * cell against what its compiler makes of it), and `launch.sh`, which runs it on all devices by Slurm.
 *
 * `claims` are what the engine must show: slices per device, and every collective with its groups
 * and bytes.
 */
export function writeCode(input: CodeInput, target: string): WrittenCode {
  const { write, launch } = writerOf(target);
  const reason = refusedForm(input.program, target);
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

function writerOf(target: string): CodeWriter {
  const writer = codeWriters.find((each) => each.target === target);
  if (writer === undefined) throw new Error(`no plan is written for "${target}"`);
  return writer;
}
