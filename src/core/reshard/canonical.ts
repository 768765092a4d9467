import { groupsOf, type Move, movedParts, type Slot } from "#core/collective";
import {
  type AxisName,
  type DeviceId,
  type DimLayout,
  digitOf,
  type Layout,
  type Part,
  partStride,
  sameMesh,
  wholeAxis,
} from "#core/mesh";
import type { DraftStep } from "./emit.ts";

import { linkOf, linkText, type PriceOptions } from "./rates.ts";

/** The facts that decide a redistribution: both layouts and the tensor's shape. */
interface Question {
  readonly from: Layout;
  readonly to: Layout;
  readonly shape: readonly number[];
}

/**
 * A redistribution in canonical order; `back` translates the steps of a route to the given order.
 */
export interface Turned {
  readonly question: Question;
  readonly back: (route: readonly DraftStep[]) => readonly DraftStep[];
}

/**
 * Redistribution whose dims, and axes of equal size and link, are in canonical order. A search that
 * gives up early then finds the same routes for any given order of dims and axes. `undefined` if
 * the order is canonical already, or between two meshes.
 *
 * The order comes from colour refinement. Dims and axes are coloured by size, then by the colours
 * of the axes and dims that they meet, until no colour splits. Then one member of the smallest
 * shared colour gets its own colour, and refinement continues.
 *
 * @param sizes per dim, a text of the effect of its size on the search
 */
export function canonicalQuestion(
  { from, to, shape }: Question,
  sizes: readonly string[],
  price: PriceOptions,
): Turned | undefined {
  if (!sameMesh(from.mesh, to.mesh) || from.mesh.axes.some(({ size }) => size === 0)) return;
  const colours = settledColours({ from, to, shape }, sizes, price);
  const dims = [...shape.keys()].sort((a, b) => (colours.dims[a] ?? 0) - (colours.dims[b] ?? 0));
  const axes = namesInOrder(from.mesh.axes, colours);
  const isSame = dims.every((dim, at) => dim === at) && [...axes].every(([a, b]) => a === b);
  if (isSame) return undefined;
  const turn = (layout: Layout) => withAxes(withDims(layout, dims), axes);
  const question = { from: turn(from), to: turn(to), shape: dims.map((dim) => shape[dim] ?? 1) };
  const names = new Map([...axes].map(([own, other]) => [other, own]));
  return { question, back: (route) => turnedBack(route, { from, to, dims, names }) };
}

/** Colours of dims and axes as numbers; equal colours are not distinguished yet. */
interface Colours {
  readonly dims: readonly number[];
  readonly axes: readonly number[];
  /** Class of each axis by size and link: axes of one class may be exchanged. */
  readonly kinds: readonly number[];
}

function settledColours(
  question: Question,
  sizes: readonly string[],
  price: PriceOptions,
): Colours {
  const { from, to } = question;
  const { mesh } = from;
  const kinds = ranksOf(
    mesh.axes.map(({ name, size }) => `${size} ${linkText(linkOf(mesh, name, price))}`),
  );
  const dims = ranksOf(
    sizes.map((size, at) => `${size} ${cutText(from.dims[at])} ${cutText(to.dims[at])}`),
  );
  let colours: Colours = { dims, axes: kinds, kinds };
  for (;;) {
    colours = refined(question, colours);
    const alike = firstAlike(colours.axes) ?? -1;
    if (alike >= 0) colours = { ...colours, axes: setApart(colours.axes, alike) };
    else {
      const dim = firstAlike(colours.dims);
      if (dim === undefined) return colours;
      colours = { ...colours, dims: setApart(colours.dims, dim) };
    }
  }
}

/**
 * Refines the colours of dims by the axes that cut them, and those of axes by the dims that they
 * cut, until no colour splits.
 */
function refined({ from, to }: Question, start: Colours): Colours {
  let colours = start;
  for (;;) {
    const { dims, axes, kinds } = colours;
    const places = new Map(from.mesh.axes.map(({ name }, at) => [name, at]));
    const partText = (part: Part) =>
      part.kind === "pieces"
        ? `~${part.count}`
        : `${axes[places.get(part.axis) ?? -1]}:${part.before}:${part.size}`;
    const standings = from.mesh.axes.map((): string[] => []);
    const note = (part: Part, text: string) => {
      if (part.kind === "axis")
        standings[places.get(part.axis) ?? -1]?.push(`${text}:${part.before}:${part.size}`);
    };
    for (const [side, layout] of [from, to].entries()) {
      for (const [dim, { parts }] of layout.dims.entries())
        for (const [at, part] of parts.entries()) note(part, `${side} ${dims[dim]} ${at}`);
      for (const { part, reduce } of layout.partials) note(part, `${side} ${reduce}`);
    }
    const next: Colours = {
      kinds,
      dims: ranksOf(
        dims.map((own, at) => {
          const [a, b] = [from, to].map((each) => each.dims[at]?.parts.map(partText).join("*"));
          return `${own} ${a} ${b}`;
        }),
      ),
      axes: ranksOf(axes.map((own, at) => `${own} ${standings[at]?.sort().join()}`)),
    };
    if (countOf(next) === countOf(colours)) return next;
    colours = next;
  }
}

function countOf({ dims, axes }: Colours): number {
  return new Set(dims).size + new Set(axes).size;
}

