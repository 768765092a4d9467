import type { Span, TextEdit } from "#core/diagnostics";
import { newSettings, settingTexts, type WantedMesh } from "../graph/mesh-settings.ts";
import type { Document } from "../read-document.ts";
import { axesText } from "../trace/axes-text.ts";
import type { WrittenAxes, WrittenMesh } from "../trace/written-layouts.ts";
import { type CallArgument, callArguments } from "./call-arguments.ts";
import { removal } from "./edit.ts";

/** First `Mesh(…)` of the text, which the document uses; `undefined` when the mesh is assumed. */
export function writtenMeshOf(document: Document): WrittenMesh | undefined {
  const [first] = document.trace.meshes;
  return first?.isAssumed === true ? undefined : first;
}

/** Whether the document's `Mesh(…)` has a list of devices. */
export function listsDevices(document: Document): boolean {
  const written = writtenMeshOf(document);
  if (written === undefined) return false;
  return callArguments(document.source, written.span).some(({ name }) => name === "devices");
}

/**
 * Smallest edits that turn the document's `Mesh(…)` into the wanted one: changed sizes, removed or
 * reordered arguments, and new ones after the last axis.
 */
export function meshEdits(document: Document, wanted: WantedMesh): readonly TextEdit[] {
  const written = writtenMeshOf(document);
  if (written === undefined) return [];
  const { source } = document;
  const args = callArguments(source, written.span);
  const names = new Set(wanted.axes.map(({ name }) => name));
  const settings = settingTexts(written, wanted);
  const isSetting = ({ name }: CallArgument) =>
    name === undefined || !written.axes.some((axis) => axis.name === name);
  const isGone = (each: CallArgument) => {
    const { name = "" } = each;
    if (name === "devices") return !wanted.keepsDevices;
    if (isSetting(each)) return settings.has(name) && settings.get(name) === undefined;
    return !names.has(name);
  };
  const axes = args.filter((each) => !isSetting(each) && !isGone(each));
  const said = [...settings].flatMap(([name, text]) =>
    text === undefined ? [] : [{ name, text }],
  );
  return [
    ...slotEdits(source, written, axes, wanted),
    ...removals(source, args, isGone, written.span),
    ...additions({ args, axes, isGone, wanted, said, call: written.span }),
    ...args.flatMap((each): TextEdit[] => {
      const text = isSetting(each) ? settings.get(each.name ?? "") : undefined;
      const before = source.slice(each.valueSpan.from, each.valueSpan.to);
      return text === undefined || text === before ? [] : [{ ...each.valueSpan, text }];
    }),
  ];
}

/**
 * Two alternatives for writing a `Mesh(…)` into a text without one: after its leading comments and
 * imports, or at the end.
 */
export function newMeshEdits(document: Document, wanted: WantedMesh): readonly TextEdit[] {
  const { axes } = wanted;
  const { source, boundNames } = document;
  const args = [...axes.map(({ name, size }) => `${name}=${size}`), ...newSettings(wanted)].join(
    ", ",
  );
  const statement = `${boundNames.has("mesh") ? "" : "mesh = "}Mesh(${args})\n`;
  const head = headEnd(source);
  const lead = source === "" || source.endsWith("\n") ? "" : "\n";
  return [
    { from: head, to: head, text: statement },
    { from: source.length, to: source.length, text: `${lead}${statement}` },
  ];
}

/**
 * Edits that remove a mesh axis from every strategy and layout of the text; `undefined` when one
 * passage has different axes each time it runs.
 */
export function axisRemovalEdits(
  document: Document,
  axis: string,
): readonly TextEdit[] | undefined {
  const { strategies, places, reshards, operators } = document.trace;
  const layouts = [
    ...places.flatMap(({ layout }) => layout.dims),
    ...reshards.flatMap(({ to }) => to?.dims ?? []),
    ...operators.flatMap(({ strategy }) =>
      strategy?.kind === "layouts"
        ? [...strategy.inputs, ...(strategy.outputs ?? [])].flatMap(({ dims }) => dims)
        : [],
    ),
  ];
  const written = [
    ...strategies.flatMap(({ cuts }) =>
      cuts.map((cut) => ({ written: cut.written, empty: () => removal(document.source, cut) })),
    ),
    ...strategies.flatMap(({ carry, span }) =>
      carry === undefined
        ? []
        : [{ written: carry, empty: () => argumentRemoval(document.source, span, carry.span) }],
    ),
    ...layouts.map((dim) => ({ written: dim, empty: () => ({ ...dim.span, text: '"None"' }) })),
  ];
  const holds = ({ written: { axes } }: WrittenUse) => axes.some(({ name }) => name === axis);
  const kept = new Set(
    written.filter((use) => !holds(use)).map(({ written: { span } }) => span.from),
  );
  const uses = written.filter(holds);
  if (uses.some((use) => kept.has(use.written.span.from))) return undefined;
  return agreed(uses.map((use) => withoutAxis(use, axis)));
}

interface WrittenUse {
  readonly written: WrittenAxes;
  /** Edit for the case that no other axis is left. */
  readonly empty: () => TextEdit;
}

function withoutAxis({ written, empty }: WrittenUse, axis: string): TextEdit {
  const rest = written.axes.flatMap(({ name }) => (name === axis ? [] : [name]));
  return rest.length === 0 ? empty() : { ...written.span, text: axesText(rest) };
}

/**
 * Edits with duplicates removed, in text order; `undefined` when two of them conflict or overlap.
 */
