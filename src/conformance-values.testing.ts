import { createMesh, parseLayout, printLayout } from "#core/mesh";
import { isRecord } from "#core/records";

/** What plain comparison needs to know besides the two values. */
export interface Context {
  /** The mesh on which layout texts are read, as requests and answers write it. */
  readonly mesh: unknown;
  readonly devices: unknown;
  /** Of numbers, relative to what is wanted; 1e-9 of the larger of them and 1 when absent. */
  readonly tolerance?: number;
}

type Fields = Readonly<Record<string, unknown>>;
type Rule = (got: unknown, want: unknown, path: string, context: Context) => readonly string[];

/**
 * Where an answer lacks what a case names: objects by their named fields, lists item by item,
 * numbers to 1e-9; some fields have rules of their own. Empty when it holds.
 */
export function differences(
  got: unknown,
  want: unknown,
  path: string,
  context: Context,
): readonly string[] {
  if (Array.isArray(want)) return listDifferences(got, want, path, context);
  if (isRecord(want)) return fieldDifferences(got, want, path, context);
  const isSame = typeof want === "number" ? isNear(got, want, context) : got === want;
  return isSame ? [] : [unlike(path, got, want)];
}

/** One line on what was found instead of what was wanted. */
export function unlike(path: string, got: unknown, want: unknown): string {
  const short = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 300);
  return `${path}: got ${short(got)}, want ${short(want)}`;
}

/** Whether two numbers agree as a case says. */
function isNear(got: unknown, want: number, { tolerance }: Context): boolean {
  if (tolerance === undefined) return isClose(got, want, 1e-9);
  return typeof got === "number" && Math.abs(got - want) <= tolerance * Math.abs(want);
}

/** Whether two numbers agree to a tolerance, relative to the larger of them and 1. */
function isClose(got: unknown, want: number, tolerance: number): boolean {
  if (typeof got !== "number") return false;
  return Math.abs(got - want) <= tolerance * Math.max(1, Math.abs(got), Math.abs(want));
}

/** Whether two lists have the same members, in any order. */
export function sameSet(got: unknown, want: unknown): boolean {
  return JSON.stringify(sorted(got)) === JSON.stringify(sorted(want));
}

/** The rows of an answer that are objects. */
export function rowsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

const fieldRules: Readonly<Record<string, Rule>> = {
  layout: layoutDifferences,
  tensors: namedDifferences,
  operators: namedDifferences,
  contexts: namedDifferences,
  issues: issueDifferences,
  constraint: constraintDifferences,
};

function fieldDifferences(
  got: unknown,
  want: Fields,
  path: string,
  context: Context,
): readonly string[] {
  if (!isRecord(got)) return [unlike(path, got, want)];
  return Object.entries(want).flatMap(([key, item]) => {
    const inside = path === "" ? key : `${path}.${key}`;
    if (key === "groups") return groupDifferences(got, item, inside);
    const rule = Object.hasOwn(fieldRules, key) ? fieldRules[key] : undefined;
    return (rule ?? differences)(got[key], item, inside, context);
  });
}

function listDifferences(
  got: unknown,
  want: readonly unknown[],
  path: string,
  context: Context,
): readonly string[] {
  if (!Array.isArray(got) || got.length !== want.length) return [unlike(path, got, want)];
  return want.flatMap((item, at) => differences(got[at], item, `${path}[${at}]`, context));
}

/** Layouts compare as their canonical texts. */
function layoutDifferences(
  got: unknown,
  want: unknown,
  path: string,
  context: Context,
): readonly string[] {
  const canonical = (text: unknown) => canonicalLayoutText(text, context) ?? text;
  return canonical(got) === canonical(want) ? [] : [unlike(path, got, want)];
}

function canonicalLayoutText(text: unknown, { mesh, devices }: Context): string | undefined {
  if (typeof text !== "string" || !Array.isArray(mesh)) return undefined;
  const axes = mesh.map(([name, size]) => ({ name: String(name), size: Number(size) }));
  const ids = Array.isArray(devices) ? devices.map(Number) : undefined;
  const made = createMesh(axes, ids);
  if (!made.ok) return undefined;
  const layout = parseLayout(text, made.value);
  return layout.ok ? printLayout(layout.value) : undefined;
}

/** Items are found by `name`, or by `op` where there must be exactly one; others may be there. */
function namedDifferences(
  got: unknown,
  want: unknown,
  path: string,
  context: Context,
): readonly string[] {
  const rows = rowsOf(got);
  const isList = rowsOf(want).every((item) => item.name !== undefined || item.op !== undefined);
  const byName = rowsOf(want).some((item) => item.name !== undefined);
  const byOp = path === "operators" && rows.every((row) => row.name !== undefined);
  if (!isList || !(byName || byOp)) return differences(got, want, path, context);
  return rowsOf(want).flatMap((item) => {
    const key = item.name === undefined ? "op" : "name";
    const found = rows.filter((row) => row[key] === item[key]);
    const inside = `${path}.${String(item[key])}`;
    if (found.length !== 1) return [`${inside}: found ${found.length} times`];
    return differences(found[0], item, inside, context);
  });
}

/** In any order but in number: each wanted issue takes one that holds. */
function issueDifferences(
  got: unknown,
  want: unknown,
  path: string,
  context: Context,
): readonly string[] {
  const left = [...rowsOf(got)];
  if (left.length !== rowsOf(want).length) return [unlike(path, got, want)];
  return rowsOf(want).flatMap((item) => {
    const at = left.findIndex((row) => differences(row, item, path, context).length === 0);
    if (at < 0) return [unlike(path, left, item)];
    left.splice(at, 1);
    return [];
  });
}

function constraintDifferences(got: unknown, want: unknown, path: string): readonly string[] {
  const bare = (text: unknown) => String(text).replace(/Constraint$/, "");
  return bare(got) === bare(want) ? [] : [unlike(path, got, want)];
}

/** Groups in any order; the members of an all-reduce as a set, of other collectives in order. */
function groupDifferences(step: Fields, want: unknown, path: string): readonly string[] {
  const asSets = step.collective === "all-reduce";
  const members = (groups: unknown) =>
    Array.isArray(groups) && asSets ? groups.map(sorted) : groups;
  const [got, wanted] = [members(step.groups), members(want)];
  return sameSet(got, wanted) ? [] : [unlike(path, step.groups, want)];
}

function sorted(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
