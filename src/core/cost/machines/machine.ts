import { product } from "#core/arithmetic";
import { type Checked, failed, passed } from "#core/diagnostics";
import type { DeviceMesh, Link } from "#core/mesh";
import type { Hardware } from "../cost.ts";
import type { Chip } from "./chip.ts";
import { chipNamed, chips } from "./machines.ts";

/** A machine: its kind of device, and how its devices are arranged. */
export interface Machine {
  readonly chip: Chip;
  /**
   * Sizes as written, without sizes of 1: nodes and devices per node, devices alone, or the axes of
   * a torus.
   */
  readonly sizes: readonly number[];
  /** Devices that share a node; undefined on a torus, where links join neighbours alone. */
  readonly node: number | undefined;
}

/**
 * The machine that a preset names: `8xH100` (a node), `32x8xH100` (nodes of it), `4x4x8 TPU v5p` (a
 * torus), or the device alone. If there are more devices than a node has, they form the fewest
 * nodes of one size: `64xH100` is eight nodes of eight, and `1x64xH100` one node of 64. Case and
 * spaces do not matter.
 */
export function parseMachine(text: string): Checked<Machine> {
  const found = /^((?:\d+\s*[x×*]\s*)*)(.+)$/iu.exec(machineWords(text));
  const [, counts = "", name = ""] = found ?? [];
  const chip = chipNamed(name);
  if (chip === undefined) return failed(unknownChip(text));
  const written = [...counts.matchAll(/\d+/gu)].map(Number);
  if (written.includes(0)) return failed(noDevice(text));
  const sizes = written.filter((size) => size > 1);
  if (chip.isTorus) return passed({ chip, sizes, node: undefined });
  const node = written.length > 1 ? written.at(-1) : usualNode(chip, sizes[0]);
  return passed({ chip, sizes, node });
}

/** The devices of a node if the text does not say: the largest node that divides all devices. */
function usualNode({ node }: Chip, count = node): number {
  if (count <= node) return count;
  const sizes = Array.from({ length: node }, (_, at) => node - at);
  return sizes.find((size) => count % size === 0) ?? 1;
}

/** Name of a machine, at most 200 characters, with `x` between a count and `TPU`. */
export function machineWords(text: string): string {
  const words = text.slice(0, 200).trim();
  return words.replace(/(\d)\s+TPU/iu, "$1x TPU");
}

/** Figures of one device of a machine. */
export function hardwareOf(machine: Machine): Hardware {
  const { chip, node } = machine;
  const { name: _name, within, between: _between, isTorus: _torus, also: _also, ...figures } = chip;
  const { node: _node, ...own } = figures;
  return { name: labelOf(machine), ...own, link: within, ...(node !== undefined && { node }) };
}

/** `8×H100`, which `parseMachine` reads as the same machine. */
function labelOf({ chip, sizes, node }: Machine): string {
  const usual = sizes.length > 1 ? sizes.at(-1) : usualNode(chip, sizes[0]);
  const isUsual = node === undefined || node === usual;
  const [count = 1] = sizes;
  const counts = isUsual ? sizes : node === 1 ? [...sizes, 1] : [Math.ceil(count / node), node];
  return counts.length === 0
    ? chip.name
    : `${counts.join("×")}${chip.isTorus ? " " : "×"}${chip.name}`;
}

/** The machine of a program: figures of one device, and the links along the axes of a mesh. */
export interface Platform {
  readonly hardware: Hardware;
  readonly link: (mesh: DeviceMesh) => DeviceMesh;
  /** The same machine with nodes of another size; only for machines with nodes. */
  readonly withNode?: (node: number) => Platform;
}

/** A machine as a platform. */
export function platformOf(machine: Machine): Platform {
  return {
    hardware: hardwareOf(machine),
    link: (mesh) => linkedMesh(machine, mesh),
    ...(!machine.chip.isTorus && { withNode: (node) => platformOf({ ...machine, node }) }),
  };
}

/** Devices of a machine; undefined where the preset names the device alone. */
export function machineSize({ sizes }: Machine): number | undefined {
  return sizes.length === 0 ? undefined : product(sizes);
}

/**
 * A mesh with the links of a machine: neighbours along the innermost axes share a node, an axis
 * that leaves the node has the slower link, and an axis of whole nodes has both. On a torus every
 * axis is a line, or a ring if its length is a multiple of the chip's `node`. @internal
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

function linkAlong({ chip, node }: Machine, size: number, stride: number): Link {
  if (node === undefined) {
    const isRing = size % chip.node === 0;
    return { ...chip.within, fabric: isRing ? "ring" : "line" };
  }
  if (size * stride <= node) return chip.within;
  const devices = node / stride;
  const isInNodes = Number.isInteger(devices) && devices > 1 && size % devices === 0;
  if (!isInNodes) return chip.between;
  const { latency, bandwidth, reached = 1 } = chip.within;
  const shared = { latency, bandwidth, reached, fabric: "switch" as const };
  const inner = { ...shared, devices, nodes: size / devices };
  return { ...chip.between, fabric: "two-level", inner };
}

function unknownChip(text: string) {
  const known = chips.map(({ name }) => name).join(", ");
  return {
    code: "cost/unknown-hardware",
    severity: "error",
    message: `"${text}" names no known machine: write for example "8xH100", "32x8xH100" or "4x4x8 TPU v5p"; known devices are ${known}`,
  } as const;
}

function noDevice(text: string) {
  return {
    code: "cost/unknown-hardware",
    severity: "error",
    message: `"${text}" has no devices: every count is 1 or more`,
  } as const;
}
