import { expect, test } from "vitest";
import { compile } from "#compile";
import { drawingOf } from "./drawing.ts";

const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8))
y = matmul(x, Parameter((8, 8)))
strategy(y, m="dp")
z = matmul(y, Parameter((8, 8)))
strategy(z, m="mp")
`;

test("a comment anywhere leaves the drawing as it is", () => {
  const first = drawingOf(undefined, compile(text));
  const second = drawingOf(first, compile(`# above\n${text}# below`));
  expect(second?.drawn).toBe(first?.drawn);
  expect(second?.of.source).toBe(`# above\n${text}# below`);
});

test("another strategy leaves the parts of the drawing that it does not touch", () => {
  const first = drawingOf(undefined, compile(text))?.drawn;
  const next = compile(text.replace('strategy(z, m="mp")', 'strategy(z, n="mp")'));
  const second = drawingOf(first && { of: first, drawn: first }, next)?.drawn;
  expect(second).toEqual(next);
  expect(second).not.toBe(first);
  expect(second?.graph).toBe(first?.graph);
  expect(second?.mesh).toBe(first?.mesh);
  expect(second?.tensors[0]).toBe(first?.tensors[0]);
});

test("no version, no drawing", () => {
  expect(drawingOf(undefined, undefined)).toBeUndefined();
});
