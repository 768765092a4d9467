import type { PbfReader } from "pbf";
import { OnnxFault } from "./onnx-graph.ts";

/**
 * Limit of names or numbers per node or attribute; a file with more is taken as an attempt to
 * exhaust memory.
 */
export const mostListed = 4096;

/** Limit of a name's length, in bytes. */
const mostName = 2000;

/**
 * Reads a message's fields up to its end. A field that `read` does not consume is skipped.
 * @throws OnnxFault if a field lies beyond the message or its number is 0
 */
export function fieldsOf(pbf: PbfReader, end: number, read: (field: number) => void): void {
  while (pbf.pos < end) {
    const before = pbf.pos;
    const tag = pbf.readVarint();
    const [field, type] = [tag >>> 3, tag & 7];
    pbf.type = type;
    const value = pbf.pos;
    if (field === 0) throw new OnnxFault("it is no protocol buffer");
    read(field);
    if (pbf.pos === value) pbf.skip(tag);
    if (pbf.pos <= before || pbf.pos > end) throw new OnnxFault("a field lies beyond its message");
  }
}

/**
 * Appends a repeated numeric field to `into`: one number, or a packed list. `least` is the minimum
 * bytes per number.
 */
export function numbersIn(
  pbf: PbfReader,
  into: number[],
  read: () => number,
  least: number,
): number {
  if (pbf.type !== 2) return into.push(read());
  return inside(pbf, (end) => {
    if ((end - pbf.pos) / least > mostListed * 10) throw new OnnxFault("a list that is too long");
    while (pbf.pos < end) into.push(read());
    return into.length;
  });
}

/** A string field; a string longer than `mostName` is skipped and read as "". */
export function textIn(pbf: PbfReader): string {
  if (pbf.type !== 2) throw new OnnxFault("a name that is no text");
  const before = pbf.pos;
  const length = pbf.readVarint();
  if (length > mostName || pbf.pos + length > pbf.length) {
    pbf.pos += length;
    if (pbf.pos > pbf.length) throw new OnnxFault("a field lies beyond its message");
    return "";
  }
  pbf.pos = before;
  return pbf.readString();
}

/** Reads a nested message, which must end where its length prefix says. */
export function inside<T>(pbf: PbfReader, read: (end: number) => T): T {
  const end = pbf.readVarint() + pbf.pos;
  if (end > pbf.length) throw new OnnxFault("a field lies beyond its message");
  const value = read(end);
  if (pbf.pos !== end) throw new OnnxFault("a message does not end where it says");
  return value;
}