/** The rank of each text among the distinct texts in order. */
function ranksOf(texts: readonly string[]): readonly number[] {
  const order = [...new Set(texts)].sort();
  const ranks = new Map(order.map((text, rank) => [text, rank]));
  return texts.map((text) => ranks.get(text) ?? 0);
}

/** First index of the least colour that several share; `undefined` if all colours are distinct. */
function firstAlike(colours: readonly number[]): number | undefined {
  const shared = colours.filter((colour, at) => colours.indexOf(colour) !== at);
  return shared.length === 0 ? undefined : colours.indexOf(Math.min(...shared));
}

function setApart(colours: readonly number[], at: number): readonly number[] {
  return colours.map((colour, index) => 2 * colour + (index === at ? 0 : 1));
}

function cutText(dim: DimLayout | undefined): string {
  return `${dim?.chunks} ${dim?.sizes?.join()}`;
}

/** Renaming of axes: the axes of one class are put in the order of their colours. */
function namesInOrder(
  axes: Layout["mesh"]["axes"],
  { axes: colours, kinds }: Colours,
): ReadonlyMap<AxisName, AxisName> {
  const names = new Map<AxisName, AxisName>();
  for (const kind of new Set(kinds)) {
    const places = [...axes.keys()].filter((at) => kinds[at] === kind);
    const ordered = places.toSorted((a, b) => (colours[a] ?? 0) - (colours[b] ?? 0));
    for (const [index, at] of ordered.entries()) {
      names.set(axes[at]?.name ?? "", axes[places[index] ?? at]?.name ?? "");
    }
  }
  return names;
}

function withDims(layout: Layout, dims: readonly number[]): Layout {
  return { ...layout, dims: dims.flatMap((dim) => layout.dims[dim] ?? []) };
}

function withAxes(layout: Layout, names: ReadonlyMap<AxisName, AxisName>): Layout {
  const renamed = (part: Part) => renamedPart(part, names);
  return {
    ...layout,
    dims: layout.dims.map((dim) => ({ ...dim, parts: dim.parts.map(renamed) })),
    partials: layout.partials.map((each) => ({ ...each, part: renamed(each.part) })),
  };
}

function renamedPart(part: Part, names: ReadonlyMap<AxisName, AxisName>): Part {
  return part.kind === "axis" ? { ...part, axis: names.get(part.axis) ?? part.axis } : part;
}

/** The redistribution as given, and its dims and axes in canonical order. */
interface CanonicalRequest {
  readonly from: Layout;
  readonly to: Layout;
  /** For each dim in canonical order, the given dim. */
  readonly dims: readonly number[];
  readonly names: ReadonlyMap<AxisName, AxisName>;
}

function turnedBack(route: readonly DraftStep[], asked: CanonicalRequest): readonly DraftStep[] {
  const { from, to, dims, names } = asked;
  const places = [...dims.keys()].sort((a, b) => (dims[a] ?? 0) - (dims[b] ?? 0));
  const layoutBack = (layout: Layout) => withAxes(withDims(layout, places), names);
  const slotBack = ({ dim, position }: Slot): Slot => ({ dim: dims[dim] ?? dim, position });
  const hasTransfers = route.some(({ transfers }) => transfers !== undefined);
  const devices = hasTransfers ? devicesBack(from, names) : new Map<DeviceId, DeviceId>();
  return route.map((step, at): DraftStep => {
    const moves = step.moves.map(
      (move): Move => ({
        part: renamedPart(move.part, names),
        ...(move.from && { from: slotBack(move.from) }),
        ...(move.to && { to: slotBack(move.to) }),
      }),
    );
    const transfers = step.transfers?.map((transfer) => ({
      from: devices.get(transfer.from) ?? transfer.from,
      to: devices.get(transfer.to) ?? transfer.to,
      range: places.flatMap((place) => transfer.range[place] ?? []),
    }));
    const groups = groupsBack(step, moves, from, devices);
    return {
      ...{ ...step, moves, groups },
      before: at === 0 ? from : layoutBack(step.before),
      after: at === route.length - 1 ? to : layoutBack(step.after),
      ...(transfers !== undefined && { transfers }),
    };
  });
}

function groupsBack(
  { groups, transfers }: DraftStep,
  moves: readonly Move[],
  { mesh }: Layout,
  devices: ReadonlyMap<DeviceId, DeviceId>,
): DraftStep["groups"] {
  if (groups.length === 0) return groups;
  if (transfers === undefined) return groupsOf(mesh, movedParts(moves));
  const places = new Map(mesh.devices.map((device, at) => [device, at]));
  const place = (device: DeviceId | undefined) => places.get(device ?? -1) ?? 0;
  return groups
    .map((group) =>
      group.map((device) => devices.get(device) ?? device).sort((a, b) => place(a) - place(b)),
    )
    .sort((a, b) => place(a[0]) - place(b[0]));
}

/** For each device of the canonical redistribution, the given device. */
function devicesBack(
  { mesh }: Layout,
  names: ReadonlyMap<AxisName, AxisName>,
): ReadonlyMap<DeviceId, DeviceId> {
  const parts = new Map(mesh.axes.map(({ name }) => [name, wholeAxis(mesh, name)]));
  return new Map(
    mesh.devices.map((device, index) => {
      let other = 0;
      for (const [name, part] of parts) {
        const own = parts.get(names.get(name) ?? name) ?? part;
        other += digitOf(mesh, part, index) * partStride(mesh, own);
      }
      return [device, mesh.devices[other] ?? device];
    }),
  );
}
