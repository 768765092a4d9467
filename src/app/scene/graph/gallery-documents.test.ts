import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { printLayout } from "#core/mesh";
import { galleryDrawing } from "../gallery.ts";
import { glyphOf } from "../glyph/glyph.ts";
import { rowsOf } from "../rows.ts";

function exampleOf(name: string) {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return example;
}

/** Content of a figure's card: tensors with their layouts, and the redistributions between them. */
function card(name: string) {
  const { program, shows } = exampleOf(name);
  const compiled = compile(program);
  const drawing = galleryDrawing(compiled, shows);
  return {
    isSound: !hasErrors(compiled.diagnostics),
    tensors: drawing.tensors.map(({ name: own, drawn }) => `${own} ${printLayout(drawn.layout)}`),
    between: drawing.between?.map(({ collective, axes }) =>
      [collective, ...axes.map(({ text }) => text)].join(" "),
    ),
    devices: drawing.deviceCount,
  };
}

test.each`
  figure                                     | name                        | devices | tensors                                                      | between
  ${"two MatMuls on four cards"}             | ${"mindspore-net"}          | ${4}    | ${["y d0,_", "y _,_"]}                                       | ${["all-gather d0"]}
  ${"two MatMuls on two cards"}              | ${"mindspore-two-nodes"}    | ${2}    | ${["y d0,_", "y _,_"]}                                       | ${["all-gather d0"]}
  ${"a matrix on two nodes, in three ways"}  | ${"mindspore-layouts-two"}  | ${2}    | ${["rows d,_", "columns _,d", "replicated _,_"]}             | ${undefined}
  ${"a matrix on four nodes, in four ways"}  | ${"mindspore-layouts-four"} | ${4}    | ${["both r,c", "replicated _,_", "rows r,_", "columns _,c"]} | ${undefined}
  ${"one matrix in two orders of the ranks"} | ${"mindspore-rank-order"}   | ${8}    | ${["a mp,sp*dp", "b dp,sp*mp"]}                              | ${undefined}
  ${"the higher-order MatMul"}               | ${"mindspore-higher-order"} | ${8}    | ${["y mp,_|dp,sp", "y mp*sp*dp,_"]}                          | ${["reduce-scatter dp sp"]}
  ${"the interleaved MatMul"}                | ${"mindspore-interleaved"}  | ${4}    | ${["y dp*~2,_|mp", "y dp*~2,_"]}                             | ${["all-reduce mp"]}
  ${"nnScaler's annotated operator"}         | ${"nnscaler-matmul"}        | ${2}    | ${["x _,tp", "w tp,_", "out _,_|tp"]}                        | ${undefined}
`("the card of $figure shows $tensors", ({ name, devices, tensors, between }) => {
  expect(card(name)).toEqual({ isSound: true, devices, tensors, between });
});

test("row 0 of the matrix lies on ranks 0, 4, 2, 6, and by its strategy on 0, 1, 2, 3", () => {
  const { tensors } = galleryDrawing(compile(exampleOf("mindspore-rank-order").program));
  const firstRow = tensors.map(({ drawn: drawnTensor }) =>
    rowsOf(drawnTensor, drawnTensor)
      .filter(({ ranges }) => ranges[0]?.start === 0)
      .sort((one, other) => (one.ranges[1]?.start ?? 0) - (other.ranges[1]?.start ?? 0))
      .map(({ device }) => device),
  );
  expect(firstRow).toEqual([
    [0, 4, 2, 6],
    [0, 1, 2, 3],
  ]);
  const ids = tensors.map(({ drawn }) =>
    glyphOf(drawn, { width: 280, height: 120 }, { showIds: true }).marks.flatMap((mark) =>
      mark.kind === "text" && mark.style === "id" ? [mark.text] : [],
    ),
  );
  expect(ids[0]).toEqual(["0", "4", "2", "6", "1", "5", "3", "7"]);
});

test.each`
  name                           | sends
  ${"redistribution-two-nodes"}  | ${["all-to-all", "all-gather", "slice"]}
  ${"redistribution-four-nodes"} | ${["all-gather"]}
`("the figure of $name has its steps: $sends", ({ name, sends }) => {
  const { program } = compile(exampleOf(name).program);
  const kinds = program.stages[0]?.steps.flatMap((step) =>
    step.kind === "collective" ? [step.collective] : [],
  );
  expect(kinds).toEqual(expect.arrayContaining(sends));
});
