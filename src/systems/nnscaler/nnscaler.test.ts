import { expect, test } from "vitest";
import { devicesInOrder } from "./assigned-levels.ts";
import { knowsFunction } from "./known-functions.ts";
import { checkPattern } from "./registration.ts";

test.each`
  path                                   | known
  ${"torch.matmul"}                      | ${true}
  ${"torch.nn.functional.relu"}          | ${true}
  ${"torch.relu"}                        | ${false}
  ${"torch.nn.functional.instance_norm"} | ${false}
  ${"torch.sort"}                        | ${false}
`("nnScaler knows $path: $known", ({ path, known }) => {
  expect(knowsFunction(path)).toBe(known);
});

test.each`
  pattern     | kind
  ${"import"} | ${undefined}
  ${"source"} | ${undefined}
  ${"copy"}   | ${"ValueError"}
`("code_impl_pattern=$pattern raises $kind", ({ pattern, kind }) => {
  expect(checkPattern(pattern)?.kind).toBe(kind);
});

/** `0 | 1 |` as one piece on device 0, one on device 1 and one without a device. */
function pieces(text: string) {
  return text.split("|").map((piece, index) => ({
    path: [index],
    devices: piece.trim() === "" ? [] : piece.trim().split(" ").map(Number),
  }));
}

test.each`
  text           | devices         | order
  ${"0 | 1"}     | ${[0, 1]}       | ${[0, 1]}
  ${"1 | 0"}     | ${[0, 1]}       | ${[1, 0]}
  ${" | "}       | ${[0, 1]}       | ${[0, 1]}
  ${"1 | "}      | ${[0, 1]}       | ${[1, 0]}
  ${" | "}       | ${[0, 1, 2, 3]} | ${[0, 1, 2, 3]}
  ${"0 2 | 1 3"} | ${[0, 1, 2, 3]} | ${[0, 2, 1, 3]}
  ${" | | "}     | ${[0, 1]}       | ${"uneven"}
  ${"0 | 1"}     | ${[0, 1, 2, 3]} | ${"uneven"}
  ${"0 | 0"}     | ${[0, 1]}       | ${"several"}
  ${"0 | 7"}     | ${[0, 1]}       | ${"unknown-device"}
`("pieces [$text] of devices $devices lie on $order", ({ text, devices, order }) => {
  expect(devicesInOrder(pieces(text), devices)).toEqual(order);
});
