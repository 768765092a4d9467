import { describe, expect, test } from "vitest";
import { netText, shortly } from "../emitted/emitted.testing.ts";

// Answers of the compiler of MindSpore 2.10.0: it refuses the nets with an error here, and compiles
// the others.

const held = `self.d = nn.CellDict({"a": nn.ReLU(), "b": nn.Tanh()})
        self.l = nn.CellList([nn.ReLU(), nn.Tanh()])
        self.s = nn.SequentialCell([nn.ReLU(), nn.Tanh()])`;

function answerTo(construct: string, made = held, before = "") {
  const source = netText({ primitives: [], construct, inputs: [[16, 32]], before });
  return shortly(source.replace("super().__init__()\n", `super().__init__()\n        ${made}\n`));
}

function faultsOf(...args: Parameters<typeof answerTo>): readonly (string | undefined)[] {
  return answerTo(...args).errors.map(({ upstream }) => upstream);
}

describe("what a graph takes of the cells that a cell holds", () => {
  test.each`
    statement                                                    | error
    ${"x = self.d.a(x)"}                                         | ${"AttributeError"}
    ${"x = getattr(self.d, 'a')(x)"}                             | ${"AttributeError"}
    ${"d = self.d\nx = d.a(x)"}                                  | ${"AttributeError"}
    ${"x = self.d._cells['a'](x)"}                               | ${"AttributeError"}
    ${"x = x if self.d.training else x + 1.0"}                   | ${"AttributeError"}
    ${"x = self.d.pop('a')(x)"}                                  | ${"AttributeError"}
    ${"for c in self.d.cells():\n    x = c(x)"}                  | ${"AttributeError"}
    ${"for i, k in enumerate(self.d):\n    x = x * i"}           | ${"RuntimeError"}
    ${"for k in sorted(self.d.keys()):\n    x = self.d[k](x)"}   | ${"TypeError"}
    ${"self.l.append(nn.ReLU())"}                                | ${"AttributeError"}
    ${"x = getattr(self.l, '0')(x)"}                             | ${"AttributeError"}
    ${"x = self.l.pop(0)(x)"}                                    | ${"AttributeError"}
    ${"for c in reversed(self.l):\n    x = c(x)"}                | ${"RuntimeError"}
    ${"for c in reversed(list(self.d.values())):\n    x = c(x)"} | ${"RuntimeError"}
    ${"for c in self.s.cells():\n    x = c(x)"}                  | ${"RuntimeError"}
  `("refuses $statement as $error", ({ statement, error }) => {
    expect(faultsOf(`${statement}\nreturn ops.tanh(x)`)).toEqual([error]);
  });

  test.each([
    "x = self.d['a'](x)",
    "x = self.d.get('z', self.d['a'])(x)",
    "for k in self.d:\n    x = self.d[k](x)",
    "for k, c in self.d.items():\n    x = c(x)",
    "for i, c in enumerate(self.d.values()):\n    x = c(x)",
    "for c in self.l[::-1]:\n    x = c(x)",
    "for i in range(len(self.l)):\n    x = self.l[i](x)",
    "other = self.d.a",
    "x = getattr(self.s, '0')(x)",
    "for c in reversed(self.s):\n    x = c(x)",
    "for c in self.s.cell_list:\n    x = c(x)",
    "x = self.s._cells['1'](x)",
  ])("takes %s", (statement) => {
    const { errors, warnings } = answerTo(`${statement}\nreturn ops.tanh(x)`);
    expect([...errors, ...warnings]).toEqual([]);
  });

  test.each(["isinstance(self.d, dict)", "isinstance(self.l, nn.Cell)", "hasattr(self.d, 'a')"])(
    "%s is said to answer otherwise than what is drawn",
    (asked) => {
      const { errors, warnings } = answerTo(`return ops.tanh(x) if ${asked} else ops.relu(x)`);
      expect(errors).toEqual([]);
      expect(warnings).toEqual([expect.objectContaining({ code: "mindspore/graph-syntax" })]);
    },
  );

  test("a class that derives from CellList has neither a call nor methods in the graph of another", () => {
    const before =
      "class Stack(nn.CellList):\n    def first(self, x):\n        return self[0](x)\n    def construct(self, x):\n        return self[0](x)";
    const made = "self.l = Stack([nn.ReLU()])";
    expect(faultsOf("return self.l.first(x)", made, before)).toEqual(["AttributeError"]);
    expect(faultsOf("return self.l(x)", made, before)).toEqual(["ValueError"]);
    expect(faultsOf("return ops.tanh(self.l[0](x))", made, before)).toEqual([]);
  });

  test("a cell that an attribute adds to a CellList is a KeyError", () => {
    const made = "self.l = nn.CellList([nn.ReLU()])\n        self.l.more = nn.Tanh()";
    expect(faultsOf("return ops.tanh(self.l[0](x))", made)).toEqual(["KeyError"]);
  });
});

test.each`
  made                                                     | error
  ${"nn.CellDict({'a.b': nn.ReLU()})"}                     | ${"KeyError"}
  ${"nn.CellDict({'': nn.ReLU()})"}                        | ${"KeyError"}
  ${"nn.CellDict({'training': nn.ReLU()})"}                | ${"KeyError"}
  ${"nn.CellDict({1: nn.ReLU()})"}                         | ${"TypeError"}
  ${"nn.CellDict({'a': None})"}                            | ${"TypeError"}
  ${"nn.CellDict({'a': ops.relu})"}                        | ${"TypeError"}
  ${"nn.CellDict({'a': nn.SequentialCell([nn.ReLU()])})"}  | ${"TypeError"}
  ${"nn.CellDict(nn.SequentialCell([nn.ReLU()]))"}         | ${"TypeError"}
  ${"nn.CellDict({'type': nn.ReLU(), 'eval': nn.ReLU()})"} | ${undefined}
  ${"nn.CellDict(a=nn.ReLU())"}                            | ${undefined}
`("$made is $error", ({ made, error }) => {
  const faults = faultsOf("return ops.tanh(x)", `self.d = ${made}`);
  expect(faults).toEqual(error === undefined ? [] : [error]);
});

test("a cell that an attribute adds to a CellDict stands under its name as a key", () => {
  const made = 'self.d = nn.CellDict({"a": nn.ReLU()})\n        self.d.c = nn.Tanh()';
  const { operators, errors } = answerTo("for c in self.d.values():\n    x = c(x)\nreturn x", made);
  expect(errors).toEqual([]);
  expect(operators.map((each) => each.split(" ")[0])).toEqual(["ReLU", "Tanh"]);
});
