import {
  type Collective,
  collectiveRate,
  collectiveSeconds,
  defaultLink,
  isComplete,
  type LayoutStep,
  type Move,
  movedParts,
  stepElements,
  stepSeconds,
  type Transfer,
} from "#core/collective";
import {
  type AxisName,
  blockCount,
  type DeviceId,
  type DeviceMesh,
  type Layout,
  type Link,
  type Part,
  printPart,
  sameBlocks,
} from "#core/mesh";
import { fieldOf } from "#core/records";
import type { DraftStep } from "./emit.ts";
import { collectiveLaunchSeconds, linkOf, type PriceOptions, type RouteRate } from "./rates.ts";

/** Steps with their total cost. */
export interface PricedSteps {
  readonly steps: readonly ReshardStep[];
  /** Elements that the busiest device receives over all steps. */
  readonly elements: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** The price of any sequence of collectives, e.g. of another system's own. */
export function priceSteps(
  steps: readonly LayoutStep[],
  shape: readonly number[],
  options: PriceOptions = {},
): PricedSteps {
  const drafts = steps.map((step) => ({ ...step, elements: stepElements(step, shape) }));
  return priceDrafts(drafts, shape, options);
}

/** Prices steps whose elements are known. */
export function priceDrafts(
  drafts: readonly DraftStep[],
  shape: readonly number[],
  options: PriceOptions,
): PricedSteps {
  const steps = drafts.map((step) => pricedStep(step, shape, options));
  let [elements, bytes, seconds] = [0, 0, 0];
  for (const step of steps) {
    elements += step.elements;
    bytes += step.bytes;
    seconds += step.seconds;
  }
  return { steps, elements, bytes, seconds };
}

function pricedStep(
  draft: DraftStep,
  shape: readonly number[],
  options: PriceOptions,
): ReshardStep {
  const { collective, moves, groups, transfers, before, after, elements } = draft;
  const elementBytes = options.bytesPerElement ?? 4;
  const parts = movedParts(moves).toSorted((a, b) => comparePlaces(before.mesh, a, b));
  const axes = parts.map((part) => printPart(before.mesh, part));
  const bytes = elements * elementBytes;
  const seconds = secondsOfDraft(draft, shape, options);
  if (transfers === undefined)
    return { collective, moves, axes, groups, layout: after, elements, bytes, seconds };
  return { collective, moves, axes, groups, transfers, layout: after, elements, bytes, seconds };
}

function comparePlaces(mesh: DeviceMesh, a: Part, b: Part): number {
  if (a.kind === "pieces" || b.kind === "pieces") return 0;
  const at = (name: AxisName) => mesh.axes.findIndex((axis) => axis.name === name);
  return at(a.axis) - at(b.axis) || a.before - b.before;
}

/**
 * The time of a step as a function of the bytes of an element; `undefined` for a step with
 * transfers.
 */
export function rateOfDraft(draft: DraftStep, options: PriceOptions): RouteRate | undefined {
  const { collective, moves, elements, transfers, before } = draft;
  if (transfers !== undefined) return undefined;
  if (elements === 0) return { fixed: 0, perByte: 0 };
  const parts = movedParts(moves);
  const { fixed, secondsPerByte } = collectiveRate(collective, {
    groupSize: blockCount(parts),
    links: before.mesh.axes
      .filter(({ name }) => parts.some((part) => part.kind === "axis" && part.axis === name))
      .map(({ name }) => linkOf(before.mesh, name, options)),
    launch: collectiveLaunchSeconds(options),
  });
  return { fixed, perByte: elements * secondsPerByte };
}

/** Seconds of one step. */
export function secondsOfDraft(
  draft: DraftStep,
  shape: readonly number[],
  options: PriceOptions,
): number {
  const { links } = options;
  const elementBytes = options.bytesPerElement ?? 4;
  const launch = collectiveLaunchSeconds(options);
  const linked = links === undefined ? draft : withLinks(draft, links);
  if (draft.transfers !== undefined) {
    return stepSeconds(linked, shape, elementBytes, { launch });
  }
  const parts = movedParts(draft.moves);
  const used = linked.before.mesh.axes.filter((axis) =>
    parts.some((part) => part.kind === "axis" && part.axis === axis.name),
  );
  return collectiveSeconds(draft.collective, {
    groupSize: blockCount(parts),
    bytes: draft.elements * elementBytes,
    links: used.map(({ link }) => link ?? defaultLink),
    launch,
  });
}

function withLinks(draft: DraftStep, links: Readonly<Record<AxisName, Link>>): DraftStep {
  const { mesh } = draft.before;
  const axes = mesh.axes.map((axis) => {
    const link = fieldOf(links, axis.name);
    return link === undefined ? axis : { ...axis, link };
  });
  return { ...draft, before: { ...draft.before, mesh: { ...mesh, axes } } };
}

/** One collective of a plan, slices included. */
export interface ReshardStep {
  readonly collective: Collective;
  /** The move of each mesh part; empty where `transfers` describe the step. */
  readonly moves: readonly Move[];
  /** The mesh parts over which the step runs, as the layout text writes them, in mesh order. */
  readonly axes: readonly string[];
  /** The groups of devices that communicate, each in the order of the parts. */
  readonly groups: readonly (readonly DeviceId[])[];
  /** The messages of permutes and exchanges, which do not follow from the moves. */
  readonly transfers?: readonly Transfer[];
  /** The layout after the step. */
  readonly layout: Layout;
  /** Elements that the busiest device receives. */
  readonly elements: number;
  readonly bytes: number;
  readonly seconds: number;
}

/**
 * Whether some system's steps lead from one layout to the other: each step brings every device all
 * of its block, and the last step gives the wanted blocks. Steps of a system that cuts uneven dims
 * in another way may fail this.
 */
export function reachesLayout(
  steps: readonly ReshardStep[],
  from: Layout,
  to: Layout,
  shape: readonly number[],
): boolean {
  let before = from;
  for (const { collective, moves, groups, transfers, layout: after } of steps) {
    const step: LayoutStep = {
      ...{ collective, moves, groups, before, after },
      ...(transfers !== undefined && { transfers }),
    };
    if (!isComplete(step, shape)) return false;
    before = after;
  }
  return sameBlocks(before, to, shape);
}
