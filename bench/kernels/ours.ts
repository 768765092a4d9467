import { compileDocument } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { flatSteps } from "#core/program";
import { drawLeaves } from "#execute/reference";
import { type GpuCommand, type GpuExecutor, planRun } from "#execute/webgpu";
import { readDocument } from "#systems";

/** A compiled program on the device, ready to run. */
export interface Runnable {
  /** Runs it as often as it was prepared for (once by default), until the device is done. */
  run(): Promise<void>;
  /** Number of kernels dispatched by one run. */
  readonly dispatches: number;
  /** Numbers of the last buffer that it writes. */
  read(): Promise<Float32Array>;
  release(): void;
}

/** Options for the timed commands of a program. */
interface Part {
  /** The only kind of steps that is timed; all steps when absent. */
  readonly kind?: "collective";
  /** Number of repetitions in a row. */
  readonly times?: number;
  /** Limits used instead of the adapter's own. */
  readonly limits?: Partial<GpuExecutor["limits"]>;
}

/** A program on the device with random inputs, whose numbers are in `leaves`. */
export async function prepared(
  executor: GpuExecutor,
  text: string,
  { kind, times = 1, limits = {} }: Part = {},
): Promise<Runnable & { readonly leaves: readonly Float32Array[] }> {
  const { program, diagnostics } = compileDocument(readDocument(text));
  if (hasErrors(diagnostics)) throw new Error(diagnostics[0]?.message);
  const leaves = drawLeaves(program.graph, 1, "floats");
  const task = { program, leaves, settings: { values: "singles" } } as const;
  const planned = planRun(
    task,
    { type: "f32", isExact: false },
    {
      ...executor.limits,
      ...limits,
    },
  );
  const { commands } = planned.gpu;
  const timed = flatSteps(program).flatMap((step, at) =>
    kind === undefined || step.kind === kind
      ? commands.slice(planned.starts[at], planned.starts[at + 1] ?? commands.length)
      : [],
  );
  if (timed.length === 0) throw new Error("there is nothing to time");
  const again = numbered([...commands, ...Array.from({ length: times }, () => timed).flat()]);
  const run = await executor.prepare({ ...planned.gpu, commands: again });
  await run.send();
  const made = program.values.findLast(({ id }) => planned.holdings.has(id));
  const buffer = made && planned.holdings.get(made.id)?.buffer;
  return {
    run: async () => void (await run.send({}, commands.length)),
    dispatches: timed.filter((command) => command.kind === "kernel").length,
    read: async () => new Float32Array((await run.read([buffer ?? 0]))[0] ?? new ArrayBuffer(0)),
    release: () => run.release(),
    leaves: [...leaves.values()].map(({ values }) => Float32Array.from(values)),
  };
}

/** Repeated commands, each with its own slot for its part. */
function numbered(commands: readonly GpuCommand[]): readonly GpuCommand[] {
  let slot = 0;
  return commands.map((command) =>
    command.kind === "kernel" && command.cut !== undefined
      ? { ...command, cut: { ...command.cut, slot: slot++ } }
      : command,
  );
}
