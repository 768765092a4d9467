import { expect, test } from "vitest";
import { reading } from "../reading.testing.ts";

const layouts = 'from mindspore import Layout\nlayout = Layout((2, 2, 2), ("dp", "sp", "mp"))\n';

test.each`
  text                                                                                                                       | tensors          | placed
  ${`${layouts}a = layout("mp", ("sp", "dp"))`}                                                                              | ${"a[2,4]"}      | ${"a=mp,sp*dp"}
  ${`${layouts}a = layout("None", "dp")\nb = layout(("dp", "None"))`}                                                        | ${"a[1,2] b[2]"} | ${"a=_,dp b=dp"}
  ${layouts}                                                                                                                 | ${""}            | ${""}
  ${'mesh = Mesh(dp=2, mp=4)\nl = layout("mp", None)'}                                                                       | ${"l[4,1]"}      | ${"l=mp,_"}
  ${`${layouts}x = Tensor((8, 8))\na = layout("mp", "dp")`}                                                                  | ${"x[8,8]"}      | ${""}
  ${'from mindspore import Layout\nl = Layout((4, 2), ("d", "interleaved_parallel"))\na = l(("d", "interleaved_parallel"))'} | ${"a[8]"}        | ${"a=d*~2"}
`("$text alone is drawn as $placed", ({ text, tensors, placed }) => {
  expect(reading(text)).toMatchObject({ tensors, placed, said: [] });
});

test("a called Layout places a tensor as a layout of the mesh does", () => {
  const text = `${layouts}x = Tensor((8, 8))\nplace(x, layout("mp", ("sp", "dp")))`;
  expect(reading(text)).toMatchObject({ placed: "x=mp,sp*dp", said: [] });
});
