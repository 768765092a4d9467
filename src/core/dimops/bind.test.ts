import { expect, test } from "vitest";
import type { OpAnno } from "./annotation.ts";
import type { Argument, Kwargs } from "./argument.ts";
import { bindFirst } from "./bind.ts";
import { parseAnnotation } from "./parse.ts";
import { printAnnotation } from "./print.ts";

function annotationOf(text: string): OpAnno {
  const parsed = parseAnnotation(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  return parsed.value;
}

/** `(2,3) 5` is a tensor of shape 2×3 and the number 5; `()` is a scalar. */
function argumentsOf(text: string): readonly Argument[] {
  return text.split(" ").map((word): Argument => {
    if (!word.startsWith("(")) return { kind: "plain", value: Number(word) };
    const sizes = word.slice(1, -1).split(",").filter(Boolean);
    return { kind: "tensor", shape: sizes.map(Number) };
  });
}

/** The output shapes, or the error kind and the code behind the folder. */
function outcome(candidates: string, inputs: string, kwargs: Kwargs): string {
  const annotations = candidates.split("; ").map(annotationOf);
  const bound = bindFirst(annotations, argumentsOf(inputs), kwargs);
  if (bound.ok) return bound.value.outputs.map((shape) => `(${shape ?? "?"})`).join(" ");
  const { upstream, code } = bound.diagnostics[0] ?? { code: "" };
  return `${upstream} ${code.slice("dimops/".length)}`;
}

test.each`
  annotation                           | inputs               | kwargs                 | result
  ${"m k+, k+ n -> m n"}               | ${"(2,3) (3,5)"}     | ${{}}                  | ${"(2,5)"}
  ${"m k+, k+ n -> m n"}               | ${"(2,3) (4,5)"}     | ${{}}                  | ${"RuntimeError size-conflict"}
  ${"m k+, k+ n -> m n"}               | ${"(2,3,1) (3,5)"}   | ${{}}                  | ${"RuntimeError rank-mismatch"}
  ${"m k+, k+ n -> m n"}               | ${"(2,3)"}           | ${{}}                  | ${"RuntimeError input-count"}
  ${"* k+, n k+ -> * n"}               | ${"(2,3,4) (5,4)"}   | ${{}}                  | ${"(2,3,5)"}
  ${"* k+, n k+ -> * n"}               | ${"(4) (5,4)"}       | ${{}}                  | ${"(5)"}
  ${"* -> *"}                          | ${"()"}              | ${{}}                  | ${"(1)"}
  ${"*, * -> *"}                       | ${"(2,3) (2,4)"}     | ${{}}                  | ${"RuntimeError size-conflict"}
  ${"*, * -> *"}                       | ${"(1,3) (2,3)"}     | ${{}}                  | ${"RuntimeError size-conflict"}
  ${"*, * -> *"}                       | ${"(2,3) (3)"}       | ${{}}                  | ${"RuntimeError unequal-stars"}
  ${"*, * -> *"}                       | ${"(2,3) 5"}         | ${{}}                  | ${"RuntimeError star-needs-tensor"}
  ${"*, ? -> *"}                       | ${"(2,3) 5"}         | ${{}}                  | ${"(2,3)"}
  ${"*, ? -> *"}                       | ${"(2,3) (7,8)"}     | ${{}}                  | ${"(2,3)"}
  ${"*, ? -> *; ?, * -> *"}            | ${"5 (2,3)"}         | ${{}}                  | ${"(2,3)"}
  ${"a * b -> b * a"}                  | ${"(2,3,4,5)"}       | ${{}}                  | ${"(5,3,4,2)"}
  ${"a * b -> b * a"}                  | ${"(2,5)"}           | ${{}}                  | ${"(5,2)"}
  ${"a * b -> b * a"}                  | ${"(2)"}             | ${{}}                  | ${"RuntimeError rank-mismatch"}
  ${"a *, * a -> *"}                   | ${"(2,3,4) (3,4,2)"} | ${{}}                  | ${"(3,4)"}
  ${"* * -> * *"}                      | ${"(2,3,4)"}         | ${{}}                  | ${"(2,3,4)"}
  ${"* * -> * *"}                      | ${"(2)"}             | ${{}}                  | ${"(2)"}
  ${"*+ k -> k"}                       | ${"(2,3,4)"}         | ${{}}                  | ${"(4)"}
  ${"a -> *"}                          | ${"(2)"}             | ${{}}                  | ${"AssertionError star-not-in-inputs"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ h: 8 }}            | ${"(8,128,8)"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ t: 8 }}            | ${"(128,8,8)"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{}}                  | ${"AssertionError cannot-infer"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ h: 7 }}            | ${"AssertionError indivisible-size"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ h: 8, t: 127 }}    | ${"RuntimeError product-mismatch"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ h: { float: 8 } }} | ${"ValueError size-not-integer"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ h: null }}         | ${"ValueError size-not-integer"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ h: 0 }}            | ${"ZeroDivisionError division-by-zero"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ h: true }}         | ${"(1,1024,8)"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}        | ${{ h: -8 }}           | ${"(-8,-128,8)"}
  ${"h t k -> h t k"}                  | ${"(8,128,8)"}       | ${{ h: 3 }}            | ${"(8,128,8)"}
  ${"(a b c) -> a b c"}                | ${"(24)"}            | ${{ a: 2, b: 3 }}      | ${"(2,3,4)"}
  ${"(a b c) -> a b c"}                | ${"(24)"}            | ${{ a: 2 }}            | ${"AssertionError cannot-infer"}
  ${"(a b c) -> a b c"}                | ${"(24)"}            | ${{ a: 5, b: 3 }}      | ${"AssertionError indivisible-size"}
  ${"(a b), a -> b"}                   | ${"(6) (2)"}         | ${{}}                  | ${"(3)"}
  ${"(a b), a -> b"}                   | ${"(6) (2)"}         | ${{ a: 3 }}            | ${"RuntimeError size-mismatch"}
  ${"a, (a b) -> b"}                   | ${"(2) (6)"}         | ${{ a: 3 }}            | ${"(3)"}
  ${"(a b), (b c), b -> a c"}          | ${"(6) (6) (3)"}     | ${{}}                  | ${"(2,2)"}
  ${"(a b), (b c), c -> a"}            | ${"(6) (6) (3)"}     | ${{}}                  | ${"AssertionError cannot-infer"}
  ${"(a b), (a b) -> a b"}             | ${"(6) (6)"}         | ${{ a: 2 }}            | ${"(2,3)"}
  ${"(a b), (a b) -> a b"}             | ${"(6) (8)"}         | ${{ a: 2 }}            | ${"RuntimeError product-mismatch"}
  ${"(a b) b -> a"}                    | ${"(6,3)"}           | ${{}}                  | ${"(2)"}
  ${"(a a) -> a"}                      | ${"(4)"}             | ${{}}                  | ${"AssertionError cannot-infer"}
  ${"(a a), a -> a"}                   | ${"(4) (2)"}         | ${{}}                  | ${"(2)"}
  ${"(a 4) -> a 4"}                    | ${"(8)"}             | ${{}}                  | ${"(2,4)"}
  ${"(a 4) -> a 4"}                    | ${"(6)"}             | ${{}}                  | ${"AssertionError indivisible-size"}
  ${"a 4 -> a 4"}                      | ${"(2,8)"}           | ${{}}                  | ${"RuntimeError size-mismatch"}
  ${"1 a -> a"}                        | ${"(2,4)"}           | ${{}}                  | ${"RuntimeError size-mismatch"}
  ${"a -> (a 4)"}                      | ${"(2)"}             | ${{}}                  | ${"(8)"}
  ${"a -> a h"}                        | ${"(2)"}             | ${{ h: 4 }}            | ${"TypeError output-without-size"}
  ${"a -> (a h)"}                      | ${"(2)"}             | ${{ h: 4 }}            | ${"TypeError output-without-size"}
  ${"? -> a"}                          | ${"5"}               | ${{}}                  | ${"TypeError output-without-size"}
  ${"a b -> a"}                        | ${"5"}               | ${{}}                  | ${"TypeError output-without-size"}
  ${"a a -> a"}                        | ${"(3,4)"}           | ${{}}                  | ${"RuntimeError size-conflict"}
  ${"? a, ? b -> a b"}                 | ${"(3,4) (2,5)"}     | ${{}}                  | ${"RuntimeError size-conflict"}
  ${"k+, k+ -> 1; m k+, k+ n -> m n"}  | ${"(3) (4)"}         | ${{}}                  | ${"RuntimeError size-conflict"}
  ${"k+, k+ -> 1; m k+, k+ n -> m n"}  | ${"(3,4) (4,2)"}     | ${{}}                  | ${"(3,2)"}
  ${"k+, k+ -> 1; m k+, k+ n -> m n"}  | ${"(3,4) (4)"}       | ${{}}                  | ${"RuntimeError no-candidate-fits"}
  ${"(a b) -> a b"}                    | ${"(0)"}             | ${{ a: 2 }}            | ${"(2,0)"}
  ${"(a b), a -> b"}                   | ${"(0) (0)"}         | ${{}}                  | ${"ZeroDivisionError division-by-zero"}
  ${"(a number), (b number) -> (a b)"} | ${"(1024) (2048)"}   | ${{ number: 128 }}     | ${"(128)"}
  ${"a b -> ?, 1"}                     | ${"(2,3)"}           | ${{}}                  | ${"(?) (1)"}
  ${"a -> "}                           | ${"(2)"}             | ${{}}                  | ${""}
  ${"a -> , a"}                        | ${"(2)"}             | ${{}}                  | ${"() (2)"}
  ${"007 7 -> 7"}                      | ${"(7,7)"}           | ${{}}                  | ${"(7)"}
`(
  "[2] '$annotation' on $inputs with $kwargs gives $result",
  ({ annotation, inputs, kwargs, result }) => {
    expect(outcome(annotation, inputs, kwargs)).toBe(result);
  },
);

test("a star that finds no letters left is an IndexError", () => {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"].join(" ");
  const shape = Array.from({ length: 28 }, () => 1);
  expect(outcome(`${letters} * -> *`, `(${shape})`, {})).toBe("IndexError no-letters-left");
});

test.each`
  annotation             | inputs               | expanded
  ${"* k+, n k+ -> * n"} | ${"(2,3,4) (5,4)"}   | ${"a b k+, n k+ -> a b n"}
  ${"a * b -> b * a"}    | ${"(2,3,4,5)"}       | ${"a c d b -> b c d a"}
  ${"a *, * a -> *"}     | ${"(2,3,4) (3,4,2)"} | ${"a b c, b c a -> b c"}
  ${"* * -> * *"}        | ${"(2,3,4)"}         | ${"a b * -> a b *"}
  ${"* * -> * *"}        | ${"(2)"}             | ${"* -> *"}
  ${"*+ k -> k"}         | ${"(2,3,4)"}         | ${"a+ b+ k -> k"}
  ${"* t -> a * t"}      | ${"(2,3,4)"}         | ${"b c t -> a b c t"}
`("[2] '$annotation' on $inputs expands to '$expanded'", ({ annotation, inputs, expanded }) => {
  const bound = bindFirst([annotationOf(annotation)], argumentsOf(inputs));
  const found = bound.ok ? bound.value.annotation : bound.expanded;
  expect(found && printAnnotation(found)).toBe(expanded);
});

test("every size that does not fit is reported, in the user's names and at its place", () => {
  const text = "m kd+, kd+ n, m 4 -> m n";
  const inputs: readonly Argument[] = [
    { kind: "tensor", shape: [2, 3], name: "x" },
    { kind: "tensor", shape: [4, 5], name: "w" },
    { kind: "tensor", shape: [3, 4] },
  ];
  const { diagnostics } = bindFirst([annotationOf(text)], inputs);
  expect(diagnostics.map(({ message, span }) => [message, span?.from])).toEqual([
    ['identifier "kd" is 3 in dim 1 of "x" but 4 in dim 0 of "w"', 7],
    ['identifier "m" is 2 in dim 0 of "x" but 3 in dim 0 of input 2', 14],
  ]);
  expect(diagnostics[0]?.related).toEqual([
    { message: '"kd" is 3 here', span: { from: 2, to: 5 } },
  ]);
});

test("a fault of one dim is not echoed by dims that share its identifiers", () => {
  const { diagnostics } = bindFirst(
    [annotationOf("(h t), (h t), 4 -> h")],
    argumentsOf("(6) (8) (5)"),
    { h: 4 },
  );
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'dim 0 of input 0, "(h t^)", does not divide: 6 % 4 != 0',
    '"4" is annotated, but dim 0 of input 2 is 5',
  ]);
});
