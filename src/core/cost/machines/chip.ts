import type { Link } from "#core/mesh";
import type { Arithmetic, Basis, Hardware, Sources } from "../cost.ts";

/** A kind of device with what connects it: inside a node (or a torus), and between nodes. */
export interface Chip extends Omit<Hardware, "link" | "given" | "node" | "sources"> {
  readonly within: Link;
  readonly between: Link;
  /**
   * Devices per node. For a torus: an axis closes into a ring if its length is a multiple of this.
   */
  readonly node: number;
  readonly isTorus: boolean;
  /** Other names that a text may use. */
  readonly also?: readonly string[];
  readonly sources: Sources;
}

/** Figures of a device's data sheet: 10^12 operations a second, bytes, bytes a second. */
interface Sheet {
  readonly name: string;
  readonly also?: readonly string[];
  /** Dense rates; a kind of arithmetic that is missing on the data sheet is absent. */
  readonly tera: Readonly<Partial<Record<Arithmetic, number>>>;
  readonly memory: number;
  readonly bandwidth: number;
  readonly multiprocessors?: number;
  /** Factor fitted to published steps of this very chip, if there are any. */
  readonly crowding?: number;
  /**
   * Bandwidth out of one device, one way: `within` to the others of its node or along one link of a
   * torus, `between` to other nodes.
   */
  readonly within: number;
  readonly between: number;
  readonly node: number;
  readonly basis: Basis;
  readonly sources: Omit<Sources, "launch"> & Partial<Pick<Sources, "launch">>;
}

/**
 * Share of a link's one-way bandwidth that large collectives reach: some 370 of 450 GB/s inside a
 * node of H100 and 46 of 50 between nodes, as libraries of collectives measure themselves; assumed
 * of other links.
 */
const reached = { within: 0.82, between: 0.92 };

/** Seconds of a small eager kernel where the host was measured; another host is another figure. */
const measuredLaunch = 9e-6;

/** Devices that reach every other one of their node in one hop: a switch, or links between all. */
export function switched(sheet: Sheet): Chip {
  const latency = 3e-6;
  return {
    ...common(sheet),
    within: { latency, bandwidth: sheet.within, reached: reached.within, fabric: "switch" },
    isTorus: false,
  };
}

/** A link each way along every axis of a torus; a hop takes 1 µs. */
export function torus(sheet: Sheet): Chip {
  const latency = 1e-6;
  return {
    ...common(sheet),
    within: { latency, bandwidth: sheet.within, fabric: "line" },
    isTorus: true,
  };
}

function common(sheet: Sheet): Omit<Chip, "within" | "isTorus"> {
  const { name, also, tera, memory, bandwidth, multiprocessors, between, node, basis } = sheet;
  const peaks = Object.fromEntries(Object.entries(tera).map(([kind, each]) => [kind, exact(each)]));
  return {
    name,
    ...(also !== undefined && { also }),
    flops: peaks.bf16 ?? peaks.f16 ?? 0,
    peaks,
    launch: measuredLaunch,
    basis,
    memoryBytes: memory,
    memoryBandwidth: bandwidth,
    ...(multiprocessors !== undefined && { multiprocessors }),
    ...(basis !== "sheet" && { crowding: sheet.crowding ?? measuredCrowding }),
    between: { latency: 10e-6, bandwidth: between, reached: reached.between, fabric: "switch" },
    node,
    sources: { launch: launchSource, ...sheet.sources },
  };
}

/**
 * Factor of a step of many H100 over the sum of its kernels alone, fitted to published steps
 * (`published.json`); assumed for chips whose kernels are scaled from the H100.
 */
const measuredCrowding = 1.41;

const launchSource = "assumed: the host beside the measured H100";

/**
 * `tera · 10^12`, rounded as its decimal digits: the product 362.05 · 1e12 would round otherwise.
 */
function exact(tera: number): number {
  return Number(`${tera}e12`);
}
