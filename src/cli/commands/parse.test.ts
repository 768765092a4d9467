import { expect, test } from "vitest";
import { plainAnswer } from "../plain-answer.ts";
import { casesOf, shortfalls } from "./conformance.testing.ts";
import { inferAnswer } from "./infer.ts";
import { parseAnswer } from "./parse.ts";

test.each(["annotations", "dimops"])("every parse case of %s holds", (set) => {
  const cases = casesOf(set, "parse");
  expect(cases.length).toBeGreaterThan(100);
  const failed = cases.flatMap(({ id, request, expected }) => {
    const lacking = shortfalls(parseAnswer(request.args), expected);
    return lacking.length === 0 ? [] : [{ id, args: request.args, lacking }];
  });
  expect(failed).toEqual([]);
});

test("a fragment is read at its level", () => {
  expect(parseAnswer({ annotation: "(ab+ c^ d)", level: "dimension" })).toMatchObject({
    ok: true,
    canonical: "(ab+ c^ d^)",
  });
  expect(parseAnswer({ annotation: " a (b  c)", level: "shape" })).toMatchObject({
    ok: true,
    canonical: "a (b c^)",
    space: [
      [0, 0],
      [0, 1],
    ],
  });
  expect(parseAnswer({ annotation: "a b", level: "dimension" }).ok).toBe(false);
});

test.each([[{}], [{ annotation: 7 }], [{ annotation: "a -> a", level: "tensor" }]])(
  "a request of another form is refused: %j",
  (args) => {
    expect(parseAnswer(args)).toMatchObject({
      ok: false,
      diagnostics: [{ code: "cli/bad-request" }],
    });
  },
);

test("an annotation of 100 kB has at most 1,000 diagnostics listed, and says how many more", () => {
  const { ok, diagnostics } = plainAnswer(parseAnswer({ annotation: "(".repeat(100_000) }), {});
  expect(ok).toBe(false);
  expect(diagnostics.length).toBe(1_001);
  expect(diagnostics.at(-1)?.code).toBe("limits/more-diagnostics");
  expect(diagnostics.at(-1)?.message).toMatch(/^\d+ more diagnostics are not listed$/);
});

test("messages that quote a long annotation are shortened", () => {
  const annotation = `${"(a b) ".repeat(5_000)}-> a`;
  const args = { annotation, shapes: [Array.from({ length: 5_000 }, () => 6)] };
  const { diagnostics } = plainAnswer(inferAnswer(args), args);
  for (const { message } of diagnostics) expect(message.length).toBeLessThan(2_100);
});
