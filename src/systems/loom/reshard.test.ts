import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";

const textOf = (name: string) => examples.find((each) => each.name === name)?.program ?? "";
const addition = textOf("loom-broadcast-add");
const convolution = textOf("loom-convolution");

const gathered = `mesh = Mesh(dp=2, mp=5)
strategy("add", i="dp")
place("b", mesh.layout("None", "mp"))
`;
const windows = `mesh = Mesh(rows=2, cols=2)
strategy("conv", h="rows", w="cols")
place("image", mesh.layout("rows", "cols"))
`;

/** Effect of a `reshard(…)` call in the plan beside a LoomGraph: its steps, or the diagnostic. */
function chosen(text: string, plan: string, call: string) {
  const { program, diagnostics } = compile(text, { planText: `${plan}${call}\n` });
  const steps = program.redistributions.flatMap((each) => each.chosen ?? []);
  return [
    ...steps.flatMap(({ declined, ...choice }) => (declined === undefined ? [choice.steps] : [])),
    ...diagnostics.map(
      ({ severity, message, text: where }) => `${severity} in ${where}: ${message}`,
    ),
  ];
}

test.each`
  text           | plan        | call                               | result
  ${addition}    | ${gathered} | ${'reshard("b", steps=1)'}         | ${[1]}
  ${addition}    | ${gathered} | ${'reshard("b", steps="dtensor")'} | ${["dtensor"]}
  ${addition}    | ${gathered} | ${'reshard("b", steps=3)'}         | ${["warning in plan: no plan"]}
  ${addition}    | ${gathered} | ${'reshard("q", steps=1)'}         | ${['error in plan: no tensor is called "q"']}
  ${convolution} | ${windows}  | ${'reshard("image", steps=1)'}     | ${['warning in plan: no plan for "image" has 1 step: devices fetch windows here']}
`("beside a LoomGraph $call gives $result", ({ text, plan, call, result }) => {
  const found = chosen(text, plan, call);
  const alike = found.map((each, at) => {
    const wanted = result[at];
    const isBegun =
      typeof each === "string" && typeof wanted === "string" && each.startsWith(wanted);
    return isBegun ? wanted : each;
  });
  expect(alike).toEqual(result);
});
