import type { Compiled } from "#compile";
import { type Lane, type ScheduledItem, scheduledItems } from "#core/schedule";
import { displayNames } from "../display-names.ts";
import { layerOf, ownersOf } from "../figures/step-owners.ts";
import { allSteps } from "../folded.ts";
import { type Hue, hueOf } from "../hue.ts";

/** The paint of a span: a pass, exposed waiting, the host, or the hue of a mesh axis. */
export type SpanPaint = "forward" | "recompute" | "backward" | "update" | "exposed" | Sent;
type Sent = "host" | "several" | `axis-${Hue}`;

/** Paints by their numbers in a lane's `paints`, in the order of merged bars. */
export const spanPaints: readonly SpanPaint[] = [
  ...(["forward", "recompute", "backward", "update", "host", "several"] as const),
  ...(["axis-1", "axis-2", "axis-3", "axis-4", "axis-5", "axis-6", "axis-7", "axis-8"] as const),
  "exposed",
];

/** The spans of one lane, in time order and disjoint. */
export interface LaneSpans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** Index into `spanPaints`, by span. */
  readonly paints: Uint8Array;
  /**
   * By span: index into the items of the timeline; for exposed time, the communication that is
   * waited for.
   */
  readonly items: Int32Array;
  /** Id of the layer and pass of each span. */
  readonly units: Int32Array;
}

/** The items of a schedule, and the spans of each lane. */
export interface Spans {
  readonly items: readonly ScheduledItem[];
  readonly lanes: ReadonlyMap<Lane, LaneSpans>;
}

interface Builder {
  readonly starts: number[];
  readonly ends: number[];
  readonly paints: number[];
  readonly items: number[];
  readonly units: number[];
  layer: string;
}

/** Puts every run of every step on its lane, and exposed waits on the compute lane. */
export function spansOf(compiled: Compiled, schedule: NonNullable<Compiled["schedule"]>): Spans {
  const { program } = compiled;
  const look = lookOfItems(compiled);
  const name = namesOfItems(compiled);
  const items: ScheduledItem[] = [];
  const lanes = new Map<Lane, Builder>();
  for (const pass of schedule.passes) {
    const own = scheduledItems(program, { ...schedule, passes: [pass] });
    const looks = own.map(look);
    for (let run = 0; run < pass.count; run += 1) {
      for (const [at, item] of own.entries()) {
        const builder = lanes.get(item.lane) ?? emptyBuilder();
        lanes.set(item.lane, builder);
        const later = run * pass.every;
        const { paint = 0, layer = "" } = looks[at] ?? {};
        push(builder, item.start + later, item.end + later, paint, items.length + at, layer);
      }
    }
    items.push(...own.map((item) => ({ ...item, name: name(item) })));
  }
  const compute = lanes.get("compute") ?? emptyBuilder();
  const sent = [lanes.get("node"), lanes.get("network")].flatMap((lane) => lane ?? []);
  const waited = withExposed(compute, sent, schedule.seconds);
  const all = new Map<Lane, LaneSpans>([["compute", packed(waited)]]);
  for (const name of ["node", "network", "host"] as const) {
    const lane = lanes.get(name);
    if (lane !== undefined) all.set(name, packed(lane));
  }
  return { items, lanes: all };
}

interface ItemLook {
  readonly paint: number;
  readonly layer: string;
}

function lookOfItems({ program, mesh }: Compiled): (item: ScheduledItem) => ItemLook {
  const owners = ownersOf(program);
  const steps = allSteps(program);
  return ({ lane, phase, steps: places }) => {
    const step = steps[places[0] ?? -1];
    if (step === undefined) return { paint: numberOf("host"), layer: "" };
    const layer = layerOf(owners.ofStep(step) ?? "");
    const pass = phase === "recompute" ? "backward" : phase;
    return {
      layer: layer === "" ? "" : `${pass} ${layer}`,
      paint: numberOf(lane === "compute" ? phase : hueOfAxes(step, mesh.mesh)),
    };
  };
}

