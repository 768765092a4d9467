/** Number types that are read here, by the file's word for them. */
type Reader = (view: DataView, at: number) => number;

/**
 * Bytes of a number, and a reader of it from its first byte; files have the least significant byte
 * first.
 */
const readers: Readonly<Record<string, readonly [bytes: number, read: Reader]>> = {
  F64: [8, (view, at) => view.getFloat64(at, true)],
  F32: [4, (view, at) => view.getFloat32(at, true)],
  F16: [2, (view, at) => halfOf(view.getUint16(at, true))],
  BF16: [2, (view, at) => brainOf(view.getUint16(at, true))],
  I64: [8, (view, at) => Number(view.getBigInt64(at, true))],
  U64: [8, (view, at) => Number(view.getBigUint64(at, true))],
  I32: [4, (view, at) => view.getInt32(at, true)],
  U32: [4, (view, at) => view.getUint32(at, true)],
  I16: [2, (view, at) => view.getInt16(at, true)],
  U16: [2, (view, at) => view.getUint16(at, true)],
  I8: [1, (view, at) => view.getInt8(at)],
  U8: [1, (view, at) => view.getUint8(at)],
  BOOL: [1, (view, at) => (view.getUint8(at) === 0 ? 0 : 1)],
};

/** Whether numbers of a type can be read. */
export function isReadable(dtype: string): boolean {
  return Object.hasOwn(readers, dtype);
}

/** Numbers of a readable type, in order; 64-bit integers become the nearest doubles. */
export function decodeNumbers(bytes: ArrayBuffer, dtype: string): Float64Array {
  if (dtype === "F32" && isLittle) return Float64Array.from(new Float32Array(bytes));
  const [size, read] = readers[dtype] ?? [];
  if (size === undefined || read === undefined) throw new Error(`no numbers of ${dtype} are read`);
  const view = new DataView(bytes);
  const numbers = new Float64Array(bytes.byteLength / size);
  for (let at = 0; at < numbers.length; at += 1) numbers[at] = read(view, at * size);
  return numbers;
}

const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** A half (IEEE 754 binary16): 5 bits of exponent, 10 of fraction. */
function halfOf(bits: number): number {
  const sign = bits >>> 15 === 1 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);

/** A bfloat16: the upper half of a single. */
function brainOf(bits: number): number {
  word[0] = bits << 16;
  return single[0] as number;
}
