import { product } from "#core/arithmetic";
import { append, sameItems } from "#core/records";
import { shapeOf, type TracedOperator, type TracedTensor } from "#language/document/trace";
import { entryList } from "../operators/call.ts";
import type { OperatorModel } from "../operators/model-operator.ts";
import { firstBeyondLayouts } from "../primitives/index.ts";
import { axisSizeOf } from "../redistribution/flat-layout.ts";
import { graphOrder } from "./graph-order.ts";
import type { PlacedOperator } from "./placed-operators.ts";
import type { PlacedTensor } from "./sent.ts";
import {
  isTransparent,
  readsShapeAlone,
  reshapedBack,
  reshapedFrom,
  type SameTensors,
  sentValue,
  sourceOf,
} from "./transparent.ts";

/** A tensor between its producer and one consumer, with the layouts at both ends. */
export interface LayoutEdge {
  readonly tensor: TracedTensor;
  /** Index of the consumer's operand. */
  readonly at: number;
  /** The tensor that is redistributed: the input itself or its cast. */
  readonly value: TracedTensor;
  readonly from: PlacedTensor;
  readonly to: PlacedTensor;
}

/**
 * The layouts in which every operator produces its results and reads its inputs. A Reshape reads
 * the layout of its producer and produces the layout that its last consumer wants; consumers that
 * are primitives of a cell take precedence (mindspore.md §5.4).
 */
export class EmittedLayouts {
  private readonly placed: ReadonlyMap<TracedOperator, PlacedOperator>;
  private readonly devices: number;
  private readonly same: SameTensors;
  private readonly readers = new Map<TracedTensor, TracedOperator[]>();
  private readonly left = new Map<TracedTensor, PlacedTensor | undefined>();
  /** Tensors read by Reshapes that restore the earlier shape; these Reshapes disappear. */
  private readonly passed = new Set<TracedTensor>();

  constructor(placed: readonly PlacedOperator[], devices: number, same: SameTensors) {
    this.same = same;
    this.placed = new Map(placed.map((each) => [each.traced, each]));
    this.devices = devices;
    for (const { traced } of placed) {
      for (const input of traced.inputs) {
        if (input.kind !== "tensor") continue;
        if (reshapedBack(traced) !== undefined) this.passed.add(input);
        if (isTransparent(traced)) continue;
        append(this.readers, sourceOf(input, same), traced);
      }
    }
    const order = graphOrder(placed.map(({ traced }) => traced));
    const place = (operator: TracedOperator) => order.get(operator) ?? 0;
    for (const readers of this.readers.values()) readers.sort((a, b) => place(a) - place(b));
  }

  /** The inputs that other operators produce and whose layouts at both ends are known. */
  edgesInto(operator: TracedOperator): readonly LayoutEdge[] {
    if (isTransparent(operator) || readsShapeAlone(operator)) return [];
    if (this.isReshape(operator)) return this.edgesThrough(operator);
    if (this.isMadeFor(operator)) return [];
    const tensors = operator.inputs
      .slice(0, this.placesIn(operator))
      .flatMap((input, at) =>
        input.kind === "tensor" ? [{ input, tensor: sourceOf(input, this.same), at }] : [],
      );
    return tensors.flatMap(({ input, tensor, at }): LayoutEdge[] => {
      const value = sentValue(input, this.same);
      const from = this.leftOf(tensor);
      const to = this.wanted(operator, at);
      return from === undefined || to === undefined ? [] : [{ tensor, at, value, from, to }];
    });
  }

  /**
   * Number of operands whose layout counts for redistribution; sharded operators may have further
   * ones without.
   */
  private placesIn(operator: TracedOperator): number {
    const { length } = operator.inputs;
    const { op = "", strategies } = this.placed.get(operator) ?? {};
    const isSplit = (strategies?.[0]?.[0] ?? 1) > 1;
    return isSplit ? firstBeyondLayouts(op, length) : length;
  }

  /**
   * Whether a `reshard` finds its operand already in the wanted pieces: sharding propagation gives
   * a producer without a strategy the pieces of the `reshard`.
   */
  private isMadeFor(operator: TracedOperator): boolean {
    const [input] = operator.inputs;
    if (operator.op !== "Reshard" || input?.kind !== "tensor") return false;
    const producer = input.producer;
    if (producer === undefined || producer.strategy !== undefined) return false;
    const left = this.leftOf(input);
    const wanted = this.wanted(operator, 0);
    return left !== undefined && wanted !== undefined && samePieces(left, wanted);
  }

  /** The edge of a Reshape: the redistribution from its input to its result. */
  private edgesThrough(operator: TracedOperator): readonly LayoutEdge[] {
    const [input] = operator.inputs;
    const [output] = operator.outputs;
    if (input?.kind !== "tensor" || output === undefined || this.isSkipped(operator)) return [];
    if (this.isLed(output)) return [];
    const source = reshapedFrom(input, this.same);
    const from = this.comesTo(operator, source);
    const to = this.leftOf(output);
    return from === undefined || to === undefined
      ? []
      : [{ tensor: source, at: 0, value: sentValue(input, this.same), from, to }];
  }

  /** Whether only further Reshapes read a result; their readers then decide its layout. */
  private isLed(output: TracedTensor): boolean {
    const readers = this.readers.get(output) ?? [];
    if (readers.length === 0) return this.passed.has(output);
    return readers.every((reader) => this.isReshape(reader));
  }

