import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import {
  type CodeFile,
  codeTargets,
  type LoadedTarget,
  loadTarget,
  type WrittenCode,
} from "#systems";

/** An engine that plans can be written for, as a list of choices shows it. */
export type CodeChoice = Pick<LoadedTarget, "target" | "name" | "what" | "compares">;

/** A plan as code for one engine, and all engines to choose from. */
export interface PlanCode {
  readonly choices: readonly CodeChoice[];
  readonly chosen: CodeChoice;
  /** Two files, the program and its launch script; or why there are none, as half a sentence. */
  readonly written:
    | {
        readonly ok: true;
        readonly files: readonly [CodeFile, CodeFile];
        readonly note?: string;
      }
    | {
        readonly ok: false;
        readonly reason: string;
        /** Whether another plan may be searched for that the engine has words for. */
        readonly hasOthers: boolean;
      };
  /** The text with the written plan, if that is not its own. */
  readonly source?: string;
  /** Wrong results that the engine would compute for this plan if it were written by hand. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Writes a plan for an engine, by its name; for the first engine if the name is missing or unknown.
 * Rejects if the writer cannot be loaded.
 */
export async function planCode(compiled: Compiled, wanted: string | undefined): Promise<PlanCode> {
  const targets = codeTargets();
  const target = targets.find((each) => each.target === wanted) ?? targets[0];
  if (target === undefined) throw new Error("there is no engine that plans are written for");
  const loaded = await loadTarget(target);
  return codeOf(loaded, loaded.write(compiled), loaded.warnings(compiled));
}

/** The code for an engine in the form that a page gets. */
export function codeOf(
  target: LoadedTarget,
  written: WrittenCode,
  warnings: PlanCode["warnings"],
): PlanCode {
  return {
    choices: codeTargets().map(choiceOf),
    chosen: choiceOf(target),
    written: written.ok
      ? withoutClaims(written)
      : { ok: false, reason: written.reason, hasOthers: target.writable !== undefined },
    warnings,
  };
}

/**
 * Leaves out the claims, which are for checks of an engine: they may be long, and the page shows
 * none.
 */
function withoutClaims({
  claims: _,
  ...shown
}: Extract<WrittenCode, { ok: true }>): PlanCode["written"] {
  return shown;
}

/** The fields of an engine that can be sent to a page: all but its functions. */
function choiceOf({ target, name, what, compares }: CodeChoice): CodeChoice {
  return { target, name, what, compares };
}
