import { bytesOf, type Graph, type Tensor, type TensorId, tensorsById } from "#core/ir";
import { type DeviceBoxes, type Layout, localElements, sameBlocks } from "#core/mesh";
import { type Plan, type ReshardRequest, reshardRequestOf, runShape } from "#core/plan";
import { required } from "#core/records";
import type { PlanReshard } from "#core/reshard";
import { covers, fetchStep, heldKey, ownBoxes } from "./fetch.ts";
import type { Reason, Value, ValueId } from "./program.ts";
import {
  type Copy,
  chooseSteps,
  ProgramBuilder,
  type ReshardEdge,
  type SystemReshard,
} from "./program-builder.ts";

/** Deviations of a cost model from the usual lowering. */
export interface LoweringRules {
  /**
   * Whether a parameter's gathered copy is kept for the backward pass, instead of gathered again.
   */
  readonly keepsGathered?: boolean;
  /**
   * The layout in which a partial result of the program ends without a request; an all-reduce by
   * default.
   */
  readonly endOf?: (layout: Layout, tensor: Tensor) => Layout;
}

/** Reason why requested steps are declined for windows and halos. */
const isFetched = "devices fetch windows here, which are no blocks of a layout";

/** Whether a change of layout only combines partial sums and keeps the blocks. */
function isSum({ layout }: Value, wanted: Layout): boolean {
  return layout.partials.length > 0 && wanted.partials.length === 0 && layout.dims === wanted.dims;
}

/** The inputs of lowering. */
export interface LoweringParts {
  readonly graph: Graph;
  readonly plan: Plan;
  readonly planReshard: PlanReshard;
  readonly systems: SystemReshard;
  readonly rules: LoweringRules;
}

/**
 * The layouts in which the values of tensors exist so far, and the redistributions that make
 * further ones.
 */
export class Arrivals {
  protected readonly graph: Graph;
  protected readonly plan: Plan;
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  protected readonly builder = new ProgramBuilder();
  protected readonly made = new Map<TensorId, ValueId>();
  /** Value of each tensor from which consumers start: as computed, or as placed. */
  protected readonly source = new Map<TensorId, Value>();
  private readonly planReshard: PlanReshard;
  private readonly systems: SystemReshard;
  protected readonly rules: LoweringRules;
  private readonly requests: readonly ReshardRequest[];

  constructor({ graph, plan, planReshard, systems, rules }: LoweringParts) {
    this.graph = graph;
    this.plan = plan;
    this.planReshard = planReshard;
    this.systems = systems;
    this.rules = rules;
    this.requests = plan.reshards ?? [];
    this.tensors = tensorsById(graph);
  }

  /**
   * Value of a tensor in a wanted layout: the existing value, an earlier copy, or a new
   * redistribution.
   */
  protected arrive(tensor: TensorId, wanted: Layout, reason: Reason): Value {
    const source = this.sourceOf(tensor);
    const shape = runShape(this.plan.microbatches, this.tensorOf(tensor));
    if (source.held !== undefined && !isSum(source, wanted)) {
      return this.arriveWindows(tensor, wanted, undefined, reason);
    }
    if (sameBlocks(source.layout, wanted, shape)) return source;
    return this.builder.shared(
      this.copiesKey(tensor, wanted),
      ({ layout, held }) => held === source.held && sameBlocks(layout, wanted, shape),
      () => this.redistribute(source, wanted, reason),
      reason,
    );
  }

  /**
   * The value of a tensor that holds the given boxes on each device (without them the layout's
   * blocks): the value as made, if it has all boxes; an earlier copy; or an exchange that fetches
   * the missing cells.
   */
  protected arriveWindows(
    tensor: TensorId,
    layout: Layout,
    windows: DeviceBoxes | undefined,
    reason: Reason,
  ): Value {
    const made = this.sourceOf(tensor);
    const whole = { ...made.layout, partials: [] };
    const source = made.layout.partials.length > 0 ? this.arrive(tensor, whole, reason) : made;
    const { shape } = this.tensorOf(tensor);
    const wanted = windows ?? ownBoxes({ layout }, shape);
    const isThere = windows !== undefined && source.layout.mesh === layout.mesh;
    if (isThere && covers(ownBoxes(source, shape), wanted)) return source;
    const key = heldKey(layout, wanted);
    return this.builder.shared(
      this.copiesKey(tensor, layout),
      (value) => heldKey(value.layout, ownBoxes(value, shape)) === key,
      () => this.fetch(source, layout, windows, reason),
      reason,
    );
  }

