import type { TensorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { groupedBy } from "#core/records";
import type { SystemReading } from "#language/document/bindings";
import type { TracedOperator, TracedTensor } from "#language/document/trace";
import type { EmittedCollective, EmittedProgram } from "#systems/system";
import { entryList } from "../operators/call.ts";
import type { OperatorModel } from "../operators/model-operator.ts";
import { dynamicDims } from "../plans/dynamic-shapes.ts";
import { inLists } from "../plans/listed-operands.ts";
import { parallelSetting } from "../plans/parallel-mode.ts";
import { searchChoice } from "../plans/search-notes.ts";
import { type TrainedStep, trainedStep } from "../training/trained-step.ts";
import type { SentBackward } from "./backward/backward-net.ts";
import { backwardOf } from "./backward/backward-of-step.ts";
import { EmittedLayouts } from "./layouts.ts";
import { heldInMemory, isWrite, lastLoads, readsItself, unloaded } from "./memory-readers.ts";
import { mergedOperators } from "./merged.ts";
import { type MovedSums, movedSums } from "./moved-sums.ts";
import { type NetEnds, netEnds } from "./net-ends.ts";
import { type PlacedOperator, placedOperators } from "./placed-operators.ts";
import { holdsNumber, isOfNumbers, isReciprocal } from "./primitive-name.ts";
import { standingFor } from "./replaced.ts";
import { ringOf } from "./ring.ts";
import { withLengths } from "./run-time-shapes.ts";
import { SentBefore, sentBetween } from "./sent.ts";
import { changesNothing } from "./transparent.ts";

/**
 * The program that MindSpore 2.10 compiles: every primitive with its strategy, set or default
 * (mindspore.md §2.4), and the collectives of one rank. Collectives come from operators (§5) and
 * from MindSpore's own redistribution between each producer and each consumer (§3). Those of the
 * backward pass of a training step are listed separately (§5.0).
 */
export function emittedProgram(
  { trace, built }: Pick<SystemReading, "trace" | "built">,
  mesh: DeviceMesh,
  asked: number,
): EmittedProgram {
  const names = new Map([...built.tracedBy].map(([name, tensor]) => [tensor, name]));
  const nameOf = (tensor: TracedTensor | undefined) => (tensor && names.get(tensor)) ?? "";
  const said = parallelSetting(trace)?.rank ?? 0;
  const rank = said > 0 && said < mesh.devices.length ? said : asked;
  const devices = mesh.devices.length;
  const allToAll = parallelSetting(trace)?.allToAll === true;
  const dynamic = dynamicDims(built);
  const openDims = (tensor: TracedTensor | undefined) =>
    dynamic.get(nameOf(tensor) as TensorId) ?? new Set<number>();
  const chosen = searchChoice(trace, built, mesh)?.strategies;
  const nets = netsIn(trace, placedOperators(trace, devices, rank, openDims, chosen));
  const surroundings = { devices, rank, allToAll, nameOf, openDims, ends: netEnds(trace) };
  const step = trainedStep(trace);
  const emitted = nets.map((net) => emittedNet(net, { ...surroundings, ...(step && { step }) }));
  const [back] = emitted.flatMap(({ back }) => back ?? []);
  return {
    rank,
    operators: emitted.flatMap(({ operators }) => operators),
    collectives: emitted.flatMap(({ collectives }) => collectives),
    ...(back !== undefined &&
      (back.unknown === undefined
        ? { backward: back.collectives }
        : { backwardUnknown: back.unknown })),
  };
}

/**
 * Groups operators by net: MindSpore compiles every net that a program calls separately; operators
 * outside of nets form one more group. Nets that compute the loss of a training step, as those
 * given to `Model`, form one group.
 */
function netsIn(
  { moduleOf, training }: SystemReading["trace"],
  placed: readonly PlacedOperator[],
): readonly (readonly PlacedOperator[])[] {
  const netOf = (traced: TracedOperator) => moduleOf?.(traced)?.called;
  const losses = training.flatMap(({ loss }) => (typeof loss === "string" ? [] : loss));
  const ofLoss = new Set(losses.flatMap((loss) => [...madeFrom(loss)].map(netOf)));
  const nets = groupedBy(placed, ({ traced }) => {
    const net = netOf(traced);
    return ofLoss.has(net) ? ofLoss : net;
  });
  return [...nets.values()];
}

/** The operators from which a tensor is computed, directly or indirectly. */
function madeFrom({ producer }: TracedTensor): ReadonlySet<TracedOperator> {
  const found = new Set(producer === undefined ? [] : [producer]);
  for (const { inputs } of found)
    for (const input of inputs)
      if (input.kind === "tensor" && input.producer !== undefined) found.add(input.producer);
  return found;
}

/** Facts that hold for every net of a program on a rank. */
interface Surroundings {
  readonly devices: number;
  readonly rank: number;
  readonly allToAll: boolean;
  readonly nameOf: (tensor: TracedTensor | undefined) => string;
  /** The dims whose lengths are known only at run time. */
  readonly openDims: (tensor: TracedTensor | undefined) => ReadonlySet<number>;
  readonly ends: NetEnds;
  /** The training step of the program. */
  readonly step?: TrainedStep;
}

interface EmittedNet extends Pick<EmittedProgram, "operators" | "collectives"> {
  /** Backward collectives, for the net that computes the loss of a training step. */
  readonly back?: SentBackward;
}

function emittedNet(net: readonly PlacedOperator[], surroundings: Surroundings): EmittedNet {
  const { devices, rank, allToAll, nameOf, openDims, ends, step } = surroundings;
  const { kept: placed, same, late } = mergedOperators(net, ends, { rank, devices });
  const layouts = new EmittedLayouts(placed, devices, same);
  const sentTo = {
    memory: new SentBefore(),
    reshapes: new SentBefore(),
    others: new SentBefore(),
  };
  const held = heldInMemory(placed.map(({ traced }) => traced));
  const readInMemory = ({ op, traced }: PlacedOperator, at: number) => {
    const input = traced.inputs[at];
    const itself = input?.kind === "tensor" ? unloaded(input, same) : undefined;
    return itself !== undefined && held.has(itself) && readsItself(op, traced) ? itself : undefined;
  };
  const loadOf = lastLoads(net, same);
  const moved = movedSums(placed, layouts);
  return {
    operators: placed.flatMap((each) => {
      // A `reshard` disappears from the graph, except for its communication; zeros of a given shape
      // are a constant unless an operator writes into them.
      const isShape = each.op === "ZerosLike" && !isWrittenInto(each.traced, placed);
      if (each.op === "Reshard" || isShape || changesNothing(each.traced, each.op)) return [];
      if (isOfNumbers(each.traced) || late.has(each.traced)) return [];
      if (each.op === "Dropout" && isRepeated(each, devices)) return [];
      const name = nameOf(each.traced.outputs[0]);
      const { strategies } = each;
      const isAttribute = holdsNumber(each.op) || isReciprocal(each.traced);
      const own = strategies?.filter((dims) => dims.length > 0 || !isAttribute);
      const cut = own === undefined ? {} : { in_strategy: inLists(each.traced, own, each.model) };
      const runs = Array.from({ length: ringOf(each, rank)?.runs ?? 1 }, () =>
        standingFor(each, openDims),
      );
      return runs.flat().map((op) => ({ op, name, ...cut }));
    }),
    collectives: placed.flatMap((each) => [
      ...redistributed(each, layouts, {
        rank,
        allToAll,
        sent: each.op === "Reshape" ? sentTo.reshapes : sentTo.others,
        sentToMemory: sentTo.memory,
        readInMemory,
        loadOf,
        openDims,
      }).map(({ tensor, ...step }) => ({
        ...step,
        tensor: nameOf(tensor),
      })),
      ...ringSteps(each, devices, rank, nameOf),
      ...ownCollectives(withMoved(each, moved), nameOf),
    ]),
    ...(step !== undefined &&
      placed.some(({ traced }) => traced === step.loss.producer) && {
        back: backwardOf(step, { ...surroundings, placed, layouts, same, moved, held, late }),
      }),
  };
}

/** Whether another operator writes in place into a result of this one. */
function isWrittenInto({ outputs }: TracedOperator, placed: readonly PlacedOperator[]): boolean {
  return placed.some(({ op, traced: { inputs } }) => {
    const [into] = inputs;
    return isWrite(op) && into?.kind === "tensor" && outputs.includes(into);
  });
}

/**
 * Whether several devices compute the same block. MindSpore then replaces a Dropout by a graph
 * without a strategy, whose seed the devices share.
 */
function isRepeated({ strategies }: PlacedOperator, devices: number): boolean {
  const pieces = strategies?.[0]?.reduce((product, cuts) => product * cuts, 1) ?? devices;
  return pieces < devices;
}

/** An operator with the collectives left to it after sums have been moved. */
function withMoved(placed: PlacedOperator, { unsummed, behind }: MovedSums): PlacedOperator {
  const { traced, model } = placed;
  const sums = unsummed.has(traced) ? [] : behind.get(traced);
  return model === undefined || sums === undefined
    ? placed
    : { ...placed, model: { ...model, forward: sums } };
}

/**
 * Redistributions from producers into each input of an operator. The compiler merges
 * redistributions of one tensor in three groups: those of a tensor in memory for all its readers
 * there, those into Reshapes, and all others.
 */
function redistributed(
  placed: PlacedOperator,
  layouts: EmittedLayouts,
  {
    openDims,
    sentToMemory,
    readInMemory,
    loadOf,
    ...options
  }: Pick<Surroundings, "rank" | "allToAll" | "openDims"> & {
    readonly sent: SentBefore;
    readonly sentToMemory: SentBefore;
    /** The tensor in memory that an operator reads directly for an operand. */
    readonly readInMemory: (placed: PlacedOperator, at: number) => TracedTensor | undefined;
    readonly loadOf: ReturnType<typeof lastLoads>;
  },
): readonly (Pick<EmittedCollective, "op" | "ranks" | "why"> & {
  readonly tensor: TracedTensor;
})[] {
  const { traced, op } = placed;
  return layouts.edgesInto(traced).flatMap(({ tensor, at, value, from, to }) => {
    const dims = openDims(tensor);
    const isOpen = dims.size > 0;
    const made = op === "Reshape" ? openDims(traced.outputs[0]) : dims;
    const ends = isOpen
      ? withLengths({ placed: from, dims }, { placed: to, dims: made })
      : { from, to };
    const itself = readInMemory(placed, at);
    const sent = itself === undefined ? options.sent : sentToMemory;
    // MindSpore does not clean up operator lists between shapes with run-time lengths.
    const settings = { ...options, sent, cleanUp: !isOpen };
    const read = itself ?? loadOf(traced, at) ?? value;
    const steps = sentBetween(ends.from, ends.to, settings, read);
    return steps.map((step) => ({ ...step, why: "redistribution" as const, tensor }));
  });
}

/** Collectives of ring attention, between devices that share a sequence. */
function ringSteps(
  placed: PlacedOperator,
  devices: number,
  rank: number,
  nameOf: (tensor: TracedTensor | undefined) => string,
): readonly EmittedCollective[] {
  const tensor = nameOf(made(placed.traced));
  const all = Array.from({ length: devices }, (_, each) => each);
  const { sent = [] } = ringOf(placed, rank) ?? {};
  // A NeighborExchange has no group.
  const ranksOf = (op: string) => (op === "NeighborExchange" ? [] : all);
  return sent.map((op) => ({ op, tensor, ranks: ranksOf(op), why: "forward" }));
}

function ownCollectives(
  { traced, op, model, exchanges }: PlacedOperator,
  nameOf: (tensor: TracedTensor | undefined) => string,
): readonly EmittedCollective[] {
  // A Reshape's communication is the redistribution from its operand to its result.
  const steps = op === "Reshape" ? [] : (model?.forward ?? []);
  const tensor = nameOf(made(traced));
  const borders = { op: "NeighborExchangeV2", tensor, ranks: [], why: "forward" } as const;
  const pieces = model === undefined ? 1 : runsPerCard(model);
  const sums = Array.from({ length: pieces }, () =>
    steps.map(({ primitive, group }) => ({
      op: primitive,
      tensor,
      ranks: [...group].sort((a, b) => a - b),
      why: "forward" as const,
    })),
  ).flat();
  return exchanges === true ? [borders, ...sums] : sums;
}

/** Number of times that a card runs the operator: once for each piece cut by a virtual axis. */
function runsPerCard({ interleaved = 1, inputMaps }: OperatorModel): number {
  return inputMaps.flat().flatMap(entryList).includes(0) ? interleaved : 1;
}

function made({ outputs }: TracedOperator): TracedTensor | undefined {
  return outputs[0];
}
