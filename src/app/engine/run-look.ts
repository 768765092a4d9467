import type { LocalBlock } from "#core/collective";
import { lengthOf } from "#core/indexspace";
import type { DeviceId } from "#core/mesh";
import { flatSteps, type ValueId } from "#core/program";
import type { WholeTensor } from "#execute/reference";
import type { FinishedRun, RunResult } from "#execute/verify";
import type {
  InspectedBlock,
  InspectedValue,
  InspectRequest,
  InspectResult,
} from "./run-protocol.ts";

/** Largest number of cells drawn along each side of a block. */
const mostCells = 40;

/** Values of one step or one tensor of a finished run. */
export async function lookAt(
  result: RunResult | undefined,
  look: InspectRequest,
): Promise<InspectResult> {
  if (result === undefined) return { kind: "nothing", why: "nothing has run" };
  if (look.kind === "step") return stepOf(result.ran, look.step, look.devices);
  const found = result.tensors.find(({ tensor }) => tensor === look.tensor);
  return found === undefined
    ? { kind: "nothing", why: "the run has no such tensor" }
    : { kind: "tensor", devices: found.devices };
}

async function stepOf(
  ran: FinishedRun,
  at: number,
  devices: readonly DeviceId[],
): Promise<InspectResult> {
  const place = ran.match === undefined ? at : ran.match.toSame(at);
  if (place === undefined) {
    return { kind: "nothing", why: "the step is in a layer that the run left out" };
  }
  const step = flatSteps(ran.program)[place];
  if (step === undefined) return { kind: "nothing", why: "the run has no such step" };
  const [inputs, outputs] =
    step.kind === "local" ? [step.inputs, step.outputs] : [[step.input], [step.output]];
  const seen = async (ids: readonly ValueId[]) =>
    (await Promise.all(ids.map((id) => seenValue(ran, id, devices)))).flatMap((each) => each ?? []);
  return { kind: "step", before: await seen(inputs), after: await seen(outputs) };
}

async function seenValue(
  { placed, run, wanted, isWrapped }: FinishedRun,
  id: ValueId,
  devices: readonly DeviceId[],
): Promise<InspectedValue | undefined> {
  const value = placed.values.find((each) => each.id === id);
  const held = run.held.get(id) ?? (run.same?.has(id) ? await run.read?.(id, devices) : undefined);
  const tensor = placed.graph.tensors.find((each) => each.id === value?.tensor);
  if (value === undefined || held === undefined || tensor === undefined) return undefined;
  // A partial sum has no unsharded counterpart to be compared with.
  const whole = value.layout.partials.length > 0 ? undefined : wanted.get(tensor.id);
  const blocks = devices.flatMap((device) =>
    (held.get(device) ?? []).map((block) => blockOf(device, block, whole, isWrapped)),
  );
  return { tensor: tensor.id, name: tensor.name, blocks };
}

/** Block as rows of its last dim; a large block is reduced to the means of its tiles. */
function blockOf(
  device: DeviceId,
  { box, values }: LocalBlock,
  whole: WholeTensor | undefined,
  isWrapped: boolean,
): InspectedBlock {
  const lengths = box.map(lengthOf);
  const width = lengths.at(-1) ?? 1;
  const height = width === 0 ? 0 : values.length / width;
  const tile = [height, width].map((size) => Math.max(1, Math.ceil(size / mostCells)));
  const [tall = 1, wide = 1] = tile;
  const [rows, columns] = [Math.ceil(height / tall), Math.ceil(width / wide)];
  const means = new Float32Array(rows * columns);
  const counts = new Float32Array(rows * columns);
  const wrong = new Set<number>();
  const isWrong = whole === undefined ? () => false : wrongIn(box, lengths, whole, isWrapped);
  for (const [offset, number] of values.entries()) {
    const [row, column] = [Math.floor(offset / width), offset % width];
    const cell = Math.floor(row / tall) * columns + Math.floor(column / wide);
    means[cell] = (means[cell] ?? 0) + number;
    counts[cell] = (counts[cell] ?? 0) + 1;
    if (isWrong(offset, number)) wrong.add(cell);
  }
  for (const [cell, count] of counts.entries()) means[cell] = (means[cell] ?? 0) / count;
  return {
    device,
    box: box.map(({ start, stop }) => [start, stop]),
    ...{ rows, columns, values: means, wrong: [...wrong], tile: [tall, wide] },
  };
}

/**
 * Test whether an element of a block differs from the unsharded value by more than its error bound.
 */
function wrongIn(
  box: LocalBlock["box"],
  lengths: readonly number[],
  { shape, values, errors }: WholeTensor,
  isWrapped: boolean,
): (offset: number, number: number) => boolean {
  return (offset, number) => {
    let [rest, flat, stride] = [offset, 0, 1];
    for (let dim = lengths.length - 1; dim >= 0; dim -= 1) {
      const length = lengths[dim] ?? 1;
      flat += ((box[dim]?.start ?? 0) + (rest % length)) * stride;
      rest = Math.floor(rest / length);
      stride *= shape[dim] ?? 1;
    }
    const want = values[flat] ?? Number.NaN;
    const got = isWrapped && Number.isFinite(number) ? number | 0 : number;
    if (got === want || (Number.isNaN(got) && Number.isNaN(want))) return false;
    return !(Math.abs(got - want) <= 2 * (errors[flat] ?? 0));
  };
}
