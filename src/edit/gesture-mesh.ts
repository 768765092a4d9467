import type { Compiled } from "#compile";
import {
  changedFigures,
  customDeviceName,
  type MachineFigures,
  ownPlatform,
} from "#core/cost/machines";
import { applyEdits, type TextEdit, unreachable } from "#core/diagnostics";
import { fieldOf } from "#core/records";
import type { Document } from "#language/document";
import {
  axisRemovalEdits,
  listsDevices,
  meshEdits,
  newMeshEdits,
  writtenMeshOf,
} from "#language/document/edit";
import type { WantedMesh } from "#language/document/graph";
import type { GestureOutcome, MeshGesture } from "./gesture-kinds.ts";
import type { Version } from "./version.ts";

type Axes = WantedMesh["axes"];

/** No overridden figures: all are the machine's own. */
const ownFigures: MachineFigures = { chip: {}, links: {} };

/** Most axes: the drawing has this many distinct textures. */
const mostAxes = 16;

/** Preferred names for a new axis; the first free one is used. */
const usualNames = ["dp", "tp", "pp", "sp", "ep", "cp", "fs", "mp"] as const;

/**
 * Changes the mesh of a text.
 *
 * The effective `Mesh(…)` changes in place; a text with an assumed mesh gets one. The mesh of a
 * `Layout(…)` can only be resized, in its written matrix, or get its machine from a `Mesh(…)` with
 * the same axes. A device list is removed when the number of devices changes.
 */
export function applyMeshGesture(version: Version, gesture: MeshGesture): GestureOutcome {
  const { document, compiled } = version;
  const before: Axes = compiled.mesh.mesh.axes;
  const wanted = axesAfter(before, gesture);
  if (typeof wanted === "string") return { ok: false, reason: wanted };
  const work: Work = {
    ...version,
    gesture,
    wanted: meshAfter(document, before, wanted, gesture),
  };
  const written = writtenMeshOf(document);
  if (written === undefined && compiled.mesh.status === "set") return changeLayout(work);
  if (written === undefined) {
    const tries = newMeshEdits(document, work.wanted).map((edit) => outcome(work, [edit]));
    return tries.find(({ ok }) => ok) ?? tries[0] ?? unedited();
  }
  const uses = gesture.kind === "remove-axis" ? axisRemovalEdits(document, gesture.axis) : [];
  if (uses === undefined) {
    return { ok: false, reason: `${quoted(gesture)} is named in a way that cannot be taken out` };
  }
  return outcome(work, [...meshEdits(document, work.wanted), ...uses]);
}

/** A free name for a new mesh axis. */
export function freeAxisName(taken: readonly string[]): string {
  const usual = usualNames.find((name) => !taken.includes(name));
  if (usual !== undefined) return usual;
  const at = Array.from({ length: taken.length + 1 }, (_, index) => `x${index}`);
  return at.find((name) => !taken.includes(name)) ?? "x";
}

interface Work extends Version {
  readonly gesture: MeshGesture;
  readonly wanted: WantedMesh;
}

function meshAfter(document: Document, before: Axes, axes: Axes, gesture: MeshGesture): WantedMesh {
  return {
    axes,
    ...(gesture.kind === "set-hardware" && { hardware: gesture.hardware, figures: ownFigures }),
    ...(gesture.kind === "set-figures" && { figures: gesture.figures }),
    keepsDevices: listsDevices(document) && countOf(axes) === countOf(before),
  };
}

/** The wanted axes, or the reason why they are not possible. */
function axesAfter(before: Axes, gesture: MeshGesture): Axes | string {
  const names = before.map(({ name }) => name);
  const { kind } = gesture;
  if (kind === "set-figures") return before;
  if (kind === "set-hardware") return resizedTo(before, gesture.sizes);
  if (kind === "order-axes") {
    const ordered = gesture.axes.flatMap((name) => before.filter((axis) => axis.name === name));
    return ordered.length === before.length && new Set(gesture.axes).size === before.length
      ? ordered
      : "the order does not name every axis once";
  }
  if (kind === "add-axis") {
    if (names.includes(gesture.axis)) return `the mesh already has an axis "${gesture.axis}"`;
    if (names.length >= mostAxes) return `a mesh has at most ${mostAxes} axes here`;
    return nameFault(gesture.axis) ?? [...before, { name: gesture.axis, size: gesture.size }];
  }
  if (!names.includes(gesture.axis)) return `the mesh has no axis "${gesture.axis}"`;
  switch (kind) {
    case "remove-axis":
      return before.filter(({ name }) => name !== gesture.axis);
    case "resize-axis":
      return before.map((axis) =>
        axis.name === gesture.axis ? { ...axis, size: gesture.size } : axis,
      );
    case "rename-axis":
      if (names.includes(gesture.to)) return `the mesh already has an axis "${gesture.to}"`;
      return (
        nameFault(gesture.to) ??
        before.map((axis) => (axis.name === gesture.axis ? { ...axis, name: gesture.to } : axis))
      );
    default:
      return unreachable(kind);
  }
}

