import type { DeviceId } from "#core/mesh";
import {
  blockText,
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
import { wrongMesh, wrongSentence } from "../wrong-numbers.ts";
import { heldAsRun } from "./held-as-run.ts";

/** The redistributions that take DTensor's steps, where DTensor 2.13 leaves other blocks with devices. */
export function wrongSteps({ program }: ProgramRead): readonly WrongStep[] {
  const [first] = program.values;
  const code = first && wrongMesh(first.layout.mesh);
  if (code === undefined) return [];
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const edgeOf = edgesIn(program);
  return program.redistributions.flatMap((redistribution): readonly WrongStep[] => {
    const { chosen, tensor } = redistribution;
    const edge = edgeOf(redistribution);
    const isDtensor = chosen?.steps === "dtensor" && chosen.declined === undefined;
    const devices = edge && isDtensor ? wrongDevices(edge) : [];
    if (devices === undefined || devices.length > 0) {
      const name = names.get(tensor) ?? tensor;
      const told = { code, tensor, name, subject: name, cause: wrongSentence(code) };
      return [{ ...told, devices: devices ?? [] }];
    }
    return [];
  });
}

/** The devices that end with other blocks; `undefined` where it is not known which those are. */
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
