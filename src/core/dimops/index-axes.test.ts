import { expect, test } from "vitest";
import type { Kwargs } from "./argument.ts";
import { type Bound, bindAnnotation } from "./bind.ts";
import { axesOf, type BoundDim } from "./index-axes.ts";
import { parseAnnotation } from "./parse.ts";

function boundOf(text: string, shapes: readonly (readonly number[])[], kwargs: Kwargs = {}): Bound {
  const parsed = parseAnnotation(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  const inputs = shapes.map((shape) => ({ kind: "tensor", shape }) as const);
  const bound = bindAnnotation(parsed.value, inputs, kwargs);
  if (!bound.ok) throw new Error(JSON.stringify(bound.diagnostics));
  return bound.value;
}

/** Dims as `(h:8 t:128)/h`: identifiers with sizes, and the splittable one after the slash. */
function printed(dims: readonly BoundDim[]): string {
  const texts = dims.map(({ identifiers, sizes, splittable: cut }) => {
    const parts = identifiers.map((name, index) => `${name}:${sizes[index]}`).join(" ");
    return `(${parts})${cut === undefined ? "" : `/${cut}`}`;
  });
  return texts.join(" ");
}

test.each`
  annotation              | shapes                 | kwargs      | axes                  | operands
  ${"m k+, k+ n -> m n"}  | ${[[2, 3], [3, 5]]}    | ${{}}       | ${"m:2 k+:3 n:5"}     | ${["(m:2)/m (k:3)/k", "(k:3)/k (n:5)/n", "(m:2)/m (n:5)/n"]}
  ${"* k^, n k^ -> * n"}  | ${[[2, 3, 4], [5, 4]]} | ${{}}       | ${"a:2 b:3 k^:4 n:5"} | ${["(a:2)/a (b:3)/b (k:4)", "(n:5)/n (k:4)", "(a:2)/a (b:3)/b (n:5)/n"]}
  ${"(h t) k -> h t k"}   | ${[[1024, 8]]}         | ${{ h: 8 }} | ${"h:8 t^:128 k:8"}   | ${["(h:8 t:128)/h (k:8)/k", "(h:8)/h (t:128) (k:8)/k"]}
  ${"(h t) k -> h t k"}   | ${[[128, 8]]}          | ${{ h: 1 }} | ${"h:1 t^:128 k:8"}   | ${["(h:1 t:128) (k:8)/k", "(h:1)/h (t:128) (k:8)/k"]}
  ${"(1 a) 4, ? -> a, ?"} | ${[[6, 4], [7]]}       | ${{}}       | ${"a:6"}              | ${["(1:1 a:6)/a (4:4)", "", "(a:6)/a", ""]}
`(
  "the index space of '$annotation' on $shapes with $kwargs",
  ({ annotation, shapes, kwargs, axes, operands }) => {
    const space = axesOf(boundOf(annotation, shapes, kwargs));
    expect(
      space.axes.map(({ name, size, reduction }) => `${name}${reduction}:${size}`).join(" "),
    ).toBe(axes);
    expect([...space.inputs, ...space.outputs].map(printed)).toEqual(operands);
  },
);
