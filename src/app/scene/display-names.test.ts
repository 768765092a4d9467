import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile } from "#compile";
import { boardFacts } from "./board/board-facts.ts";
import { displayNames, withDisplayedReaders } from "./display-names.ts";
import { foldedItems, momentAt } from "./figures/index.ts";
import { playedSteps } from "./player/index.ts";
import { costParts } from "./text/index.ts";
import { timelineOf } from "./timeline/index.ts";

const gpt = compile(
  readFileSync(new URL("../../../e2e/texts/gpt-24.planned.py", import.meta.url), "utf8"),
);
const names = displayNames(gpt);
const { graph } = gpt.program;

const idOf = (name: string) => {
  const found = graph.operators.find((operator) => operator.name === name);
  if (found === undefined) throw new Error(`there is no operator ${name}`);
  return found.id;
};

test("a part of an operator that stands at its row keeps its own name behind the label", () => {
  const text = readFileSync(
    new URL("../../../e2e/texts/gpt-with-loss.py", import.meta.url),
    "utf8",
  );
  const small = compile(`${text}place(ids, layout("dp", "None"))\n`);
  const said = displayNames(small);
  const parts = small.program.graph.operators.filter(({ name }) => name.startsWith("loss."));
  const forward = parts.filter(({ phase = "forward" }) => phase === "forward");
  expect(forward.map(({ id }) => said.operator(id))).toEqual(["loss.count"]);
});

describe("operators of a program that is drawn by rows", () => {
  test.each`
    name                          | said
    ${"embedding_1"}              | ${"wte"}
    ${"x"}                        | ${"+"}
    ${"blocks[3].linear_1"}       | ${"blocks[3].attn.qkv"}
    ${"blocks[3].x"}              | ${"blocks[3].+"}
    ${"x#5"}                      | ${"blocks[3].+"}
    ${"cast_1"}                   | ${"to"}
    ${"reshape_1.grad"}           | ${"∂loss"}
    ${"blocks[3].linear_3.grad"}  | ${"blocks[3].mlp.∂gelu"}
    ${"blocks[3].x.grad#3"}       | ${"blocks[3].∂+"}
    ${"blocks[3].ln1.weight.new"} | ${"adamw of blocks[3].ln1.weight"}
  `("$name is called $said", ({ name, said }) => {
    expect(names.operator(idOf(name))).toBe(said);
  });

  test("each is called by the label of the card at which it stands, behind the path of its module", () => {
    const { labels, homes } = boardFacts(gpt);
    const nameOf = (id: string) => graph.operators.find((each) => each.id === id)?.name ?? id;
    for (const { id, name, phase = "forward" } of graph.operators) {
      const home = homes.get(id) ?? id;
      const label = labels.get(home);
      if (phase === "update" || label === undefined) continue;
      const own = phase === "backward" ? `∂${label}` : label;
      const isPart = phase !== "backward" && name.startsWith(`${nameOf(home)}.`);
      const said = isPart ? `${own}${name.slice(nameOf(home).length)}` : own;
      expect(names.operator(id).endsWith(said), `${id} on ${own}`).toBe(true);
    }
  });

  test("no readout says an id that no card has", () => {
    const titles = playedSteps(gpt.program, [], names).map(({ title }) => title);
    const lanes = timelineOf(gpt).timeline?.items.map(({ name }) => name) ?? [];
    const moments = [0, 40, 90].flatMap((at) => {
      const moment = momentAt(gpt, at, 50);
      return [moment?.step ?? "", ...(moment?.alive.map(({ name }) => name) ?? [])];
    });
    const all = [
      ...[...titles, ...lanes, ...moments, ...foldedItems(gpt).map(({ where }) => where)],
      ...["time", "memory", "comm"].flatMap((metric) =>
        costParts(gpt, metric as "time").map(({ name }) => name),
      ),
    ];
    expect(all.length).toBeGreaterThan(500);
    // After the colon follow calls, which use the names of the text.
    const said = all.map((name) => name.split(": ")[0] ?? "");
    expect(said.filter((name) => /\b(linear|cast|layer_norm|gelu|reshape)_\d/u.test(name))).toEqual(
      [],
    );
  });

  test("a gradient's call, which is in names that no card has, is its function's name alone", () => {
    expect(names.made(idOf("reshape_1.grad"))).toBe("∂loss: cross_entropy_backward");
    expect(names.made(idOf("blocks[3].linear_1"))).toBe("blocks[3].attn.qkv: self.qkv(x)");
  });

  test("a reader of a tensor is called so too", () => {
    const view = gpt.tensors.find(({ reads = [] }) =>
      reads.some(({ reader }) => /linear_1$/u.test(reader)),
    );
    if (view === undefined) throw new Error("a weight is read otherwise than it rests");
    expect(withDisplayedReaders(gpt, view).reads?.[0]?.reader).toMatch(/attn\.qkv$/u);
  });
});

test("a program that is drawn as a graph keeps the names of its text", () => {
  const small = compile("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\nh = relu(x)\ny = h + x\n");
  const said = displayNames(small);
  expect(small.graph.operators.map(({ id }) => said.made(id))).toEqual([
    "h = relu(x)",
    "y = h + x",
  ]);
});
