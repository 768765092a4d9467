import { expect, test } from "vitest";
import { layoutOf } from "../graph/layouts.testing.ts";
import { labelIn, type Notation } from "./notation.ts";

const three = "dp=2,sp=2,mp=2";

function written(notation: Notation, layout: string, mesh = three): string {
  return labelIn(notation, layoutOf(mesh, layout), ["b", "s", "f"])
    .map(({ text }) => text)
    .join("");
}

test.each`
  layout             | ours                      | book                      | jax                                        | dtensor
  ${"_,_,_"}         | ${"[b, s, f]"}            | ${"[b, s, f]"}            | ${"P(None, None, None)"}                   | ${"(R, R, R)"}
  ${"dp,_,mp"}       | ${"[b@dp, s, f@mp]"}      | ${"[b_dp, s, f_mp]"}      | ${"P('dp', None, 'mp')"}                   | ${"(S(0), R, S(2))"}
  ${"dp,sp*mp,_"}    | ${"[b@dp, s@(sp,mp), f]"} | ${"[b_dp, s_{sp,mp}, f]"} | ${"P('dp', ('sp', 'mp'), None)"}           | ${"(S(0), S(1), S(1))"}
  ${"_,mp*sp,_"}     | ${"[b, s@(mp,sp), f]"}    | ${"[b, s_{mp,sp}, f]"}    | ${"P(None, ('mp', 'sp'), None)"}           | ${"(R, S(1), _S(1))"}
  ${"dp,_,_|mp"}     | ${"[b@dp, s, f]{Σ mp}"}   | ${"[b_dp, s, f]{U_mp}"}   | ${"P('dp', None, None, unreduced={'mp'})"} | ${"(S(0), R, P(sum))"}
  ${"_,_,_|max(mp)"} | ${"[b, s, f]{max mp}"}    | ${"[b, s, f]{max mp}"}    | ${"[b, s, f]{max mp}"}                     | ${"(R, R, P(max))"}
`("$layout reads $book, $jax and $dtensor", ({ layout, ...expected }) => {
  const seen = (["ours", "book", "jax", "dtensor"] as const).map((each) => [
    each,
    written(each, layout),
  ]);
  expect(Object.fromEntries(seen)).toEqual(expected);
});

test("a piece of an axis is written in our words, whatever is asked", () => {
  expect(written("jax", "x:(2)4", "x=8")).toBe("[b@x:(2)4]");
  expect(written("dtensor", "x:(2)4", "x=8")).toBe("[b@x:(2)4]");
});
