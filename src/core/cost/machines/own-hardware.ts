import type { Link, MeshAxis } from "#core/mesh";
import { isRecord } from "#core/records";
import type { GivenFrom } from "../cost.ts";
import type { Chip } from "./chip.ts";
import { type MachineFigures, withFigures } from "./figures.ts";
import { type Platform, parseMachine } from "./machine.ts";
import { basePlatform, defaultDeviceName } from "./own-base.ts";
import { nearestMachine } from "./presets.ts";
import {
  type FigureFault,
  type GivenObject,
  readChipFigures,
  readLinkFigures,
} from "./read-figures.ts";

/** A reader's own device: the machine or device that it begins from, and the given figures. */
export interface OwnHardware {
  readonly from: GivenFrom;
  readonly figures: MachineFigures;
}

/** The device that an object describes, with all faults of the object. */
export interface ReadHardware {
  readonly own: OwnHardware;
  readonly faults: readonly FigureFault[];
  /**
   * Required figures that are missing: without a chip to begin from, the peak, the memory, and the
   * link between devices.
   */
  readonly missing: readonly string[];
}

/** Words of an object other than the figures of the device. */
const otherWords = ["chip", "name", "within", "between", "links"] as const;

/**
 * Reads a reader's own device as data: `{"chip": "8xH100", "flops": 800e12}` replaces figures of a
 * machine, `{"flops": …, "memory": …, "memory_bandwidth": …, "within": {…}}` describes a device
 * without one. Unknown keys and invalid figures are reported; the other figures count.
 */
export function readHardware(given: GivenObject): ReadHardware {
  const faults: FigureFault[] = [];
  const say = (fault: FigureFault) => faults.push(fault);
  const chip = readChipFigures(given, say, { name: "hardware", other: otherWords });
  const machine = machineIn(given, say);
  const base = machine === undefined ? undefined : chipOf(machine);
  const within = ownLink(given.within, "within", base?.within, say);
  const between = ownLink(given.between, "between", base?.between, say);
  const links = linksIn(given.links, (machine ?? within) !== undefined, say);
  const name = nameIn(given, say) ?? (machine === undefined ? defaultDeviceName : undefined);
  const from = {
    ...(machine !== undefined && { machine }),
    ...(within !== undefined && { within }),
    ...(between !== undefined && { between }),
  };
  const figures = { chip, links, ...(name !== undefined && { name }) };
  const missing = given.chip === undefined ? missingIn(given) : [];
  if (from.between !== undefined && machine === undefined && chip.node === undefined)
    missing.push("node");
  return { own: { from, figures }, faults, missing };
}

/**
 * Mesh axes of size above 1 without any link: neither a machine, nor their own link, nor a common
 * link.
 */
export function unlinkedAxes(
  { from, figures }: OwnHardware,
  axes: readonly Pick<MeshAxis, "name" | "size">[],
): readonly string[] {
  if (from.machine !== undefined || from.within !== undefined) return [];
  const bare = axes.filter(({ name, size }) => size > 1 && !Object.hasOwn(figures.links, name));
  return bare.map(({ name }) => name);
}

/** The platform of a reader's own device. */
export function ownHardwarePlatform({ from, figures }: OwnHardware): Platform {
  const { hardware, link } = withFigures(basePlatform(from), figures);
  const [first] = Object.values(figures.links);
  const isJoined = from.machine !== undefined || from.within !== undefined;
  const words = hardware.given?.words ?? [];
  return {
    hardware: {
      ...hardware,
      ...(!isJoined && isWhole(first) && { link: first }),
      given: { from, words },
    },
    link,
  };
}

function missingIn(given: GivenObject): string[] {
  const has = (...words: readonly string[]) => words.some((word) => given[word] !== undefined);
  return [
    ...(has("flops", "peaks") ? [] : ["flops"]),
    ...(has("memory") ? [] : ["memory"]),
    ...(has("memory_bandwidth", "memoryBandwidth") ? [] : ["memory_bandwidth"]),
    ...(has("within", "links") ? [] : ["within"]),
  ];
}

function chipOf(machine: string): Chip | undefined {
  const read = parseMachine(machine);
  return read.ok ? read.value.chip : undefined;
}

type Hear = (fault: FigureFault) => void;

function machineIn({ chip }: GivenObject, say: Hear): string | undefined {
  if (chip === undefined) return undefined;
  const path = ["chip"];
  if (typeof chip !== "string") {
    const message = '"chip" is the name of a machine whose figures are replaced, like "8xH100"';
    say({ path, isOfKey: false, message });
    return undefined;
  }
  const read = parseMachine(chip);
  const [fault] = read.diagnostics;
  if (read.ok || fault === undefined) return chip;
  say({ path, isOfKey: false, message: fault.message, meant: `"${nearestMachine(chip)}"` });
  return undefined;
}

/** Longest device name; a longer one has no room next to the mesh. */
const longestName = 40;

function nameIn({ name }: GivenObject, say: Hear): string | undefined {
  if (name === undefined) return undefined;
  const isRight = typeof name === "string" && name.trim() !== "" && name.length <= longestName;
  if (isRight) return name;
  const message = `"name" is a text of at most ${longestName} characters, what the device is called`;
  say({ path: ["name"], isOfKey: false, message });
  return undefined;
}

/**
 * The links given for axes. They may be partial if they replace figures of a link; otherwise each
 * must be complete.
 */
function linksIn(
  links: unknown,
  isPart: boolean,
  say: Hear,
): Readonly<Record<string, Readonly<Partial<Link>>>> {
  if (links === undefined) return {};
  if (!isRecord(links)) {
    const message = '"links" gives links by the name of a mesh axis: {"tp": {"bandwidth": 50e9}}';
    say({ path: ["links"], isOfKey: false, message });
    return {};
  }
  const entries = Object.entries(links).flatMap(([axis, each]) => {
    const path = ["links", axis];
    const link = isPart ? readLinkFigures(each, path, say) : wholeLink(each, path, say);
    return link === undefined ? [] : [[axis, link] as const];
  });
  return Object.fromEntries(entries);
}

/** A given link: both bandwidth and latency, unless it replaces figures of a machine's link. */
function ownLink(
  value: unknown,
  word: string,
  base: Link | undefined,
  say: Hear,
): Link | undefined {
  if (value === undefined) return undefined;
  if (base === undefined) return wholeLink(value, [word], say);
  return { ...base, ...readLinkFigures(value, [word], say) };
}

function wholeLink(value: unknown, path: readonly string[], say: Hear): Link | undefined {
  let isSaid = false;
  const figures = readLinkFigures(value, path, (fault) => {
    isSaid = true;
    say(fault);
  });
  if (isWhole(figures)) return figures;
  const message = `the link of "${path.at(-1)}" needs a bandwidth in bytes per second and a latency in seconds`;
  if (!isSaid) say({ path, isOfKey: false, message });
  return undefined;
}

function isWhole(link: Partial<Link> | undefined): link is Link {
  return link?.bandwidth !== undefined && link.latency !== undefined;
}
