import type { PbfReader } from "pbf";
import { product } from "#core/arithmetic";
import { bitsIn } from "../stablehlo/constants.ts";
import { fieldsOf, numbersIn, textIn } from "./fields.ts";
import { OnnxFault, type OnnxTensor } from "./onnx-graph.ts";

/** The value of a 16-bit float, given as its bits. */
function halfOf(bits: number, type: number): number {
  return bitsIn(BigInt(bits), type === 16 ? "bf16" : "f16") ?? Number.NaN;
}

const types: Readonly<
  Record<number, readonly [bytes: number, read: (view: DataView, at: number) => number]>
> = {
  10: [2, (view, at) => halfOf(view.getUint16(at, true), 10)],
  16: [2, (view, at) => halfOf(view.getUint16(at, true), 16)],
  1: [4, (view, at) => view.getFloat32(at, true)],
  6: [4, (view, at) => view.getInt32(at, true)],
  7: [8, (view, at) => Number(view.getBigInt64(at, true))],
  9: [1, (view, at) => view.getUint8(at)],
  11: [8, (view, at) => view.getFloat64(at, true)],
};

/** Number of elements up to which a constant's values are read. */
const mostNumbers = 64;

/**
 * Reads a TensorProto: name, type and shape, and its numbers if there are at most `mostNumbers`.
 */
export function tensorIn(pbf: PbfReader, end: number): OnnxTensor {
  const shape: number[] = [];
  const own: number[] = [];
  let [name, type] = ["", 0];
  let raw: Uint8Array | undefined;
  fieldsOf(pbf, end, (field) => {
    if (field === 1) numbersIn(pbf, shape, () => pbf.readVarint(true), 1);
    else if (field === 2) type = pbf.readVarint();
    else if (field === 8) name = textIn(pbf);
    else if (field === 9) raw = pbf.readBytes();
    else if ((field === 5 || field === 7) && isFew(pbf, 10))
      numbersIn(pbf, own, () => pbf.readVarint(true), 1);
    else if (field === 4 && isFew(pbf, 4)) numbersIn(pbf, own, () => pbf.readFloat(), 4);
    else if (field === 10 && isFew(pbf, 8)) numbersIn(pbf, own, () => pbf.readDouble(), 8);
  });
  const isShape =
    shape.length <= 16 && shape.every((size) => Number.isSafeInteger(size) && size >= 0);
  if (!isShape) throw new OnnxFault(`the tensor "${name}" has no shape of sizes`);
  const count = product(shape);
  // 16-bit floats are stored as bit patterns in the integer list.
  const listed = type === 10 || type === 16 ? own.map((bits) => halfOf(bits, type)) : own;
  const numbers = count > mostNumbers ? undefined : (rawNumbers(raw, type) ?? listed);
  return { name, shape, type, ...(numbers?.length === count && { numbers }) };
}

/** Whether a packed list is short enough to read; leaves the reader's position unchanged. */
function isFew(pbf: PbfReader, bytes: number): boolean {
  if (pbf.type !== 2) return true;
  const before = pbf.pos;
  const length = pbf.readVarint();
  pbf.pos = before;
  return length <= mostNumbers * bytes;
}

function rawNumbers(raw: Uint8Array | undefined, type: number): readonly number[] | undefined {
  const [size, read] = types[type] ?? [];
  if (raw === undefined || size === undefined || read === undefined) return undefined;
  if (raw.length > mostNumbers * 8) return undefined;
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  return Array.from({ length: Math.floor(raw.length / size) }, (_, at) => read(view, at * size));
}
