import { expect, test } from "vitest";
import { compile, exportGraph } from "#compile";
import { printAnnotation } from "#core/dimops";

/** A program that registers a function by its annotation and calls it. */
function programOf(annotation: string, shapes: readonly (readonly number[])[], call: string) {
  const tensors = shapes.map((shape, at) => `x${at} = Tensor((${shape.join(", ")},))\n`);
  const parameters = call.split(", ").map((word, at) => (word.includes("=") ? word : `p${at}`));
  return `from nnscaler.graph.parser.register import register_op
@register_op("${annotation}")
def f(${parameters.join(", ")}):
    return p0
${tensors.join("")}y = f(${call})
`;
}

test.each`
  annotation                 | shapes              | call         | reason
  ${"a b -> a b"}            | ${[[4, 6]]}         | ${"x0"}      | ${undefined}
  ${"m^ kd+, kd+ n -> m^ n"} | ${[[4, 6], [6, 8]]} | ${"x0, x1"}  | ${undefined}
  ${"(h t) k -> h t k"}      | ${[[6, 5]]}         | ${"x0, t=3"} | ${undefined}
  ${"h t k -> (h t) k"}      | ${[[2, 3, 5]]}      | ${"x0"}      | ${undefined}
  ${"a a -> a"}              | ${[[4, 4]]}         | ${"x0"}      | ${undefined}
  ${"a -> a a"}              | ${[[4]]}            | ${"x0"}      | ${undefined}
  ${"4 k+, k+ d -> 8 d"}     | ${[[4, 2], [2, 3]]} | ${"x0, x1"}  | ${undefined}
  ${"* k+ -> *"}             | ${[[2, 3, 4]]}      | ${"x0"}      | ${undefined}
  ${"a b -> 1"}              | ${[[4, 6]]}         | ${"x0"}      | ${undefined}
  ${"?, a b -> a b"}         | ${[[3], [4, 6]]}    | ${"x0, x1"}  | ${undefined}
  ${"?, a b -> a b"}         | ${[[4, 6]]}         | ${"3, x0"}   | ${undefined}
  ${"a^ b -> ?"}             | ${[[4, 6]]}         | ${"x0"}      | ${'nothing is said of output "y0" ("?")'}
  ${"a b -> a b, ?"}         | ${[[4, 6]]}         | ${"x0"}      | ${'nothing is said of output "y1" ("?")'}
`("[5] $annotation written by hand comes back from its LoomGraph, or says $reason", (row) => {
  const compiled = compile(programOf(row.annotation, row.shapes, row.call));
  const [operator] = compiled.graph.operators;
  for (const form of ["closed", "open"] as const) {
    const { text, diagnostics } = exportGraph(compiled, { dialect: "op", form });
    const again = compile(text);
    expect(again.imported?.issues).toEqual([]);
    const said = diagnostics.map(({ message }) => message).join();
    if (row.reason !== undefined) {
      expect(diagnostics.map(({ code }) => code)).toContain("loom/no-signature");
      expect(said).toContain(
        `written without an index, so that it cannot be sharded: ${row.reason}`,
      );
      continue;
    }
    expect(said).toBe("");
    const [back] = again.graph.operators;
    expect(back && printAnnotation(back.annotation)).toBe(
      operator && printAnnotation(operator.annotation),
    );
    expect(again.imported?.operations[0]?.unsaid).toBeUndefined();
  }
});
