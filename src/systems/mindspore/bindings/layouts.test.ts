import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../../../language/document/reading.testing.ts";

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

test.each`
  program                                                                                          | code                       | message
  ${"l = Layout((1000000000,), ('a',))"}                                                           | ${"mesh/too-many-devices"} | ${"1000000000 devices; at most 65536 are drawn"}
  ${"n = 100000\nl = Layout((1,) * n, tuple('a' + str(i) for i in range(n)))"}                     | ${"mesh/too-many-axes"}    | ${"100000 mesh axes; at most 64 are drawn"}
  ${"n = 100000\nl = Layout((2,) * n, tuple('a' + str(i) for i in range(n)))\nl(*['None'] * n)\n"} | ${"mesh/too-many-axes"}    | ${"100000 mesh axes; at most 64 are drawn"}
`("a layout that is too large to list is refused: $message", ({ program, code, message }) => {
  const { diagnostics } = readDocument(`from mindspore import Layout\n${program}`);
  expect(diagnostics[0]).toMatchObject({ severity: "error", code, message });
});

test.each`
  program                                                      | message
  ${"mesh = Mesh(dp=10**18)"}                                  | ${"1000000000000000000 devices; at most 65536 are drawn"}
  ${"mesh = Mesh(dp=10**18, mp=10**18)"}                       | ${"1000000000000000000000000000000000000 devices; at most 65536 are drawn"}
  ${"mesh = Mesh(**{'a' + str(i): 1 for i in range(100000)})"} | ${"100000 mesh axes; at most 64 are drawn"}
  ${"x = Tensor((2,) * 1000)"}                                 | ${"a tensor has at most 64 dims here, not 1000"}
`("$program is refused with its reason: $message", ({ program, message }) => {
  const { diagnostics } = readDocument(`${program}\ny = gelu(Tensor((8, 8)))\n`);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map((each) => each.message)).toContain(message);
});

test("name=(…) is read as alias_name, which MindSpore has instead, with the fix", () => {
  const text = layouts.replace('("dp", "sp", "mp")', 'name=("dp", "sp", "mp")');
  const read = readDocument(`${text}a = layout("mp", ("sp", "dp"))`);
  const [said, ...others] = read.diagnostics.filter(({ severity }) => severity !== "info");
  expect(others).toEqual([]);
  expect(said).toMatchObject({ severity: "warning", upstream: "TypeError" });
  expect(said?.fixes?.map(({ title }) => title)).toEqual(["Write alias_name"]);
  expect(read.mesh.mesh.axes.map(({ name }) => name)).toEqual(["dp", "sp", "mp"]);
});
