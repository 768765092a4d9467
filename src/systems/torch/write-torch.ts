import { flatSteps, type SpmdProgram } from "#core/program";
import { NotWritten, rangesOf, writeProgram } from "#systems/arrays";
import { collectiveLines } from "./collective-lines.ts";
import { torchDialect } from "./dialect.ts";
import { fileText } from "./file-text.ts";

/** What an exported file must show where it runs. */
export interface TorchClaims {
  /** By input and output, per rank, the range of every dim. */
  readonly slices: Readonly<
    Record<
      string,
      readonly { readonly device: number; readonly ranges: readonly (readonly number[])[] }[]
    >
  >;
  /** In program order, with bytes that a rank receives; groups of a permute are pairs. */
  readonly collectives: readonly {
    readonly collective: string;
    readonly groups: readonly (readonly number[])[];
    readonly bytesPerDevice: number;
  }[];
}

/** A program as a PyTorch module, or why it is none: half a sentence that names the cause. */
export type TorchModule =
  | { readonly ok: true; readonly text: string; readonly claims: TorchClaims }
  | { readonly ok: false; readonly reason: string };

/**
 * Writes a per-device program as the program of one rank, one line per step on `torch.distributed`,
 * with the unsharded program beside it (engine-torch §1, plain SPMD).
 */
export function writeTorch(program: SpmdProgram): TorchModule {
  try {
    const lines = writeProgram(program, {
      dialect: torchDialect,
      collectiveLines,
      dropsUnused: false,
    });
    const ports = [...lines.ports.inputs, ...lines.ports.outputs];
    const slices = Object.fromEntries(
      ports.map((port) => [
        port.name,
        rangesOf(port).map((ranges, device) => ({ device, ranges })),
      ]),
    );
    const collectives = flatSteps(program).flatMap((step) => {
      if (step.kind !== "collective" || step.collective === "slice") return [];
      const isPermute = step.collective === "collective-permute";
      const groups = isPermute
        ? lines.pairsOf(step).map(({ from, to }) => [from, to])
        : step.groups.map((group) => group.map(Number));
      return [{ collective: step.collective, groups, bytesPerDevice: step.bytes }];
    });
    return { ok: true, text: fileText(lines), claims: { slices, collectives } };
  } catch (error) {
    if (error instanceof NotWritten) return { ok: false, reason: error.message };
    throw error;
  }
}