function resizedTo(before: Axes, sizes: readonly number[] | undefined): Axes | string {
  if (sizes === undefined) return before;
  if (before.length === 0) {
    const names = sizes.reduce<readonly string[]>((taken) => [...taken, freeAxisName(taken)], []);
    return sizes.map((size, at) => ({ name: names[at] ?? "", size }));
  }
  if (before.length !== sizes.length) {
    return `the machine has ${sizes.length} lengths, but the mesh has ${before.length} axes`;
  }
  return before.map((axis, at) => ({ ...axis, size: sizes[at] ?? axis.size }));
}

/** Why a name cannot be a keyword of `Mesh(…)`; `undefined` if it can. */
function nameFault(name: string): string | undefined {
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || name === "_") {
    return `"${name}" is no name: letters, digits and _ only`;
  }
  const reserved = ["None", "interleaved_parallel", "devices", "hardware", "chip", "links"];
  return reserved.includes(name) ? `"${name}" is reserved` : undefined;
}

/**
 * Changes the mesh of a `Layout(…)`: resizes it in its written matrix, or adds a `Mesh(…)` for its
 * machine.
 */
function changeLayout(work: Work): GestureOutcome {
  const { gesture, compiled } = work;
  if (gesture.kind === "set-hardware" || gesture.kind === "set-figures") return nameMachine(work);
  const span =
    gesture.kind === "resize-axis" ? fieldOf(compiled.mesh.sizeSpans, gesture.axis) : undefined;
  if (gesture.kind !== "resize-axis" || span === undefined) {
    const reason =
      "the mesh is that of a call of the text: its sizes, names and ranks change together";
    return { ok: false, reason };
  }
  return outcome(work, [{ ...span, text: String(gesture.size) }]);
}

/**
 * Adds a `Mesh(…)` equal to the mesh of the layouts, provided that every layout stays unchanged.
 */
function nameMachine(work: Work): GestureOutcome {
  const { document, compiled, wanted } = work;
  const lies = ({ mesh, tensors }: Compiled) =>
    JSON.stringify([mesh.mesh.devices, tensors.map(({ layout }) => layout.dims)]);
  const tries = newMeshEdits(document, wanted).map((edit) => outcome(work, [edit]));
  const done = tries.find((each) => {
    return each.ok && lies(work.reread(each.source).compiled) === lies(compiled);
  });
  return done ?? unedited();
}

/** The edited text, if it has the intended mesh and no new fault. */
function outcome(work: Work, edits: readonly TextEdit[]): GestureOutcome {
  const source = applyEdits(work.document.source, edits);
  const after = work.reread(source).compiled;
  const fault = newFault(work.compiled, after);
  if (fault !== undefined) return { ok: false, reason: fault };
  const isMeant = meshText(after.mesh.mesh.axes) === meshText(work.wanted.axes);
  const { figures } = work.wanted;
  if (figures !== undefined && !saysFigures(after, figures)) return unedited();
  if (!isMeant || (edits.length > 0 && source === work.document.source)) return unedited();
  return { ok: true, label: labelOf(work), source };
}

/** Whether exactly these figures override the machine's own. */
function saysFigures({ mesh, hardware }: Compiled, figures: MachineFigures): boolean {
  const said = changedFigures(ownPlatform(hardware), hardware, mesh.mesh);
  return figuresKey(said) === figuresKey(figures) && customDeviceName(hardware) === figures.name;
}

function figuresKey({ chip, links }: MachineFigures): string {
  const sorted = (figures: object) => Object.entries(figures).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted(chip), sorted(links).map(([axis, own]) => [axis, sorted(own)])]);
}

function unedited(): GestureOutcome {
  return { ok: false, reason: "the text gives its mesh in a way that cannot be edited here" };
}

/** Message of an error whose code occurs more often in the new text. */
function newFault(before: Compiled, after: Compiled): string | undefined {
  const errorsOf = ({ diagnostics }: Compiled) =>
    diagnostics.filter(({ severity }) => severity === "error");
  const counts = new Map<string, number>();
  for (const { code } of errorsOf(before)) counts.set(code, (counts.get(code) ?? 0) + 1);
  for (const { code, message } of errorsOf(after)) {
    const left = (counts.get(code) ?? 0) - 1;
    if (left < 0) return message;
    counts.set(code, left);
  }
  return undefined;
}

function labelOf({ gesture, document, wanted }: Work): string {
  const isReordered = listsDevices(document) && !wanted.keepsDevices;
  const rest = isReordered ? ", devices in plain order" : "";
  switch (gesture.kind) {
    case "add-axis":
      return `Add axis ${gesture.axis} of ${gesture.size}${rest}`;
    case "rename-axis":
      return `Rename axis ${gesture.axis} to ${gesture.to}`;
    case "resize-axis":
      return `Resize ${gesture.axis} to ${gesture.size}${rest}`;
    case "order-axes":
      return `Order axes ${gesture.axes.join(", ")}`;
    case "remove-axis":
      return `Remove axis ${gesture.axis}${rest}`;
    case "set-hardware":
      return `Set the machine to ${gesture.hardware}${rest}`;
    case "set-figures":
      return "Set the figures of the machine";
    default:
      return unreachable(gesture);
  }
}

function quoted(gesture: MeshGesture): string {
  return "axis" in gesture ? `"${gesture.axis}"` : "an axis";
}

function meshText(axes: Axes): string {
  return axes.map(({ name, size }) => `${name}=${size}`).join();
}

function countOf(axes: Axes): number {
  return axes.reduce((product, { size }) => product * size, 1);
}