  private fetch(
    source: Value,
    layout: Layout,
    windows: DeviceBoxes | undefined,
    reason: Reason,
  ): Copy {
    const tensor = this.tensorOf(source.tensor);
    const step = fetchStep(source, { layout, ...(windows && { held: windows }) }, tensor);
    const value = this.builder.add(tensor, layout, windows);
    const about = { lowerBound: step.elements, reason };
    const asked = reshardRequestOf(this.requests, tensor, layout);
    const request = asked === undefined ? undefined : this.requests[asked];
    const chosen = asked !== undefined &&
      request !== undefined && { request: asked, steps: request.steps, declined: isFetched };
    return this.builder.note({
      source,
      chain: [value],
      steps: [step],
      ...about,
      ...(chosen && { chosen }),
    });
  }

  /**
   * Key of the earlier redistributions of a tensor that may be reused. A parameter that was
   * gathered for the forward pass is not kept until the backward pass, which gathers it again
   * (planner.md §6.3).
   */
  private copiesKey(tensor: TensorId, wanted: Layout): string {
    if (this.gathersAgain(tensor, wanted)) return `${tensor} again`;
    const isParameter = this.tensorOf(tensor).role === "parameter";
    const { gatheredAgain, keptGathered } = this.plan;
    const keeps = this.rules.keepsGathered === true || keptGathered?.has(tensor) === true;
    const isKept = keeps && !gatheredAgain?.has(tensor);
    const isForgotten = isParameter && this.builder.phase !== "forward" && !isKept;
    return isForgotten ? `${tensor} again` : tensor;
  }

  /** Whether the backward pass gathers again an activation that is stored in smaller pieces. */
  private gathersAgain(tensor: TensorId, wanted: Layout): boolean {
    if (this.plan.gathersActivationsAgain !== true || this.builder.phase === "forward")
      return false;
    const { role, shape } = this.tensorOf(tensor);
    const { layout } = this.sourceOf(tensor);
    if (role !== "activation" || layout.partials.length > 0) return false;
    return localElements(layout, shape) < localElements(wanted, shape);
  }

  private redistribute(source: Value, wanted: Layout, reason: Reason): Copy {
    const tensor = this.tensorOf(source.tensor);
    const bytesPerElement = bytesOf(tensor.dtype);
    const shape = runShape(this.plan.microbatches, tensor);
    const planned = this.planReshard(source.layout, wanted, shape, { bytesPerElement });
    const isInside = reason.kind === "reduction";
    const edge: ReshardEdge = { from: source.layout, to: wanted, shape, bytesPerElement, isInside };
    const request = reshardRequestOf(this.requests, tensor, wanted);
    const taken = chooseSteps(this.requests, request, edge, planned, this.systems);
    const last = taken.steps.length - 1;
    const chain = taken.steps.map((step, index) =>
      this.builder.add(tensor, index === last ? wanted : step.layout, source.held),
    );
    return this.builder.note({ source, chain, ...taken, lowerBound: planned.lowerBound, reason });
  }

  protected make(tensor: Tensor, layout: Layout, held?: Value["held"]): Value {
    const value = this.builder.add(tensor, layout, held);
    this.made.set(tensor.id, value.id);
    return value;
  }

  protected sourceOf(tensor: TensorId): Value {
    return required(this.source, tensor, "value yet of");
  }

  protected tensorOf(id: TensorId): Tensor {
    return required(this.tensors, id, "tensor");
  }
}
