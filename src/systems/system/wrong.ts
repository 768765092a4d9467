import type { Box } from "#core/indexspace";
import type { TensorId } from "#core/ir";

/** The block of one device after a wrong step, and the right block, as text. */
export interface WrongDevice {
  readonly device: number;
  readonly wanted: string;
  readonly held: string;
}

/** A step of a program that a system computes wrongly. */
export interface WrongStep {
  /** Code of the warning in the text, whose fixes are safe rewrites. */
  readonly code: DiagnosticCode;
  readonly tensor: TensorId;
  /** The tensor's name. */
  readonly name: string;
  /** `h`, or `the gradient of h`. */
  readonly subject: string;
  /** The cause, as a sentence without a full stop. */
  readonly cause: string;
  /** Devices whose blocks differ; empty when blocks alone do not show the error. */
  readonly devices: readonly WrongDevice[];
}

/** The indices `[start, stop)` of one run of a dim. */
export type IndexRun = readonly [start: number, stop: number];

/** A block by its ranges per dim: `0:4, 8:12`; several runs of a dim as `0:2 + 4:6`. */
export function blockText(dims: readonly (readonly IndexRun[])[]): string {
  return dims
    .map((runs) => runs.map(([start, stop]) => `${start}:${stop}`).join(" + ") || "nothing")
    .join(", ");
}

/** A box by its ranges per dim: `0:4, 8:12`. */
export function boxText(ranges: Box): string {
  return blockText(ranges.map(({ start, stop }) => [[start, stop]]));
}
