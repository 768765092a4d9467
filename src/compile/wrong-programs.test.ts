import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { applyEdits, type Diagnostic } from "#core/diagnostics";
import { compile } from "./compile.ts";

/** A text with a common mistake, and the expected diagnostic. */
interface Wrong {
  readonly title: string;
  /** A public thread about the mistake: `owner/repository#number`. */
  readonly reference?: string;
  /** The mistake in that thread, in short. */
  readonly mistake?: string;
  readonly text: string;
  readonly code: string;
  /** The text that the diagnostic marks. */
  readonly covers: string;
  readonly message: string;
  /** The title of the first fix. */
  readonly fix?: string;
}

const programs: readonly Wrong[] = JSON.parse(
  readFileSync("src/language/document/wrong-programs.json", "utf8"),
);

/** The diagnostic of the text with this code; a forbidding rule may be appended to its message. */
function found(text: string, { code, message }: Wrong): Diagnostic | undefined {
  const { diagnostics } = compile(text);
  return diagnostics.find((each) => each.code === code && each.message.startsWith(message));
}

test("there are at least 40 of them with a fix, each another mistake", () => {
  expect(programs.filter(({ fix }) => fix !== undefined).length).toBeGreaterThanOrEqual(40);
  expect(new Set(programs.map(({ title }) => title)).size).toBe(programs.length);
});

test("at least 60 of them with a fix were made by people in public threads", () => {
  const made = programs.filter(({ reference }) => reference !== undefined);
  expect(made.filter(({ fix }) => fix !== undefined).length).toBeGreaterThanOrEqual(60);
  for (const { reference, mistake } of made) {
    expect(reference).toMatch(/^[\w.-]+\/[\w.-]+#[1-9]\d*$/);
    expect(mistake).toMatch(/\S/);
  }
  expect(new Set(made.map(({ reference }) => reference)).size).toBe(made.length);
});

test.each(programs)("$title: $message", (wrong) => {
  const { text, covers, fix } = wrong;
  const said = found(text, wrong);
  expect(said).toBeDefined();
  expect(text.slice(said?.span?.from, said?.span?.to)).toBe(covers);
  expect(said?.fixes?.[0]?.title).toBe(fix);
});

test.each(programs.filter(({ fix }) => fix !== undefined))(
  "the fix of $title leaves no error and none of it",
  (wrong) => {
    let { text } = wrong;
    for (let round = 0; round < 5; round += 1) {
      const edits = found(text, wrong)?.fixes?.[0]?.edits;
      if (edits === undefined) break;
      text = applyEdits(text, edits);
    }
    const { diagnostics } = compile(text);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(found(text, wrong)).toBeUndefined();
  },
);
