import { boxOf, volumeOf } from "#core/indexspace";
import type { Value } from "#core/program";
import type { Leaves } from "#execute/engine";
import { wholeWords } from "./lay-out.ts";
import type { LocalWork } from "./local-work.ts";
import type { HeldBlock, Holding, ProgramBuilder } from "./program-builder.ts";
import { move, transfersBetween } from "./regions.ts";

/** Gives every device its own part of an entering tensor, beside the part that it has already. */
export function planEntry(
  builder: ProgramBuilder,
  { ranges, outputs, earlier, shapeOf }: LocalWork,
  values: readonly Value[],
  leaves: Leaves,
): void {
  for (const [at, output] of outputs.entries()) {
    const value = values[at];
    const leaf = value && leaves.get(value.tensor);
    builder.markUnfilled(output.buffer);
    const before = earlier?.[at];
    if (before !== undefined) keep(builder, before, output);
    if (value === undefined || leaf === undefined) continue;
    const whole: HeldBlock = { box: boxOf(shapeOf(value.tensor)), base: 0 };
    const source = builder.buffer(
      `${value.tensor} given`,
      volumeOf(whole.box),
      wholeWords(leaf.values, builder.numbers),
    );
    const transfers = ranges.flatMap(({ device, outputs: parts }) =>
      transfersBetween([whole], output.blocks.get(device) ?? [], parts[at]?.box ?? []),
    );
    move(builder, "enter", [source, output.buffer], transfers);
  }
}

/** Copies the parts that earlier operators made into the blocks of the completed tensor. */
function keep(builder: ProgramBuilder, before: Holding, output: Holding): void {
  const kept = [...output.blocks].flatMap(([device, blocks]) =>
    transfersBetween(before.blocks.get(device) ?? [], blocks),
  );
  move(builder, "earlier parts", [before.buffer, output.buffer], kept);
}
