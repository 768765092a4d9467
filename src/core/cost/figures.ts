import type { AxisName, DeviceMesh, Link } from "#core/mesh";
import { fieldOf } from "#core/records";
import type { Hardware } from "./cost.ts";
import { assumedPlatform } from "./hardware.ts";
import { type Machine, type Platform, parseMachine, platformOf } from "./machine.ts";

/** Figures of a device that stand in place of its machine's own. */
export type ChipFigures = Readonly<
  Partial<Pick<Hardware, "flops" | "memoryBytes" | "memoryBandwidth">>
>;

/** What stands in place of the machine's own figures. */
export interface MachineFigures {
  readonly chip: ChipFigures;
  /** By mesh axis. */
  readonly links: Readonly<Record<AxisName, Readonly<Partial<Link>>>>;
}

/** How the kinds of links are called that can be chosen for an axis. */
export const fabrics = ["switch", "ring", "line"] as const;

const changed = ", changed";

/** A platform with other figures; its name says that they are. */
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

/** The platform as it is without other figures: its machine's, or the one that is assumed. */
export function ownPlatform(hardware: Pick<Hardware, "name">): Platform {
  const machine = machineNamed(hardware);
  return machine === undefined ? assumedPlatform : platformOf(machine);
}

/** Whether some figure is not the machine's own. */
export function isChanged({ name }: Pick<Hardware, "name">): boolean {
  return name.endsWith(changed);
}

function plainName(name: string): string {
  return name.endsWith(changed) ? name.slice(0, -changed.length) : name;
}

const chipKeys = ["flops", "memoryBytes", "memoryBandwidth"] as const;
const linkKeys = ["bandwidth", "latency", "fabric"] as const;

/** The figures of a device and of the links of a mesh that are not a platform's own. */
export function figuresBeside(
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
