import { tuple } from "#systems/arrays/python";
import type { Cell } from "./cell.ts";
import type { CellCollective, MindsporeClaims } from "./claims.ts";

/** Python lines with the compiler results expected for rank 0, to which `verify` compares. */
export function claimLines(
  { tensors }: Cell,
  { devices, operators, collectives, slices }: MindsporeClaims,
): readonly string[] {
  const calls = operators.map(
    ({ op, name, in_strategy }) =>
      `    ("${op}", ${JSON.stringify(in_strategy).replaceAll(",", ", ")}),  # ${name}`,
  );
  const sent = collectives.flatMap(({ op, tensor, groups }: CellCollective) =>
    groups
      .filter((group) => group.includes(0))
      .map((group) => `    ("${op}", ${listOf(group)}),  # of ${tensor}`),
  );
  const held = tensors.flatMap(({ name, role }) => {
    const shape = slices[name]?.[0]?.map(([start = 0, stop = 0]) => stop - start);
    return role === "parameter" && shape !== undefined ? [`"${name}": ${tuple(shape)}`] : [];
  });
  return [
    `DEVICES = ${devices}`,
    "# What the compiler must make of the cell for rank 0: primitives with the pieces of every dim of their",
    "# operands, collectives with their ranks, and shapes of parameters.",
    ...listLines("OPERATORS", calls),
    ...listLines("COLLECTIVES", sent),
    `PARAMETERS = {${held.join(", ")}}`,
  ];
}

function listLines(name: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [`${name} = []`] : [`${name} = [`, ...lines, "]"];
}

/** A Python list of ranks; a long group with a constant step is written as a range. */
function listOf(ranks: readonly number[]): string {
  const most = 16;
  const [first = 0, second = 1] = ranks;
  const step = second - first;
  const isRange = step > 0 && ranks.every((rank, at) => rank === first + at * step);
  return ranks.length > most && isRange
    ? `list(range(${first}, ${(ranks.at(-1) ?? 0) + 1}, ${step}))`
    : `[${ranks.join(", ")}]`;
}
