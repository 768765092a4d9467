import { readFileSync } from "node:fs";
import { applyEdits, type Diagnostic } from "#core/diagnostics";
import { type CheckOptions, checkLoom } from "./check-loom.ts";

/** Number of runs of a property; 67 times as many in a soak. */
export function runs(count: number): { seed: number; numRuns: number } {
  const factor = process.env.SOAK === undefined ? 1 : 67;
  return { seed: 1, numRuns: count * factor };
}

interface Case {
  readonly id: string;
  readonly request: { readonly command: string; readonly args: { readonly program: string } };
  readonly expected: Readonly<Record<string, unknown>>;
}

/** LoomGraph texts of the conformance cases, with their check options. */
export const caseTexts: readonly (CheckOptions & {
  readonly id: string;
  readonly text: string;
  readonly isClean: boolean;
})[] = ["loom", "seeds"].flatMap((set) => {
  const { cases } = JSON.parse(readFileSync(`conformance/${set}.json`, "utf8")) as {
    cases: readonly Case[];
  };
  return cases
    .filter(({ request: { command, args } }) => command === "check" && args.program.startsWith("{"))
    .map(({ id, request: { args }, expected }) => {
      const { program: text, ...options } = args;
      return {
        id,
        text,
        isClean: expected.$clean === true || expected.no_errors === true,
        ...options,
      };
    });
});

/** The text of one conformance case. */
export function caseText(id: string): string {
  const found = caseTexts.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found.text;
}

/** The example on the page of the operation dialect. */
export const example = caseText("004-L75-example-json/0");

/** A UUID that ends in the given number: `1` gives `…0001`. */
export function id(number: number | string): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** A range from text such as `0:4 2:6`. */
function range(text: string): { start: number[]; end: number[] } {
  const pairs = text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => word.split(":").map(Number));
  return { start: pairs.map(([start = 0]) => start), end: pairs.map(([, end = 0]) => end) };
}

const base = "http://tensortapestry.org/schemas/loom/2024-01/";

/** Node type URI from its last word. */
export function nodeType(kind: string): string {
  return `${base}node_types.jsd#/nodes/${kind}`;
}

/** Tag key from its last word. */
function tagType(kind: string): string {
  return `${base}tag_types.jsd#/tags/${kind}`;
}

/** An `int32` tensor node with a range. */
export function tensor(number: number, label: string, cells: string): object {
  const body = { dtype: "int32", range: range(cells) };
  return { id: id(number), type: nodeType("Tensor"), label, body };
}

/** Selections from text such as `x=1[0:4]`: name, tensor and range. */
function selections(text: string): object {
  const entries = text
    .split(";")
    .filter((part) => part.trim() !== "")
    .map((part) => /^\s*(\w+)=(\d+)\[(.*)\]\s*$/.exec(part)?.slice(1) ?? []);
  const names = [...new Set(entries.map(([name = ""]) => name))];
  return Object.fromEntries(
    names.map((name) => [
      name,
      entries
        .filter(([other]) => other === name)
        .map(([, tensorNumber = "", cells = ""]) => ({
          tensorId: id(tensorNumber),
          range: range(cells),
        })),
    ]),
  );
}

/** An operation node whose selections are given as text. */
export function operation(
  number: number,
  label: string,
  inputs: string,
  outputs: string,
  tags?: object,
): object {
  const body = { kernel: "k", inputs: selections(inputs), outputs: selections(outputs) };
  return { id: id(number), type: nodeType("Operation"), label, body, ...(tags && { tags }) };
}

/** A shard of an operation. */
export function application(
  number: number,
  of: number,
  inputs: string,
  outputs: string,
  tags?: object,
): object {
  const body = { operationId: id(of), inputs: selections(inputs), outputs: selections(outputs) };
  return { id: id(number), type: nodeType("Application"), body, ...(tags && { tags }) };
}

/** A projection function from rows such as `1 0 + 3 x 2`. */
export function ipf(...rows: readonly string[]): object {
  const parsed = rows.map((row) => {
    const [sum = "", extent = "1"] = row.split("x");
    const [factors = "", offset = "0"] = sum.split("+");
    const coefficients = factors.split(" ").filter(Boolean).map(Number);
    return { coefficients, offset: Number(offset), extent: Number(extent) };
  });
  return {
    affineMap: {
      projection: parsed.map(({ coefficients }) => coefficients),
      offset: parsed.map(({ offset }) => offset),
    },
    shape: parsed.map(({ extent }) => extent),
  };
}

/** The tags of an index and, where given, a signature. */
export function tags(index: string, signature?: object): object {
  return {
    [tagType("IPFIndex")]: range(index),
    ...(signature && { [tagType("IPFSignature")]: signature }),
  };
}

/** A document with these nodes, as text. */
export function graph(...nodes: readonly object[]): string {
  return JSON.stringify({ id: id("a0"), nodes }, undefined, 1);
}

/** Diagnostics as `code at "the text of their span"`. */
export function said(text: string, diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, span }) => {
    const { from, to } = span ?? { from: 0, to: 0 };
    return `${code} at ${text.slice(from, to)}`;
  });
}

/** The text after the first fix of the first diagnostic that has one. */
export function mended(text: string, options: CheckOptions = {}): string {
  const fix = checkLoom(text, options).diagnostics.flatMap(({ fixes = [] }) => fixes)[0];
  return fix === undefined ? text : applyEdits(text, fix.edits);
}
