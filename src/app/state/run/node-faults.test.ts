import { expect, test } from "vitest";
import { compile } from "#compile";
import { programFaults } from "./node-faults.ts";

const head = `mesh = Mesh(dp=3, tp=2)
x = Tensor((8, 4))
w = Parameter((4, 6))
h = matmul(x, w)
y = relu(h)
z = gelu(y)
`;

test.each`
  what                            | line                             | faulty
  ${"nothing"}                    | ${'strategy(h, n="tp")'}         | ${""}
  ${"an axis that is used twice"} | ${'strategy(h, m="tp", n="tp")'} | ${"h error"}
  ${"pieces that are not equal"}  | ${'strategy(y, a="dp")'}         | ${"y warning"}
`("$what: $faulty", ({ line, faulty }) => {
  const faults = [...programFaults(compile(`${head}${line}\n`))];
  expect(faults.map(([id, { severity }]) => `${id} ${severity}`).join(", ")).toBe(faulty);
});

test("a fault where an operator is made is one of that operator", () => {
  const program = head.replace("gelu(y)", "mystery(y)");
  const faults = [...programFaults(compile(program))];
  expect(faults.map(([id, { severity }]) => `${id} ${severity}`)).toEqual(["z warning"]);
});
