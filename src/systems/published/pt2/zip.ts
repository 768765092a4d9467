import { strFromU8 } from "fflate";

/** An entry of the central directory of an archive. */
export interface ZipEntry {
  readonly name: string;
  /** Unpacked size in bytes, as the archive states it. */
  readonly size: number;
  readonly isDeflated: boolean;
  /** The entry's packed bytes. */
  readonly packed: Uint8Array;
}

/** Signatures and field offsets of the records (PKWARE's APPNOTE 6.3.10, section 4.3). */
const [endSign, end64Sign, locatorSign] = [0x06054b50, 0x06064b50, 0x07064b50];
const [entrySign, localSign] = [0x02014b50, 0x04034b50];
const endLength = 22;
const longestComment = 0xffff;
/** Value of a 32-bit field whose real value is in a 64-bit field. */
const isElsewhere = 0xffffffff;

/**
 * Entries of a ZIP or ZIP64 archive, in directory order. fflate unpacks an entry to its end,
 * whatever size the directory states; so the directory is read here, and fflate unpacks in steps.
 *
 * @throws RangeError when the data ends inside a record, or a signature is wrong
 */
export function* zipEntries(bytes: Uint8Array): Generator<ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let { at, count } = listOf(view);
  for (; count > 0; count -= 1) {
    expectSign(view, at, entrySign);
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const [nameLength = 0, extraLength = 0, commentLength = 0] = [name, extra, comment];
    const behind = at + 46 + nameLength;
    const [size = 0, packedSize = 0, local = 0] = wideFields(view, at, behind, extraLength);
    const method = view.getUint16(at + 10, true);
    if (method !== 0 && method !== 8) throw new RangeError("another method of packing");
    yield {
      name: strFromU8(bytes.subarray(at + 46, behind)),
      size,
      isDeflated: method === 8,
      get packed() {
        return packedBytes(view, local, packedSize);
      },
    };
    at = behind + extraLength + commentLength;
  }
}

/** Offset of the central directory, and its number of entries. */
function listOf(view: DataView): { at: number; count: number } {
  const last = view.byteLength - endLength;
  let end = last;
  while (view.getUint32(end, true) !== endSign) {
    end -= 1;
    if (last - end > longestComment) throw new RangeError("no end of a list");
  }
  const [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  const locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== locatorSign) return { at, count };
  const wide = wideAt(view, locator + 8);
  expectSign(view, wide, end64Sign);
  return { at: wideAt(view, wide + 48), count: wideAt(view, wide + 32) };
}

/**
 * Size, packed size and offset of an entry; fields that are too large are taken from the ZIP64
 * extra field.
 */
function wideFields(view: DataView, at: number, extra: number, length: number): readonly number[] {
  const fields = [24, 20, 42].map((field) => view.getUint32(at + field, true));
  if (!fields.includes(isElsewhere)) return fields;
  let [from, to] = [extra, extra + length];
  while (from + 4 <= to && view.getUint16(from, true) !== 1)
    from += 4 + view.getUint16(from + 2, true);
  if (from + 4 > to) return fields;
  to = from + 4;
  return fields.map((field) => {
    if (field !== isElsewhere) return field;
    to += 8;
    return wideAt(view, to - 8);
  });
}

function packedBytes(view: DataView, at: number, size: number): Uint8Array {
  expectSign(view, at, localSign);
  const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  return new Uint8Array(view.buffer, view.byteOffset + from, size);
}

/** A 64-bit number; readable files stay below 2^53. */
function wideAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function expectSign(view: DataView, at: number, sign: number): void {
  if (view.getUint32(at, true) !== sign) throw new RangeError("no record of an archive");
}
