import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { wildcardPath } from "#core/ir";
import { stepAmounts } from "../figures/step-amounts.ts";
import { torchStack } from "../graph/folded-programs.testing.ts";
import { largeProgram, shapes } from "../graph/large-programs.testing.ts";
import type { BoardView } from "./board.ts";
import { boardFacts } from "./board-facts.ts";
import { boardFit } from "./board-fit.ts";
import { heldAtPeak, sentBytes } from "./board-heat.ts";
import type { BoardItem, BoardModule } from "./board-item.ts";
import { boardLayout } from "./board-layout.ts";
import { boardPlan } from "./board-plan.ts";
import { crowded, outside, overlaps } from "./board-texts.testing.ts";
import { boardTree } from "./board-tree.ts";

const widths = [560, 680, 834, 1100, 1400];
const usual = { runs: new Map<string, string>(), showsViews: false, forwardOnly: false };

/** A set in which every module of a program is open. */
const everything: ReadonlySet<string> & { has: (key: string) => boolean } = Object.assign(
  new Set<string>(),
  { has: () => true },
);

function viewsOf(compiled: ReturnType<typeof compile>, width: number): readonly BoardView[] {
  const fit = boardFit(compiled, { width, height: 560 }, usual);
  const zooms = [1, 0.75, 0.6, 0.45].map((zoom) => ({ ...usual, open: everything, zoom }));
  return [{ ...usual, ...fit }, ...zooms, { ...usual, open: new Set(), zoom: 1 }];
}

function faultsOf(compiled: ReturnType<typeof compile>): readonly string[] {
  return widths.flatMap((width) =>
    viewsOf(compiled, width).flatMap((view) => {
      const layout = boardLayout(compiled, width, view);
      const at = `${width} px, ${view.zoom}, ${view.open.size} open`;
      const unread = layout.rows.flatMap(({ cards }) =>
        cards.flatMap(({ kind, texts, id }) =>
          kind !== "weight" && texts.every(({ role }) => role !== "name")
            ? [`${id} has no name`]
            : [],
        ),
      );
      const beyond = layout.rows.flatMap(({ id, y, height, frames, cards, pills }) =>
        frames.some((frame) => frame.y < y) ||
        [...cards, ...pills].some((each) => each.y < y || each.y + each.height > y + height)
          ? [`the row ${id} does not reach as far as what is drawn with it`]
          : [],
      );
      const close = view.zoom < 0.75 ? [] : crowded(layout);
      return [...overlaps(layout), ...outside(layout), ...close, ...unread, ...beyond].map(
        (fault) => `${at}: ${fault}`,
      );
    }),
  );
}

test.each(examples)("$name by rows: every card has a name, no text lies on another", (example) => {
  const { program, plan } = example;
  expect(faultsOf(compile(program, plan === undefined ? {} : { planText: plan }))).toEqual([]);
});

/** A trained net of nested modules, whose last block differs. */
const nested = `import torch.nn as nn
import torch.nn.functional as F

class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv, self.proj = nn.Linear(d, 3 * d, bias=False), nn.Linear(d, d)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        a = (q @ k.transpose(-1, -2)).softmax(-1)
        return self.proj(a @ v)

class Block(nn.Module):
    def __init__(self, d, act):
        super().__init__()
        self.ln, self.attn = nn.LayerNorm(d), Attention(d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
        self.act = act

    def forward(self, x):
        x = x + self.attn(self.ln(x))
        return x + self.down(self.act(self.up(x)))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Block(64, F.gelu) for _ in range(5)] + [Block(64, F.relu)])
        self.head = nn.Linear(64, 16)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.head(x)

mesh = Mesh(dp=2, tp=4)
x = Tensor((16, 32, 64))
out = Net()(x)
train(out.sum(), optimizer="adam")
place("layers[*].up.weight", mesh.layout("tp", "None"))
place("layers[*].down.weight", mesh.layout("None", "tp"))
place(x, mesh.layout("dp", "None", "None"))
`;

