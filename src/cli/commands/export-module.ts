import type { Compiled } from "#compile";
import { writeJax } from "#systems/jax";
import { writeTorch } from "#systems/torch";
import type { Exported, Unexported } from "./exported.ts";

/**
 * The plan as `plan.py`, one `jax.shard_map` with a line per step; claims are what JAX's compiled
 * program must hold: slices per device id, and every collective with its groups and bytes.
 */
export function exportJax({ program }: Compiled): Exported | Unexported {
  return exported("JAX", writeJax(program));
}

/**
 * The plan as `plan.py`, the program of one rank on `torch.distributed`; claims are what a run must
 * show: slices per rank, and every collective with its groups and bytes.
 */
export function exportTorch({ program }: Compiled): Exported | Unexported {
  return exported("PyTorch", writeTorch(program));
}

/** A module of Python with its claims, or why there is none: half a sentence. */
type WrittenModule =
  | { readonly ok: true; readonly text: string; readonly claims: unknown }
  | { readonly ok: false; readonly reason: string };

function exported(engine: string, written: WrittenModule): Exported | Unexported {
  if (!written.ok) {
    const message = `the plan cannot be written for ${engine}: ${written.reason}`;
    return { refusal: { code: "export/not-written", severity: "error", message } };
  }
  const { text, claims } = written;
  return { files: [{ name: "plan.py", text }], diagnostics: [], claims };
}
