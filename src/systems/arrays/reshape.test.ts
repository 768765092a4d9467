import { expect, test } from "vitest";
import { compile } from "#compile";
import type { WrittenCode } from "#systems";
import { randomProgram } from "../../execute/verify/random-program.testing.ts";
import { writeCode } from "../code.testing.ts";

const joined = `mesh = Mesh(d=2, e=2)
x = Tensor((8, 4, 6))
y = reshape(x, (8, 24))
z = reshape(y, (8, 4, 3, 2))
strategy(y, a="d", b="e")
strategy(z, a="d", b="e")
`;

function textOf(written: WrittenCode): string {
  return written.ok ? written.files[0].text : written.reason;
}

test.each(["jax", "torch"])("a reshape is one for %s, on whole tensors and on blocks", (target) => {
  const text = textOf(writeCode(compile(joined), target));
  const found = [...text.matchAll(/^ +([yz]) = (.*)$/gm)].map(([, name, code]) => [name, code]);
  expect(found).toEqual([
    ["y", "x.reshape((8, 24))"],
    ["z", "y.reshape((8, 4, 3, 2))"],
    ["y", "x.reshape((4, 12))"],
    ["z", "y.reshape((4, 2, 3, 2))"],
  ]);
});

test("every random program has a form for JAX and PyTorch", () => {
  const programs = Array.from({ length: 120 }, (_, seed) => randomProgram(seed + 1));
  const refused = programs
    .filter(({ devices }) => devices.length <= 8)
    .flatMap((program) =>
      ["jax", "torch"].flatMap((target) => {
        const written = writeCode({ program }, target);
        return written.ok ? [] : [`${target}: ${written.reason}`];
      }),
    );
  expect(refused).toEqual([]);
});
