import { expect, test } from "vitest";
import { attributeReach } from "./bindings/primitive-attributes.ts";
import { checkParallelMode } from "./parallel-mode.ts";

test.each`
  mode                       | kind
  ${"semi_auto"}             | ${undefined}
  ${"sharding_propagation"}  | ${undefined}
  ${"recursive_programming"} | ${undefined}
  ${"semi"}                  | ${"ValueError"}
  ${undefined}               | ${"TypeError"}
`("parallel_mode=$mode raises $kind", ({ mode, kind }) => {
  expect(checkParallelMode(mode)?.kind).toBe(kind);
});

test.each`
  attribute                | operator       | acts
  ${"cross_batch"}         | ${"ReduceSum"} | ${true}
  ${"cross_batch"}         | ${"MatMul"}    | ${false}
  ${"skip_redistribution"} | ${"Reshape"}   | ${true}
  ${"manual_split"}        | ${"ReLU"}      | ${false}
  ${"anything"}            | ${"ReLU"}      | ${true}
`("$attribute acts on $operator: $acts", ({ attribute, operator, acts }) => {
  expect(attributeReach(attribute, operator) === undefined).toBe(acts);
});
