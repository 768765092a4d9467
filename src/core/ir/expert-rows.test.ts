import { expect, test } from "vitest";
import { entryOf } from "./index.ts";

// Expert rows with `g` groups as a dim of their own; routes of one expert have no dim of experts.
test.each`
  name                 | inputs                       | attributes                    | annotation
  ${"expert_dispatch"} | ${[[3, 4, 5], [2, 3, 4]]}    | ${{ g: 3, slots: 2 }}         | ${"g t^ d, e g t^ -> e g 2 d"}
  ${"expert_dispatch"} | ${[[12, 5], [2, 12]]}        | ${{ g: 1, slots: 6 }}         | ${"t^ d, e t^ -> e 6 d"}
  ${"expert_dispatch"} | ${[[2, 3, 4], [2, 3, 4]]}    | ${{ g: 3, slots: 2, own: 1 }} | ${"e g t^, e g t^ -> e g 2"}
  ${"expert_dispatch"} | ${[[3, 4, 5], [3, 4]]}       | ${{ g: 3, slots: 2 }}         | ${"g t^ d, g t^ -> g 2 d"}
  ${"expert_combine"}  | ${[[2, 3, 2, 5], [2, 3, 4]]} | ${{ g: 3, slots: 2 }}         | ${"e+ g 2 d, e+ g t^ -> g t^ d"}
  ${"expert_combine"}  | ${[[2, 6, 5], [2, 12]]}      | ${{ g: 1, slots: 6 }}         | ${"e+ 6 d, e+ t^ -> t^ d"}
`("$name of $inputs with $attributes is $annotation", (row) => {
  const { name, inputs, attributes, annotation } = row;
  expect(entryOf(name)?.annotate({ inputs, attributes })).toBe(annotation);
});
