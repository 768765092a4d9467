import type { AxisName, DeviceMesh, Link } from "#core/mesh";
import { fieldOf } from "#core/records";
import { type Arithmetic, arithmetics, type Hardware, kernelClasses } from "../cost.ts";
import type { Platform } from "./machine.ts";
import { basePlatform, defaultDeviceName } from "./own-base.ts";

/** Figures of a device that replace those of its machine. */
export type ChipFigures = Readonly<
  Partial<
    Pick<
      Hardware,
      | (
          | "flops"
          | "memoryBytes"
          | "memoryBandwidth"
          | "launch"
          | "node"
          | "multiprocessors"
          | "crowding"
        )
      | ("peaks" | "efficiencies")
    >
  >
>;

/** Figures that replace those of a machine. */
export interface MachineFigures {
  readonly chip: ChipFigures;
  /** By mesh axis. */
  readonly links: Readonly<Record<AxisName, Readonly<Partial<Link>>>>;
  /** The device's name, where the reader gave one. */
  readonly name?: string;
}

/** The kinds of links that can be chosen for an axis. */
export const fabrics = ["switch", "ring", "line"] as const;

const changed = ", changed";

/**
 * Platform with some figures replaced; unless a name is given, the name says that figures were
 * changed.
 */
export function withFigures(own: Platform, figures: MachineFigures): Platform {
  const { chip, links, name = changedName(own.hardware) } = figures;
  const base = chip.node === undefined ? own : (own.withNode?.(chip.node) ?? own);
  return {
    hardware: { ...withChip(own.hardware, chip), name, given: givenIn(own.hardware, figures) },
    link: (mesh) => {
      const linked = base.link(mesh);
      const axes = linked.axes.map((axis) => {
        const given = fieldOf(links, axis.name);
        if (given === undefined) return axis;
        return { ...axis, link: { ...(axis.link ?? own.hardware.link), ...given } };
      });
      return { ...linked, axes };
    },
  };
}

function changedName({ name }: Hardware): string {
  return name.endsWith(changed) ? name : `${name}${changed}`;
}

/**
 * A chip with some figures replaced. Peaks replace one by one; `flops` replaces those of both
 * 16-bit kinds. A chip that had measured figures now has scaled curves, unless only launch or node
 * changed.
 */
function withChip(own: Hardware, chip: ChipFigures): Hardware {
  const { flops = chip.peaks?.bf16 ?? own.flops } = chip;
  const both = flops === own.flops ? {} : { bf16: flops, f16: flops };
  const isOther = Object.keys(chip).some((key) => key !== "launch" && key !== "node");
  return {
    ...own,
    ...chip,
    flops,
    peaks: { ...own.peaks, ...both, ...chip.peaks },
    ...(isOther && own.basis === "measured" && { basis: "scaled" as const }),
  };
}

/**
 * Name of the original hardware, and the names of all figures that the reader has given, earlier
 * ones included.
 */
function givenIn(
  { name, given }: Hardware,
  { chip, links }: MachineFigures,
): NonNullable<Hardware["given"]> {
  const { peaks, efficiencies, ...plain } = chip;
  const inside = [...Object.keys(peaks ?? {}), ...Object.keys(efficiencies ?? {})];
  const words = [...Object.keys(plain), ...inside, ...Object.keys(links).map(linkWord)];
  const from = given?.from ?? { machine: name };
  return { from, words: [...new Set([...(given?.words ?? []), ...words])] };
}

/** The word for the link of an axis in a list of given figures. */
export function linkWord(axis: AxisName): string {
  return `links.${axis}`;
}

/** Platform before figures were changed: the named machine's, else the assumed platform. */
export function ownPlatform({ name, given }: Pick<Hardware, "name" | "given">): Platform {
  return basePlatform(given?.from ?? { machine: name });
}

/** Name that the reader gave the device; `undefined` if it still has its machine's name. */
export function customDeviceName({
  name,
  given,
}: Pick<Hardware, "name" | "given">): string | undefined {
  const isNamed = given !== undefined && name !== defaultDeviceName && !name.endsWith(changed);
  return isNamed ? name : undefined;
}

/** Whether hardware has figures that differ from its machine's own. */
export function isChanged({ given }: Pick<Hardware, "given">): boolean {
  return given !== undefined;
}

const chipKeys = [
  ...([
    "flops",
    "memoryBytes",
    "memoryBandwidth",
    "launch",
    "node",
    "multiprocessors",
    "crowding",
  ] as const),
];
const linkKeys = ["bandwidth", "latency", "fabric", "reached"] as const;

/** The figures of a device, and of the links of a mesh, that differ from those of a platform. */
export function changedFigures(
  own: Platform,
  hardware: ChipFigures,
  mesh: DeviceMesh,
): MachineFigures {
  const { node } = hardware;
  const isOther = node !== undefined && node !== own.hardware.node;
  const base = ((isOther ? own.withNode?.(node) : undefined) ?? own).link(mesh).axes;
  const links = mesh.axes.flatMap(({ name, link = {} }, at) => {
    const others = different(base[at]?.link ?? own.hardware.link, link, linkKeys);
    return Object.keys(others).length === 0 ? [] : [[name, others] as const];
  });
  return { chip: changedChip(own.hardware, hardware), links: Object.fromEntries(links) };
}

/** The changed figures of a chip. Equal 16-bit peaks count as one figure, `flops`. */
function changedChip(own: Hardware, { peaks = {}, efficiencies = {}, ...other }: ChipFigures) {
  const plain = different(own, other, chipKeys);
  const implied = withChip(own, plain).peaks;
  const otherPeaks: Partial<Record<Arithmetic, number>> = different(implied, peaks, arithmetics);
  const shares = different(own.efficiencies ?? {}, efficiencies, kernelClasses);
  return {
    ...plain,
    ...(Object.keys(otherPeaks).length > 0 && { peaks: otherPeaks }),
    ...(Object.keys(shares).length > 0 && { efficiencies: shares }),
  };
}

function different<Key extends string>(
  own: Readonly<Partial<Record<Key, unknown>>>,
  other: Readonly<Partial<Record<Key, unknown>>>,
  keys: readonly Key[],
) {
  return Object.fromEntries(
    keys.flatMap((key) =>
      other[key] === undefined || other[key] === own[key] ? [] : [[key, other[key]]],
    ),
  );
}
