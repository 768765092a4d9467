import fc from "fast-check";
import { expect, test } from "vitest";
import { answerTo } from "../commands.ts";
import { linkAnswer } from "./link.ts";
import { openAnswer } from "./open.ts";

const program = "mesh = Mesh(dp=2)\nx = Tensor((8, 4))\n";

test("what is linked opens as it was", () => {
  const made = answerTo("link", { program, planText: "p", name: "n", base: "b" });
  expect(made).toMatchObject({ ok: true, link: expect.stringMatching(/^#p=1\.0\./) });
  for (const link of [made.link, `https://example.org/${String(made.link)}`]) {
    expect(answerTo("open", { link })).toEqual({
      ok: true,
      program,
      planText: "p",
      name: "n",
      base: "b",
      version: 1,
      diagnostics: [],
    });
  }
});

test("a LoomGraph and its plan travel under the names of every other command", () => {
  const [example] = Object(answerTo("gallery", { name: "loom-convolution" }).examples);
  const { program: graph, planText } = example;
  const { link } = answerTo("link", { program: graph, planText });
  const opened = answerTo("open", { link });
  expect(opened).toMatchObject({ ok: true, program: graph, planText });
  expect(answerTo("open", { link: "#example=loom-convolution" })).toMatchObject({ planText });
  expect(answerTo("plan", { ...opened }).mesh).toEqual([
    ["rows", 2],
    ["cols", 2],
  ]);
});

test("plain forms open too", () => {
  const link = `#src=${encodeURIComponent(program)}`;
  expect(answerTo("open", { link })).toMatchObject({ ok: true, program, version: 1 });
  const [first] = Object(answerTo("gallery", {}).examples);
  expect(answerTo("open", { link: `#example=${first.name}` })).toMatchObject({
    ok: true,
    program: first.program,
  });
});

test.each([
  ["hello", "not-a-link"],
  ["https://example.org/", "not-a-link"],
  ["#example=nothing", "not-a-link"],
  ["#p=9.0.1.00000000.A", "newer"],
  ["#p=1.0.9.00000000.A", "damaged"],
  [`#p=1.0.9.00000000.${"A".repeat(70_000)}`, "too-large"],
])("a link that cannot be opened says why: %#", (link, refusal) => {
  expect(answerTo("open", { link })).toMatchObject({
    ok: false,
    refusal,
    diagnostics: [{ severity: "error", code: `share/${refusal}` }],
  });
});

test("a program that is too large for a link is refused", () => {
  expect(answerTo("link", { program: "a".repeat(300_000) })).toMatchObject({
    ok: false,
    refusal: "too-large",
  });
});

test.each([
  ["link", {}],
  ["link", { program: 7 }],
  ["link", { program: "", name: 7 }],
  ["link", { program: "{}", planText: 7 }],
  ["open", {}],
  ["gallery", { name: "nothing" }],
])("%s %j is refused as a request", (command, args) => {
  expect(answerTo(command, args)).toMatchObject({ ok: false });
});

test("a link carries every character, or says which it left out", () => {
  const pieces = [
    "a",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\uFEFF",
    "\u2028",
    "\ud800",
    "\udc00",
    "😀",
    "\0",
  ];
  const unit = fc.constantFrom(...pieces, "\u0085", "\u202e", "\u001b", "é");
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (program) => {
      const { link, diagnostics } = linkAnswer({ program });
      const opened = openAnswer({ link });
      const isSame = opened.program === program;
      expect(isSame).toBe(diagnostics.length === 0);
      const said = diagnostics.map(({ message }) => message).join("");
      const missing = [...program].filter((each) => !String(opened.program).includes(each));
      for (const each of missing) {
        const point = each.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
        expect(said).toContain(`U+${point}`);
      }
    }),
  );
});

test("an example that is not there is refused with those that are", () => {
  const { diagnostics } = openAnswer({ link: "#example=nope" });
  expect(diagnostics[0]?.message).toMatch(
    /^there is no example "nope"; there are .*\btwo-matmuls, /,
  );
});
