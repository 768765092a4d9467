import { type Checked, failed, passed } from "#core/diagnostics";
import type { DeviceMesh, Link } from "#core/mesh";
import type { Hardware } from "./cost.ts";
import { type Chip, chips } from "./machines.ts";

/** A machine: its kind of device, and how its devices are arranged. */
export interface Machine {
  readonly chip: Chip;
  /** Of switched devices `[nodes, devices per node]` or `[devices]`; of a torus its lengths. */
  readonly sizes: readonly number[];
}

/**
 * The machine that a preset names: `8xH100` (a node), `32x8xH100` (nodes of it), `4x4x8 TPU v5p` (a
 * torus), or the device alone. Case and spaces do not matter.
 */
export function parseMachine(text: string): Checked<Machine> {
  const found = /^((?:\d+\s*[x×*]\s*)*)(\D.*)$/iu.exec(machineWords(text));
  const [, counts = "", name = ""] = found ?? [];
  const chip = chips.find((each) => plain(each.name) === plain(name));
  if (chip === undefined) return failed(unknownChip(text));
  const sizes = [...counts.matchAll(/\d+/gu)].map(Number);
  return passed({ chip, sizes: sizes.filter((size) => size > 1) });
}

/** A machine's name with its counts before an `x`; none is longer than this. */
export function machineWords(text: string): string {
  const words = text.slice(0, 200).trim();
  return words.replace(/(\d)\s+TPU/iu, "$1x TPU");
}

/** Figures of one device of a machine. */
export function hardwareOf(machine: Machine): Hardware {
  const { chip, sizes } = machine;
  const node = nodeSizeOf(machine);
  const { name, flops, memoryBytes, memoryBandwidth, within, peaks, launch, basis } = chip;
  const label = sizes.length === 0 ? name : `${sizes.join("×")}${chip.isTorus ? " " : "×"}${name}`;
  const figures = { flops, peaks, launch, basis, memoryBytes, memoryBandwidth, link: within };
  return { name: label, ...figures, ...(node !== undefined && { node }) };
}

/** Devices that share a node; undefined on a torus, where links join neighbours alone. */
function nodeSizeOf({ chip, sizes }: Machine): number | undefined {
  return chip.isTorus ? undefined : (sizes.at(-1) ?? chip.node);
}

/** What a program runs on: figures of one device, and the links along the axes of its mesh. */
export interface Platform {
  readonly hardware: Hardware;
  readonly link: (mesh: DeviceMesh) => DeviceMesh;
}

/** A machine as a platform. */
export function platformOf(machine: Machine): Platform {
  return { hardware: hardwareOf(machine), link: (mesh) => linkedMesh(machine, mesh) };
}

/** Devices of a machine; undefined where the preset names the device alone. */
export function machineSize({ sizes }: Machine): number | undefined {
  return sizes.length === 0 ? undefined : sizes.reduce((product, size) => product * size, 1);
}

/**
 * A mesh with the links of a machine: neighbours along the innermost axes share a node, what leaves
 * it goes over the slower link; an axis of whole nodes has both. On a torus every axis is a line, or a ring where it is long enough to close.
 * @internal
 */
export function linkedMesh(machine: Machine, mesh: DeviceMesh): DeviceMesh {
  let stride = 1;
  const axes = mesh.axes.toReversed().map((axis) => {
    const link = linkAlong(machine, axis.size, stride);
    stride *= axis.size;
    return { ...axis, link };
  });
  return { ...mesh, axes: axes.reverse() };
}

function linkAlong({ chip, sizes }: Machine, size: number, stride: number): Link {
  if (chip.isTorus) {
    const isRing = size % chip.node === 0;
    return { ...chip.within, fabric: isRing ? "ring" : "line" };
  }
  const node = sizes.at(-1) ?? chip.node;
  if (size * stride <= node) return chip.within;
  const devices = node / stride;
  const isInNodes = Number.isInteger(devices) && devices > 1 && size % devices === 0;
  if (!isInNodes) return chip.between;
  const { latency, bandwidth } = chip.within;
  const inner = { latency, bandwidth, fabric: "switch" as const, devices, nodes: size / devices };
  return { ...chip.between, fabric: "two-level", inner };
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/gu, "");
}

function unknownChip(text: string) {
  const known = chips.map(({ name }) => name).join(", ");
  return {
    code: "cost/unknown-hardware",
    severity: "error",
    message: `"${text}" names no known machine: write for example "8xH100", "32x8xH100" or "4x4x8 TPU v5p"; known devices are ${known}`,
  } as const;
}