/**
 * Adjacent modules of one series with equal operators, memory and redistributions that were not
 * merged.
 */
function apart(compiled: ReturnType<typeof compile>): readonly string[] {
  const facts = boardFacts(compiled);
  const operators = new Map(compiled.graph.operators.map((each) => [each.id, each]));
  const layouts = new Map(compiled.tensors.map(({ tensor, layout }) => [tensor, layout]));
  const looks = ({ runs }: BoardModule) =>
    JSON.stringify(
      (runs[0]?.operators ?? []).map((id) => {
        const { op, axes = [], attributes, inputs = [], outputs = [] } = operators.get(id) ?? {};
        const sent = (facts.sends.get(id) ?? []).map(({ steps }) =>
          steps.map(({ collective, axes: over, bytes }) => [collective, over, bytes]),
        );
        const lie = [...inputs, ...outputs].map(({ tensor }) => layouts.get(tensor));
        return [op, axes.map(({ size }) => size), attributes, lie, sent];
      }),
    );
  const series = ({ runs }: BoardModule) => wildcardPath(runs[0]?.path ?? "");
  const within = (items: readonly BoardItem[]): readonly string[] =>
    items.flatMap((item, at) => {
      if (item.kind === "operator") return [];
      const before = items[at - 1];
      const isSame =
        before?.kind === "module" &&
        series(item).includes("[*]") &&
        series(before) === series(item) &&
        looks(before) === looks(item);
      return [...(isSame ? [`${before.name} and ${item.name}`] : []), ...within(item.items)];
    });
  return within(boardTree(facts, new Map(), false).items);
}

test.each(examples)("$name by rows: neighbours that do the same stand once", (example) => {
  const { program, plan } = example;
  expect(apart(compile(program, plan === undefined ? {} : { planText: plan }))).toEqual([]);
});

test("nested modules, a training step, a stack in functions and large flat programs", () => {
  for (const program of [nested, torchStack]) expect(faultsOf(compile(program))).toEqual([]);
  const chain = largeProgram(shapes["a chain"] ?? (() => []), 300);
  expect(faultsOf(chain)).toEqual([]);
});

/** The names on a board in rows, indented by frame depth. */
function namesOf(view: Partial<BoardView>, program = nested): readonly string[] {
  const compiled = compile(program);
  const { placed } = boardPlan(boardFacts(compiled), 800, {
    ...{ ...usual, open: everything, zoom: 1 },
    ...view,
  });
  const labels = boardFacts(compiled).labels;
  return placed.rows.map((row) => {
    const indent = "  ".repeat(row.depth);
    if (row.kind === "operator") return indent + labels.get(row.operator.id);
    if (row.kind === "input") return `(${row.tensor.name})`;
    const { name, runs } = row.module;
    return `${indent}${name}${runs.length > 1 ? ` ×${runs.length}` : ""}`;
  });
}

test("equal modules of a list are one, though a weight of their own names a row in each", () => {
  const compiled = compile(`import torch
import torch.nn as nn

class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(16))

    def forward(self, x):
        return torch.tanh(x * self.weight) + x

scales = nn.ModuleList(Scale() for _ in range(4))
x = torch.randn(8, 16)
for scale in scales:
    x = scale(x)
`);
  const tree = boardTree(boardFacts(compiled), new Map(), false);
  const modules = tree.items.flatMap((item) => (item.kind === "operator" ? [] : [item]));
  expect(modules.map(({ name, runs }) => [name, runs.length])).toEqual([["scales", 4]]);
});

