import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import type { Graph } from "#core/ir";
import type { OwnNumbers } from "#execute/verify";
import {
  assignedWeightsText,
  decodeNumbers,
  headerLength,
  matchWeights,
  prefixBytes,
  readHeader,
  weightsNotes,
} from "#execute/weights";

/** Numbers of a file for a program's parameters, with notes on tensors left over. */
export interface WeightsOfFile {
  readonly own: readonly OwnNumbers[];
  readonly words: string;
  readonly notes: readonly Diagnostic[];
}

/** Reads a `.safetensors` file: its header, then one by one the tensors that parameters use. */
export function readWeights(path: string, graph: Graph): Checked<WeightsOfFile> {
  let file: number;
  try {
    file = openSync(resolve(process.env.INIT_CWD ?? process.cwd(), path), "r");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    return failed({
      code: "execute/no-safetensors",
      severity: "error",
      message: `cannot read the file "${path}"${code}`,
    });
  }
  try {
    return weightsIn(file, path, graph);
  } finally {
    closeSync(file);
  }
}

function weightsIn(file: number, path: string, graph: Graph): Checked<WeightsOfFile> {
  const { size } = fstatSync(file);
  const length = headerLength(bytesOf(file, 0, Math.min(size, prefixBytes)).buffer, size);
  if (!length.ok) return length;
  const start = prefixBytes + length.value;
  const header = Buffer.from(bytesOf(file, prefixBytes, start)).toString("utf8");
  const stored = readHeader(header, start, size);
  if (!stored.ok) return stored;
  const matched = matchWeights(graph, stored.value);
  const own = matched.taken.map(({ tensor, stored: { from, to, dtype } }): OwnNumbers => {
    return { tensor: tensor.name, numbers: decodeNumbers(bytesOf(file, from, to).buffer, dtype) };
  });
  const name = path.split(/[\\/]/).at(-1) ?? path;
  return passed({ own, words: assignedWeightsText(matched), notes: weightsNotes(name, matched) });
}

/** Bytes of an open file from one offset up to another. */
export function bytesOf(file: number, from: number, to: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(to - from);
  let done = 0;
  while (done < bytes.length) {
    const read = readSync(file, bytes.subarray(done), { position: from + done });
    if (read === 0) break;
    done += read;
  }
  return bytes;
}
