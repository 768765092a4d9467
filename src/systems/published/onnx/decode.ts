import { PbfReader } from "pbf";
import { tensorIn } from "./decode-tensor.ts";
import { fieldsOf, inside, mostListed, numbersIn, textIn } from "./fields.ts";
import {
  type OnnxAttribute,
  OnnxFault,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
  type OnnxValue,
} from "./onnx-graph.ts";

/** Limit of entries per kind; a file with more is taken as an attempt to exhaust memory. */
const mostNodes = 200_000;

/**
 * Reads a model's graph by the field numbers of onnx.proto. Tensor values are skipped except small
 * constants, so memory grows with the number of operators, not with the file size.
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

/** The version of an operator set; `undefined` if it is not ONNX's own. */
function opsetIn(pbf: PbfReader, end: number): number | undefined {
  let [domain, version] = ["", 0];
  fieldsOf(pbf, end, (field) => {
    if (field === 1) domain = textIn(pbf);
    else if (field === 2) version = pbf.readVarint(true);
  });
  return domain === "" || domain === "ai.onnx" ? version : undefined;
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
