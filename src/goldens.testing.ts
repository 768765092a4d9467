import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { examples, models } from "#app/examples";
import { exampleText } from "#app/first-example";
import { createLanguageService, type LanguageService } from "#app/language-service";
import { answerTo, type PlainAnswer, plainAnswer } from "#cli";
import type { Diagnostic } from "#core/diagnostics";

/** A text whose whole outcome is frozen. */
export interface GoldenText {
  readonly name: string;
  readonly text: string;
}

/** Everything that is said of a text, by what it is: written out in full. */
export type Outcome = ReadonlyMap<string, unknown>;

/** The texts of files that list programs by name: `[{"name": …, "program": …}, …]`. */
export function textsOfFiles(paths: readonly string[]): readonly GoldenText[] {
  return paths.flatMap((path) => {
    const programs: readonly { readonly name: string; readonly program: string }[] = JSON.parse(
      readFileSync(path, "utf8"),
    );
    return programs.map(({ name, program }) => ({ name, text: program }));
  });
}

/** All examples, models, the programs of the conformance cases and the wrong programs, each text once. */
export function goldenTexts(): readonly GoldenText[] {
  const all = [
    ...examples.map((example) => ({ name: `example ${example.name}`, text: exampleText(example) })),
    ...models.map((model) => ({ name: `model ${model.name}`, text: exampleText(model) })),
    ...casePrograms(),
    ...wrongPrograms(),
  ];
  const names = new Map<string, string>();
  for (const { name, text } of all) if (!names.has(text)) names.set(text, name);
  return [...names].map(([text, name]) => ({ name, text }));
}

function casePrograms(): readonly GoldenText[] {
  const files = readdirSync("conformance").filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => {
    const { cases }: { readonly cases?: readonly Case[] } = JSON.parse(
      readFileSync(`conformance/${file}`, "utf8"),
    );
    return (cases ?? []).flatMap(({ id, request }) => {
      const text = request.args.program;
      return typeof text === "string" ? [{ name: `${file.replace(".json", "")} ${id}`, text }] : [];
    });
  });
}

interface Case {
  readonly id: string;
  readonly request: { readonly args: { readonly program?: unknown } };
}

function wrongPrograms(): readonly GoldenText[] {
  const programs: readonly { readonly title: string; readonly text: string }[] = JSON.parse(
    readFileSync("src/language/document/wrong-programs.json", "utf8"),
  );
  return programs.map(({ title, text }) => ({ name: `wrong ${title}`, text }));
}

/**
 * What is said of a text: diagnostics, plan by its parts, exports, and what an editor asks.
 *
 * @param isDrawn with its picture, which takes longer than all the rest
 */
export function outcomeOf(text: string, isDrawn: boolean): Outcome {
  const plan = answered("plan", { program: text });
  const parts = Object.entries(plan).filter(([key]) => key !== "diagnostics");
  const assistant = createLanguageService(() => 0);
  const { diagnostics } = assistant.compile(text);
  const words = wordsOf(text);
  return new Map<string, unknown>([
    ["diagnostics", diagnostics.map((each) => diagnosticLine(text, each))],
    ...parts.map(([key, value]) => [`plan.${key}`, value] as const),
    ["export.loom", answered("export", { program: text, to: "loom" })],
    ...(isDrawn ? [["export.svg", answered("export", { program: text, to: "svg" })] as const] : []),
    ["hovers", words.map((offset) => assistant.assist(text, { kind: "hover", offset }))],
    ["completions", completionsOf(assistant, text, words)],
  ]);
}

/** What is said of a model: its diagnostics and plan, for what an editor asks takes it too long. */
export function outcomeInBrief(text: string): Outcome {
  const request = { program: text };
  const answer = answerTo("plan", request);
  return new Map<string, unknown>([
    ["diagnostics", answer.diagnostics.map((each) => diagnosticLine(text, each))],
    ...Object.entries(plainAnswer(answer, request)).flatMap(([key, value]) =>
      key === "diagnostics" ? [] : [[`plan.${key}`, value] as const],
    ),
  ]);
}

function answered(command: string, args: Readonly<Record<string, unknown>>): PlainAnswer {
  return plainAnswer(answerTo(command, args), args);
}

/** A completion tries many texts: a few places stand for all. */
const completedPlaces = 4;

function completionsOf(
  assistant: LanguageService,
  text: string,
  words: readonly number[],
): readonly unknown[] {
  const step = Math.max(1, Math.ceil(words.length / completedPlaces));
  const places = [...words.filter((_, at) => at % step === 0).map((at) => at + 1), text.length];
  return places.map((offset) => assistant.assist(text, { kind: "complete", offset }));
}

/** Where each word of a text stands first. */
function wordsOf(text: string): readonly number[] {
  const first = new Map<string, number>();
  for (const { 0: word, index } of text.matchAll(/[A-Za-z_]\w*/g)) {
    if (!first.has(word)) first.set(word, index);
  }
  return [...first.values()];
}

function diagnosticLine(
  text: string,
  { code, severity, message, span, fixes }: Diagnostic,
): string {
  const place =
    span === undefined ? "nowhere" : `${lineAndColumn(text, span.from)}+${span.to - span.from}`;
  const titles = (fixes ?? []).map(({ title, edits }) => `${title} ${hashOf(edits)}`);
  return [`${severity} ${code} ${place}: ${message}`, ...titles].join(" → ");
}

/** Line and column, from 1. */
function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split("\n");
  return `${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

/**
 * An outcome in few lines: diagnostics in full, of the rest a hash each, so that a change shows
 * which text it touches and what of it.
 */
export function goldenLines(name: string, outcome: Outcome): readonly string[] {
  const hashes = [...outcome].flatMap(([key, value]) =>
    key === "diagnostics" ? [] : [`${key}=${hashOf(value)}`],
  );
  const diagnostics = outcome.get("diagnostics");
  const said = Array.isArray(diagnostics) ? diagnostics.map((line) => `  ${line}`) : [];
  return [`${name}: ${hashes.join(" ")}`, ...said];
}

function hashOf(value: unknown): string {
  return createHash("sha1")
    .update(JSON.stringify(value) ?? "")
    .digest("hex")
    .slice(0, 8);
}
