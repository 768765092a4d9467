import { boxOf } from "#core/indexspace";
import { tensorsById } from "#core/ir";
import { type DeviceId, slicesOf } from "#core/mesh";
import {
  blockText,
  boxText,
  type Edge,
  edgesIn,
  type Held,
  type HeldBy,
  heldAtFirst,
  type ProgramRead,
  type WrongDevice,
  type WrongStep,
} from "#systems/system";
import { dtensorReshard } from "../dtensor-reshard.ts";
import { countsOf, gatheredText } from "../nested-blocks.ts";
import {
  cutConvolutions,
  type WrongForm,
  wrongGather,
  wrongMesh,
  wrongSentence,
} from "../wrong-numbers.ts";
import { heldAsRun } from "./held-as-run.ts";

/** Steps of DTensor 2.13 that leave devices with other blocks than it reports. */
export function wrongSteps(read: ProgramRead): readonly WrongStep[] {
  return [...wrongRedistributions(read), ...wrongConvolutions(read)];
}

/** Cut convolutions: every device takes its block for the whole result. */
function wrongConvolutions({ program }: ProgramRead): readonly WrongStep[] {
  const tensors = tensorsById(program.graph);
  const code = "dtensor/cut-convolution";
  return cutConvolutions(program).map(({ tensor, layout }) => {
    const { name = tensor, shape = [] } = tensors.get(tensor) ?? {};
    const whole = boxText(boxOf(shape));
    const devices = slicesOf(layout, shape).flatMap(({ device, ranges }) => {
      const held = boxText(ranges);
      return held === whole ? [] : [{ device, wanted: whole, held }];
    });
    return { code, tensor, name, subject: name, cause: wrongSentence(code), devices };
  });
}

/** Redistributions with DTensor's steps after which DTensor 2.13 leaves wrong blocks on devices. */
function wrongRedistributions({ program }: ProgramRead): readonly WrongStep[] {
  const [first] = program.values;
  const order = first && wrongMesh(first.layout.mesh);
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const edgeOf = edgesIn(program);
  return program.redistributions.flatMap((redistribution): readonly WrongStep[] => {
    const { chosen, tensor } = redistribution;
    const edge = edgeOf(redistribution);
    if (edge === undefined || chosen?.steps !== "dtensor") return [];
    const name = names.get(tensor) ?? tensor;
    const told = (code: WrongForm, devices: readonly WrongDevice[] = []) => [
      { code, tensor, name, subject: name, cause: wrongSentence(code), devices },
    ];
    if (order === undefined) {
      const devices = unevenDevices(edge);
      return devices === undefined ? [] : told("dtensor/flattened-uneven", devices);
    }
    if (chosen.declined !== undefined) return [];
    const devices = wrongDevices(edge);
    return devices?.length === 0 ? [] : told(order, devices);
  });
}

/**
 * The wrong blocks after a gather of uneven blocks over a flattened mesh; empty for a
 * redistribution that does more than gather one dim. `undefined` when the blocks are right.
 */
function unevenDevices({ from, to, shape }: Edge): readonly WrongDevice[] | undefined {
  const dim = wrongGather(from, to, shape);
  const cut = dim === undefined ? undefined : from.dims[dim];
  if (dim === undefined || cut === undefined) return undefined;
  const isGather = to.dims.every((after, at) =>
    at === dim
      ? countsOf(after).length === 0
      : JSON.stringify(after.parts) === JSON.stringify(from.dims[at]?.parts),
  );
  if (!isGather || from.partials.length > 0) return [];
  const held = gatheredText(shape[dim] ?? 1, countsOf(cut));
  return [...heldAtFirst(to, shape)].map(([device, { dims }]) => {
    const texts = dims.map((runs) => blockText([runs]));
    return { device, wanted: texts.join(", "), held: texts.with(dim, held).join(", ") };
  });
}

/** Devices that end with wrong blocks; `undefined` when it is not known which. */
function wrongDevices({ from, to, shape }: Edge): readonly WrongDevice[] | undefined {
  const planned = dtensorReshard(from, to, shape);
  if (!planned.ok) return [];
  const wanted = heldAtFirst(to, shape);
  const { steps } = planned.value;
  const plain = heldAsRun(steps, { from, shape }, { isFlattened: false });
  const unlike = plain && differing(wanted, plain);
  if (unlike === undefined || unlike.length > 0) return unlike;
  const flat = heldAsRun(steps, { from, shape }, { isFlattened: true });
  return flat && differing(wanted, flat);
}

function differing(wanted: HeldBy, held: HeldBy): readonly WrongDevice[] {
  const textOf = (by: HeldBy, device: DeviceId) => blockText(dimsOf(by.get(device)));
  return [...wanted.keys()].flatMap((device) => {
    const [own, other] = [textOf(wanted, device), textOf(held, device)];
    return own === other ? [] : [{ device, wanted: own, held: other }];
  });
}

function dimsOf(held: Held | undefined): Held["dims"] {
  return held?.dims ?? [];
}
