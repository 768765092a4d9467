import type { CallPlace } from "#language/tokens";
import { counted } from "#systems/system";
import { divisorsOf } from "./argument-values.ts";
import type { CompletionItem } from "./completion.ts";
import type { Facts } from "./facts.ts";
import { layoutNames } from "./layout-names.ts";

/** Usual axis names, for a `Layout(…)` in a text that uses none yet. */
const usualNames = ["dp", "mp", "sp", "tp", "pp", "ep", "cp"];

/** Number of devices assumed if the text does not give one. */
const usualDevices = 8;

/** The arguments of a `Layout(…)`: sizes of its device matrix, axis names, or a tuple of either. */
export function layoutValues(facts: Facts, around: CallPlace): readonly CompletionItem[] {
  const part = partAt(around);
  if (part === undefined) return [];
  if (around.path.length === 1)
    return part === "matrix" ? matrixItems(facts) : tupleItems(facts, around);
  if (part === "names") return aliasItems(facts, around, ['"', '"']);
  return divisorsOf(devicesOf(facts)).map((size) =>
    item(String(size), `axis of ${counted(size, "device")}`),
  );
}

/** The possible names for an entry of `alias_name`, with the given opening and closing quotes. */
export function aliasItems(
  facts: Facts,
  around: CallPlace,
  [opener, closer]: readonly [string, string],
): readonly CompletionItem[] {
  const { matrix, names } = writtenIn(facts.source, around);
  const size = matrix[around.path[1] ?? 0];
  const detail = size === undefined ? "" : `axis of ${counted(size, "device")}`;
  return namesFor(facts.source, names).map((name) => ({
    ...item(name, detail),
    insert: `${opener}${name}${closer}`,
    kind: "axis",
  }));
}

/** Whether a place is an entry of `alias_name`. */
export function isAlias(around: CallPlace): boolean {
  return partAt(around) === "names" && around.path.length === 2;
}

function partAt({ word, call, path }: CallPlace): "matrix" | "names" | undefined {
  if (word !== "Layout" || path.length > 2) return undefined;
  if (call.keyword !== undefined) {
    return { device_matrix: "matrix", alias_name: "names" }[call.keyword] as "matrix" | "names";
  }
  return path[0] === 0 ? "matrix" : path[0] === 1 ? "names" : undefined;
}

function devicesOf({ compiled }: Facts): number {
  const count = compiled.mesh.mesh.devices.length;
  return count > 1 ? count : usualDevices;
}

/** Device matrices with all devices on two axes, or on one. */
function matrixItems(facts: Facts): readonly CompletionItem[] {
  const devices = devicesOf(facts);
  const pairs = divisorsOf(devices).filter((size) => size > 1 && size < devices);
  return [
    ...pairs.map((size) => item(`(${size}, ${devices / size})`, `${devices} devices`)),
    item(`(${devices},)`, `${devices} devices`),
  ];
}

/** A tuple with one name for each axis of the matrix. */
function tupleItems({ source }: Facts, around: CallPlace): readonly CompletionItem[] {
  const { matrix, names } = writtenIn(source, around);
  const count = Math.max(1, matrix.length);
  const chosen = namesFor(source, names).slice(0, count);
  const text = chosen.map((name) => `"${name}"`).join(", ");
  return [item(`(${text}${count === 1 ? "," : ""})`, `${count} axes`)];
}

/** The sizes and names already in a call. */
function writtenIn(source: string, { call }: CallPlace) {
  const inside = /^[^()]*(?:\([^()]*\)?[^()\n]*)*/u.exec(
    source.slice(call.at + 1, call.at + 400),
  )?.[0];
  const [first = ""] = /\([^)]*\)/u.exec(inside ?? "") ?? [];
  return {
    matrix: [...first.matchAll(/\d+/gu)].map(([size]) => Number(size)),
    names: new Set([...(inside ?? "").matchAll(/["'](\w+)["']/gu)].map(([, name = ""]) => name)),
  };
}

/**
 * Candidate names: first those by which the text calls its layouts, then usual ones, without those
 * in `there`.
 */
function namesFor(source: string, there: ReadonlySet<string>): readonly string[] {
  const called = [...layoutNames(source)].flatMap((layout) => {
    const calls = source.split(`${layout}(`).slice(1);
    const entries = calls.map((rest) => /^[^\n]*?\)(?!\s*,)/u.exec(rest)?.[0] ?? "");
    return entries.flatMap((text) => [...text.matchAll(/["']([A-Za-z_]\w*)["']/gu)]);
  });
  const names = new Set([...called.map(([, name = ""]) => name), ...usualNames]);
  return [...names].filter((name) => name !== "None" && !there.has(name));
}

function item(text: string, detail: string): CompletionItem {
  return { label: text, kind: "count", insert: text, detail, filter: text };
}
