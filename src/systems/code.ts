import type { Diagnostic } from "#core/diagnostics";
import type { CodeInput, CodeTarget, CodeWriter, WrittenProgram } from "#systems/arrays";
import { systems } from "./systems.ts";
import type { WrittenCode } from "./with-launcher.ts";

export type { CodeFile, WrittenCode } from "./with-launcher.ts";

/** Every engine for which some system writes plans. */
export function codeTargets(): readonly CodeTarget[] {
  return systems.flatMap(({ writes = [] }) => writes);
}

/** An engine with its writer loaded. */
export interface LoadedTarget extends CodeTarget {
  /**
   * Writes a plan as two files: `plan.py`, which checks itself when run (MindSpore's cell checks
   * the compiler's result), and `launch.sh`, which runs it on all devices with Slurm.
   *
   * `claims` are the expected results: slices per device, and every collective with its groups and
   * bytes.
   */
  readonly write: (input: CodeInput) => WrittenCode;
  /**
   * Limits on the cuts that the engine can express; absent when it can express any plan, or none.
   */
  readonly writable?: CodeWriter["writable"];
  /**
   * Warnings about forms of the plan that the engine computes wrongly: what the exported file does
   * instead, and the fix of the text that removes the warning.
   */
  readonly warnings: (written: WrittenProgram) => readonly Diagnostic[];
}

/** Loads the writer of an engine. Rejects when it cannot be loaded. */
export async function loadTarget(target: CodeTarget): Promise<LoadedTarget> {
  const [writer, { withLauncher }] = await Promise.all([
    target.load(),
    import("./with-launcher.ts"),
  ]);
  return {
    ...target,
    warnings: (written) => writer.warnings?.(written) ?? [],
    write: (input) => withLauncher(target, writer, input),
    ...(writer.writable !== undefined && { writable: writer.writable }),
  };
}

/** All engines by name, with their writers. */
export async function loadTargets(): Promise<ReadonlyMap<string, LoadedTarget>> {
  const loaded = await Promise.all(codeTargets().map(loadTarget));
  return new Map(loaded.map((each) => [each.target, each]));
}
