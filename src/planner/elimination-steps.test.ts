import { expect, test } from "vitest";
import { createEliminationMemory } from "./elimination-memory.ts";
import { stepsOf } from "./elimination-steps.ts";
import type { Table, Variable } from "./table.ts";
import { TooWide } from "./too-wide.ts";

/** Variables of one size; every pair has a table whose costs must not be read. */
function clique(count: number, size: number) {
  const variables = Array.from({ length: count }, (_, key): Variable => {
    return { cost: new Float64Array(size), key };
  });
  const identity = Int32Array.from({ length: size }, (_, value) => value);
  const tables = variables.flatMap((_, one) =>
    variables.slice(one + 1).map(
      (_other, more): Table => ({
        scope: [one, one + 1 + more],
        maps: [identity, identity],
        dims: [size, size],
        key: 100 + one * count + more,
        get cost(): Float64Array {
          throw new Error("costs are asked for");
        },
      }),
    ),
  );
  return { variables, tables };
}

const options = () => ({ memory: createEliminationMemory(), limit: 2e5, mayStay: false });

test("a network that is too wide is known as such before any cost is computed", () => {
  const { variables, tables } = clique(8, 11);
  expect(() => stepsOf(variables, tables, options())).toThrow(TooWide);
  const { steps, stays } = stepsOf(variables, tables, { ...options(), mayStay: true });
  expect(stays.length).toBeGreaterThan(0);
  expect(steps.length + stays.length).toBe(8);
});

test("one that is narrow enough has a step for each variable, and a result for each but the last", () => {
  const { variables, tables } = clique(5, 11);
  const { steps, stays } = stepsOf(variables, tables, options());
  expect(stays).toEqual([]);
  expect(steps.map(({ left }) => left?.dims.length ?? 0)).toEqual([4, 3, 2, 1, 0]);
});
