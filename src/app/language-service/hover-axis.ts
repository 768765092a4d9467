import { formatBytes, formatSeconds } from "#app/scene/text";
import { restState } from "#compile";
import type { Span } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import { blockCount, type Part } from "#core/mesh";
import { flatSteps } from "#core/program";
import { callAround, contains, insideOf, type TextPlace } from "#language/tokens";
import { type Facts, writtenOperators } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { cutText } from "./hover-identifier.ts";
import { layoutEntryText } from "./hover-layout.ts";
import { targetName } from "./targets.ts";
import { listed } from "./words.ts";

/** The hover on a mesh axis: its size, the dims that it splits, and the collectives over it. */
export function axisHover(facts: Facts, place: TextPlace): Hover | undefined {
  const named = axisAt(facts, place);
  const axis = facts.compiled.mesh.mesh.axes.find(({ name }) => name === named?.name);
  if (named === undefined || axis === undefined) return undefined;
  return {
    span: named.span,
    title: `mesh axis ${axis.name} = ${axis.size}`,
    lines: [
      ...hereText(facts, place.offset),
      ...placeText(facts, axis.name),
      groupsText(facts, axis.name),
      splitsText(facts, axis.name),
      ...trafficText(facts, axis.name),
    ],
  };
}

/** The mesh axis named at a place: a string, or a keyword of `Mesh(…)` or its number. */
export function axisAt(
  facts: Facts,
  { token, text, open }: TextPlace,
): { readonly name: string; readonly span: Span } | undefined {
  if (token === undefined || open.length === 0) return undefined;
  if (token.kind === "string") {
    const { span, text: name } = insideOf(facts.source, token);
    return { name, span };
  }
  const around = callAround(open);
  if (around?.word !== "Mesh" || around.path.length !== 1) return undefined;
  const { keyword } = around.call;
  if (token.kind === "parameter") return { name: text, span: token };
  return token.kind === "number" && keyword !== undefined
    ? { name: keyword, span: token }
    : undefined;
}

/** The sharding by the axis at this place: of an identifier in a strategy, or a dim of a layout. */
function hereText(facts: Facts, offset: number): readonly string[] {
  const { document, compiled } = facts;
  for (const operator of writtenOperators(facts)) {
    const cut = document.strategyCalls
      .get(operator.id)
      ?.cuts.find(({ written }) => contains(written.span, offset));
    if (cut !== undefined) return [cutText(facts, operator, cut.key)];
  }
  const entry = layoutEntryText(facts, offset);
  if (entry.length > 0) return entry;
  const place = document.trace.places.find(({ layout }) => contains(layout.span, offset));
  const dim = place?.layout.dims.findIndex(({ span }) => contains(span, offset)) ?? -1;
  const name = place && targetName(document, place.target);
  const tensor = compiled.graph.tensors.find((candidate) => candidate.name === name);
  const size = tensor?.shape[dim];
  if (tensor === undefined || size === undefined) return [];
  const pieces = blockCount(partsAt(compiled, tensor.id, dim));
  const own = `Dim ${dim} of ${tensor.name} (${tensor.dimNames[dim] ?? dim}, size ${size})`;
  return [
    pieces === 1 ? `${own}: not cut.` : `${own}: ${pieces} pieces of ${Math.ceil(size / pieces)}.`,
  ];
}

function partsAt(compiled: Facts["compiled"], tensor: TensorId, dim: number): readonly Part[] {
  return compiled.plan.placements.get(tensor)?.layout.dims[dim]?.parts ?? [];
}

/** The axis' position in the device matrix of a `Layout`. */
function placeText({ document }: Facts, axis: string): readonly string[] {
  const [layout] = document.trace.layouts;
  if (document.trace.meshes.length > 0 || layout === undefined) return [];
  const { aliasName, deviceMatrix } = layout.spec;
  const at = aliasName.indexOf(axis);
  if (at < 0) return [];
  const value = aliasName.length - 1 - at;
  return [
    `Alias of dim ${at} of device_matrix (${deviceMatrix.join(", ")}); ${value} in a tensor_map.`,
  ];
}

function groupsText({ compiled }: Facts, axis: string): string {
  const { axes, devices } = compiled.mesh.mesh;
  const at = axes.findIndex(({ name }) => name === axis);
  const size = axes[at]?.size ?? 1;
  const stride = axes.slice(at + 1).reduce((product, each) => product * each.size, 1);
  const starts = devices.filter((_, index) => Math.floor(index / stride) % size === 0);
  const groups = starts.map((first) => {
    const start = devices.indexOf(first);
    const group = Array.from({ length: size }, (_, step) => devices[start + step * stride]);
    return `{${listed(group.map(String), 8)}}`;
  });
  return `Device groups ${listed(groups)}.`;
}

function splitsText({ compiled }: Facts, axis: string): string {
  const isOn = (part: Part) => part.kind === "axis" && part.axis === axis;
  const split = compiled.graph.tensors.flatMap((tensor) => {
    const view = compiled.tensors.find((candidate) => candidate.tensor === tensor.id);
    return (view === undefined ? [] : restState(view).layout.dims).flatMap(({ parts }, dim) =>
      parts.some(isOn) ? [`${tensor.dimNames[dim] ?? dim} of ${tensor.name}`] : [],
    );
  });
  return split.length === 0 ? "It splits no tensor." : `Splits ${listed(split, 6)}.`;
}

function trafficText({ compiled }: Facts, axis: string): readonly string[] {
  const steps = flatSteps(compiled.program)
    .filter((step) => step.kind === "collective")
    .filter(({ axes, bytes }) => axes.includes(axis) && bytes > 0);
  if (steps.length === 0) return ["Nothing is sent over it."];
  const bytes = steps.reduce((sum, step) => sum + step.bytes, 0);
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const kinds = [...new Set(steps.map(({ collective }) => collective))];
  return [
    `Carries ${listed(kinds)}: each device receives ${formatBytes(bytes)} in ${formatSeconds(seconds)}.`,
  ];
}
