import { sum } from "#core/arithmetic";
import { contractsAxis } from "#core/cost";
import type { Operand, Operator, TensorId } from "#core/ir";
import { type DeviceMesh, type Layout, wholeAxis } from "#core/mesh";
import { freeAxes, type Strategy } from "#core/plan";
import { type AxisRoutes, type AxisState, stateOf } from "#core/reshard";
import { isJoinedStrategy, type JoinedAxes } from "./joined-axes.ts";
import { type LoneMemory, type OwnWork, piecesText } from "./lone-memory.ts";
import type { Pricing } from "./pricing.ts";
import type { PlanRequest } from "./problem.ts";
import { type AxisStrategy, strategiesOf } from "./strategies.ts";

/**
 * One strategy of an operator with its consequences; layouts are state numbers of the tensors'
 * routes.
 */
export interface Choice extends OwnWork {
  readonly strategy: AxisStrategy;
  /** The layout in which each operand must arrive. */
  readonly reads: readonly number[];
  /** The layout in which each result is made. */
  readonly makes: readonly number[];
}

/** The facts about a program that choices depend on. */
export interface ChoiceContext {
  readonly request: PlanRequest;
  readonly pricing: Pricing;
  /** Number of runs of the forward pass. */
  readonly runs: number;
  readonly routes: (tensor: TensorId) => AxisRoutes;
  readonly hasGradient: (tensor: TensorId) => boolean;
  /** The own costs of operators, as far as they have been computed. */
  readonly lone: LoneMemory;
  /** Key text: equal for operators with equal costs. */
  readonly textOf: (operator: Operator) => string;
  /** Groups of axes that cut together; unsaid, each axis cuts alone and in any order. */
  readonly joined?: JoinedAxes | undefined;
}

/** Error: a pin requests a strategy that the operator does not have. */
export class PinConflict extends Error {
  readonly operator: Operator;
  constructor(operator: Operator, message: string) {
    super(message);
    this.operator = operator;
  }
}

/** The strategies from which a planner may choose for an operator; a single one if it is pinned. */
export function ownStrategies(
  operator: Operator,
  { request, pricing, joined }: Pick<ChoiceContext, "request" | "pricing" | "joined">,
): readonly AxisStrategy[] {
  const axes = request.mesh.axes.map(({ size, link = { latency: 0, bandwidth: 1 } }) => ({
    size,
    link,
  }));
  const pin = request.pins.get(operator.id);
  const options = {
    axes,
    uneven: request.uneven ?? false,
    flow: request.partials === "flow",
    redundant: pin !== undefined || (request.redundant ?? true),
    // A cost model that does not lower operators cannot price reductions inside them.
    inner: pricing.alone !== undefined,
  };
  const all = strategiesOf(operator, options);
  if (pin !== undefined) return [pinned(operator, pin, all, request)];
  const limits = request.limits?.get(operator.id);
  const allowed =
    limits === undefined ? all : all.filter((each) => isWithin(each, limits, request.mesh));
  return joined === undefined ? allowed : allowed.filter((each) => isJoinedStrategy(each, joined));
}

/** Whether each axis cuts only identifiers that the limits allow. */
function isWithin(
  { cuts }: AxisStrategy,
  limits: Readonly<Record<string, readonly (string | null)[]>>,
  { axes }: DeviceMesh,
): boolean {
  return axes.every(({ name, size }, axis) => {
    const [cut = null] = [...cuts].find(([, own]) => own.includes(axis)) ?? [];
    return size === 1 || limits[name]?.includes(cut) !== false;
  });
}

/** Strategies of an operator with their consequences, where all layouts are legal ones. */
export function choicesOf(
  operator: Operator,
  strategies: readonly AxisStrategy[],
  context: ChoiceContext,
): readonly Choice[] {
  const { routes } = context;
  return strategies
    .map((strategy) => choiceOf(operator, strategy, context))
    .filter(({ reads, makes }) => {
      const isLegal = (operand: Operand, state: number | undefined) => {
        const own = routes(operand.tensor);
        return state !== undefined && own.isLegal(own.state(state));
      };
      return (
        operator.inputs.every((operand, at) => isLegal(operand, reads[at])) &&
        operator.outputs.every((operand, at) => isLegal(operand, makes[at]))
      );
    });
}

