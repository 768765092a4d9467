import { expect, test } from "vitest";
import { compile } from "#compile";
import { chooseTables, type DrawnTable } from "./choose-tables.ts";

const { graph, tensors } = compile("x = Tensor((4, 4))\ny = gelu(x)\nz = gelu(y)\nw = gelu(z)\n");
const all: readonly DrawnTable[] = graph.tensors.flatMap((tensor) => {
  const view = tensors.find((each) => each.tensor === tensor.id);
  return view === undefined ? [] : [{ id: tensor.id, tensor, layout: view.layout }];
});
const namesOf = (tables: readonly DrawnTable[]) => tables.map(({ tensor }) => tensor.name).join("");

/** Standing tables from their names; an upper-case name stands for outdated contents. */
const standing = (names: string) =>
  new Map(
    all.flatMap((each) => {
      const { id, name } = each.tensor;
      if (names.includes(name)) return [[id, each] as const];
      return names.includes(name.toUpperCase())
        ? [[id, { ...each, layout: { ...each.layout } }] as const]
        : [];
    }),
  );

test.each`
  stand    | selected | room | written
  ${""}    | ${"x"}   | ${2} | ${"xy"}
  ${"xy"}  | ${"x"}   | ${1} | ${"xyz"}
  ${"xy"}  | ${"x"}   | ${9} | ${"xyzw"}
  ${"xy"}  | ${"w"}   | ${0} | ${"xyw"}
  ${"xW"}  | ${"x"}   | ${1} | ${"xw"}
  ${"xYW"} | ${"w"}   | ${2} | ${"xyw"}
  ${"XY"}  | ${"z"}   | ${1} | ${"z"}
`("of $stand, with $selected selected, $written stand next", (row) => {
  const { stand, selected, room, written } = row;
  const id = all.find(({ tensor }) => tensor.name === selected)?.tensor.id;
  const next = chooseTables(all, { standing: standing(stand), selected: id, room });
  expect(namesOf(next)).toBe(written);
});