/** The display names of items. */
function namesOfItems(compiled: Compiled): (item: ScheduledItem) => string {
  const names = displayNames(compiled);
  const steps = allSteps(compiled.program);
  return ({ name, steps: [place, ...others] }) => {
    const step = place === undefined ? undefined : steps[place];
    if (step === undefined || others.length > 0) return name;
    if (step.kind === "local") return names.operator(step.operator);
    return `${[step.collective, ...step.axes].join(" ")} of ${names.value(step.output)}`;
  };
}

function hueOfAxes(
  step: ReturnType<typeof allSteps>[number],
  mesh: Compiled["mesh"]["mesh"],
): SpanPaint {
  const axes =
    step.kind === "collective" ? step.axes.map((axis) => axis.split(":")[0] ?? axis) : [];
  const [only, other] = new Set(axes);
  return only === undefined || other !== undefined ? "several" : `axis-${hueOf(mesh, only)}`;
}

const numbers = new Map(spanPaints.map((paint, at) => [paint, at]));

function numberOf(paint: SpanPaint): number {
  return numbers.get(paint) ?? 0;
}

function emptyBuilder(): Builder {
  return { starts: [], ends: [], paints: [], items: [], units: [], layer: "" };
}

function push(
  into: Builder,
  start: number,
  end: number,
  paint: number,
  item: number,
  layer: string,
): void {
  const last = into.units.at(-1) ?? -1;
  into.units.push(layer !== "" && layer === into.layer ? last : last + 1);
  into.layer = layer;
  into.starts.push(start);
  into.ends.push(end);
  into.paints.push(paint);
  into.items.push(item);
}

/** Gap, as a fraction of the step, below which two spans touch. */
const touching = 1e-12;

/**
 * The compute lane with communication in its gaps as exposed time, which counts to the layer of the
 * next span.
 */
function withExposed(compute: Builder, sent: readonly Builder[], seconds: number): Builder {
  const all = emptyBuilder();
  const next = sent.map(() => 0);
  const least = touching * seconds;
  let free = 0;
  const wait = (until: number, unit: number) => {
    let at = free;
    while (until - at > least) {
      const found = firstSent(sent, next, at, until);
      if (found === undefined) break;
      if (found.end - found.start > least) {
        add(all, found.start, found.end, numberOf("exposed"), found.item, unit);
      }
      at = found.end;
    }
  };
  for (const [at, start] of compute.starts.entries()) {
    const unit = compute.units[at] ?? 0;
    wait(start, unit);
    free = compute.ends[at] ?? start;
    add(all, start, free, compute.paints[at] ?? 0, compute.items[at] ?? 0, unit);
  }
  wait(seconds, compute.units.at(-1) ?? 0);
  return all;
}

function add(
  into: Builder,
  start: number,
  end: number,
  paint: number,
  item: number,
  unit: number,
): void {
  into.starts.push(start);
  into.ends.push(end);
  into.paints.push(paint);
  into.items.push(item);
  into.units.push(unit);
}

/** The first interval after `from` in which a single item is sent. */
function firstSent(
  sent: readonly Builder[],
  next: number[],
  from: number,
  until: number,
): { readonly start: number; readonly end: number; readonly item: number } | undefined {
  let found: { start: number; end: number; item: number } | undefined;
  for (const [lane, { starts, ends, items }] of sent.entries()) {
    let at = next[lane] ?? 0;
    while (at < ends.length && (ends[at] ?? 0) <= from) at += 1;
    next[lane] = at;
    const start = Math.max(from, starts[at] ?? Number.POSITIVE_INFINITY);
    if (start >= until || (found !== undefined && found.start <= start)) continue;
    found = { start, end: Math.min(until, ends[at] ?? until), item: items[at] ?? 0 };
  }
  return found;
}

function packed({ starts, ends, paints, items, units }: Builder): LaneSpans {
  return {
    starts: Float64Array.from(starts),
    ends: Float64Array.from(ends),
    paints: Uint8Array.from(paints),
    items: Int32Array.from(items),
    units: Int32Array.from(units),
  };
}
