import type { PlainAnswer } from "#cli";
import { hasErrors } from "#core/diagnostics";
import { isRecord } from "#core/records";
import {
  type Context,
  differences,
  rowsOf,
  sameSet,
  unlike,
} from "./conformance-values.testing.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A request as `batch` takes it. */
export interface Request {
  readonly command: string;
  readonly args: Fields;
}

/** One conformance case. */
export interface Case {
  readonly id: string;
  readonly request: Request;
  readonly expected: Fields;
}

interface Given {
  readonly answer: PlainAnswer;
  readonly expected: Fields;
  readonly context: Context;
  readonly seconds: number;
}

/**
 * Every way in which an answer falls short of what a case expects; empty when it holds.
 *
 * @param seconds how long the answer took, for `$within`
 */
export function compare(
  request: Request,
  expected: Fields,
  answer: PlainAnswer,
  seconds = 0,
): readonly string[] {
  const { mesh = answer.mesh, devices } = request.args;
  const { tolerance } = expected;
  const context = { mesh, devices, ...(typeof tolerance === "number" && { tolerance }) };
  const given: Given = { answer, expected, context, seconds };
  return Object.entries(expected).flatMap(([key, want]) => {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined)
      return differences({ [key]: answer[key] }, { [key]: want }, "", given.context);
    return rule(given, want) ? [] : [unlike(key, seen(answer, key), want)];
  });
}

/** What to show beside a rule that does not hold. */
function seen(answer: PlainAnswer, key: string): unknown {
  if (key === "$ranges" || key === "$partial") return answer.slices;
  if (key === "collectives" || /^(steps|\$(steps|counts|total))$/.test(key)) return answer.steps;
  if (/^\$(front|dominates|least)$/.test(key)) return answer.front ?? answer.elements;
  if (/^\$(primitives|groups|mirrors?)$/.test(key)) return [answer.forward, answer.mirror];
  return answer.diagnostics.map(({ message, upstream }) => [message, upstream]);
}

/** The rules that are more than "this field is in the answer" (conformance/README.md). */
const rules: Readonly<Record<string, (given: Given, want: unknown) => boolean>> = {
  $upstream: carriesUpstream,
  upstream: carriesUpstream,
  diagnostics_any: ({ answer }, want) =>
    [want].flat().every((text) => isSaid(answer, String(text))),
  no_errors: ({ answer }, want) => hasErrors(answer.diagnostics) !== want,
  $clean: ({ answer }, want) => hasErrors(answer.diagnostics) !== want,
  $within: ({ seconds }, want) => seconds <= Number(want),
  $ranges: holdsRanges,
  $partial: ({ answer }, want) => rowsOf(answer.slices).every((row) => row.partial === want),
  $steps: ({ answer, context }, want) =>
    differences(answer.steps, want, "steps", context).length === 0,
  $counts: ({ answer }, want) =>
    sameSet(Object.entries(countsOf(answer)), Object.entries(Object(want))),
  $total: ({ answer }, want) => communicating(answer).length === want,
  $front: ({ answer }, want) => someFrontPoint(answer, want),
  $dominates: ({ answer }, want) => someFrontPoint(answer, want),
  $least: holdsLeast,
  $close: holdsClose,
  tolerance: () => true,
  steps: holdsSteps,
  collectives: holdsCollectives,
  $issues: holdsIssueCount,
  issue_paths: ({ answer }, want) =>
    [want].flat().every((text) => isInAnIssue(answer, String(text))),
  $primitives: ({ answer }, want) => namesOf(answer.forward) === JSON.stringify(want),
  $groups: holdsForwardGroups,
  $mirror: holdsMirrors,
  $mirrors: holdsMirrors,
  $slice: holdsSlice,
};

function carriesUpstream({ answer, expected }: Given, want: unknown): boolean {
  const wanted = [want].flat();
  return answer.diagnostics.some(
    ({ upstream, severity }) =>
      wanted.includes(upstream) && (expected.ok !== false || severity === "error"),
  );
}

/** A text of one character must stand as a word; longer ones anywhere, case aside. */
function isSaid(answer: PlainAnswer, text: string): boolean {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const isWord = text.length === 1 && /\w/.test(text);
  const pattern = new RegExp(isWord ? `\\b${escaped}\\b` : escaped, "i");
  return answer.diagnostics.some(({ message }) => pattern.test(message));
}

