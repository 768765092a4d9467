import { volumeOf } from "#core/indexspace";
import { bytesOf } from "#core/ir";
import { type CollectiveStep, flatSteps, type SpmdProgram } from "#core/program";
import {
  type ClaimedRange,
  elementsAt,
  NotWritten,
  type ProgramLines,
  rangesOf,
  writeProgram,
} from "#systems/arrays";
import { collectiveLines } from "./collective-lines.ts";
import { torchDialect } from "./dialect.ts";
import { exchangeAxes, groupsAlong } from "./exchange-group.ts";
import { fileText } from "./file-text.ts";

/** Claims that an exported file checks when it runs. */
export interface TorchClaims {
  /** The range of every dim on each rank, by input and output. */
  readonly slices: Readonly<
    Record<string, readonly { readonly device: number; readonly ranges: readonly ClaimedRange[] }[]>
  >;
  /**
   * Collectives in program order, with the bytes that a rank receives; the groups of a permute are
   * pairs.
   */
  readonly collectives: readonly {
    readonly collective: string;
    readonly groups: readonly (readonly number[])[];
    readonly bytesPerDevice: number;
    /**
     * Bytes that each rank receives, if ranks receive different amounts; `bytesPerDevice` is then
     * the largest.
     */
    readonly received?: readonly number[];
  }[];
}

/** A program as a PyTorch module, or why it is none: half a sentence that names the cause. */
export type TorchModule =
  | { readonly ok: true; readonly text: string; readonly claims: TorchClaims }
  | { readonly ok: false; readonly reason: string };

/**
 * Writes a per-device program as the program of one rank, one line per step on `torch.distributed`,
 * with the unsharded program beside it (engine-torch.md §1, plain SPMD).
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
      if (step.collective === "exchange") return [claimedExchange(step, lines, program)];
      const isPermute = step.collective === "collective-permute";
      const groups = isPermute
        ? lines.pairsOf(step).map(({ from, to }) => [from, to])
        : step.groups.map((group) => group.map(Number));
      const claimed = { collective: step.collective, groups, bytesPerDevice: step.bytes };
      const received = receivedBytes(step, lines, program);
      return [{ ...claimed, ...(received && { received }) }];
    });
    return { ok: true, text: fileText(lines), claims: { slices, collectives } };
  } catch (error) {
    if (error instanceof NotWritten) return { ok: false, reason: error.message };
    throw error;
  }
}

type Claimed = TorchClaims["collectives"][number];

/** An exchange by the groups along the mesh axes that it crosses, each box of its own size. */
function claimedExchange(
  { pairs = [], input, bytes }: CollectiveStep,
  { mesh }: ProgramLines,
  program: SpmdProgram,
): Claimed {
  const sent = pairs.map(({ from, to, range }) => ({ from: Number(from), to: Number(to), range }));
  const groups = groupsAlong(mesh, exchangeAxes({ sent, mesh }));
  const received = program.devices.map(() => 0);
  for (const { to, range } of sent)
    received[to] = (received[to] ?? 0) + volumeOf(range) * widthOf(program, input);
  return { collective: "exchange", groups, bytesPerDevice: bytes, received };
}

/** Bytes that each rank receives, for unequal blocks that are not padded to the longest. */
function receivedBytes(
  step: CollectiveStep,
  { mesh, blocksOf }: ProgramLines,
  program: SpmdProgram,
): readonly number[] | undefined {
  const blocks = blocksOf(step.output);
  const isOwn = step.collective === "all-reduce" || step.collective === "collective-permute";
  if (!isOwn || blocks.isEven) return undefined;
  const size = step.groups[0]?.length ?? 1;
  const times = step.collective === "all-reduce" ? (2 * (size - 1)) / size : 1;
  const width = widthOf(program, step.input);
  return program.devices
    .toSorted((a, b) => a - b)
    .map((device) => times * width * elementsAt(blocks, mesh, mesh.positionOf(Number(device))));
}

function widthOf({ values }: SpmdProgram, id: CollectiveStep["input"]): number {
  return bytesOf(values.find((value) => value.id === id)?.dtype ?? "f32");
}
