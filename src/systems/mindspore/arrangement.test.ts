import { expect, test } from "vitest";
import { commonRefinement, createMesh, partsOfMatrix } from "#core/mesh";
import { checkDeviceCount, checkPieces } from "./devices.ts";

// mindspore.md §3.2
test.each`
  matrices                  | refinement
  ${[[8, 4], [2, 16]]}      | ${[2, 4, 4]}
  ${[[2, 4], [4, 2]]}       | ${[2, 2, 2]}
  ${[[2, 3], [3, 2]]}       | ${undefined}
  ${[[4, 1, 1], [1, 1, 4]]} | ${[4]}
  ${[[1, 1]]}               | ${[]}
  ${[]}                     | ${[]}
`("$matrices refine to $refinement", ({ matrices, refinement }) => {
  expect(commonRefinement(matrices)).toEqual(refinement);
});

test.each`
  axes                | matrix       | parts
  ${{ d0: 4 }}        | ${[4, 1, 1]} | ${["d0", "", ""]}
  ${{ d0: 2, d1: 2 }} | ${[4]}       | ${["d0 d1"]}
  ${{ d0: 4 }}        | ${[2, 2]}    | ${["d0:(1)2", "d0:(2)2"]}
  ${{ a: 2, b: 6 }}   | ${[4, 3]}    | ${["a b:(1)2", "b:(2)3"]}
  ${{ a: 2, b: 3 }}   | ${[3, 2]}    | ${undefined}
`("on $axes the matrix $matrix consists of $parts", ({ axes, matrix, parts }) => {
  const sizes: [string, number][] = Object.entries(axes);
  const mesh = createMesh(sizes.map(([name, size]) => ({ name, size })));
  if (!mesh.ok) throw new Error("no mesh");
  const found = partsOfMatrix(mesh.value, matrix)?.map((list) =>
    list.map((part) => textOf(part, axes)).join(" "),
  );
  expect(found).toEqual(parts);
});

function textOf(
  part: {
    readonly kind: string;
    readonly axis?: string;
    readonly before?: number;
    readonly size?: number;
  },
  axes: Readonly<Record<string, number>>,
): string {
  const name = part.axis ?? "";
  return part.size === axes[name] ? name : `${name}:(${part.before})${part.size}`;
}

test.each([1, 2, 4, 8, 24, 64])("%i devices compile", (devices) => {
  expect(checkDeviceCount(devices, undefined)).toEqual([]);
});

test.each([3, 6, 7, 12])("%i devices draw a RuntimeError of MindSpore as a warning", (devices) => {
  const [verdict] = checkDeviceCount(devices, undefined);
  expect(verdict).toMatchObject({ severity: "warning", upstream: "RuntimeError" });
});

test.each`
  matrix    | devices | fault
  ${[2, 2]} | ${8}    | ${undefined}
  ${[3, 1]} | ${8}    | ${'the strategy of "y" cuts into 3 pieces, which is no power of two'}
  ${[3, 2]} | ${6}    | ${undefined}
  ${[4, 4]} | ${8}    | ${'the strategy of "y" requires 16 devices, but there are 8'}
`("matrix $matrix on $devices devices: $fault", ({ matrix, devices, fault }) => {
  const found = checkPieces("y", matrix, devices, { from: 0, to: 1 });
  expect(found.map(({ message }) => message)).toEqual(fault === undefined ? [] : [fault]);
});
