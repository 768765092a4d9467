import { volumeOf } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import type { ValueId } from "#core/program";
import type { EngineRun, EngineTask } from "#execute/engine";
import { comparisonsOf } from "./compare-values.ts";
import type { GpuRun } from "./gpu-device.ts";
import { blocksFrom } from "./lay-out.ts";
import type { GpuLimits, Holding, Numbers } from "./program-builder.ts";

/** The results of a run: values that are as wanted stay on the device, all others are read. */
export async function ended(
  run: GpuRun,
  holdings: ReadonlyMap<ValueId, Holding>,
  { program, wanted = new Map() }: EngineTask,
  numbers: Numbers,
  { compareFrom }: GpuLimits,
): Promise<EngineRun> {
  const all = comparisonsOf(program.values, holdings, wanted, numbers);
  const words = all.reduce((sum, each) => sum + each.words, 0);
  const comparisons = words < compareFrom ? [] : all;
  const differing = await run.countDiffering(comparisons, numbers.type);
  const same = new Set(
    comparisons.filter((_, at) => differing[at] === 0).map(({ value }) => value),
  );
  const others = [...holdings].filter(([id]) => !same.has(id));
  const read = await run.read(others.map(([, { buffer }]) => buffer));
  const held = others.map(
    ([id, holding], at) =>
      [id, blocksFrom(holding, read[at] ?? new ArrayBuffer(0), numbers)] as const,
  );
  return {
    held: new Map(held),
    ...{ same, counts: run.counts, ...staying(run, holdings, numbers) },
    ...(run.seconds !== undefined && { seconds: run.seconds }),
  };
}

/** The reader of values that stay on the device, until it is released. */
function staying(
  run: GpuRun,
  holdings: ReadonlyMap<ValueId, Holding>,
  numbers: Numbers,
): Required<Pick<EngineRun, "read" | "release">> {
  let isReleased = false;
  return {
    read: async (id, devices) => {
      const holding = holdings.get(id);
      if (holding === undefined) throw new Error(`the run has no value ${id}`);
      if (isReleased) throw new Error("the run is no longer there");
      const { parts, blocks } = heldWords(holding, devices);
      const words = await run.readParts(parts);
      const found = blocks.flatMap((own, at) => [
        ...blocksFrom({ ...holding, blocks: own }, words[at] ?? new ArrayBuffer(0), numbers),
      ]);
      return new Map(found);
    },
    release: () => {
      isReleased = true;
      run.release();
    },
  };
}

/**
 * The words of some devices' blocks of a value, and the blocks counted from the first of these
 * words.
 */
function heldWords({ buffer, blocks }: Holding, devices: readonly DeviceId[]) {
  const all = devices.flatMap((device) => {
    const own = (blocks.get(device) ?? []).filter(({ box }) => volumeOf(box) > 0);
    const from = Math.min(...own.map(({ base }) => base));
    const words = own.reduce((sum, { box }) => sum + volumeOf(box), 0);
    const moved = own.map(({ box, base }) => ({ box, base: base - from }));
    return own.length === 0
      ? []
      : [{ part: { buffer, from, words }, own: new Map([[device, moved]]) }];
  });
  return { parts: all.map(({ part }) => part), blocks: all.map(({ own }) => own) };
}
