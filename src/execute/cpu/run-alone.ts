import type { Blocks, LocalBlock } from "#core/collective";
import { type Box, boxOf, lengthOf } from "#core/indexspace";
import type { TensorId } from "#core/ir";
import { type DeviceId, wholeLayout } from "#core/mesh";
import type { IndexRange } from "#core/program";
import { bindToBlocks } from "#execute/engine";
import { emptyBlocks, type LocalWork, runLocal } from "./run-local.ts";

/**
 * Runs an operator on every device as if its blocks were whole tensors, as a device does that knows
 * nothing of the others (`skip_redistribution`, `self_define_shard`). The result is NaN if the
 * operator does not take such blocks, or makes blocks of other shapes than the layout.
 */
export function runAlone(work: LocalWork): readonly Blocks[] {
  const made = work.outputs.map((value) => emptyBlocks(value, work.shapeOf(value.tensor)));
  const devices = [...(made[0]?.keys() ?? [])];
  for (const device of devices) {
    const inputs = work.inputs.map((blocks) => blocks.get(device)?.[0]);
    const outputs = made.map((blocks) => blocks.get(device)?.[0]);
    const results = runOn(work, device, inputs, outputs);
    for (const [at, values] of (results ?? []).entries()) outputs[at]?.values.set(values);
  }
  return made;
}

/** The result of one device on its own blocks; `undefined` if the blocks do not fit. */
function runOn(
  work: LocalWork,
  device: DeviceId,
  inputs: readonly (LocalBlock | undefined)[],
  outputs: readonly (LocalBlock | undefined)[],
): readonly Float64Array[] | undefined {
  const { operator } = work;
  const shapes = new Map<TensorId, readonly number[]>();
  for (const [at, { tensor }] of operator.inputs.entries()) shapes.set(tensor, lengths(inputs[at]));
  for (const [at, { tensor }] of operator.outputs.entries()) {
    shapes.set(tensor, lengths(outputs[at]));
  }
  const shapeOf = (tensor: TensorId) => shapes.get(tensor) ?? [];
  const local = bindToBlocks(operator, work.shapeOf, shapeOf);
  if (local === undefined) return undefined;
  const origin = (tensor: TensorId) => ({ box: boxOf(shapeOf(tensor)), offset: [] });
  const range: IndexRange = {
    device,
    piece: 0,
    box: boxOf(local.axes.map(({ size }) => size)),
    inputs: local.inputs.map(({ tensor }) => origin(tensor)),
    outputs: local.outputs.map(({ tensor }) => origin(tensor)),
  };
  const held = local.inputs.map(({ tensor }, at): Blocks => {
    const values = inputs[at]?.values ?? new Float64Array();
    return new Map([[device, [{ box: boxOf(shapeOf(tensor)), values }]]]);
  });
  const mesh = { axes: [], devices: [device] };
  const values = work.outputs.map((value) => ({
    ...value,
    layout: wholeLayout(mesh, shapeOf(value.tensor)),
  }));
  const run = runLocal({
    ...work,
    operator: local,
    ranges: [range],
    inputs: held,
    outputs: values,
    shapeOf,
  });
  return run.map((blocks) => blocks.get(device)?.[0]?.values ?? new Float64Array());
}

function lengths(block: LocalBlock | undefined): readonly number[] {
  const box: Box = block?.box ?? [];
  return box.map(lengthOf);
}
