import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import type { Document } from "#language/document";
import { createDocumentReader, readDocument } from "#systems";
import { compileDocument } from "./compile.ts";
import { createDocumentCompiler } from "./document-compiler.ts";

const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8))
y = matmul(x, Parameter((8, 8)))
strategy(y, m="dp")
z = gelu(y)
`;

test("what an edit does not change are the same objects, and its words are its own", () => {
  const compileNext = createDocumentCompiler();
  const first = compileNext(readDocument(text));
  const second = compileNext(readDocument(`${text}q`));
  const { source, diagnostics, ...same } = second;
  expect(source).toBe(`${text}q`);
  expect(diagnostics).not.toEqual(first.diagnostics);
  for (const [part, value] of Object.entries(same)) expect(first).toHaveProperty(part, value);
  expect(second.program).toBe(first.program);
  expect(second.plan).toBe(first.plan);
});

test("through all edits everything lies on one mesh, so that layouts need not be gone through", () => {
  const [read, compileNext] = [createDocumentReader(), createDocumentCompiler()];
  const trained = `${text}loss = z.sum()\ntrain(loss)\n`;
  const anew = trained.replace("gelu(y)", 'gelu(y)\nstrategy(z, d0="mp")');
  const texts = [trained, anew, `# why\n${anew}`, `# why\n${trained}`, trained, anew];
  for (const source of texts) {
    const { mesh, plan, program } = compileNext(read(source));
    const meshes = [...plan.operators.values()].map((each) => each.mesh);
    const placed = [...plan.placements.values()].map(({ layout }) => layout.mesh);
    const held = program.values.map(({ layout }) => layout.mesh);
    for (const each of [plan.mesh, ...meshes, ...placed, ...held])
      expect(each === mesh.mesh).toBe(true);
  }
});

const pieces = [
  "# why\n",
  "q",
  "dp",
  "2",
  '"',
  "\n",
  "gelu(",
  "strategy(z, a=1)\n",
  "train(z)\n",
  " ",
];
const typed = fc.record({
  kind: fc.constant("typed"),
  at: fc.nat(2_000),
  removed: fc.nat(3),
  added: fc.constantFrom("", ...pieces),
});
/** An edit of lines: deleted, duplicated or moved, so that most texts stay programs. */
const moved = fc.record({ kind: fc.constantFrom("gone", "twice", "later"), at: fc.nat(200) });
const edit = fc.oneof(typed, moved);

function edited(
  source: string,
  change: typeof edit extends fc.Arbitrary<infer T> ? T : never,
): string {
  if ("added" in change) {
    const from = change.at % (source.length + 1);
    return source.slice(0, from) + change.added + source.slice(from + change.removed);
  }
  const lines = source.split("\n");
  const at = change.at % lines.length;
  const [line = "", next = ""] = lines.slice(at, at + 2);
  if (change.kind === "gone") lines.splice(at, 1);
  else if (change.kind === "twice") lines.splice(at, 0, line);
  else lines.splice(at, 2, next, line);
  return lines.join("\n");
}

/** Spans of the text's requests. */
function placesOf({ strategyCalls, variables }: Document) {
  const calls = [...strategyCalls].map(([id, { span }]) => [id, span]);
  return [calls, [...variables].map(([name, { span }]) => [name, span])];
}

test("after any edits it says what is said of the text anew", () => {
  const programs = [text, ...examples.map(({ program }) => program)];
  fc.assert(
    fc.property(
      fc.constantFrom(...programs),
      fc.array(edit, { maxLength: 4 }),
      (program, edits) => {
        const [read, compileNext] = [createDocumentReader(), createDocumentCompiler()];
        let source = program;
        const first = compileDocument(readDocument(program));
        for (const change of edits) {
          // Every other version is the unchanged program, as after an undo.
          expect(compileNext(read(program))).toEqual(first);
          source = edited(source, change);
          const document = read(source);
          const fresh = readDocument(source);
          expect(compileNext(document)).toEqual(compileDocument(fresh));
          expect(placesOf(document)).toEqual(placesOf(fresh));
        }
      },
    ),
    { seed: 1, numRuns: process.env["SOAK"] ? 2_000 : 20 },
  );
});

test("the same text again is the last document, and another one between them is read anew", () => {
  const read = createDocumentReader();
  const [text = "", other = ""] = examples.map(({ program }) => program);
  const document = read(text);
  expect(read(text)).toBe(document);
  expect(read(other).source).toBe(other);
  expect(read(text)).not.toBe(document);
  expect(read(text)).toEqual(expect.objectContaining({ graph: document.graph }));
});
