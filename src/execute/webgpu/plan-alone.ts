import { boxOf, lengthOf } from "#core/indexspace";
import type { TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { IndexRange } from "#core/program";
import { append } from "#core/records";
import { bindToBlocks } from "#execute/engine";
import type { LocalWork } from "./local-work.ts";
import { planLocal } from "./plan-local.ts";
import type { HeldBlock, Holding, ProgramBuilder } from "./program-builder.ts";

/**
 * Plans an operator that every device runs on its blocks as if they were whole tensors. The result
 * stays unfilled if the operator does not take such blocks, or makes blocks of other shapes than
 * the layout.
 */
export function planAlone(builder: ProgramBuilder, work: LocalWork): void {
  for (const output of work.outputs) builder.markUnfilled(output.buffer);
  const devices = [...(work.outputs[0]?.blocks.keys() ?? [])];
  const classes = new Map<string, DeviceId[]>();
  for (const device of devices) {
    const shapes = [...work.inputs, ...work.outputs].map((holding) => shapeOn(holding, device));
    const key = JSON.stringify(shapes);
    append(classes, key, device);
  }
  for (const alike of classes.values()) planOn(builder, work, alike);
}

function shapeOn({ blocks }: Holding, device: DeviceId): readonly number[] {
  return blocks.get(device)?.[0]?.box.map(lengthOf) ?? [];
}

/**
 * The results of devices with equal shapes on their own blocks; `undefined` if the blocks do not
 * fit.
 */
function planOn(builder: ProgramBuilder, work: LocalWork, devices: readonly DeviceId[]): void {
  const { operator, inputs, outputs } = work;
  const [first] = devices;
  if (first === undefined) return;
  const shapes = new Map<TensorId, readonly number[]>();
  const note = (operands: typeof operator.inputs, holdings: readonly Holding[]) => {
    for (const [at, { tensor }] of operands.entries()) {
      const holding = holdings[at];
      if (holding !== undefined) shapes.set(tensor, shapeOn(holding, first));
    }
  };
  note(operator.inputs, inputs);
  note(operator.outputs, outputs);
  const shapeOf = (tensor: TensorId) => shapes.get(tensor) ?? [];
  const local = bindToBlocks(operator, work.shapeOf, shapeOf);
  if (local === undefined) return;
  const whole = (tensor: TensorId) => ({ box: boxOf(shapeOf(tensor)), offset: [] });
  const ranges = devices.map(
    (device): IndexRange => ({
      device,
      piece: 0,
      box: boxOf(local.axes.map(({ size }) => size)),
      inputs: local.inputs.map(({ tensor }) => whole(tensor)),
      outputs: local.outputs.map(({ tensor }) => whole(tensor)),
    }),
  );
  const alone = (holding: Holding) => asWhole(holding, devices);
  planLocal(builder, {
    operator: local,
    ranges,
    inputs: inputs.map(alone),
    outputs: outputs.map(alone),
    shapeOf,
  });
}

/** First block of every device as a whole tensor. */
function asWhole({ buffer, blocks }: Holding, devices: readonly DeviceId[]): Holding {
  const own = devices.map((device): [DeviceId, readonly HeldBlock[]] => {
    const [block] = blocks.get(device) ?? [];
    if (block === undefined) return [device, []];
    return [device, [{ box: boxOf(block.box.map(lengthOf)), base: block.base }]];
  });
  return { buffer, blocks: new Map(own) };
}
