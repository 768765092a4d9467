import { expect, test } from "vitest";
import { checkAnnotation, lostIdentifiers } from "./check-annotation.ts";
import { parseAnnotation } from "./parse.ts";

// The warnings of each annotation, as `code@marked text`.
test.each`
  text                   | warned
  ${"m k+, k+ n -> m n"} | ${[]}
  ${"a b^ -> a"}         | ${[]}
  ${"a -> a, ?"}         | ${[]}
  ${"a -> a 4"}          | ${[]}
  ${"a -> a h, h"}       | ${["output-without-size@h", "output-without-size@h", "axis-lost@a"]}
  ${"a, b -> a b *"}     | ${["star-not-in-inputs@*"]}
  ${"a b, a -> b"}       | ${["axis-lost@a"]}
  ${"a, , b -> a b"}     | ${["input-without-dims@ "]}
  ${"(a *^) -> a"}       | ${["special-in-bracket@*^"]}
`("'$text' is read, but warned of $warned", ({ text, warned }) => {
  const parsed = parseAnnotation(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  const found = checkAnnotation(parsed.value).map(({ code, severity, span }) => {
    expect(severity).toBe("warning");
    return `${code.slice("dimops/".length)}@${text.slice(span?.from, span?.to)}`;
  });
  expect(found).toEqual(warned);
});

test("an identifier that any output lacks is lost, summed and frozen ones are not", () => {
  const parsed = parseAnnotation("a b+ c^ d -> a d, a");
  expect(parsed.ok && lostIdentifiers(parsed.value)).toEqual(["d"]);
});
