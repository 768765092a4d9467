import type { Compiled } from "#compile";
import type { OperatorId, Phase } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { LocalStep, ValueId } from "#core/program";
import { displayNames } from "../display-names.ts";
import { allSteps } from "../folded.ts";
import { type DrawnTensor, drawnIn } from "../glyph/drawn-dims.ts";
import { haloSentence, halosOf } from "../glyph/halos.ts";
import { type AxisTag, tagsOf } from "../hue.ts";
import { mostDevices } from "./frames.ts";

/** A tensor that an operator reads or produces, in its layout on the devices. */
export interface FrameOperand {
  readonly name: string;
  readonly use: "reads" | "makes";
  readonly drawn: DrawnTensor;
}

/** One still picture of an operator: the blocks that each device reads and produces. */
export interface OperatorFrame {
  readonly id: OperatorId;
  /** Name on the operator's card. */
  readonly name: string;
  /** Function name, and the call as written in the text. */
  readonly op: string;
  readonly call: string;
  readonly phase: Phase;
  /** One sentence that describes the operator's work. */
  readonly caption: string;
  /** Sentence with the number of devices, and how many of them are drawn. */
  readonly devicesText: string;
  /** The drawn devices: the first ones of the mesh. */
  readonly devices: readonly DeviceId[];
  readonly operands: readonly FrameOperand[];
  /** Mesh axes that shard the operator, by the identifier that each shards. */
  readonly cuts: readonly { readonly identifier: string; readonly axes: readonly AxisTag[] }[];
}

/**
 * The picture of the operator at an index among all steps; `undefined` if that step is a
 * collective.
 */
export function operatorFrameOf(compiled: Compiled, place: number): OperatorFrame | undefined {
  const { program, mesh } = compiled;
  const step = allSteps(program)[place];
  if (step?.kind !== "local") return undefined;
  const operator = program.graph.operators.find(({ id }) => id === step.operator);
  const operands = operandsOf(compiled, step);
  const all = operands[0]?.drawn.layout.mesh.devices ?? program.devices;
  const devices = all.slice(0, mostDevices);
  const cuts = Object.entries(step.strategy.cuts).flatMap(([identifier, parts]) => {
    const axes = tagsOf(operands[0]?.drawn.layout.mesh ?? mesh.mesh, parts);
    return axes.length === 0 ? [] : [{ identifier, axes }];
  });
  const name = displayNames(compiled).operator(step.operator);
  return {
    ...{ id: step.operator, name, op: operator?.op ?? "", call: operator?.call ?? "" },
    phase: step.phase,
    caption: captionOf(name, operands, cuts, all.length),
    devicesText: devicesText(devices, all.length),
    devices,
    operands,
    cuts,
  };
}

function operandsOf(compiled: Compiled, step: LocalStep): readonly FrameOperand[] {
  const { program } = compiled;
  const values = new Map(program.values.map((value) => [value.id, value]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const operand = (id: ValueId, use: FrameOperand["use"]) => {
    const value = values.get(id);
    const tensor = value && tensors.get(value.tensor);
    if (value === undefined || tensor === undefined) return [];
    const { layout } = value;
    const halos =
      use === "reads" ? halosOf({ program }, step.operator, tensor.id, layout) : undefined;
    const drawn = drawnIn(compiled, tensor, layout);
    const name = displayNames(compiled).tensor(tensor.id);
    return [{ name, use, drawn: { ...drawn, ...(halos !== undefined && { halos }) } }];
  };
  return [
    ...[...new Set(step.inputs)].flatMap((id) => operand(id, "reads")),
    ...step.outputs.flatMap((id) => operand(id, "makes")),
  ];
}

function captionOf(
  name: string,
  operands: readonly FrameOperand[],
  cuts: OperatorFrame["cuts"],
  devices: number,
): string {
  if (devices === 1) return `The device makes ${name}.`;
  const made = operands.filter(({ use }) => use === "makes");
  const isPartial = made.some(({ drawn }) => drawn.layout.partials.length > 0);
  const over = cuts
    .map(({ identifier, axes }) => `${identifier} over ${axes.map(({ text }) => text).join(", ")}`)
    .join(" and ");
  const head =
    over === ""
      ? `Every device makes all of ${name}, the same everywhere`
      : `Each device makes its own part of ${name}, cut ${over}`;
  const windows = operands.flatMap(({ name: read, drawn: { halos, dimNames } }) =>
    halos === undefined ? [] : [` Of ${read}: ${haloSentence(halos, dimNames)}`],
  );
  const rest = isPartial ? [" Its result is still to be added up."] : [];
  return [`${head}; nothing travels.`, ...windows, ...rest].join("");
}

function devicesText(devices: readonly DeviceId[], count: number): string {
  if (count === 1) return "One device.";
  const all = `All ${count} devices do this on their own blocks`;
  return devices.length < count ? `${all}; the first ${devices.length} are drawn.` : `${all}.`;
}
