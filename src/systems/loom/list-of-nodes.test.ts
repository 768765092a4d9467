import { expect, test } from "vitest";
import { readDocument } from "#systems";

test.each`
  text                                  | isMeant
  ${"[]"}                               | ${true}
  ${'\n [{"id": "a"}, {"id": "b"}] \n'} | ${true}
  ${"[1, 2]"}                           | ${false}
  ${"[{}][0]"}                          | ${false}
  ${'x = [{"id": "a"}]'}                | ${false}
`("$text is a list where a graph was meant: $isMeant", ({ text, isMeant }) => {
  const codes = readDocument(text).diagnostics.map(({ code }) => code);
  expect(codes.includes("loom/not-an-object")).toBe(isMeant);
});
