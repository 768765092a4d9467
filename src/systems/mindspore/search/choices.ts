import { product } from "#core/arithmetic";
import type { MapEntry } from "../layout.ts";
import { entryList, type OperatorCall } from "../operators/call.ts";
import {
  modelOperator,
  type OperatorModel,
  type WrittenStrategy,
} from "../operators/model-operator.ts";
import {
  axisSizeOf,
  flattened,
  type MappedTensor,
  normalized,
} from "../redistribution/flat-layout.ts";
import { ownCost } from "./candidate-prices.ts";
import { candidatesOf } from "./enumerate-strategies.ts";
import type { Cuts } from "./search-graph.ts";

/** A strategy that an operator may take, with the layouts and the cost that follow. */
export interface Choice {
  readonly strategies: Cuts;
  /** Layouts of the inputs; none for a number. */
  readonly inputs: readonly (MappedTensor | undefined)[];
  readonly outputs: readonly MappedTensor[];
  /** Bytes that a device reads and sums. */
  readonly computation: number;
  /** Bytes that the operator itself sends forward. */
  readonly communication: number;
  /** The Layouts that it is written with, if tuples would lie on another device matrix. */
  readonly written?: WrittenStrategy;
  /** The pieces of its result that the text asks for, which its readers take over. */
  readonly out?: readonly number[];
}

/** The choices of an operator without a strategy, in the order in which MindSpore tries them. */
export function choicesOf(call: OperatorCall): readonly Choice[] {
  return candidatesOf(call).map(({ strategies, model }) => choiceOf(call, strategies, model));
}

/** The choice of a written strategy; `undefined` if MindSpore refuses it. */
export function writtenChoice(call: OperatorCall, written: WrittenStrategy): Choice | undefined {
  const model = modelOperator(call, written);
  if (!model.ok) return undefined;
  const cuts =
    written.kind === "tuples"
      ? (written.inputs ?? [])
      : written.inputs.map((map) => map.map((entry) => piecesOf(written.deviceMatrix, entry)));
  const choice = choiceOf(call, cuts, model.value);
  return written.kind === "layouts" ? { ...choice, written } : choice;
}

function choiceOf(call: OperatorCall, strategies: Cuts, model: OperatorModel): Choice {
  return {
    strategies,
    inputs: call.shapes.map((_, input) => inputOf(model, input)),
    outputs: model.outputs.map(({ shape, map, deviceMatrix = model.deviceMatrix }) => {
      return { deviceMatrix, tensorMap: map, shape };
    }),
    ...ownCost(call, strategies, model),
  };
}

function inputOf(model: OperatorModel, input: number): MappedTensor | undefined {
  const { deviceMatrix, inputMaps, inputSlices } = model;
  const [tensorMap, slice] = [inputMaps[input], inputSlices[input]];
  if (tensorMap === undefined || slice === undefined) return undefined;
  const shape = slice.map((size, dim) => size * piecesOf(deviceMatrix, tensorMap[dim] ?? -1));
  return { deviceMatrix, tensorMap, shape };
}

/** The number of pieces that an entry of a tensor map makes. */
export function piecesOf(deviceMatrix: readonly number[], entry: MapEntry): number {
  return product(entryList(entry).map((axis) => axisSizeOf(deviceMatrix, axis)));
}

/** The number of pieces of every dim of a layout. */
export function piecesIn({ deviceMatrix, tensorMap }: MappedTensor): readonly number[] {
  return tensorMap.map((entry) => piecesOf(deviceMatrix, entry));
}

/** A key that equal layouts share, without device axes of size 1. */
export function layoutKey(layout: MappedTensor): string {
  const { deviceMatrix, tensorMap, shape } = normalized(flattened(layout));
  return `${deviceMatrix}|${tensorMap}|${shape}`;
}

/** Whether two layouts hold every element of a tensor on every device. */
export function areWhole(a: MappedTensor, b: MappedTensor): boolean {
  const isWhole = (layout: MappedTensor) => piecesIn(layout).every((pieces) => pieces === 1);
  return isWhole(a) && isWhole(b) && a.shape.join() === b.shape.join();
}

/** Whether a choice reads an input in a layout. */
export function reads(layout: MappedTensor, input: number): (choice: Choice) => boolean {
  const key = layoutKey(layout);
  return ({ inputs }) => inputs[input] !== undefined && layoutKey(inputs[input]) === key;
}

/** Whether a choice makes a result in a layout. */
export function gives(layout: MappedTensor, output: number): (choice: Choice) => boolean {
  const key = layoutKey(layout);
  return ({ outputs }) => outputs[output] !== undefined && layoutKey(outputs[output]) === key;
}
