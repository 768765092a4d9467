import type { Compiled } from "#compile";
import type { LoadedTarget } from "#systems";
import type { Exported, Unexported } from "./exported.ts";

/**
 * The plan as `plan.py` for an engine, with `launch.sh`; claims are what the engine must show: the
 * slices per device, and every collective with its groups and bytes.
 */
export function exportModule(compiled: Compiled, target: LoadedTarget): Exported | Unexported {
  const warnings = target.warnings(compiled);
  const written = target.write(compiled);
  if (!written.ok) {
    const message = `the plan cannot be written for ${target.name}: ${written.reason}`;
    return { refusal: { code: "export/not-written", severity: "error", message }, warnings };
  }
  const { files, claims } = written;
  return { files, diagnostics: warnings, claims };
}
