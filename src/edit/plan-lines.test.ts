import { expect, test } from "vitest";
import { planLines } from "./plan-lines.ts";

/**
 * Lines for wishes given as `name=said` pairs, with `!` before names that need a line; lines are
 * printed as `target=said`.
 */
function linesOf(words: string, usesWildcards = true): string {
  const all = words.split(" ").map((word) => {
    const [name = "", said = ""] = word.replace("!", "").split("=");
    return { name, said, isNeeded: word.startsWith("!") };
  });
  const lines = planLines(
    {
      needed: all.flatMap(({ name, isNeeded }) => (isNeeded ? [name] : [])),
      wanted: new Map(all.flatMap(({ name, said }) => (said === "" ? [] : [[name, said]]))),
      names: all.map(({ name }) => name),
      textOf: (said) => said,
    },
    usesWildcards,
  );
  return lines.map(({ target, said }) => `${target}=${said}`).join(" ");
}

test.each`
  names                                            | lines                    | why
  ${"!h=a !y=a"}                                   | ${"h=a y=a"}             | ${"variables stay apart"}
  ${"!l[0].q=a !l[1].q=a"}                         | ${"l[*].q=a"}            | ${"equal blocks"}
  ${"!l[0].q=a l[1].q=a"}                          | ${"l[*].q=a"}            | ${"what the others come to by themselves may be said too"}
  ${"!l[0].q=a l[1].q=b"}                          | ${"l[0].q=a"}            | ${"but not what they do not want"}
  ${"!l[0].q=a l[1].q="}                           | ${"l[0].q=a"}            | ${"nor of one of which nothing may be said"}
  ${"!l[0].q=a !l[1].q=a !l[2].q=b"}               | ${"l[*].q=a l[2].q=b"}   | ${"an exception"}
  ${"!l[0].q=a !l[1].q=a !l[0].k=a !l[1].k=a"}     | ${"l[*].*=a"}            | ${"names that differ in one part"}
  ${"!l[0].q=a !l[0].k=a l[0].v=b"}                | ${"l[0].q=a l[0].k=a"}   | ${"unless that means another"}
  ${"!n.ln1.w=a !n.ln1.b=a !n.ln2.w=a !n.ln2.b=a"} | ${"n.ln*=a"}             | ${"all of several modules"}
  ${"!n.a.x.w=a !n.b.y.w=a"}                       | ${"n.a.x.w=a n.b.y.w=a"} | ${"not where two parts differ"}
`("$why: $names", ({ names, lines }) => {
  expect(linesOf(names)).toBe(lines);
});

test("without wildcards each name has a line", () => {
  expect(linesOf("!l[0].q=a !l[1].q=a", false)).toBe("l[0].q=a l[1].q=a");
});