/**
 * The least cost of an operator by itself under any strategy. It depends on the sizes of its
 * pieces, not on which axes cut them. Zero under a model of single-axis steps.
 */
export function leastAlone(operator: Operator, context: ChoiceContext): number {
  const { request, pricing } = context;
  if (pricing.alone === undefined) return 0;
  const ways = new Map(
    ownStrategies(operator, { request, pricing }).map(
      (strategy) => [piecesText(strategy, request.mesh), strategy] as const,
    ),
  );
  const seconds = [...ways.values()].map(
    (strategy) => context.runs * consequences(operator, strategy, context).alone.seconds,
  );
  return Math.min(...seconds);
}

/** The strategy of a pin, if the operator has it. */
function pinned(
  operator: Operator,
  { cuts, carry }: Strategy,
  all: readonly AxisStrategy[],
  { mesh }: PlanRequest,
): AxisStrategy {
  const places = new Map(mesh.axes.map(({ name, size }, at) => [name, size === 1 ? -1 : at]));
  const wanted = Object.entries(cuts).map(([name, parts]) => {
    const axes = parts.map((part) => (part.kind === "axis" ? (places.get(part.axis) ?? -2) : -2));
    return [name, axes.filter((at) => at !== -1)] as const;
  });
  const text = (list: readonly (readonly [string, readonly number[]])[]) =>
    list
      .filter(([, axes]) => axes.length > 0)
      .map(([name, axes]) => `${name}=${axes.join("*")}`)
      .sort()
      .join(" ");
  const carried = carry.length;
  const found = all.find(
    (each) => each.carry.length === carried && text([...each.cuts]) === text(wanted),
  );
  if (found !== undefined) return found;
  const own = freeAxes(operator).join('", "');
  throw new PinConflict(
    operator,
    `the pinned strategy of "${operator.name}" is none that it has: each mesh axis cuts one identifier, evenly; "${own}" may be cut`,
  );
}

function choiceOf(operator: Operator, strategy: AxisStrategy, context: ChoiceContext): Choice {
  const { own, alone, left, inside } = consequences(operator, strategy, context);
  const reducing = sum(inside);
  const seconds = context.runs * (alone.seconds + reducing);
  const forwardSeconds = context.runs * (alone.forwardSeconds + reducing);
  return { ...own, ...alone, makes: left, seconds, forwardSeconds };
}

function consequences(operator: Operator, strategy: AxisStrategy, context: ChoiceContext) {
  const { routes } = context;
  const reads = operator.inputs.map((operand, at) => {
    const partials = strategy.carry.flatMap(({ axis, group }) =>
      operator.linear[group]?.includes(at) === true ? [axis] : [],
    );
    return routes(operand.tensor).id({ ...projected(operand, strategy), partials });
  });
  const gradients = operator.inputs.map((operand) =>
    routes(operand.tensor).id({
      ...projected(operand, strategy),
      partials: lackingAxes(operand, strategy, () => true),
    }),
  );
  const isSummed = (name: string) =>
    operator.axes.some((axis) => axis.name === name && axis.reduction === "+");
  const makes = operator.outputs.map((operand) => {
    const summed = lackingAxes(operand, strategy, isSummed);
    const partials = [...summed, ...strategy.carry.map(({ axis }) => axis)].sort((a, b) => a - b);
    return routes(operand.tensor).id({ ...projected(operand, strategy), partials });
  });
  const left = operator.reducesInside ? reducedInside(operator, makes, context) : makes;
  const inside = operator.outputs.map(({ tensor }, at) =>
    routes(tensor).seconds(makes[at] ?? 0, left[at] ?? 0),
  );
  const own = { strategy, reads, gradients, makes };
  return { own, alone: aloneOf(operator, own, context), left, inside };
}

/** The operator's own work, and the tensors that its backward pass reads and makes. */
function aloneOf(
  operator: Operator,
  choice: Pick<Choice, "strategy" | "reads" | "makes" | "gradients">,
  context: ChoiceContext,
): OwnWork {
  const { pricing, request } = context;
  if (pricing.alone === undefined) {
    const work = workOf(operator, choice.strategy, choice, context);
    const seconds = runs(operator, context) * pricing.computeSeconds(work);
    const free = { forwardSeconds: 0, readsResult: false, again: [] };
    return { seconds, ...free, gradients: choice.gradients };
  }
  const { alone } = pricing;
  const ask = () => loneWork(operator, choice, alone, context);
  // With unequal pieces the number of pieces does not determine the work, so nothing is cached.
  if (request.uneven === true) return ask();
  const pieces = piecesText(choice.strategy, request.mesh);
  return context.lone.of(`${context.textOf(operator)}|${pieces}`, choice, ask);
}

