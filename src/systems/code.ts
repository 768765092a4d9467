import type { Diagnostic } from "#core/diagnostics";
import type { CodeInput, CodeTarget, CodeWriter, WrittenProgram } from "#systems/arrays";
import { systems } from "./systems.ts";
import type { WrittenCode } from "./with-launcher.ts";

export type { CodeFile, WrittenCode } from "./with-launcher.ts";

/** Every engine that some system writes plans for. */
export function codeTargets(): readonly CodeTarget[] {
  return systems.flatMap(({ writes = [] }) => writes);
}

/** How plans are written for one engine, loaded. */
export interface LoadedTarget extends CodeTarget {
  /**
   * A plan as `plan.py`, which checks itself where it is run (MindSpore's cell against what its
   * compiler makes of it), and `launch.sh`, which runs it on all devices by Slurm.
   *
   * `claims` are what the engine must show: slices per device, and every collective with its groups
   * and bytes.
   */
  readonly write: (input: CodeInput) => WrittenCode;
  /** What plans may cut so that the engine has words for them; absent where any will do or none. */
  readonly writable?: CodeWriter["writable"];
  /**
   * What the engine would compute wrongly if the plan were written for it by hand, what the file
   * does about it, and the rewriting of the text that takes the warning away.
   */
  readonly warnings: (written: WrittenProgram) => readonly Diagnostic[];
}

/** Loads what writes plans for an engine. Rejects when it cannot be loaded. */
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

/** All engines with what writes for them, by name. */
export async function loadTargets(): Promise<ReadonlyMap<string, LoadedTarget>> {
  const loaded = await Promise.all(codeTargets().map(loadTarget));
  return new Map(loaded.map((each) => [each.target, each]));
}
