import { expect, test } from "vitest";
import { wholeText } from "./whole-text.ts";

test.each`
  operations | bytes      | seconds      | text
  ${120}     | ${800}     | ${0.2}       | ${"120 operations, 800 B, estimated 1 second at the pace measured here"}
  ${7.51e13} | ${1.45e11} | ${1e8}       | ${"75.1 T operations, 145 GB, estimated 3 years at the pace measured here; a page has no room for it"}
  ${8.2e9}   | ${1.6e9}   | ${130}       | ${"8.20 G operations, 1.60 GB, estimated 2 minutes at the pace measured here"}
  ${8.2e9}   | ${1.6e9}   | ${undefined} | ${"8.20 G operations, 1.60 GB, for how long is not known: no pace could be measured here"}
`("$operations operations, $bytes bytes: $text", ({ text, ...whole }) => {
  expect(wholeText(whole)).toBe(text);
});
