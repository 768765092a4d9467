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

/** What an exported file must show where it runs. */
export interface DtensorClaims {
  /** By input and output, per rank, the range of every dim. */
  readonly slices: Readonly<
    Record<
      string,
      readonly { readonly device: number; readonly ranges: readonly (readonly number[])[] }[]
    >
  >;
  /** What DTensor 2.13 sends, in program order; bytes are what a rank receives. */
  readonly collectives: readonly DtensorCollective[];
}

/**
 * Writes a plan for DTensor of PyTorch 2.13: the operators on whole tensors, and where a tensor changes
 * its layout a `redistribute`, whose collectives are DTensor's own (engine-torch.md §1, §4).
 */
export function writeDtensor(program: SpmdProgram): WrittenFile<DtensorClaims> {
  return writtenFile(() => {
    try {
      return written(program, withRedistributions(program));
    } catch (thrown) {
      if (!(thrown instanceof NotWritten)) throw thrown;
      // What our own route passes through may have no placements, where its ends have some.
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
