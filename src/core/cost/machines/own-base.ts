import type { Link } from "#core/mesh";
import type { GivenFrom } from "../cost.ts";
import type { Chip } from "./chip.ts";
import { assumedHardware, assumedPlatform } from "./hardware.ts";
import { type Platform, parseMachine, platformOf } from "./machine.ts";

/**
 * The platform that a reader's own figures change: the named machine, with the given links in place
 * of its own. Without a machine: a device without known figures, whose work takes no time and whose
 * memory is infinite.
 */
export function basePlatform({ machine, within, between }: GivenFrom): Platform {
  const links = { ...(within && { within }), ...(between && { between }) };
  if (machine === undefined) return unknownDevice(within, between);
  const read = parseMachine(machine);
  if (machine === assumedHardware.name || !read.ok) return assumedPlatform;
  return platformOf({ ...read.value, chip: { ...read.value.chip, ...links } });
}

/** A device without known figures; with `within`, the given links are those of every axis. */
function unknownDevice(within: Link | undefined, between: Link | undefined): Platform {
  const node = Number.POSITIVE_INFINITY;
  const chip: Chip = {
    name: defaultDeviceName,
    flops: Number.POSITIVE_INFINITY,
    peaks: {},
    launch: 0,
    basis: "sheet",
    memoryBytes: Number.POSITIVE_INFINITY,
    memoryBandwidth: Number.POSITIVE_INFINITY,
    within: within ?? assumedHardware.link,
    between: between ?? within ?? assumedHardware.link,
    node,
    isTorus: false,
    sources: unsaid,
  };
  const machine = platformOf({ chip, sizes: [], node });
  const { node: _node, sources: _sources, ...hardware } = machine.hardware;
  return {
    ...machine,
    hardware: { ...hardware, name: defaultDeviceName },
    link: within === undefined ? (mesh) => mesh : machine.link,
  };
}

/** The name of a described device that the reader did not name. */
export const defaultDeviceName = "given hardware";

const unsaid = { peaks: "", memory: "", within: "", between: "", launch: "" };
