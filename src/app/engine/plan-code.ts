import type { Compiled } from "#compile";
import type { Diagnostic } from "#core/diagnostics";
import {
  type CodeFile,
  codeTargets,
  type LoadedTarget,
  loadTarget,
  type WrittenCode,
} from "#systems";

/** Engine that plans can be exported to, as shown in the list of choices. */
export type CodeChoice = Pick<LoadedTarget, "target" | "name" | "what" | "compares">;

/** Plan as code for one engine, and all engines to choose from. */
export interface PlanCode {
  readonly choices: readonly CodeChoice[];
  readonly chosen: CodeChoice;
  /**
   * Program and launch script as two files, or the reason for their absence as a sentence fragment.
   */
  readonly written:
    | {
        readonly ok: true;
        readonly files: readonly [CodeFile, CodeFile];
        readonly note?: string;
      }
    | {
        readonly ok: false;
        readonly reason: string;
        /** Whether the planner can search for another plan that the engine can express. */
        readonly hasOthers: boolean;
      };
  /** Text with the exported plan, if it differs from the text's own plan. */
  readonly source?: string;
  /** Warnings that this engine would compute wrong results if the plan were written by hand. */
  readonly warnings: readonly Diagnostic[];
}

/**
 * Exports a plan to the engine named `wanted`, or to the first engine if that is missing or
 * unknown. Rejects if the writer cannot be loaded.
 */
export async function planCode(compiled: Compiled, wanted: string | undefined): Promise<PlanCode> {
  const targets = codeTargets();
  const target = targets.find((each) => each.target === wanted) ?? targets[0];
  if (target === undefined) throw new Error("there is no engine that plans are written for");
  const loaded = await loadTarget(target);
  return codeOf(loaded, loaded.write(compiled), loaded.warnings(compiled));
}

/** Export result in the form that the page gets. */
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

/** Omits the claims: they are for checks of an engine, can be long, and are not shown. */
function withoutClaims({
  claims: _,
  ...shown
}: Extract<WrittenCode, { ok: true }>): PlanCode["written"] {
  return shown;
}

/** Engine without its functions, which cannot be sent to the page. */
function choiceOf({ target, name, what, compares }: CodeChoice): CodeChoice {
  return { target, name, what, compares };
}
