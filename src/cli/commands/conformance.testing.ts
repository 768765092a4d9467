import { readFileSync } from "node:fs";
import type { Answer, Arguments } from "./answer.ts";

/** A request with the fields expected in its answer. */
export interface Case {
  readonly id: string;
  readonly request: { readonly command: string; readonly args: Arguments };
  readonly expected: Readonly<Record<string, unknown>>;
}

/** The cases of one command in a conformance set, without the set's written exceptions. */
export function casesOf(set: string, command: string): readonly Case[] {
  const file = JSON.parse(readFileSync(`conformance/${set}.json`, "utf8")) as {
    readonly cases: readonly Case[];
  };
  return file.cases.filter((each) => each.request.command === command);
}

/** Every difference between an answer and the expected fields; empty when there is none. */
export function shortfalls(answer: Answer, expected: Case["expected"]): readonly string[] {
  return Object.entries(expected).flatMap(([key, want]) => {
    if (key === "$upstream" || key === "upstream") {
      const wanted = [want].flat();
      const said = answer.diagnostics.filter((each) => answer.ok || each.severity === "error");
      return said.some((each) => wanted.includes(each.upstream)) ? [] : [`${key}: ${String(want)}`];
    }
    return differences(answer[key], want, key);
  });
}

/** Parts of `want` that `got` lacks: objects by their named fields, lists item by item. */
function differences(got: unknown, want: unknown, path: string): readonly string[] {
  if (Array.isArray(want)) {
    if (!Array.isArray(got) || got.length !== want.length) return [said(path, got, want)];
    return want.flatMap((item, index) => differences(got[index], item, `${path}[${index}]`));
  }
  if (typeof want === "object" && want !== null) {
    if (typeof got !== "object" || got === null) return [said(path, got, want)];
    const fields = got as Readonly<Record<string, unknown>>;
    return Object.entries(want).flatMap(([key, item]) =>
      differences(fields[key], item, `${path}.${key}`),
    );
  }
  if (typeof want === "number" && typeof got === "number") {
    return Math.abs(got - want) <= 1e-9 ? [] : [said(path, got, want)];
  }
  return got === want ? [] : [said(path, got, want)];
}

function said(path: string, got: unknown, want: unknown): string {
  return `${path}: got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`;
}
