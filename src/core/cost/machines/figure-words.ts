import { arithmetics, kernelClasses } from "../cost.ts";
import type { ChipFigures } from "./figures.ts";

type NumberKey = Exclude<keyof ChipFigures, "peaks" | "efficiencies">;

/** A figure of a device, as a text writes it. */
export interface FigureWord {
  readonly key: NumberKey;
  /** The rule for the number, worded to follow `is`. */
  readonly is: string;
  readonly isRight: (value: number) => boolean;
}

/**
 * Figures above this, or below its inverse, are refused: times computed from them would overflow or
 * be 0.
 */
const extreme = 1e100;

/**
 * Whether a value is a rate that yields finite, distinct times: a finite number not too close to 0.
 */
export function isRate(value: unknown): value is number {
  return typeof value === "number" && value >= 1 / extreme && Number.isFinite(value);
}

/** Whether a value is a number of seconds that sums of times can hold. */
export function isLatency(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= extreme;
}

/** Whether a value is a share above 0 and at most 1. */
export function isShare(value: unknown): value is number {
  return isRate(value) && value <= 1;
}

const isCount = (value: number) => Number.isInteger(value) && value >= 1 && value <= 1e6;

/** The figures of a device that are one number, by the word of a text; SI units. */
export const figureWords: Readonly<Record<string, FigureWord>> = {
  flops: {
    key: "flops",
    is: "a number of 16-bit operations per second above 0, like 989e12",
    isRight: isRate,
  },
  memory: { key: "memoryBytes", is: "a number of bytes above 0, like 80e9", isRight: isRate },
  memory_bandwidth: {
    key: "memoryBandwidth",
    is: "a number of bytes per second above 0, like 3.35e12",
    isRight: isRate,
  },
  launch: { key: "launch", is: "a number of seconds, 0 or more, like 9e-6", isRight: isLatency },
  node: { key: "node", is: "a whole number of devices, 1 or more", isRight: isCount },
  multiprocessors: {
    key: "multiprocessors",
    is: "a whole number, 1 or more, like 132",
    isRight: isCount,
  },
  crowding: {
    key: "crowding",
    is: "a factor of 1 or more, like 1.4",
    isRight: (value) => value >= 1 && value <= 1e6,
  },
};

/** Words of a device that hold figures by name. */
export const groupWords = {
  peaks: {
    words: arithmetics,
    is: "a number of operations per second above 0, like 989e12",
    isRight: isRate,
  },
  efficiencies: {
    words: kernelClasses,
    is: "a share above 0 and at most 1, like 0.7",
    isRight: isShare,
  },
} as const;

/** Words of a link. */
export const linkWords = ["bandwidth", "latency", "fabric", "reached"] as const;
