import { type Checked, passed } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { OwnNumbers } from "#execute/verify";
import {
  decodeNumbers,
  headerLength,
  type MatchedWeights,
  matchWeights,
  prefixBytes,
  readHeader,
} from "#execute/weights";
import type { WeightsFile } from "./run-protocol.ts";

/** Values from a weights file for the parameters of a program. */
export interface ReadWeights {
  readonly matched: MatchedWeights;
  readonly own: readonly OwnNumbers[];
}

/** Reads the header of a weights file, then the tensors of matched parameters one by one. */
export async function readWeights(
  { file }: WeightsFile,
  graph: Graph,
  signal?: { throwIfAborted(): void },
): Promise<Checked<ReadWeights>> {
  const bytes = (from: number, to: number) => file.slice(from, to).arrayBuffer();
  const length = headerLength(await bytes(0, prefixBytes), file.size);
  if (!length.ok) return length;
  const start = prefixBytes + length.value;
  const header = await file.slice(prefixBytes, start).text();
  const stored = readHeader(header, start, file.size);
  if (!stored.ok) return stored;
  const matched = matchWeights(graph, stored.value);
  const own: OwnNumbers[] = [];
  for (const { tensor, stored: each } of matched.taken) {
    signal?.throwIfAborted();
    const numbers = decodeNumbers(await bytes(each.from, each.to), each.dtype);
    own.push({ tensor: tensor.name, numbers });
  }
  return passed({ matched, own });
}
