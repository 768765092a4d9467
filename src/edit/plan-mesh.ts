import { applyEdits } from "#core/diagnostics";
import type { MeshAxis } from "#core/mesh";
import type { Document } from "#language/document";
import {
  axisRemovalEdits,
  listsDevices,
  meshEdits,
  newMeshEdits,
  writtenMeshOf,
} from "#language/document/edit";
import type { WantedMesh } from "#language/document/graph";
import { freeAxisName } from "./gesture-mesh.ts";
import { planQuestion } from "./plan-question.ts";

/** A text on another mesh, to be planned there, or why its text does not allow that mesh. */
export type MeshCandidate =
  | { readonly ok: true; readonly document: Document }
  | { readonly ok: false; readonly reason: string };

type Axes = WantedMesh["axes"];

/**
 * A document on a mesh of other sizes. Axes keep their names as far as possible: first pinned axes,
 * then axes used in pins and places, then the others in order. Statements about a removed axis are
 * removed; the plan will write its strategies anew.
 */
export function meshCandidate(document: Document, sizes: readonly number[]): MeshCandidate {
  const named = namedAxes(document, sizes);
  return typeof named === "string" ? { ok: false, reason: named } : onAxes(document, named);
}

/** A document on a mesh with these axes, without its statements about others. */
export function onAxes(document: Document, named: Axes): MeshCandidate {
  if (axesText(document) === textOf(named)) return { ok: true, document };
  if (writtenMeshOf(document) === undefined) return newMesh(document, named);
  const bare = withoutAxes(document, new Set(named.map(({ name }) => name)));
  if (bare === undefined) {
    return { ok: false, reason: "an axis that goes is named in a way that cannot be taken out" };
  }
  const keepsDevices = listsDevices(bare) && countOf(named) === countOf(document.mesh.mesh.axes);
  const edits = meshEdits(bare, { axes: named, keepsDevices });
  return meant(bare.reread(applyEdits(bare.source, edits)), named);
}

function newMesh(document: Document, axes: Axes): MeshCandidate {
  if (document.mesh.status === "set") {
    return { ok: false, reason: "the mesh is that of a Layout(…), which says its own ranks" };
  }
  const [edit] = newMeshEdits(document, { axes, keepsDevices: false });
  const source = edit === undefined ? document.source : applyEdits(document.source, [edit]);
  return meant(document.reread(source), axes);
}

/** The document, if its mesh is the wanted one. */
function meant(after: Document, axes: Axes): MeshCandidate {
  return axesText(after) === textOf(axes)
    ? { ok: true, document: after }
    : { ok: false, reason: "the text gives its mesh in a way that cannot be edited here" };
}

/**
 * The text without the axes that are not kept, in its mesh and in all statements; `undefined` if
 * one cannot be removed.
 */
function withoutAxes(document: Document, kept: ReadonlySet<string>): Document | undefined {
  let bare = document;
  for (const { name } of document.mesh.mesh.axes) {
    if (kept.has(name)) continue;
    const uses = axisRemovalEdits(bare, name);
    if (uses === undefined) return undefined;
    const axes = bare.mesh.mesh.axes.filter((axis) => axis.name !== name);
    const edits = meshEdits(bare, { axes, keepsDevices: false });
    bare = bare.reread(applyEdits(bare.source, [...edits, ...uses]));
  }
  return bare;
}

/** A name for each axis size, or why the text forbids the mesh. */
function namedAxes(document: Document, sizes: readonly number[]): Axes | string {
  const present = document.mesh.mesh.axes;
  const names = new Array<string | undefined>(sizes.length).fill(undefined);
  const pinned = pinnedAxes(document);
  for (const { name, size } of pinned) {
    const at = sizes.findIndex((each, index) => each === size && names[index] === undefined);
    if (at < 0) return `pin("${name}") keeps the axis ${name} at ${size}`;
    names[at] = name;
  }
  const needed = neededAxes(document);
  const isOpen = ({ name }: MeshAxis) => !names.includes(name);
  const first = present.filter((axis) => needed.has(axis.name) && isOpen(axis));
  const rest = present.filter((axis) => !needed.has(axis.name) && isOpen(axis));
  const open = names.filter((name) => name === undefined).length;
  if (first.length > open) {
    const list = first.map(({ name }) => name).join(", ");
    return `it has no axis for each that is pinned or placed: ${list}`;
  }
  const chosen = new Set([...first, ...rest].slice(0, open).map(({ name }) => name));
  const queue = present.flatMap(({ name }) => (chosen.has(name) ? [name] : []));
  return filled(names, queue, sizes);
}

function filled(
  names: readonly (string | undefined)[],
  queue: readonly string[],
  sizes: readonly number[],
): Axes {
  const left = [...queue];
  const taken = [...names.filter((name) => name !== undefined), ...queue];
  return sizes.map((size, at) => {
    const known = names[at] ?? left.shift();
    if (known !== undefined) return { name: known, size };
    const name = freeAxisName(taken);
    taken.push(name);
    return { name, size };
  });
}

/** Axes that `pin(…)` names. */
function pinnedAxes({ pins, mesh }: Document): readonly MeshAxis[] {
  const written = new Set(pins.written.map(({ target }) => target));
  return mesh.mesh.axes.filter(({ name }) => written.has(name));
}

/** Axes used by pinned strategies and by layouts that stay. */
function neededAxes(document: Document): ReadonlySet<string> {
  const { pins, placements } = planQuestion(document, { freesPlaces: true });
  const parts = [
    ...[...pins.values()].flatMap(({ cuts, carry }) => [...Object.values(cuts), carry].flat()),
    ...[...placements.values()].flatMap(({ dims }) => dims.flatMap((dim) => dim.parts)),
  ];
  return new Set(parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : [])));
}

function axesText({ mesh }: Document): string {
  return textOf(mesh.mesh.axes);
}

function textOf(axes: Axes): string {
  return axes.map(({ name, size }) => `${name}=${size}`).join();
}

function countOf(axes: Axes): number {
  return axes.reduce((product, { size }) => product * size, 1);
}
