import { assumedHardware, fromSheet, type Platform, parseMachine, platformOf } from "#core/cost";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { DeviceMesh } from "#core/mesh";
import { fieldOf, isRecord } from "#core/records";
import type { Arguments } from "./answer.ts";
import { isRate, readLinks } from "./links-request.ts";

/**
 * The `hardware` of a request: the name of a preset, or figures and links (commands.md, `plan`).
 * Links alone will do for models in which work on a device takes no time.
 */
export function readPlatform(hardware: unknown): Checked<Platform> {
  if (typeof hardware === "string") {
    const machine = parseMachine(hardware);
    return machine.ok ? passed(platformOf(machine.value)) : machine;
  }
  if (!isRecord(hardware)) return refused(forms);
  const malformed = malformedFigure(hardware);
  if (malformed !== undefined) return refused(malformed);
  const { name, flops, memoryBandwidth, memory: memoryBytes } = hardware;
  const links = readLinks(hardware.links ?? {});
  if (!links.ok) return links;
  const figures = fromSheet({
    name: typeof name === "string" ? name : "given hardware",
    flops: unlimited(flops),
    memoryBandwidth: unlimited(memoryBandwidth),
    memoryBytes: unlimited(memoryBytes),
    link: Object.values(links.value)[0] ?? assumedHardware.link,
  });
  return passed({
    hardware: figures,
    link: (mesh) => {
      const axes = mesh.axes.map((axis) => {
        const link = fieldOf(links.value, axis.name);
        return link === undefined ? axis : { ...axis, link };
      });
      return { ...mesh, axes };
    },
  });
}

const rates = ["flops", "memoryBandwidth", "memory"] as const;
const figureNames: readonly string[] = ["name", ...rates, "links"];

/** What is wrong with the figures of an object: a field that there is not, or is no number. */
function malformedFigure(given: Readonly<Record<string, unknown>>): string | undefined {
  const unknown = Object.keys(given).find((each) => !figureNames.includes(each));
  if (unknown !== undefined) {
    return `"hardware" has no field "${unknown}": there are ${figureNames.join(", ")}`;
  }
  const wrong = rates.find((each) => given[each] !== undefined && !isRate(given[each]));
  if (wrong !== undefined) return `"${wrong}" of "hardware" is a number above 0, in SI units`;
  if (given.name !== undefined && typeof given.name !== "string") {
    return '"name" of "hardware" is a text';
  }
  const isFree = given.flops === undefined && given.links !== undefined;
  return given.flops === undefined && !isFree ? '"hardware" lacks "flops"' : undefined;
}

/**
 * What the figures of a request lack for the mesh of its program, or say of another one. The
 * product's own costs need all of them; models of single-axis steps do without the memory's.
 */
export function platformFault(
  { hardware, model }: Arguments,
  { axes }: DeviceMesh,
): Diagnostic | undefined {
  if (!isRecord(hardware)) return undefined;
  const links = isRecord(hardware.links) ? hardware.links : {};
  const strange = Object.keys(links).find((name) => axes.every((axis) => axis.name !== name));
  if (strange !== undefined) return bad(`"links" of "hardware": the mesh has no axis "${strange}"`);
  const bare = axes.find(({ name, size }) => size > 1 && fieldOf(links, name) === undefined);
  if (bare !== undefined) return bad(`"hardware" lacks the link of the mesh axis "${bare.name}"`);
  const needed = model === undefined ? (["flops", "memoryBandwidth"] as const) : [];
  const missing = needed.find((each) => hardware[each] === undefined);
  return missing && bad(`"hardware" lacks "${missing}", which the product's own costs need`);
}

function bad(message: string): Diagnostic {
  return { code: "cli/bad-request", severity: "error", message };
}

/** What is not said costs nothing and has no end. */
function unlimited(value: unknown): number {
  return isRate(value) ? value : Number.POSITIVE_INFINITY;
}

const forms =
  '"hardware" is the name of a machine, or an object with "flops", "memoryBandwidth" and "links"';

function refused(message: string): Checked<never> {
  return failed(bad(message));
}
