import type { Box } from "#core/indexspace";
import type { TensorId } from "#core/ir";

/** What one device has after a step that a system computes wrongly, beside what it should have. */
export interface WrongDevice {
  readonly device: number;
  readonly wanted: string;
  readonly held: string;
}

/** A step of a program that a system computes wrongly. */
export interface WrongStep {
  /** Of the warning in the text, which has the rewritings that are safe. */
  readonly code: DiagnosticCode;
  readonly tensor: TensorId;
  /** Of the tensor. */
  readonly name: string;
  /** `h`, or `the gradient of h`. */
  readonly subject: string;
  /** Why, as one sentence without a stop. */
  readonly cause: string;
  /** The devices that have something else; none where no block tells it. */
  readonly devices: readonly WrongDevice[];
}

/** The indices `[start, stop)` of one run of a dim. */
export type IndexRun = readonly [start: number, stop: number];

/** `0:4, 8:12`; a dim of several runs `0:2 + 4:6`. */
export function blockText(dims: readonly (readonly IndexRun[])[]): string {
  return dims
    .map((runs) => runs.map(([start, stop]) => `${start}:${stop}`).join(" + ") || "nothing")
    .join(", ");
}

/** A block of one run per dim. */
export function boxText(ranges: Box): string {
  return blockText(ranges.map(({ start, stop }) => [[start, stop]]));
}
