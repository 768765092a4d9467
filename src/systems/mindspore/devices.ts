import { product } from "#core/arithmetic";
import type { Diagnostic, Span } from "#core/diagnostics";
import { append } from "#core/records";

/**
 * MindSpore's verdict on a number of devices: 1, 2, 4 or a multiple of 8, else nothing compiles
 * (mindspore.md §2.2, item 0). The plan can still be drawn, so this is a warning.
 */
export function checkDeviceCount(devices: number, span: Span | undefined): readonly Diagnostic[] {
  if ([1, 2, 4].includes(devices) || devices % 8 === 0) return [];
  return [
    {
      code: "mindspore/device-count",
      severity: "warning",
      message: `MindSpore runs on 1, 2, 4 or a multiple of 8 devices, not on ${devices}`,
      upstream: "RuntimeError",
      ...(span !== undefined && { span }),
    },
  ];
}

/**
 * The last checks of a strategy (mindspore.md §2.2, items 5 and 7): each number of pieces is a
 * power of two if the number of devices is one, and the product of the device matrix divides the
 * number of devices.
 */
export function checkPieces(
  operator: string,
  matrix: readonly number[],
  devices: number,
  span: Span,
): readonly Diagnostic[] {
  const needed = product(matrix);
  const odd = isPowerOfTwo(devices) ? matrix.find((size) => !isPowerOfTwo(size)) : undefined;
  const message =
    odd !== undefined
      ? `the strategy of "${operator}" cuts into ${odd} pieces, which is no power of two`
      : devices % needed !== 0
        ? `the strategy of "${operator}" requires ${needed} devices, but there are ${devices}`
        : undefined;
  if (message === undefined) return [];
  return [
    {
      code: "mindspore/strategy-refused",
      severity: "error",
      message,
      span,
      upstream: "RuntimeError",
    },
  ];
}

const devicesPerNode = 8;

/**
 * Whether MindSpore's device manager accepts a communication group (mindspore.md §2.2, item 0): the
 * same places on every node of 8 devices. On one node 1, 2, 4 or 8 places are allowed; 2 must lie
 * in one half or opposite each other, 4 must fill a half or form opposite pairs.
 */
export function isFeasibleGroup(group: readonly number[]): boolean {
  const nodes = new Map<number, number[]>();
  for (const rank of [...group].sort((a, b) => a - b)) {
    const node = Math.floor(rank / devicesPerNode);
    append(nodes, node, rank % devicesPerNode);
  }
  const [first = [], ...others] = nodes.values();
  return others.every((each) => each.join() === first.join()) && isFeasibleOnNode(first);
}

function isFeasibleOnNode(places: readonly number[]): boolean {
  const half = devicesPerNode / 2;
  const [a = 0, b = 0, c = 0, d = 0] = places;
  const isPair = (one: number, other: number) => other - one === half;
  const isOneHalf = Math.floor(a / half) === Math.floor((places.at(-1) ?? 0) / half);
  if (places.length === 2) return isOneHalf || isPair(a, b);
  if (places.length === 4) return isOneHalf || (c % half === a % half && d % half === b % half);
  return places.length === 1 || places.length === devicesPerNode;
}

function isPowerOfTwo(number: number): boolean {
  return Number.isInteger(Math.log2(number));
}
