import { expect, test } from "vitest";
import { bindCall, entryOf, matrixDims } from "./index.ts";

test.each`
  name        | inputs                 | attributes                   | at   | dims
  ${"matmul"} | ${[[4, 3], [3, 5]]}    | ${{}}                        | ${1} | ${{ kept: 1, summed: 0 }}
  ${"matmul"} | ${[[4, 3], [3, 5]]}    | ${{}}                        | ${0} | ${{ kept: 0, summed: 1 }}
  ${"matmul"} | ${[[7, 4, 3], [3, 5]]} | ${{}}                        | ${1} | ${{ kept: 1, summed: 0 }}
  ${"matmul"} | ${[[7, 4, 3], [3, 5]]} | ${{}}                        | ${0} | ${undefined}
  ${"einsum"} | ${[[4, 3], [5, 3]]}    | ${{ equation: "ik,jk->ij" }} | ${1} | ${{ kept: 0, summed: 1 }}
  ${"einsum"} | ${[[4, 3], [5, 3]]}    | ${{ equation: "ik,jk->i" }}  | ${1} | ${undefined}
  ${"mul"}    | ${[[4, 3], [4, 3]]}    | ${{}}                        | ${1} | ${undefined}
`("of operand $at of $name($inputs) it is $dims", ({ name, inputs, attributes, at, dims }) => {
  const entry = entryOf(name);
  const bound = entry && bindCall(entry, { inputs, attributes });
  expect(bound?.ok && matrixDims(bound.value.call, at)).toEqual(dims);
});