  private isReshape(operator: TracedOperator): boolean {
    return this.placed.get(operator)?.op === "Reshape";
  }

  private isSkipped({ primitive }: TracedOperator): boolean {
    const said = primitive?.attributes.findLast(({ name }) => name === "skip_redistribution");
    return said?.value === true;
  }

  /**
   * Layout of a Reshape's operand: by its own strategy, else as the producer leaves it. A parameter
   * has the layout that another operator wants, else it is cut on dim 0 over all devices.
   */
  private comesTo(operator: TracedOperator, input: TracedTensor): PlacedTensor | undefined {
    const { strategy } = operator;
    const shape = shapeOf(input);
    if (strategy?.kind === "tuples") {
      const [cut = []] = strategy.values;
      const copies = this.devices / product(cut);
      const deviceMatrix = copies > 1 ? [copies, ...cut] : cut;
      return { deviceMatrix, tensorMap: cut.map((_, dim) => cut.length - 1 - dim), shape };
    }
    if (input.producer !== undefined || input.fed !== undefined) return this.leftOf(input);
    const other = input.role === "parameter" ? this.wantedBehind(input) : undefined;
    if (other !== undefined) return other;
    const isCut = input.role === "parameter" && (shape[0] ?? 1) % this.devices === 0;
    return {
      deviceMatrix: [this.devices],
      tensorMap: shape.map((_, dim) => (isCut && dim === 0 ? 0 : -1)),
      shape,
    };
  }

  /** The layout in which the producer leaves a tensor; `undefined` if that is not known. */
  private leftOf(tensor: TracedTensor): PlacedTensor | undefined {
    const { producer } = tensor;
    if (producer === undefined) return this.fedAs(tensor);
    if (this.left.has(tensor)) return this.left.get(tensor);
    const found = this.isReshape(producer)
      ? (this.wantedBehind(tensor, isObject) ?? this.wantedBehind(tensor) ?? this.whole(tensor))
      : this.result(producer, tensor);
    this.left.set(tensor, found);
    return found;
  }

  /**
   * The layout in which the dataset feeds a tensor; `undefined` for tensors that have their
   * reader's layout.
   */
  private fedAs(tensor: TracedTensor): PlacedTensor | undefined {
    const { fed, fedLayout } = tensor;
    if (fed === undefined) return undefined;
    if (fedLayout !== undefined) return { ...fedLayout, shape: shapeOf(tensor) };
    const pieces = Math.max(1, ...fed);
    const copies = this.devices / pieces;
    const axis = copies > 1 ? 1 : 0;
    return {
      deviceMatrix: copies > 1 ? [pieces, copies] : [pieces],
      tensorMap: fed.map((each) => (each > 1 ? axis : -1)),
      shape: shapeOf(tensor),
    };
  }

  private result(producer: TracedOperator, tensor: TracedTensor): PlacedTensor | undefined {
    const model = this.placed.get(producer)?.model;
    const output = model?.outputs[producer.outputs.indexOf(tensor)];
    if (model === undefined || output === undefined) return undefined;
    const deviceMatrix = output.deviceMatrix ?? model.deviceMatrix;
    return { deviceMatrix, tensorMap: output.map, shape: shapeOf(tensor), ...piecesIn(model) };
  }

  /**
   * The layout wanted by a tensor's last reader in MindSpore's graph that is no Reshape and
   * satisfies `counts`.
   */
  private wantedBehind(
    tensor: TracedTensor,
    counts: (reader: TracedOperator) => boolean = () => true,
  ): PlacedTensor | undefined {
    for (const reader of this.readers.get(tensor)?.toReversed() ?? []) {
      if (this.isReshape(reader) || !counts(reader)) continue;
      const at = reader.inputs.findIndex(
        (input) => input.kind === "tensor" && sourceOf(input, this.same) === tensor,
      );
      const found = this.wanted(reader, at);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  private wanted(operator: TracedOperator, at: number): PlacedTensor | undefined {
    const model = this.placed.get(operator)?.model;
    const tensor = operator.inputs[at];
    const tensorMap = model?.inputMaps[at];
    if (model === undefined || tensorMap === undefined || tensor?.kind !== "tensor") {
      return undefined;
    }
    const { deviceMatrix } = model;
    return { deviceMatrix, tensorMap, shape: shapeOf(tensor), ...piecesIn(model) };
  }

  private whole(tensor: TracedTensor): PlacedTensor {
    const shape = shapeOf(tensor);
    return { deviceMatrix: [this.devices], tensorMap: shape.map(() => -1), shape };
  }
}

/**
 * Whether an operator is a primitive constructed by a cell, not a function or a Python operator.
 */
function isObject({ strategy, primitive }: TracedOperator): boolean {
  return strategy !== undefined || primitive?.written !== undefined;
}

/** Whether two layouts of a tensor cut its dims into the same numbers of pieces. */
export function samePieces(one: PlacedTensor, other: PlacedTensor): boolean {
  const pieces = ({ deviceMatrix, tensorMap }: PlacedTensor) =>
    tensorMap.map((entry) =>
      product(entryList(entry).map((axis) => axisSizeOf(deviceMatrix, axis))),
    );
  return sameItems(pieces(one), pieces(other));
}

function piecesIn({ interleaved }: OperatorModel): Pick<PlacedTensor, "interleaved"> {
  return interleaved === undefined ? {} : { interleaved };
}
