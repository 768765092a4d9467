import { assumedHardware, fromSheet, type Platform, parseMachine, platformOf } from "#core/cost";
import { type Checked, failed, passed } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import { badRequest } from "./answer.ts";
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
  if (typeof hardware !== "object" || hardware === null) return refused();
  const given = hardware as Readonly<Record<string, unknown>>;
  const [flops, memoryBandwidth, memoryBytes] = ["flops", "memoryBandwidth", "memory"].map((name) =>
    fieldOf(given, name),
  );
  const isFree = flops === undefined && given.links !== undefined;
  if (!isFree && !isRate(flops)) return refused();
  const links = readLinks(given.links ?? {});
  if (!links.ok) return links;
  const figures = fromSheet({
    name: typeof given.name === "string" ? given.name : "given hardware",
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

/** What is not said costs nothing and has no end. */
function unlimited(value: unknown): number {
  return isRate(value) ? value : Number.POSITIVE_INFINITY;
}

function refused(): Checked<never> {
  const message =
    '"hardware" is the name of a machine, or an object with "flops", "memoryBandwidth" and "links"';
  return failed(...badRequest(message).diagnostics);
}
