import { PbfReader } from "pbf";
import { product } from "#core/arithmetic";
import { bitsIn } from "../stablehlo/constants.ts";

/** A tensor of a file: its numbers only where they are few. */
export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  /** ONNX's number of the type. */
  readonly type: number;
  /** Whole numbers or floats of a small constant; absent of a larger one. */
  readonly numbers?: readonly number[];
}

/** A value of the graph by its name; a dim that the file leaves open is its name. */
export interface OnnxValue {
  readonly name: string;
  readonly type: number;
  /** Absent where the file says no shape. */
  readonly shape?: readonly (number | string)[];
}

/** An attribute, in the form that it has. */
export interface OnnxAttribute {
  float?: number;
  int?: number;
  text?: string;
  ints?: readonly number[];
  floats?: readonly number[];
  tensor?: OnnxTensor;
  isGraph?: boolean;
}

/** An operator of the graph. */
export interface OnnxNode {
  readonly op: string;
  readonly domain: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
}

/** The graph of a model. */
export interface OnnxGraph {
  readonly name: string;
  readonly producer: string;
  /** The version of ONNX's own operators. */
  readonly opset: number;
  readonly nodes: readonly OnnxNode[];
  readonly weights: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly values: readonly OnnxValue[];
}

/** A file that is no model, with the reason. */
export class OnnxFault extends Error {}

/** Limits of one file: what goes beyond them is no model, but made to cost memory. */
const mostNodes = 200_000;
const mostListed = 4096;
const mostName = 2000;

/**
 * Reads a model's graph by the field numbers of onnx.proto. Numbers of tensors are passed over but
 * for small constants, so memory follows the number of operators and not the size of the file.
 *
 * @throws OnnxFault, and what the reader of protocol buffers throws at the end of the bytes
 */
export function decodeOnnx(bytes: Uint8Array): OnnxGraph {
  let graph: OnnxGraph | undefined;
  let producer = "";
  let opset = 0;
  const pbf = new PbfReader(bytes);
  fieldsOf(pbf, bytes.length, (field) => {
    if (field === 2) producer = textIn(pbf);
    else if (field === 7) graph = inside(pbf, (end) => graphIn(pbf, end));
    else if (field === 8) opset = inside(pbf, (end) => opsetIn(pbf, end)) ?? opset;
  });
  if (graph === undefined) throw new OnnxFault("it has no graph");
  return { ...graph, producer, opset };
}

/** The version of a set of operators; nothing of one that is not ONNX's own. */
function opsetIn(pbf: PbfReader, end: number): number | undefined {
  let [domain, version] = ["", 0];
  fieldsOf(pbf, end, (field) => {
    if (field === 1) domain = textIn(pbf);
    else if (field === 2) version = pbf.readVarint(true);
  });
  return domain === "" || domain === "ai.onnx" ? version : undefined;
}

