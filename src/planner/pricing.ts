import type { Collective } from "#core/collective";
import { type CostModel, contentionFactor, type Hardware, streamSeconds } from "#core/cost";
import type { Operator, Tensor, TensorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { Strategy } from "#core/plan";
import {
  AxisRoutes,
  createReshardPlanner,
  FusedRoutes,
  type PlanReshard,
  type PriceMove,
  RouteTimes,
} from "#core/reshard";
import type { KnownCalls } from "#core/training";
import { type LoneOperator, loneOperator } from "./lone-operator.ts";

/** The parts of a request on which prices depend. */
export interface Priced {
  readonly mesh: DeviceMesh;
  readonly tensor: (id: TensorId) => Tensor;
  readonly hasGradient: (id: TensorId) => boolean;
  /**
   * Bytes per element that an update reads and writes, for a parameter of given bytes per element.
   */
  readonly movedBytes: (bytesPerElement: number) => number;
  readonly forbid: readonly Collective[];
  readonly uneven: boolean;
  /** The number of operators of the program. */
  readonly operators: number;
}

/** The prices of a cost model that a planner needs. */
export interface Pricing {
  readonly name: string;
  readonly routes: (shape: readonly number[], bytesPerElement: number) => AxisRoutes;
  /** Whether a gathered copy of a parameter is kept from the forward to the backward pass. */
  readonly keepsGathered: boolean;
  /** The cost of an operator by itself, if the model lowers it instead of using a formula. */
  readonly alone?: (operator: Operator, strategy: Strategy) => LoneOperator;
  readonly computeSeconds: CostModel["computeSeconds"];
  /** Seconds to add two tensors of the given bytes. */
  readonly addSeconds: (bytes: number) => number;
  /** Seconds to add a gradient of the given bytes to those of earlier microbatches. */
  readonly accumulateSeconds: (bytes: number) => number;
  /** Seconds of the optimizer's step, by the number of elements and the bytes of each. */
  readonly updateSeconds: (elements: number, bytesPerElement: number) => number;
}

/** The prices of a model of single-axis steps (planner-plain.md): adding and updating are free. */
export function modelPricing(model: CostModel, priced: Priced): Pricing {
  const { mesh, forbid, uneven } = priced;
  const price: PriceMove = (move) =>
    forbid.some((each) => each === move.collective)
      ? Number.POSITIVE_INFINITY
      : model.priceMove(move);
  const axes = mesh.axes.map(({ size, link = { latency: 0, bandwidth: Infinity } }) => ({
    size,
    link,
  }));
  return {
    name: model.name,
    routes: (shape, bytesPerElement) =>
      new AxisRoutes({
        axes,
        shape,
        bytesPerElement,
        price,
        uneven,
        fuses: model.fuses ?? false,
        meanPieces: model.meanPieces ?? false,
      }),
    keepsGathered: true,
    computeSeconds: model.computeSeconds,
    addSeconds: () => 0,
    accumulateSeconds: () => 0,
    updateSeconds: () => 0,
  };
}

/**
 * The most operators of a program for which planning again is quicker than searching all routes
 * that its tables name: on three axes these are many, and each takes long.
 */
const fewOperators = 32;

/**
 * Prices of the product's own cost model, as for the program on screen: fused collectives,
 * operators and backward passes as lowered, parameters gathered again for the backward pass.
 */
export function ownPricing(
  hardware: Hardware,
  priced: Priced,
  planReshard: PlanReshard = createReshardPlanner(),
): Pricing {
  const { mesh, tensor, hasGradient, movedBytes, operators } = priced;
  const times = RouteTimes.of(mesh);
  const crowding = contentionFactor(hardware, mesh.devices.length);
  const moved = (kind: "elementwise" | "optimizer", bytes: number) =>
    crowding * streamSeconds(kind, bytes, hardware);
  const calls: KnownCalls = new Map();
  const around = { mesh, hardware, planReshard, tensor, hasGradient, calls };
  return {
    name: "shardboard",
    routes: (shape, bytesPerElement) =>
      new FusedRoutes(mesh, shape, bytesPerElement, planReshard, times, operators <= fewOperators),
    keepsGathered: false,
    alone: (operator, strategy) => loneOperator(operator, strategy, around),
    computeSeconds: () => 0,
    addSeconds: (bytes) => moved("elementwise", 3 * bytes),
    accumulateSeconds: (bytes) => moved("elementwise", 2 * bytes),
    updateSeconds: (elements, bytesPerElement) =>
      moved("optimizer", elements * movedBytes(bytesPerElement)),
  };
}
