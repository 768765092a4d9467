import { expect, test } from "vitest";
import { type Operand, tensorId } from "#core/ir";
import { contractsAxis } from "./contracts-axis.ts";

/** An operand from the identifiers of its dims: `m k` has two of one each. */
function operand(text: string): Operand {
  const dims = text.split(" ").map((name) => ({ identifiers: [name], splittable: name }));
  return { tensor: tensorId(text), dims };
}

test.each`
  inputs            | output   | isContraction
  ${["m k", "k n"]} | ${"m n"} | ${true}
  ${["m n", "m n"]} | ${"m n"} | ${false}
  ${["k k"]}        | ${"m"}   | ${false}
  ${["a b", "c b"]} | ${"d b"} | ${false}
  ${["1 a", "1 b"]} | ${"a b"} | ${false}
`("$inputs -> $output contracts: $isContraction", ({ inputs, output, isContraction }) => {
  const operands = inputs.map(operand);
  expect(contractsAxis({ inputs: operands, outputs: [operand(output)] })).toBe(isContraction);
});

test("every operand of a long list is read once", () => {
  let reads = 0;
  const inputs = Array.from({ length: 1_000 }, (_, at): Operand => {
    const each = operand(`a${at} b`);
    return {
      ...each,
      get dims() {
        reads += 1;
        return each.dims;
      },
    };
  });
  contractsAxis({ inputs, outputs: [operand("c b")] });
  expect(reads).toBe(1_000);
});