/** By device id: its ranges, or a list of them where a device has several rows. */
function holdsRanges({ answer, context }: Given, want: unknown): boolean {
  const rows = rowsOf(answer.slices);
  const devices = [...new Set(rows.map((row) => String(row.device)))];
  const found = devices.map((device) => {
    const held = rows.filter((row) => String(row.device) === device).map(({ ranges }) => ranges);
    return [device, held.length === 1 ? held[0] : held];
  });
  const isSame = differences(Object.fromEntries(found), want, "", context).length === 0;
  return isSame && found.length === Object.keys(Object(want)).length;
}

function communicating(answer: PlainAnswer): readonly Fields[] {
  return rowsOf(answer.steps).filter(
    ({ collective }) => collective !== "operator" && collective !== "slice",
  );
}

function countsOf(answer: PlainAnswer): Readonly<Record<string, number>> {
  if (isRecord(answer.collectives)) return answer.collectives as Readonly<Record<string, number>>;
  const kinds = communicating(answer).map(({ collective }) => String(collective));
  return Object.fromEntries(
    [...new Set(kinds)].map((kind) => [kind, kinds.filter((each) => each === kind).length]),
  );
}

/** A list names exactly these steps, in order; an object gives a count per kind. */
function holdsCollectives({ answer, context }: Given, want: unknown): boolean {
  if (Array.isArray(want)) {
    return differences(communicating(answer), want, "collectives", context).length === 0;
  }
  const counts = countsOf(answer);
  return Object.entries(Object(want)).every(([kind, count]) => (counts[kind] ?? 0) === count);
}

/** Of a plan the steps of the tensors that are named, slices too; of anything else all steps. */
function holdsSteps({ answer, context }: Given, want: unknown): boolean {
  const names = new Set(rowsOf(want).map(({ tensor }) => tensor));
  const isPlan = answer.operators !== undefined;
  const rows = rowsOf(answer.steps).filter(
    ({ collective, tensor }) =>
      !isPlan || (collective !== "operator" && (names.size === 0 || names.has(tensor))),
  );
  return differences(rows, want, "steps", context).length === 0;
}

function someFrontPoint(answer: PlainAnswer, want: unknown): boolean {
  const bounds = Object.entries(Object(want)).map(([key, bound]) => [key, Number(bound)] as const);
  return rowsOf(answer.front).some((point) =>
    bounds.every(([key, bound]) => Number(point[key]) <= bound),
  );
}

function holdsLeast({ answer }: Given, want: unknown): boolean {
  const [bound, factor] = [want].flat();
  const elements = Number(answer.elements);
  if (bound === 0 || typeof bound !== "number") return true;
  return elements >= bound && (typeof factor !== "number" || elements <= bound * factor);
}

function holdsClose({ answer }: Given, want: unknown): boolean {
  return Object.entries(Object(want)).every(([path, pair]) => {
    const [value, tolerance] = [pair].flat();
    const got = path
      .split(".")
      .reduce<unknown>((inside, key) => (isRecord(inside) ? inside[key] : undefined), answer);
    if (typeof got !== "number") return false;
    return Math.abs(got - Number(value)) <= Number(tolerance) * Math.abs(Number(value));
  });
}

function holdsIssueCount({ answer }: Given, want: unknown): boolean {
  const { type, count } = Object(want);
  const issues = rowsOf(answer.issues);
  return issues.length === count && issues.every((issue) => issue.type === type);
}

function isInAnIssue(answer: PlainAnswer, text: string): boolean {
  const contexts = rowsOf(answer.issues).flatMap((issue) => rowsOf(issue.contexts));
  return contexts.some(({ path }) => String(path).includes(text));
}

function namesOf(forward: unknown): string {
  return JSON.stringify(rowsOf(forward).map(({ primitive }) => primitive));
}

function holdsForwardGroups({ answer }: Given, want: unknown): boolean {
  const groups = rowsOf(answer.forward).map(({ group }) => group);
  const wanted = [want].flat(1);
  return groups.length === wanted.length && groups.every((group, at) => sameSet(group, wanted[at]));
}

function holdsMirrors({ answer }: Given, want: unknown): boolean {
  const wanted = Object.entries(Object(want));
  const mirrors = rowsOf(answer.mirror);
  const groupOf = (input: string) => mirrors.find((row) => String(row.input) === input)?.group;
  return (
    mirrors.length === wanted.length &&
    wanted.every(([input, group]) => sameSet(groupOf(input), group))
  );
}

function holdsSlice({ answer, context }: Given, want: unknown): boolean {
  const { input, shape } = Object(want);
  const slices = Array.isArray(answer.input_slices) ? answer.input_slices : [];
  return differences(slices[Number(input)], shape, "", context).length === 0;
}
