import fc from "fast-check";
import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { anchored, movedHints } from "./hint-anchors.ts";

const source = "x = Tensor((8, 4))\nh = relu(x)\n\ny = gelu(h)";
const hints = anchored(
  source,
  ["h =", "y ="].map((name) => ({ at: source.indexOf(name), runs: [{ text: name[0] ?? "" }] })),
);

/** The text with every hint inserted at its place. */
function shown(edit: { from: number; to: number; text: string }): string {
  const after = applyEdits(source, [edit]);
  return movedHints(hints, [edit], source).hints.reduceRight(
    (text, { to, hint }) => `${text.slice(0, to)}<${hint.runs[0]?.text}>${text.slice(to)}`,
    after,
  );
}

function at(text: string, by: string, behind = 0) {
  const from = source.indexOf(text) + behind;
  return { from, to: from, text: by };
}

test.each`
  what                           | edit                                                                       | after
  ${"nothing"}                   | ${at("x", "")}                                                             | ${"x = Tensor((8, 4))\nh = relu(x)<h>\n\ny = gelu(h)<y>"}
  ${"a word before"}             | ${at("h =", "# a\n")}                                                      | ${"x = Tensor((8, 4))\n# a\nh = relu(x)<h>\n\ny = gelu(h)<y>"}
  ${"a word in the line"}        | ${at("relu", "leaky_")}                                                    | ${"x = Tensor((8, 4))\nh = leaky_relu(x)<h>\n\ny = gelu(h)<y>"}
  ${"a word at its end"}         | ${at("relu(x)", " # b", 7)}                                                | ${"x = Tensor((8, 4))\nh = relu(x) # b<h>\n\ny = gelu(h)<y>"}
  ${"a line behind"}             | ${at("relu(x)", "\nz = 1", 7)}                                             | ${"x = Tensor((8, 4))\nh = relu(x)<h>\nz = 1\n\ny = gelu(h)<y>"}
  ${"the end taken away"}        | ${{ from: source.indexOf("(x)"), to: source.indexOf("y ="), text: "" }}    | ${"x = Tensor((8, 4))\nh = reluy = gelu(h)<y>"}
  ${"the line replaced"}         | ${{ from: source.indexOf("h ="), to: source.indexOf("\n\ny"), text: "z" }} | ${"x = Tensor((8, 4))\nz\n\ny = gelu(h)<y>"}
  ${"everything replaced"}       | ${{ from: 0, to: source.length, text: "another text\nof two lines" }}      | ${"another text\nof two lines"}
  ${"all of it, but for a line"} | ${{ from: 0, to: source.length, text: `oops = (\n${source}` }}             | ${"oops = (\nx = Tensor((8, 4))\nh = relu(x)<h>\n\ny = gelu(h)<y>"}
`("$what: hints go with their lines or go away", ({ edit, after }) => {
  expect(shown(edit)).toBe(after);
});

const edits = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(20),
    text: fc.constantFrom("", "a", "\n", "word", "one\ntwo", "\n\n", ")"),
  }),
  { minLength: 1, maxLength: 12 },
);

test("whatever is edited, every hint stands at the end of a line", () => {
  fc.assert(
    fc.property(edits, (all) => {
      let text = source;
      let left = hints;
      for (const { at: share, length, text: typed } of all) {
        const from = Math.floor(share * text.length);
        const edit = { from, to: Math.min(text.length, from + length), text: typed };
        left = movedHints(left, [edit], text).hints;
        text = applyEdits(text, [edit]);
        for (const { to } of left) expect(text[to] ?? "\n").toBe("\n");
      }
    }),
    { seed: 9, numRuns: 2_000 },
  );
});
