import { expect, test } from "vitest";
import { hopBetween, hopVolume } from "./adapter-hop.ts";
import { intraPath, rvdSpace } from "./adapter-path.ts";

const shape = [256, 128];

// dimops.md §6.1
test.each`
  from            | to              | path              | cost
  ${[1, 1, 2, 1]} | ${[1, 1, 1, 2]} | ${[]}             | ${8193}
  ${[1, 1, 2, 1]} | ${[2, 1, 1, 1]} | ${[]}             | ${16385}
  ${[1, 1, 2, 1]} | ${[1, 2, 1, 1]} | ${[[2, 1, 1, 1]]} | ${16386}
  ${[1, 2, 1, 1]} | ${[1, 1, 2, 1]} | ${[]}             | ${16385}
  ${[1, 2, 1, 1]} | ${[2, 1, 1, 1]} | ${[]}             | ${32769}
  ${[2, 1, 1, 1]} | ${[1, 2, 1, 1]} | ${[]}             | ${1}
  ${[2, 1, 1, 1]} | ${[1, 1, 2, 1]} | ${[]}             | ${1}
  ${[1, 1, 1, 4]} | ${[4, 1, 1, 1]} | ${[]}             | ${24577}
  ${[1, 1, 1, 4]} | ${[1, 1, 4, 1]} | ${[]}             | ${6145}
  ${[1, 1, 1, 4]} | ${[1, 1, 2, 2]} | ${[]}             | ${4097}
  ${[1, 1, 2, 2]} | ${[4, 1, 1, 1]} | ${[[2, 1, 1, 2]]} | ${24578}
  ${[1, 2, 1, 2]} | ${[4, 1, 1, 1]} | ${[[1, 1, 1, 4]]} | ${32770}
  ${[1, 2, 2, 1]} | ${[4, 1, 1, 1]} | ${[[1, 1, 4, 1]]} | ${32770}
  ${[1, 2, 2, 1]} | ${[1, 1, 1, 4]} | ${[[1, 1, 2, 2]]} | ${12290}
  ${[1, 4, 1, 1]} | ${[4, 1, 1, 1]} | ${[]}             | ${49153}
  ${[1, 4, 1, 1]} | ${[2, 1, 1, 2]} | ${[[1, 2, 1, 2]]} | ${32770}
  ${[4, 1, 1, 1]} | ${[1, 1, 2, 2]} | ${[[2, 1, 1, 2]]} | ${2}
  ${[2, 1, 1, 2]} | ${[1, 1, 4, 1]} | ${[[1, 1, 2, 2]]} | ${4098}
  ${[2, 1, 1, 2]} | ${[4, 1, 1, 1]} | ${[]}             | ${16385}
`("[§6.1] from $from to $to nnScaler goes over $path for $cost", ({ from, to, path, cost }) => {
  expect(intraPath(shape, from, to)).toEqual({ rvds: [from, ...path, to], cost });
});

test("[§6.1] six devices have hops by a factor that is no integer, which price at 1", () => {
  const [from, to] = [
    [1, 1, 2, 3],
    [1, 1, 3, 2],
  ];
  expect(intraPath([12, 12], from, to, { fractions: true })).toEqual({ rvds: [from, to], cost: 1 });
  expect(intraPath([12, 12], from, to)?.cost).toBeGreaterThan(1);
  const nodes = rvdSpace([12, 12], 6);
  const pairs = nodes.flatMap((a) => nodes.map((b) => [a, b] as const));
  const broken = pairs.filter(
    ([a, b]) =>
      intraPath([12, 12], a, b, { fractions: true })?.rvds.length === 2 && isFractional(a, b),
  );
  expect(broken).toHaveLength(10);
});

function isFractional(from: readonly number[], to: readonly number[]): boolean {
  return from.some((count, at) => count > (to[at] ?? 1) && count % (to[at] ?? 1) !== 0);
}

// dimops.md §6.1: elements sent by one group, of 32768 elements
test.each`
  from            | to              | primitive           | volume
  ${[1, 1, 4, 1]} | ${[4, 1, 1, 1]} | ${"all-gather"}     | ${3 * 8192}
  ${[1, 1, 4, 1]} | ${[2, 1, 2, 1]} | ${"all-gather"}     | ${8192}
  ${[1, 1, 4, 1]} | ${[1, 1, 1, 4]} | ${"all-to-all"}     | ${6144}
  ${[1, 4, 1, 1]} | ${[4, 1, 1, 1]} | ${"all-reduce"}     | ${49152}
  ${[1, 4, 1, 1]} | ${[1, 1, 4, 1]} | ${"reduce-scatter"} | ${24576}
  ${[4, 1, 1, 1]} | ${[1, 1, 4, 1]} | ${"chunk"}          | ${0}
  ${[4, 1, 1, 1]} | ${[1, 4, 1, 1]} | ${"value-chunk"}    | ${0}
  ${[1, 1, 4, 1]} | ${[1, 4, 1, 1]} | ${undefined}        | ${undefined}
`("[§6.1] the hop from $from to $to is $primitive of $volume", ({ from, to, ...row }) => {
  const hop = hopBetween(from, to);
  expect(hop?.primitive).toBe(row.primitive);
  expect(hop && hopVolume(hop, from, shape)).toBe(row.volume);
});

test("[§6.1] there are 35 layouts of a tensor with a dim of 8 on 8 devices, 69 on 16 and 121 on 32", () => {
  expect(rvdSpace([64, 64, 8], 8)).toHaveLength(35);
  expect(rvdSpace([64, 64, 8], 16)).toHaveLength(69);
  expect(rvdSpace([64, 64, 8], 32)).toHaveLength(121);
  expect(rvdSpace([64, 64, 64], 1)).toEqual([[1, 1, 1, 1, 1]]);
  expect(intraPath(shape, [1, 1, 2, 1], [1, 1, 2, 1])).toEqual({ rvds: [[1, 1, 2, 1]], cost: 0 });
});
