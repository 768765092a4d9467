import { flatSteps, type SpmdProgram } from "#core/program";
import {
  evenRangesOf,
  NotWritten,
  type WrittenFile,
  writeProgram,
  writtenFile,
} from "#systems/arrays";
import { type DtensorCollective, dtensorEngine } from "./engine.ts";
import { fileText } from "./file-text.ts";
import { whyNoLayers } from "./layers.ts";
import { rankMesh } from "./rank-mesh.ts";
import { withRedistributions } from "./redistributions.ts";

/** Claims that a run of the exported file must confirm. */
export interface DtensorClaims {
  /** Range of every dim, by input or output and rank. */
  readonly slices: Readonly<
    Record<
      string,
      readonly { readonly device: number; readonly ranges: readonly (readonly number[])[] }[]
    >
  >;
  /** Collectives of DTensor 2.13 in program order; bytes are received per rank. */
  readonly collectives: readonly DtensorCollective[];
}

/**
 * Writes a plan for DTensor of PyTorch 2.13: operators on whole tensors, and a `redistribute`, with
 * DTensor's own collectives, wherever a layout changes (engine-torch.md §1, §4).
 */
export function writeDtensor(program: SpmdProgram): WrittenFile<DtensorClaims> {
  return writtenFile(() => {
    try {
      return written(program, withRedistributions(program));
    } catch (thrown) {
      if (!(thrown instanceof NotWritten)) throw thrown;
      // Intermediate layouts of the plan's route may lack placements although its ends have them.
      return written(program, withRedistributions(program, { isDirect: true }));
    }
  });
}

function written(program: SpmdProgram, redistributed: SpmdProgram) {
  const ranks = rankMesh(redistributed);
  const engine = dtensorEngine(redistributed, ranks);
  const lines = writeProgram(redistributed, engine);
  const { inputs, outputs } = lines.ports;
  const slices = Object.fromEntries(
    [...inputs, ...outputs].map(({ name, ...port }) => {
      const layout = ranks.onRanks(port.layout);
      const ranges = evenRangesOf({ ...port, layout });
      return [name, ranges.map((each, device) => ({ device, ranges: each }))];
    }),
  );
  const moves = flatSteps(redistributed).filter((step) => step.kind === "collective");
  const collectives = moves.flatMap(engine.sentBy);
  const planned = moves.reduce((sum, { bytes }) => sum + bytes, 0);
  const sent = collectives.reduce((sum, { bytesPerDevice }) => sum + bytesPerDevice, 0);
  const { layers, missing } = engine;
  const why = whyNoLayers(program, missing);
  const note = why === undefined ? {} : { note: why };
  const text = fileText(lines, ranks, { planned, sent, layers, ...note });
  return { text, claims: { slices, collectives }, ...note };
}