/** Reads the fields of a message up to its end; each has to be read, or is passed over. */
function fieldsOf(pbf: PbfReader, end: number, read: (field: number) => void): void {
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

/** A message inside, which ends where its length says. */
function inside<T>(pbf: PbfReader, read: (end: number) => T): T {
  const end = pbf.readVarint() + pbf.pos;
  if (end > pbf.length) throw new OnnxFault("a field lies beyond its message");
  const value = read(end);
  if (pbf.pos !== end) throw new OnnxFault("a message does not end where it says");
  return value;
}

function graphIn(pbf: PbfReader, end: number): OnnxGraph {
  const nodes: OnnxNode[] = [];
  const weights: OnnxTensor[] = [];
  const [inputs, outputs, values]: [OnnxValue[], OnnxValue[], OnnxValue[]] = [[], [], []];
  let name = "";
  const add = <T>(list: T[], value: T) => {
    if (list.length >= mostNodes) throw new OnnxFault("it has more than 200,000 entries of a kind");
    list.push(value);
  };
  fieldsOf(pbf, end, (field) => {
    if (field === 1)
      add(
        nodes,
        inside(pbf, (to) => nodeIn(pbf, to)),
      );
    else if (field === 2) name = textIn(pbf);
    else if (field === 5)
      add(
        weights,
        inside(pbf, (to) => tensorIn(pbf, to)),
      );
    else if (field === 11)
      add(
        inputs,
        inside(pbf, (to) => valueIn(pbf, to)),
      );
    else if (field === 12)
      add(
        outputs,
        inside(pbf, (to) => valueIn(pbf, to)),
      );
    else if (field === 13)
      add(
        values,
        inside(pbf, (to) => valueIn(pbf, to)),
      );
  });
  return { name, producer: "", opset: 0, nodes, weights, inputs, outputs, values };
}

function nodeIn(pbf: PbfReader, end: number): OnnxNode {
  const [inputs, outputs]: [string[], string[]] = [[], []];
  const attributes = new Map<string, OnnxAttribute>();
  let [op, domain, name] = ["", "", ""];
  fieldsOf(pbf, end, (field) => {
    if (inputs.length + outputs.length > mostListed)
      throw new OnnxFault("an operator of too many values");
    if (field === 1) inputs.push(textIn(pbf));
    else if (field === 2) outputs.push(textIn(pbf));
    else if (field === 3) name = textIn(pbf);
    else if (field === 4) op = textIn(pbf);
    else if (field === 7) domain = textIn(pbf);
    else if (field === 5) {
      const [key, value] = inside(pbf, (to) => attributeIn(pbf, to));
      attributes.set(key, value);
    }
  });
  return { op, domain, name, inputs, outputs, attributes };
}

function attributeIn(pbf: PbfReader, end: number): readonly [string, OnnxAttribute] {
  const value: OnnxAttribute = {};
  const [ints, floats]: [number[], number[]] = [[], []];
  let name = "";
  fieldsOf(pbf, end, (field) => {
    if (ints.length + floats.length > mostListed)
      throw new OnnxFault("an attribute that is too long");
    if (field === 1) name = textIn(pbf);
    else if (field === 2) value.float = pbf.readFloat();
    else if (field === 3) value.int = pbf.readVarint(true);
    else if (field === 4) value.text = textIn(pbf);
    else if (field === 5) value.tensor = inside(pbf, (to) => tensorIn(pbf, to));
    else if (field === 6 || field === 11) value.isGraph = true;
    else if (field === 7) numbersIn(pbf, floats, () => pbf.readFloat(), 4);
    else if (field === 8) numbersIn(pbf, ints, () => pbf.readVarint(true), 1);
  });
  if (ints.length > 0) value.ints = ints;
  if (floats.length > 0) value.floats = floats;
  return [name, value];
}

/** Numbers one by one, or packed behind their length. */
function numbersIn(pbf: PbfReader, into: number[], read: () => number, least: number): number {
  if (pbf.type !== 2) return into.push(read());
  return inside(pbf, (end) => {
    if ((end - pbf.pos) / least > mostListed * 10) throw new OnnxFault("a list that is too long");
    while (pbf.pos < end) into.push(read());
    return into.length;
  });
}

/** A float of 16 bits by its bits. */
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

/** Numbers of a constant that are read. */
const mostNumbers = 64;

function tensorIn(pbf: PbfReader, end: number): OnnxTensor {
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
  // Floats of 16 bits stand among whole numbers as their bits.
  const listed = type === 10 || type === 16 ? own.map((bits) => halfOf(bits, type)) : own;
  const numbers = count > mostNumbers ? undefined : (rawNumbers(raw, type) ?? listed);
  return { name, shape, type, ...(numbers?.length === count && { numbers }) };
}

/** Whether a packed list has few numbers; the reader's position is unchanged. */
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

function valueIn(pbf: PbfReader, end: number): OnnxValue {
  const value: { name: string; type: number; shape?: (number | string)[] } = { name: "", type: 0 };
  const dims = (to: number) =>
    fieldsOf(pbf, to, (field) => {
      if (field !== 1) return;
      const shape = value.shape ?? [];
      value.shape = shape;
      if (shape.length > 16) throw new OnnxFault(`"${value.name}" has too many dims`);
      shape.push(inside(pbf, (last) => dimIn(pbf, last)));
    });
  const tensor = (to: number) =>
    fieldsOf(pbf, to, (field) => {
      if (field === 1) value.type = pbf.readVarint();
      else if (field === 2) {
        value.shape = [];
        inside(pbf, dims);
      }
    });
  fieldsOf(pbf, end, (field) => {
    if (field === 1) value.name = textIn(pbf);
    else if (field === 2) {
      inside(pbf, (to) =>
        fieldsOf(pbf, to, (inner) => {
          if (inner === 1) inside(pbf, tensor);
        }),
      );
    }
  });
  return value;
}

function dimIn(pbf: PbfReader, end: number): number | string {
  let dim: number | string = "?";
  fieldsOf(pbf, end, (field) => {
    if (field === 1) dim = pbf.readVarint(true);
    else if (field === 2) dim = textIn(pbf);
  });
  return dim;
}

function textIn(pbf: PbfReader): string {
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
