import { expect, test } from "vitest";
import { gainText, isProven, provenSentence } from "./planned-words.ts";

test.each`
  before     | seconds | text
  ${2e-3}    | ${2e-3} | ${"as fast as yours"}
  ${2e-3}    | ${1e-3} | ${"2.00× as fast as yours"}
  ${1.01e-3} | ${1e-3} | ${"0.99 % less time than yours"}
  ${1e-3}    | ${0}    | ${"nothing takes time any more"}
  ${1}       | ${1e-4} | ${"10000× as fast as yours"}
`("a plan of $seconds s beside one of $before s is $text", ({ before, seconds, text }) => {
  expect(gainText({ before, seconds })).toBe(text);
});

test.each`
  bound     | isStopped | sentence
  ${1e-3}   | ${true}   | ${"Proven: under this model no even cut by whole axes is faster"}
  ${1e-3}   | ${false}  | ${"Proven: under this model no even cut by whole axes is faster"}
  ${0.9e-3} | ${true}   | ${"Stopped before the proof: a plan may be faster by 11 % at most under this model"}
  ${0.9e-3} | ${false}  | ${"A faster plan may exist: by 11 % at most under this model"}
  ${0}      | ${false}  | ${"A faster plan may exist: by how much is not known"}
`("a plan of 1 ms that none below $bound s can beat: $sentence", (row) => {
  const planned = { seconds: 1e-3, bound: row.bound };
  expect(provenSentence(planned, row.isStopped)).toBe(row.sentence);
  expect(isProven(planned)).toBe(row.sentence.startsWith("Proven"));
});

test("where not all strategies were weighed, the sentence says so", () => {
  const planned = { seconds: 1e-3, bound: 0.9e-3, joined: [["dp", "sp"], ["tp"]] };
  const sentence = provenSentence(planned);
  expect(sentence).toBe(
    "A faster plan may exist: by 11 % at most under this model; all strategies on this mesh are too many to weigh, so those were that cut by dp*sp, tp",
  );
});