test("the last of equal layers is one of them, though what it gives has a name of its own", () => {
  const compiled = compile(`def layer(x):
    h = matmul(x, Parameter((16, 16)))
    return x + gelu(h)

def encoder(x):
    for _ in range(4):
        x = layer(x)
    return x

features = Tensor((8, 16))
encoded = encoder(features)
logits = matmul(encoded, Parameter((16, 32)))
`);
  const tree = boardTree(boardFacts(compiled), new Map(), false);
  const inside = (items: typeof tree.items): readonly unknown[] =>
    items.flatMap((item) =>
      item.kind === "operator" ? [] : [[item.name, item.runs.length], ...inside(item.items)],
    );
  expect(inside(tree.items)).toEqual([
    ["encoder", 1],
    ["layer", 4],
  ]);
});

test("the name of a module inside a layer is whole, however long, with its time", () => {
  const nested = torchStack
    .replace("class Block(nn.Module):", "class FeedForwardWithOneHidden(nn.Module):")
    .replace(
      "class Model(nn.Module):",
      `class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.feed_forward_with_one_hidden = FeedForwardWithOneHidden()

    def forward(self, x):
        return self.feed_forward_with_one_hidden(x) + x

class Model(nn.Module):`,
    );
  const compiled = compile(nested);
  const layout = boardLayout(compiled, 834, { ...usual, open: everything, zoom: 0.75 });
  const inner = layout.rows.flatMap(({ frames }) => frames.filter(({ depth }) => depth > 0));
  const written = inner.map(({ texts }) =>
    texts.map(({ segments }) => segments.map(({ text }) => text).join("")),
  );
  expect(written).toEqual([["feed_forward_with_one_hidden", expect.stringMatching(/s$/u)]]);
  expect(faultsOf(compiled)).toEqual([]);
});

test("equal layers are one, one that differs stays for itself, and views have no rows", () => {
  expect(namesOf({ open: new Set() })).toEqual(["(x)", "layers ×5", "layers[5]", "head", "sum"]);
  expect(namesOf({ open: new Set(["layers[*]"]) })).toEqual([
    ...["(x)", "  ln", "  attn", "  +", "  up", "  gelu", "  down", "  +"],
    ...["layers[5]", "head", "sum"],
  ]);
  expect(namesOf({ open: new Set(["layers[*]", "layers[0].attn"]) })).toEqual([
    ...["(x)", "  ln", "    qkv", "    matmul", "    softmax", "    matmul", "    proj"],
    ...["  +", "  up", "  gelu", "  down", "  +", "layers[5]", "head", "sum"],
  ]);
});

test("a mask that a module works out once has no row", () => {
  const text = `import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(8, 8)
        self.register_buffer("mask", torch.tril(torch.ones(8, 8)))
    def forward(self, x):
        return self.up(x).masked_fill(self.mask == 0, 0.0)
y = Net()(torch.randn(8, 8))
`;
  const facts = boardFacts(compile(text));
  const drawn = (showsViews: boolean) => [...boardTree(facts, new Map(), showsViews).drawn].length;
  expect(drawn(true) - drawn(false)).toBe(1);
});

test("every operator of the text has one row: its own, or that of what stands for it", () => {
  const compiled = compile(nested);
  const facts = boardFacts(compiled);
  for (const open of [new Set<string>(), new Set(["layers[*]"]), everything]) {
    const plan = boardPlan(facts, 800, { ...usual, open, zoom: 1 });
    for (const { id } of facts.operators) {
      const row = plan.placed.rowOf.get(id);
      expect(row === undefined ? undefined : plan.placed.rows[row], id).toBeDefined();
    }
    const own = plan.placed.rows.flatMap((row) =>
      row.kind === "operator" ? [row.operator.id] : [],
    );
    expect(new Set(own).size).toBe(own.length);
  }
});

test("what fits has room, and opens as much as there is room for", () => {
  const compiled = compile(nested);
  const heights = [200, 400, 560, 900].map((height) => {
    const fit = boardFit(compiled, { width: 800, height }, usual);
    const layout = boardLayout(compiled, 800, { ...usual, ...fit });
    if (height > 200) expect(layout.height).toBeLessThanOrEqual(height);
    return fit.open.size;
  });
  expect(heights).toEqual(heights.toSorted((a, b) => a - b));
  expect(heights.at(-1)).toBeGreaterThan(1);
});

