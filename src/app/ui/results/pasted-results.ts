import {
  type GradedResult,
  type Lesson,
  type LessonResult,
  readLesson,
  readResult,
} from "#app/lessons";
import { decodeText } from "#app/share";

/** The most links that are read at once, and the most characters of a paste. */
const [mostLinks, mostPasted] = [1_000, 8_000_000];

/** One link of what was pasted, with the line that it stands in, from 1. */
export type PastedLink = { readonly line: number; readonly name: string } & (
  | { readonly kind: "result"; readonly result: LessonResult }
  /** A lesson from a link, to which results in other lines may belong. */
  | { readonly kind: "lesson"; readonly lesson: Lesson }
  | { readonly kind: "fault"; readonly why: string }
);

const link = /[^\s,;"']*#(?:result|lesson)=[^\s,;"'<>]*/gu;

/**
 * Reads pasted links, each with the rest of its line as a name. A line without a whole link becomes
 * a fault. Never throws.
 */
export function readPasted(text: string): readonly PastedLink[] {
  if (text.length > mostPasted) {
    const why = `more than ${mostPasted} characters were pasted: nothing was read`;
    return [{ line: 1, name: "", kind: "fault", why }];
  }
  const found = text
    .split("\n")
    .flatMap((line, at) => (line.trim() === "" ? [] : readLine(line, at + 1)));
  if (found.length <= mostLinks) return found;
  const line = found[mostLinks]?.line ?? 1;
  const why = `more than ${mostLinks} links were pasted: from this line on none was read`;
  return [...found.slice(0, mostLinks), { line, name: "", kind: "fault", why }];
}

/** The most characters of a name that are shown. */
const mostName = 120;

function readLine(text: string, line: number): readonly PastedLink[] {
  const links = text.match(link) ?? [];
  const name = text
    .replaceAll(link, " ")
    .replaceAll(/[\s,;|:"'<>]+/gu, " ")
    .trim()
    .slice(0, mostName);
  if (links.length === 0) return [{ line, name, kind: "fault", why: "no result link stands here" }];
  return links.map((each) => ({ line, name, ...readLink(each) }));
}

type Read = PastedLink extends infer Each
  ? Each extends PastedLink
    ? Omit<Each, "line" | "name">
    : never
  : never;

function readLink(text: string): Read {
  if (text.includes("#lesson=")) return readLessonLink(text);
  const unpacked = decodeText("result", text);
  if (unpacked.kind === "refused") return { kind: "fault", why: unpacked.message };
  const read = readResult(unpacked.text);
  return read.ok ? { kind: "result", result: read.result } : { kind: "fault", why: read.why };
}

function readLessonLink(text: string): Read {
  const body = decoded(
    text.slice(text.indexOf("#lesson=") + "#lesson=".length).split("&")[0] ?? "",
  );
  const unpacked = body.startsWith("{")
    ? ({ kind: "text", text: body } as const)
    : decodeText("lesson", text);
  if (unpacked.kind === "refused") return { kind: "fault", why: unpacked.message };
  const read = readLesson(unpacked.text);
  if (read.ok) return { kind: "lesson", lesson: read.lesson };
  return { kind: "fault", why: `the lesson cannot be read: ${read.faults[0]}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A row of the table: a graded result, or the reason why there is none. */
export interface ResultRow {
  readonly line: number;
  readonly name: string;
  readonly lesson: string;
  readonly graded?: GradedResult;
  readonly fault?: string;
}

/** The columns of the table, by their headings; the last holds notes. */
export const columns = [
  ...["Line", "Name", "Lesson", "Right answers", "Asked", "Goals met", "Goals", "Stars", "Score"],
  "Notes",
] as const;

/** The cells of a row: a number, or undefined where it is unknown. */
export function cellsOf({
  line,
  name,
  lesson,
  graded,
  fault,
}: ResultRow): readonly (string | number | undefined)[] {
  const { right, asked, met, goals, stars, share, notes = [] } = graded ?? {};
  const score = share === undefined ? undefined : Math.floor(share * 1000) / 1000;
  const said = [...(fault === undefined ? [] : [fault]), ...notes].join("; ");
  return [line, name, lesson, right, asked, met, goals, stars, score, said];
}

/** Rows ordered by a column; rows without a value there are last in either direction. */
export function sortedRows(
  rows: readonly ResultRow[],
  column: number,
  isDown: boolean,
): readonly ResultRow[] {
  const by = isDown ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [one, other] = [cellsOf(a)[column], cellsOf(b)[column]];
    if (one === undefined || other === undefined || one === "" || other === "") {
      return Number(one === undefined || one === "") - Number(other === undefined || other === "");
    }
    const isNumber = typeof one === "number" && typeof other === "number";
    const order = isNumber ? one - other : String(one).localeCompare(String(other), "en");
    return by * order || a.line - b.line;
  });
}

/**
 * The table as CSV (RFC 4180); a cell that a spreadsheet would take for a formula is quoted as
 * text.
 */
export function csvOf(rows: readonly ResultRow[]): string {
  const lines = [columns, ...rows.map(cellsOf)];
  return lines.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

function csvCell(value: string | number | undefined): string {
  if (typeof value !== "string") return value === undefined ? "" : String(value);
  const safe = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
