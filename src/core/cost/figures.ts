import type { AxisName, DeviceMesh, Link } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { Hardware } from "./cost.ts";
import { assumedPlatform } from "./hardware.ts";
import { type Machine, type Platform, parseMachine, platformOf } from "./machine.ts";

/** Figures of a device that replace those of its machine. */
export type ChipFigures = Readonly<
  Partial<Pick<Hardware, "flops" | "memoryBytes" | "memoryBandwidth">>
>;

/** Figures that replace those of a machine. */
export interface MachineFigures {
  readonly chip: ChipFigures;
  /** By mesh axis. */
  readonly links: Readonly<Record<AxisName, Readonly<Partial<Link>>>>;
}

/** The kinds of links that can be chosen for an axis. */
export const fabrics = ["switch", "ring", "line"] as const;

const changed = ", changed";

/** A platform with some figures replaced; its name says that they are. */
export function withFigures(own: Platform, { chip, links }: MachineFigures): Platform {
  const { hardware } = own;
  return {
    hardware: { ...hardware, ...chip, name: `${hardware.name}${changed}` },
    link: (mesh) => {
      const linked = own.link(mesh);
      const axes = linked.axes.map((axis) => ({
        ...axis,
        link: { ...(axis.link ?? hardware.link), ...fieldOf(links, axis.name) },
      }));
      return { ...linked, axes };
    },
  };
}

/** The machine that a platform's name means, also where some of its figures are others. */
function machineNamed({ name }: Pick<Hardware, "name">): Machine | undefined {
  const machine = parseMachine(plainName(name));
  return machine.ok ? machine.value : undefined;
}

/** The platform before figures were changed: that of its machine, or the assumed one. */
export function ownPlatform(hardware: Pick<Hardware, "name">): Platform {
  const machine = machineNamed(hardware);
  return machine === undefined ? assumedPlatform : platformOf(machine);
}

/** Whether hardware has figures that are not those of its machine: its name says so. */
export function isChanged({ name }: Pick<Hardware, "name">): boolean {
  return name.endsWith(changed);
}

function plainName(name: string): string {
  return name.endsWith(changed) ? name.slice(0, -changed.length) : name;
}

const chipKeys = ["flops", "memoryBytes", "memoryBandwidth"] as const;
const linkKeys = ["bandwidth", "latency", "fabric"] as const;

/** The figures of a device, and of the links of a mesh, that differ from those of a platform. */
export function changedFigures(
  own: Platform,
  hardware: ChipFigures,
  mesh: DeviceMesh,
): MachineFigures {
  const chip = different(own.hardware, hardware, chipKeys);
  const base = own.link(mesh).axes;
  const links = mesh.axes.flatMap(({ name, link = {} }, at) => {
    const others = different(base[at]?.link ?? own.hardware.link, link, linkKeys);
    return Object.keys(others).length === 0 ? [] : [[name, others] as const];
  });
  return { chip, links: Object.fromEntries(links) };
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
