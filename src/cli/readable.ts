import { fieldOf, isRecord } from "#core/records";
import type { PlainDiagnostic } from "./plain-answer.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An answer for people: one line per fact, a table for rows, problems at the end. */
export function readable(answer: Fields, diagnostics: readonly PlainDiagnostic[]): string {
  const facts = Object.entries(answer).filter(
    ([key, value]) => key !== "diagnostics" && key !== "ok" && value !== undefined,
  );
  const lines = facts.flatMap(([key, value]) => factLines(key, value));
  return [...lines, ...diagnostics.map(problemLine), verdict(answer)].join("\n");
}

function factLines(key: string, value: unknown): readonly string[] {
  if (isTable(value)) return [`${key}:`, ...tableLines(value).map((line) => `  ${line}`), ""];
  if (isRecord(value)) {
    return [
      `${key}:`,
      ...Object.entries(value).map(([name, each]) => `  ${name}: ${cell(each)}`),
      "",
    ];
  }
  const text = cell(value);
  return text.includes("\n") ? [`${key}:`, text] : [`${key}: ${text}`];
}

function problemLine({ line, column, severity, message, code }: PlainDiagnostic): string {
  return `${line}:${column} ${severity}: ${message} [${code}]`;
}

function verdict(answer: Fields): string {
  return answer.ok === true ? "ok" : "not ok";
}

/** Rows with aligned columns; a column is listed if some row has it. */
function tableLines(rows: readonly Fields[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [names, ...rows.map((row) => names.map((name) => short(cell(fieldOf(row, name)))))];
  const widths = names.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function cell(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Most characters of a cell; the JSON answer has its whole text. */
const maxCellLength = 60;

function short(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  if (rest.length === 0 && first.length <= maxCellLength) return first;
  return `${first.slice(0, maxCellLength - 1)}…`;
}

function isTable(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}
