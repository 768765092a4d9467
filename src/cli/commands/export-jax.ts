import type { Compiled } from "#compile";
import { writeJax } from "#systems/jax";
import type { Exported, Unexported } from "./exported.ts";

/**
 * The plan as `plan.py`, one `jax.shard_map` with a line per step; claims are what JAX's compiled
 * program must hold: slices per device id, and every collective with its groups and bytes.
 */
export function exportJax({ program }: Compiled): Exported | Unexported {
  const written = writeJax(program);
  if (!written.ok) {
    const message = `the plan cannot be written for JAX: ${written.reason}`;
    return { refusal: { code: "export/not-written", severity: "error", message } };
  }
  const { text, claims } = written;
  return { files: [{ name: "plan.py", text }], diagnostics: [], claims };
}