/**
 * The work of an operator as a program of its own; its layouts are state numbers of the tensors'
 * routes.
 */
function loneWork(
  operator: Operator,
  { strategy }: Pick<Choice, "strategy">,
  alone: NonNullable<Pricing["alone"]>,
  { request, routes }: ChoiceContext,
): OwnWork {
  const found = alone(operator, strategyIn(strategy, request.mesh));
  const states = (layouts: readonly (Layout | undefined)[]) =>
    operator.inputs.map(({ tensor }, at) => {
      const layout = layouts[at];
      const state = layout && stateOf(layout);
      return state === undefined ? -1 : routes(tensor).id(state);
    });
  return { ...found, again: states(found.again), gradients: states(found.gradients) };
}

/** A strategy in the form that plans have. */
export function strategyIn({ cuts, carry }: AxisStrategy, mesh: DeviceMesh): Strategy {
  const part = (at: number) => wholeAxis(mesh, mesh.axes[at]?.name ?? "");
  return {
    cuts: Object.fromEntries([...cuts].map(([name, axes]) => [name, axes.map(part)])),
    carry: carry.map(({ axis }) => part(axis)),
  };
}

/** The layout of a result after the operator's own reduction: without partials. */
function reducedInside(
  { outputs }: Operator,
  makes: readonly number[],
  { routes }: ChoiceContext,
): readonly number[] {
  return outputs.map(({ tensor }, at) => {
    const own = routes(tensor);
    return own.id({ ...own.state(makes[at] ?? 0), partials: [] });
  });
}

/**
 * How often an operator counts: once forward, and once backward for each operand with a gradient.
 */
function runs({ inputs, outputs }: Operator, { hasGradient }: ChoiceContext): number {
  if (!outputs.some(({ tensor }) => hasGradient(tensor))) return 1;
  return 1 + inputs.filter(({ tensor }) => hasGradient(tensor)).length;
}

function workOf(
  operator: Operator,
  { cuts }: AxisStrategy,
  { reads, makes }: Pick<Choice, "reads" | "makes">,
  { request, routes }: ChoiceContext,
) {
  const bytesOf = (operands: readonly Operand[], states: readonly number[], isCounted = always) =>
    operands.reduce((sum, { tensor }, at) => {
      const [own, state] = [routes(tensor), states[at] ?? 0];
      return isCounted(own.state(state)) ? sum + own.localBytes(state) : sum;
    }, 0);
  let points = operator.axes.reduce((product, { size }) => product * size, 1);
  for (const axis of [...cuts.values()].flat()) points /= request.mesh.axes[axis]?.size ?? 1;
  const readBytes = bytesOf(operator.inputs, reads);
  return {
    flops: contractsAxis(operator) ? 2 * points : 0,
    bytes: readBytes + bytesOf(operator.outputs, makes),
    readBytes,
    partialBytes: bytesOf(operator.outputs, makes, ({ partials }) => partials.length > 0),
  };
}

function always(_: AxisState): boolean {
  return true;
}

/** The dims of an operand under a strategy, without partials. */
function projected({ dims }: Operand, { cuts }: AxisStrategy): Pick<AxisState, "dims"> {
  return {
    dims: dims.map(({ splittable }) =>
      splittable === undefined ? [] : (cuts.get(splittable) ?? []),
    ),
  };
}

/** The axes that cut identifiers which an operand lacks, in mesh order. */
function lackingAxes(
  { dims }: Operand,
  { cuts }: AxisStrategy,
  counts: (name: string) => boolean,
): readonly number[] {
  const axes = [...cuts].flatMap(([name, each]) => {
    const isThere = dims.some(({ identifiers }) => identifiers.includes(name));
    return isThere || !counts(name) ? [] : each;
  });
  return axes.sort((a, b) => a - b);
}
