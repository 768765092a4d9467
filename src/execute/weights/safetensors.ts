import { product } from "#core/arithmetic";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import { isRecord, plainJson } from "#core/records";

/**
 * A tensor of a `.safetensors` file, with the byte range of its numbers from the first byte of the
 * file.
 */
export interface StoredTensor {
  readonly name: string;
  /** The file's own word for the type of its numbers: `F32`, `BF16`, … */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly from: number;
  readonly to: number;
}

/** Bytes in front of the header, which give its length. */
export const prefixBytes = 8;

/** The format's limit on the bytes of a header. */
const longestHeader = 100_000_000;

/** Bytes of a number of each type that the format has. */
const sizes: Readonly<Record<string, number>> = {
  ...{ F64: 8, I64: 8, U64: 8 },
  ...{ F32: 4, I32: 4, U32: 4 },
  ...{ F16: 2, BF16: 2, I16: 2, U16: 2 },
  ...{ I8: 1, U8: 1, BOOL: 1, F8_E4M3: 1, F8_E5M2: 1 },
};

/**
 * The length of a `.safetensors` file's header, in bytes.
 *
 * @param prefix its first `prefixBytes`: a whole number, the least significant byte first
 * @param fileBytes of the whole file
 */
export function headerLength(prefix: ArrayBuffer, fileBytes: number): Checked<number> {
  if (prefix.byteLength < prefixBytes) return refused("it is shorter than 8 bytes");
  const length = new DataView(prefix).getBigUint64(0, true);
  if (length > longestHeader || prefixBytes + Number(length) > fileBytes) {
    return refused(`its first 8 bytes say that a header of ${length} bytes follows`);
  }
  return passed(Number(length));
}

/**
 * The tensors of a `.safetensors` file, in the order of its header; the ranges in the header must
 * fit the file, so that nothing is read from elsewhere.
 *
 * @param header its text, behind the prefix
 * @param start the first byte behind the header
 * @param fileBytes of the whole file
 */
export function readHeader(
  header: string,
  start: number,
  fileBytes: number,
): Checked<readonly StoredTensor[]> {
  const read = plainJson(header);
  if (!isRecord(read)) return refused("its header is no JSON object");
  const found: StoredTensor[] = [];
  for (const [name, entry] of Object.entries(read)) {
    if (name === "__metadata__") continue;
    const tensor = storedTensor(name, entry, start, fileBytes);
    if (typeof tensor === "string") return refused(`of "${name}" ${tensor}`);
    found.push(tensor);
  }
  return passed(found);
}

/** One entry of the header, or its fault. */
function storedTensor(
  name: string,
  entry: unknown,
  start: number,
  fileBytes: number,
): StoredTensor | string {
  if (!isRecord(entry)) return "its header says nothing";
  const { dtype, shape, data_offsets: offsets } = entry;
  if (typeof dtype !== "string") return "its header says no type";
  if (!isCounts(shape)) return "the shape is no list of sizes";
  if (!isCounts(offsets) || offsets.length !== 2) return "the place is not two offsets";
  const [from = 0, to = 0] = offsets.map((each) => start + each);
  if (to < from || to > fileBytes) return "the place lies beyond the end of the file";
  const cells = product(shape);
  const size = sizes[dtype];
  if (size !== undefined && to - from !== cells * size) {
    return `there are ${to - from} bytes, where ${shape.join("×") || "one number"} of ${dtype} are ${cells * size}`;
  }
  return { name, dtype, shape, from, to };
}

function isCounts(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each) && each >= 0);
}

function refused(why: string): Checked<never> {
  const fault: Diagnostic = {
    code: "execute/no-safetensors",
    severity: "error",
    message: `the file with weights cannot be read: ${why}`,
  };
  return failed(fault);
}
