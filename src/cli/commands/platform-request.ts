import {
  type FigureFault,
  ownHardwarePlatform,
  type Platform,
  parseMachine,
  platformOf,
  readHardware,
  unlinkedAxes,
} from "#core/cost/machines";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { DeviceMesh } from "#core/mesh";
import { isRecord } from "#core/records";
import type { Arguments } from "./answer.ts";

/**
 * Reads a request's `hardware`: the name of a preset, or the caller's own device in the words of
 * `Mesh(hardware={…})` (commands.md, `plan`). Missing figures cost nothing and have no limit;
 * `platformFault` reports those that a program needs.
 */
export function readPlatform(hardware: unknown): Checked<Platform> {
  if (typeof hardware === "string") {
    const machine = parseMachine(hardware);
    return machine.ok ? passed(platformOf(machine.value)) : machine;
  }
  if (!isRecord(hardware)) return failed(bad(forms));
  const { own, faults, missing } = readHardware(hardware);
  const [fault] = faults;
  if (fault !== undefined) return failed(bad(faultText(fault)));
  const isNothing = missing.includes("flops") && missing.includes("within");
  return isNothing ? failed(bad('"hardware" lacks "flops"')) : passed(ownHardwarePlatform(own));
}

/**
 * Reports a figure that a request's hardware lacks for the program's mesh, or a link for an axis
 * that the mesh lacks. The program's own costs need all figures; models of single-axis steps do
 * without those of the memory. The memory size is a limit, and optional.
 */
export function platformFault(
  { hardware, model }: Arguments,
  { axes }: DeviceMesh,
): Diagnostic | undefined {
  if (!isRecord(hardware)) return undefined;
  const { own, missing } = readHardware(hardware);
  const strange = Object.keys(own.figures.links).find((name) =>
    axes.every((axis) => axis.name !== name),
  );
  if (strange !== undefined) return bad(`"links" of "hardware": the mesh has no axis "${strange}"`);
  const [bare] = unlinkedAxes(own, axes);
  if (bare !== undefined) return bad(`"hardware" lacks the link of the mesh axis "${bare}"`);
  const needed = model === undefined ? ["flops", "memory_bandwidth", "node"] : [];
  const lacking = needed.find((word) => missing.includes(word));
  return lacking === undefined
    ? undefined
    : bad(`"hardware" lacks "${lacking}", which the product's own costs need`);
}

const forms =
  '"hardware" is the name of a machine, or an object with "flops", "memory_bandwidth" and "links"';

/** The fault with its path: `"hardware" links.dp: …`. */
function faultText({ path, message, meant }: FigureFault): string {
  const where = path.slice(0, -1).join(".");
  const place = where === "" ? "" : ` ${where}`;
  return `"hardware"${place}: ${message}${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

function bad(message: string): Diagnostic {
  return { code: "cli/bad-request", severity: "error", message };
}