function agreed(edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
  const byPlace = new Map<string, TextEdit>();
  for (const edit of edits) {
    const key = `${edit.from} ${edit.to}`;
    const known = byPlace.get(key);
    if (known !== undefined && known.text !== edit.text) return undefined;
    byPlace.set(key, edit);
  }
  const all = [...byPlace.values()].sort((a, b) => a.from - b.from);
  const isApart = all.every((edit, at) => edit.from >= (all[at - 1]?.to ?? 0));
  return isApart ? all : undefined;
}

/** Removes an argument of a call, found by its value, with an adjacent comma. */
export function argumentRemoval(source: string, call: Span, value: Span): TextEdit {
  const args = callArguments(source, call);
  const [edit] = removals(source, args, (each) => each.valueSpan.from === value.from, call);
  return edit ?? { ...value, text: "()" };
}

/** Edits that put the remaining axes into their wanted order and sizes. */
function slotEdits(
  source: string,
  written: WrittenMesh,
  slots: readonly CallArgument[],
  { axes }: WantedMesh,
): readonly TextEdit[] {
  const kept = axes.flatMap(({ name, size }) => {
    const own = slots.find((slot) => slot.name === name);
    const before = written.axes.find((axis) => axis.name === name)?.size;
    return own === undefined ? [] : [{ own, size: before === size ? undefined : String(size) }];
  });
  return slots.flatMap((slot, at): TextEdit[] => {
    const next = kept[at];
    if (next === undefined) return [];
    const { own, size } = next;
    if (own === slot) return size === undefined ? [] : [{ ...own.valueSpan, text: size }];
    const value = size ?? source.slice(own.valueSpan.from, own.valueSpan.to);
    return [{ ...slot.span, text: source.slice(own.span.from, own.valueSpan.from) + value }];
  });
}

function removals(
  source: string,
  args: readonly CallArgument[],
  isGone: (argument: CallArgument) => boolean,
  call: Span,
): readonly TextEdit[] {
  const firstKept = args.findIndex((argument) => !isGone(argument));
  return args.flatMap((argument, at): TextEdit[] => {
    if (!isGone(argument)) return [];
    const before = args[at - 1]?.span.to;
    const after = args[at + 1]?.span.from;
    const isBehind = firstKept >= 0 && firstKept < at;
    const { from, to } = argument.span;
    const range = isBehind ? { from: before ?? from, to } : { from, to: after ?? call.to - 1 };
    if (!source.slice(range.from, range.to).includes("#")) return [{ ...range, text: "" }];
    const comma = /^\s*,/u.exec(source.slice(to, call.to - 1))?.[0].length ?? 0;
    return [{ from, to: to + comma, text: "" }];
  });
}

interface MeshWork {
  readonly args: readonly CallArgument[];
  /** Arguments of remaining axes, a subset of `args`. */
  readonly axes: readonly CallArgument[];
  readonly isGone: (argument: CallArgument) => boolean;
  readonly wanted: WantedMesh;
  /** Settings to write. */
  readonly said: readonly { readonly name: string; readonly text: string }[];
  readonly call: Span;
}

/** Adds new axes after the last axis and new settings after all arguments. */
function additions({ args, axes, isGone, wanted, said, call }: MeshWork): readonly TextEdit[] {
  const known = new Set(axes.map(({ name }) => name));
  const added = wanted.axes
    .filter(({ name }) => !known.has(name))
    .map(({ name, size }) => `${name}=${size}`);
  const preset = said
    .filter(({ name }) => args.every((each) => each.name !== name))
    .map(({ name, text }) => `${name}=${text}`);
  const end = call.to - 1;
  const lastAxis = axes.at(-1)?.span.to;
  const last = args.at(-1)?.span.to;
  if (lastAxis === undefined) {
    const from = args[0]?.span.from ?? end;
    const hasMore = args.some((argument) => !isGone(argument));
    const text = [...added, ...preset].join(", ");
    return text === "" ? [] : [{ from, to: from, text: hasMore ? `${text}, ` : text }];
  }
  if (last === undefined || last === lastAxis) {
    return insertion(lastAxis, [...added, ...preset]);
  }
  return [...insertion(lastAxis, added), ...insertion(last, preset)];
}

function insertion(at: number, texts: readonly string[]): readonly TextEdit[] {
  if (texts.length === 0) return [];
  return [{ from: at, to: at, text: texts.map((text) => `, ${text}`).join("") }];
}

/** Offset after the leading comments, blank lines and imports of a text. */
function headEnd(source: string): number {
  const [docstring = ""] = leadingDocstring.exec(source) ?? [];
  const isCut = docstring !== "" && !docstring.endsWith("\n");
  let end = isCut ? 0 : docstring.length;
  let at = docstring.length;
  for (const line of source.slice(at).match(headLine) ?? []) {
    at += line.length;
    const text = line.trim();
    const isImport = /^(import|from)\s[^\\]*$/u.test(text);
    if (!isImport && text !== "" && !text.startsWith("#")) break;
    const isParagraphEnd = text === "";
    if ((isImport || isParagraphEnd) && line.endsWith("\n")) end = at;
  }
  return end;
}

/** Module docstring with the comments above it. */
const leadingDocstring =
  /^(?:[ \t]*(?:#[^\n]*)?\n)*[rRuU]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*')[ \t]*(?:#[^\n]*)?(?:\n|$)/u;

/** An import in brackets with all its lines, or a single line. */
const headLine = /^from[^\n(]*import[ \t]*\([^)]*\)[^\n]*(?:\n|$)|[^\n]*\n|[^\n]+$/gmu;
