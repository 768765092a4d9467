import type { Compiled } from "#compile";
import { codeTargets, codeWarnings, writeCode } from "#systems/code";
import type { Exported, Unexported } from "./exported.ts";

/**
 * The plan as `plan.py` for an engine, with `launch.sh`; claims are what the engine must show: the
 * slices per device, and every collective with its groups and bytes.
 */
export function exportModule(compiled: Compiled, target: string): Exported | Unexported {
  const warnings = codeWarnings(compiled, target);
  const written = writeCode(compiled, target);
  if (!written.ok) {
    const name = codeTargets.find((each) => each.target === target)?.name ?? target;
    const message = `the plan cannot be written for ${name}: ${written.reason}`;
    return { refusal: { code: "export/not-written", severity: "error", message }, warnings };
  }
  const { files, claims } = written;
  return { files, diagnostics: warnings, claims };
}
