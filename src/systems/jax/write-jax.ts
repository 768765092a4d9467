import { flatSteps, type SpmdProgram } from "#core/program";
import {
  type ClaimedRange,
  rangesOf,
  type WrittenFile,
  writeProgram,
  writtenFile,
} from "#systems/arrays";
import { type ClaimedCollective, claimedCollectives } from "./claims.ts";
import { collectiveLines } from "./collective-lines.ts";
import { jaxDialect } from "./dialect.ts";
import { fileText } from "./file-text.ts";

/** Claims that a run of the exported file must confirm. */
export interface JaxClaims {
  readonly devices: number;
  /** Range of every dim, by input or output and device id. */
  readonly slices: Readonly<Record<string, readonly (readonly ClaimedRange[])[]>>;
  /** Collectives in program order, with the bytes that the busiest device receives. */
  readonly collectives: readonly ClaimedCollective[];
}

/**
 * Writes a per-device program as one `jax.shard_map`, one line per step, with the unsharded program
 * beside it (engine-jax.md §1). XLA chooses nothing: the collectives are those of the plan.
 */
export function writeJax(program: SpmdProgram): WrittenFile<JaxClaims> {
  return writtenFile(() => {
    const lines = writeProgram(program, {
      dialect: jaxDialect,
      collectiveLines,
      dropsUnused: true,
    });
    const ports = [...lines.ports.inputs, ...lines.ports.outputs];
    const slices = Object.fromEntries(ports.map((port) => [port.name, rangesOf(port)]));
    const values = new Map(program.values.map((value) => [value.id, value]));
    const collectives = claimedCollectives(
      flatSteps(program),
      (id) => values.get(id)?.dtype ?? "f32",
      lines,
    );
    const devices = program.devices.length;
    return { text: fileText(lines), claims: { devices, slices, collectives } };
  });
}
