import { expect, test } from "vitest";
import { casesOf, shortfalls } from "./conformance.testing.ts";
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
