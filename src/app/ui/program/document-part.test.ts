import { expect, test } from "vitest";
import type { OpenDocument } from "#app/state";
import { joinTexts, splitTexts } from "#language/texts";
import {
  diagnosticsInPart,
  spanInPart,
  startOfPart,
  textOfPart,
  withPart,
} from "./document-part.ts";

function documentOf(source: string): OpenDocument {
  const texts = splitTexts(source);
  return { source, opening: 0, ...(texts !== undefined && { texts }) };
}

const graph = documentOf(joinTexts('{ "id": 1 }', "mesh = Mesh(mp=2)\n"));

test("a graph's editors show its JSON and its plan, a program's the whole", () => {
  expect(textOfPart(graph, "json")).toBe('{ "id": 1 }');
  expect(textOfPart(graph, "plan")).toBe("mesh = Mesh(mp=2)\n");
  expect(textOfPart(documentOf("x = 1\n"), "program")).toBe("x = 1\n");
});

test.each`
  part         | text         | after
  ${"json"}    | ${"{}"}      | ${"{}\n# plan\nmesh = Mesh(mp=2)\n"}
  ${"plan"}    | ${"# none"}  | ${'{ "id": 1 }\n# plan\n# none'}
  ${"plan"}    | ${""}        | ${'{ "id": 1 }'}
  ${"json"}    | ${"x = 1\n"} | ${"x = 1\n"}
  ${"program"} | ${"y"}       | ${"y"}
`("typing $text into $part makes one text", ({ part, text, after }) => {
  expect(withPart(graph, part, text)).toBe(after);
});

test("a place is in the part where it stands, and counts from its beginning", () => {
  const from = startOfPart(graph, "plan");
  const inPlan = { from, to: from + 4 };
  const inJson = { from: 2, to: 6 };
  expect(spanInPart(graph, "plan", inPlan)).toEqual({ from: 0, to: 4 });
  expect(spanInPart(graph, "json", inPlan)).toBeUndefined();
  expect(spanInPart(graph, "json", inJson)).toEqual(inJson);
  expect(spanInPart(graph, "plan", inJson)).toBeUndefined();
  const diagnostics = [inPlan, inJson].map(
    (span) => ({ code: "plan/uneven-split", severity: "error", message: "", span }) as const,
  );
  expect(diagnosticsInPart(graph, "plan", diagnostics).length).toBe(1);
  expect(diagnosticsInPart(graph, "program", diagnostics).length).toBe(2);
});