test("cards take the room of weights that nobody sends", () => {
  const widthOf = (place: string) => {
    const compiled = compile(`mesh = Mesh(dp=4)
x = Tensor((64, 512), "bf16")
w = Parameter((512, 512), "bf16")
y = matmul(x, w)
strategy(y, m="dp")
${place}
`);
    const layout = boardLayout(compiled, 665, { ...usual, open: everything, zoom: 1 });
    const cards = layout.rows.flatMap((row) => row.cards);
    return cards.find(({ kind }) => kind === "operator")?.width ?? 0;
  };
  expect(widthOf("")).toBeGreaterThan(widthOf('place(w, layout("dp", "None"))') + 40);
});

test("an edit that sends less moves lines and makes no others", () => {
  const idsOf = (text: string) => {
    const { lines, rows } = boardLayout(compile(text), 800, {
      ...usual,
      open: everything,
      zoom: 1,
    });
    const pills = rows.flatMap((row) => row.pills);
    return { pills: pills.length, lines: lines.map(({ id }) => id) };
  };
  const chain = (cut: string) =>
    [
      "mesh = Mesh(dp=2, mp=4)",
      'h0 = Tensor((512, 512), "bf16")',
      ...[0, 1, 2, 3].flatMap((at) => [
        `w${at} = Parameter((512, 512), "bf16")`,
        `h${at + 1} = matmul(h${at}, w${at})`,
        `strategy(h${at + 1}, m="dp"${at === 0 ? cut : ""})`,
      ]),
    ].join("\n");
  const [before, after] = [idsOf(chain(', n="mp"')), idsOf(chain(""))];
  expect(after.pills).not.toBe(before.pills);
  expect(after.lines).toEqual(before.lines);
  expect(new Set(after.lines).size).toBe(after.lines.length);
});

test("a board that is higher than there is room leaves room beside it", () => {
  const compiled = compile(nested);
  const view = { ...usual, open: everything, zoom: 1 };
  const rightOf = (height: number) => {
    const { rows, width } = boardLayout(compiled, 800, view, { height, aside: 70 });
    const parts = rows.flatMap(({ cards, pills }) => [...cards, ...pills]);
    return [width, Math.max(...parts.map((part) => part.x + part.width)) <= width];
  };
  expect(rightOf(200)).toEqual([730, true]);
  expect(rightOf(10_000)).toEqual([800, true]);
});

test.each(["time", "bytes", "memory"] as const)("bars of %s: a full one, none beyond", (heat) => {
  const compiled = compile(nested);
  const views = [new Set<string>(), everything].map((open) => ({ ...usual, open, zoom: 1, heat }));
  for (const view of views) {
    const { rows, full } = boardLayout(compiled, 800, view);
    const heats = rows.flatMap(({ cards }) => cards.map((card) => card.heat));
    expect(Math.max(...heats)).toBe(1);
    expect(Math.min(...heats)).toBeGreaterThanOrEqual(0);
    expect(full).toMatch(heat === "time" ? /^[\d.]+ [mµ]?s$/u : /^[\d.]+ [kMG]?B$/u);
  }
});

test("bars of a folded module add up what its rows show", () => {
  const compiled = compile(nested);
  const amounts = (["bytes", "memory"] as const).map((heat) => {
    const facts = boardFacts(compiled);
    const { forward, backward } = heat === "bytes" ? sentBytes(facts) : heldAtPeak(facts);
    return [...forward.values(), ...backward.values()].reduce((sum, each) => sum + each, 0);
  });
  const received = stepAmounts(compiled).reduce((sum, { bytes }) => sum + bytes, 0);
  expect(amounts[0]).toBeCloseTo(received);
  expect(amounts[1]).toBeLessThanOrEqual(compiled.memory.peakBytes);
});
