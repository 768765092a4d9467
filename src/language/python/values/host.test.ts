import { expect, test } from "vitest";
import type { Span } from "#core/diagnostics";
import {
  type Argument,
  type Binding,
  type Context,
  evaluate,
  type Frame,
  type Host,
  type HostFunction,
  type HostObject,
  hostClass,
  type SpanTree,
  type Value,
} from "../index.ts";

const nowhere: Span = { from: 0, to: 0 };

function hostFunction(name: string, call: HostFunction["call"]): HostFunction {
  return { kind: "host-function", name, call };
}

/** A host with one function `note`, which records the arguments of its calls. */
function noting(rest: Partial<Host> = {}): { host: Host; calls: (readonly Argument[])[] } {
  const calls: (readonly Argument[])[] = [];
  const note = hostFunction("note", (args) => {
    calls.push(args);
    return { kind: "none" };
  });
  return { calls, host: { ...rest, globals: new Map([["note", note], ...(rest.globals ?? [])]) } };
}

function cut(source: string, { from, to }: Span): string {
  return source.slice(from, to);
}

function shape(source: string, tree: SpanTree | undefined): unknown {
  if (tree === undefined) return undefined;
  const items = tree.items.map((item) => shape(source, item));
  const text = cut(source, tree.span);
  return items.length === 0 ? `${tree.kind} ${text}` : [`${tree.kind} ${text}`, ...items];
}

test.each`
  source                            | spans
  ${"note((4, 1), k=[2, 3])"}       | ${["(4, 1)", "[2, 3]"]}
  ${"note(*(1, 2), **{'a': 3})"}    | ${["1", "2", "3"]}
  ${"note(*range(2))"}              | ${["range(2)", "range(2)"]}
  ${"note( a for a in 'x' )"}       | ${["a for a in 'x'"]}
  ${"note(-1, (2), f'{1}', not 0)"} | ${["-1", "(2)", "f'{1}'", "not 0"]}
`("every argument of $source says where it stands", ({ source, spans }) => {
  const { host, calls } = noting();
  expect(evaluate(source, host).diagnostics).toEqual([]);
  expect(calls[0]?.map(({ span }) => cut(source, span))).toEqual(spans);
});

test.each`
  source                       | tree
  ${"note(((4, 1), (1, -2)))"} | ${["tuple ((4, 1), (1, -2))", ["tuple (4, 1)", "literal 4", "literal 1"], ["tuple (1, -2)", "literal 1", "literal -2"]]}
  ${"s = 1\nnote(s)"}          | ${"name s"}
  ${"note(dict(idx=0))"}       | ${["call dict(idx=0)", "literal 0"]}
  ${"note({'a': [1]})"}        | ${["dict {'a': [1]}", ["list [1]", "literal 1"]]}
  ${"note(1 + 2)"}             | ${"other 1 + 2"}
`("an argument carries the shape of its text: $source", ({ source, tree }) => {
  const { host, calls } = noting();
  evaluate(source, host);
  expect(shape(source, calls[0]?.[0]?.tree)).toEqual(tree);
});

test("keywords keep their places, also inside a dict that is spread", () => {
  const source = "note(idx=0, **dict(dim=1))\nnote(**{'num': 4})";
  const { host, calls } = noting();
  evaluate(source, host);
  const [first, second] = calls;
  expect(first?.map(({ name, nameSpan }) => [name, cut(source, nameSpan ?? nowhere)])).toEqual([
    ["idx", "idx"],
    ["dim", "dim"],
  ]);
  expect(second?.map(({ name, nameSpan, tree }) => [name, nameSpan, tree?.key])).toEqual([
    ["num", { from: 35, to: 40 }, "num"],
  ]);
});

test("the host hears every binding with the names of the running calls", () => {
  const bindings: string[] = [];
  const frames = (binding: Binding) =>
    binding.frames.map(({ name, ordinal }) => `${name}[${ordinal}]`);
  const source = [
    "a, (b, *c) = 1, (2, 3)",
    "def f(x):",
    "  h = x",
    "  return h",
    "class Net:",
    "  def run(self):",
    "    y = f(1)",
    "for i in range(2): f(i)",
    "Net().run()",
    "(n := 5)",
    "[k for k in 'x']",
  ].join("\n");
  const { diagnostics } = evaluate(source, {
    globals: new Map(),
    onBind: (binding) => {
      expect(cut(source, binding.span)).toBe(binding.name);
      bindings.push([...frames(binding), binding.name].join("."));
    },
  });
  expect(diagnostics).toEqual([]);
  expect(bindings).toEqual("a b c i f[0].h i f[1].h Net[0].f[2].h Net[0].y n".split(" "));
});

test("a binding carries the shape of the assigned text, unpacked like the value", () => {
  const trees: string[] = [];
  const source = "s = ((4, 1), 2)\na, b = (5, [6])";
  evaluate(source, {
    globals: new Map(),
    onBind: ({ name, tree }) => {
      trees.push(`${name} ${tree === undefined ? "" : cut(source, tree.span)}`);
    },
  });
  expect(trees).toEqual(["s ((4, 1), 2)", "a 5", "b [6]"]);
});

test("the host hears every definition, from its decorators to the end of its body", () => {
  const seen: string[] = [];
  const source =
    "def keep(f): return f\n\n@keep\ndef f(a: Tensor, b=2) -> int:\n  'doc'\n  if a:\n    return b\n\n# end\nclass A:\n  x = 1\n\n";
  const { diagnostics } = evaluate(source, {
    globals: new Map(),
    onDefine: (value, span) => {
      seen.push(`${value.kind} ${JSON.stringify(cut(source, span))}`);
      if (value.kind !== "function" || value.name !== "f") return;
      const [a, b] = value.parameters;
      expect([a?.name, cut(source, a?.annotationSpan ?? nowhere)]).toEqual(["a", "Tensor"]);
      expect([b?.kind, cut(source, b?.defaultTree?.span ?? nowhere)]).toEqual(["positional", "2"]);
      expect(value.defaults.get("b")).toEqual({ kind: "int", value: 2n });
      expect(value.docstring).toBe("doc");
      expect(cut(source, value.nameSpan)).toBe("f");
      expect(cut(source, value.bodySpan)).toBe("'doc'\n  if a:\n    return b");
      expect(cut(source, value.returnAnnotationSpan ?? nowhere)).toBe("int");
    },
  });
  expect(diagnostics).toEqual([]);
  expect(seen).toEqual([
    'function "def keep(f): return f"',
    `function ${JSON.stringify("@keep\ndef f(a: Tensor, b=2) -> int:\n  'doc'\n  if a:\n    return b")}`,
    'class "class A:\\n  x = 1"',
  ]);
});

/** A class of the host, `nn.Cell`: calling an instance runs its `construct`. */
function cellHost(log: string[]): Host {
  const cell = hostClass("Cell", {
    __init__: (_args, _context, span) => {
      log.push(`init@${span.from}`);
      return { kind: "none" };
    },
    __call__: ([self, ...args], context, span) => {
      if (self === undefined) throw new Error("a method has its receiver");
      return context.call(context.getAttribute(self.value, "construct", span), args, span);
    },
  });
  const nn: Value = {
    kind: "module",
    name: "nn",
    attribute: (name) => (name === "Cell" ? cell : undefined),
  };
  const troch: Value = {
    kind: "module",
    name: "troch",
    attribute: (name) => (name === "nn" ? nn : undefined),
  };
  return {
    globals: new Map([["nn", nn]]),
    undefinedName: (name) => (name === "troch" ? troch : undefined),
    importModule: (name) => (name === "mindspore.nn" ? nn : undefined),
  };
}

test.each(["super().__init__()", "super(Net, self).__init__()"])(
  "a class of the text inherits from a class of the host: %s",
  (init) => {
    const log: string[] = [];
    const source = [
      "class Net(nn.Cell):",
      "  def __init__(self, n):",
      `    ${init}`,
      "    self.n = n",
      "  def construct(self, x, scale=1):",
      "    return x * self.n * scale",
      "net = Net(3)",
      "net(2, scale=10)",
    ].join("\n");
    const { value, diagnostics } = evaluate(source, cellHost(log));
    expect(diagnostics).toEqual([]);
    expect(value).toEqual({ kind: "int", value: 60n });
    expect(log).toEqual([`init@${source.indexOf("super")}`]);
  },
);

test("a base class may come from a lenient name or an import", () => {
  const source =
    "import mindspore.nn as mnn\nfrom mindspore import nn as n2\nclass A(troch.nn.Cell): pass\nclass B(mnn.Cell): pass\nclass C(n2.Cell): pass\nA(), B(), C()\n1";
  expect(evaluate(source, cellHost([]))).toMatchObject({ diagnostics: [], value: { kind: "int" } });
});

test("a method call of an instance runs in a frame named after its class, with the receiver", () => {
  let frames: readonly Frame[] = [];
  const see = hostFunction("see", (_args, context) => {
    frames = [...context.frames];
    return { kind: "none" };
  });
  const source = "class Net:\n  def go(self): see()\nnet = Net()\nnet.go()\nnet.go()";
  const { globals } = evaluate(source, { globals: new Map([["see", see]]) });
  expect(frames).toHaveLength(1);
  expect(frames[0]).toMatchObject({ name: "Net", ordinal: 1, callSpan: { from: 54, to: 62 } });
  expect(frames[0]?.receiver).toBe(globals.get("net"));
});

/** A host value with operators, items and attributes, whose results record the operations. */
function tensor(text: string): HostObject {
  return {
    kind: "host",
    data: text,
    type: {
      name: "Tensor",
      text: () => text,
      attribute: (_self, name) => (name === "T" ? tensor(`${text}.T`) : undefined),
      setAttribute: (_self, name) => name === "grad",
      binary: (_self, operator, other, isReflected, context) => {
        const [a, b] = isReflected ? [context.text(other), text] : [text, context.text(other)];
        return tensor(`(${a} ${operator} ${b})`);
      },
      unary: (_self, operator) => tensor(`${operator}${text}`),
      item: (_self, key, context) => tensor(`${text}[${context.text(key)}]`),
      iterate: () => [tensor(`${text}.0`), tensor(`${text}.1`)],
      length: () => 2,
      call: (_self, args) => tensor(`${text}(${args.length})`),
    },
  };
}

test.each`
  expression          | text
  ${"x + 1"}          | ${"(x + 1)"}
  ${"1 - x"}          | ${"(1 - x)"}
  ${"x @ x"}          | ${"(x @ x)"}
  ${"2 ** x"}         | ${"(2 ** x)"}
  ${"x < 3"}          | ${"(x < 3)"}
  ${"x == 3"}         | ${"(x == 3)"}
  ${"-x"}             | ${"-x"}
  ${"x.T[0, 1:]"}     | ${"x.T[(0, slice(1, None, None))]"}
  ${"x(1, 2)"}        | ${"x(2)"}
  ${"[a for a in x]"} | ${"[x.0, x.1]"}
  ${"len(x)"}         | ${"2"}
  ${"f'{x}'"}         | ${"x"}
  ${"x.q"}            | ${"'Tensor' object has no attribute 'q'"}
  ${"x.q = 1"}        | ${"'Tensor' object has no attribute 'q'"}
`("operators reach the host: $expression", ({ expression, text }) => {
  const source = `r = ${expression}\nprint(r)`;
  const host = { globals: new Map([["x", tensor("x")]]) };
  const statement = expression.includes(" = ") ? expression : source;
  const { output, diagnostics } = evaluate(statement, host);
  expect(output === "" ? diagnostics[0]?.message : output.trim()).toBe(text);
});

test("the host may raise, report, and try", () => {
  const source = "bad(1 + 2)\nwarn()\ntry: bad(3)\nexcept ValueError as e: print(e)\nafter = 1";
  const bad = hostFunction("bad", (args, context, span) =>
    context.raise("ValueError", "no good", args[0]?.span ?? span, {
      code: "document/undefined-name",
    }),
  );
  const warn = hostFunction("warn", (_args, context, span) => {
    context.report({
      code: "document/undefined-name",
      severity: "warning",
      message: "careful",
      span,
    });
    return { kind: "none" };
  });
  const attempted: unknown[] = [];
  const { output, diagnostics, globals } = evaluate(source, {
    globals: new Map([
      ["bad", bad],
      ["warn", warn],
    ]),
    onEnd: (_globals, context) => {
      attempted.push(context.attempt(() => context.call(bad, [], nowhere)));
      attempted.push(context.attempt(() => 7));
    },
  });
  expect(output).toBe("no good\n");
  expect(diagnostics.map(({ code, upstream, span }) => [code, upstream, span?.from])).toEqual([
    ["document/undefined-name", "ValueError", 4],
    ["document/undefined-name", undefined, 11],
    ["document/undefined-name", "ValueError", 0],
  ]);
  expect(attempted).toEqual([undefined, 7]);
  expect(globals.get("after")).toEqual({ kind: "int", value: 1n });
});

test("functions run beside the program on steps of their own, and leave no trace", () => {
  const source = "def f(n):\n  print(n)\n  while n > 0: n -= 1\n  return n\ndef g(): return 1 / 0";
  const kept: Context[] = [];
  const host: Host = { globals: new Map(), onEnd: (_, context) => kept.push(context) };
  const { diagnostics, globals, output } = evaluate(source, host, { limits: { steps: 2000 } });
  const [context] = kept;
  const [f, g] = [globals.get("f"), globals.get("g")];
  if (context === undefined || f === undefined || g === undefined) throw new Error("not kept");
  const run = (callee: Value, n: bigint[], steps: number) => {
    const args = n.map((value) => ({ value: { kind: "int", value } as const, span: nowhere }));
    const outcome = context.apart(() => context.call(callee, args, nowhere), steps);
    return outcome.ok ? outcome.value : outcome.fault?.code;
  };
  for (let again = 0; again < 10; again += 1) {
    expect(run(f, [100n], 1500)).toEqual({ kind: "int", value: 0n });
  }
  expect(run(f, [1000n], 1500)).toBe("python/limit-steps");
  expect(run(g, [], 1500)).toBe("python/zero-division-error");
  expect([diagnostics, output, context.frames]).toEqual([[], "", []]);
});

test("a host value says whether it holds, and what `+=` makes of it", () => {
  const answers: string[] = [];
  const value: HostObject = {
    kind: "host",
    data: undefined,
    type: {
      name: "box",
      truth: () => false,
      binary: (self, operator) => {
        answers.push(`binary ${operator}`);
        return self;
      },
      update: (self, operator) => {
        answers.push(`update ${operator}`);
        return operator === "+" ? self : undefined;
      },
    },
  };
  const { output } = evaluate("box += 1\nbox *= 2\nprint(bool(box), not box)", {
    globals: new Map([["box", value]]),
  });
  expect(answers).toEqual(["update +", "update *", "binary *"]);
  expect(output).toBe("False True\n");
});

test("after the last statement the host can still call what the text defined", () => {
  const source = "def block(x, y): return x + y\nclass Net:\n  def construct(self): return 1 / 0";
  const results: unknown[] = [];
  const { diagnostics } = evaluate(source, {
    globals: new Map(),
    onEnd: (globals, context) => {
      const block = globals.get("block");
      const one: Value = { kind: "int", value: 1n };
      const args = [one, one].map((value) => ({ value, span: nowhere }));
      if (block !== undefined)
        results.push(context.attempt(() => context.call(block, args, nowhere)));
      const net = globals.get("Net");
      if (net !== undefined) results.push(context.attempt(() => construct(net, context)));
    },
  });
  expect(results).toEqual([{ kind: "int", value: 2n }, undefined]);
  expect(diagnostics).toMatchObject([
    { upstream: "ZeroDivisionError", span: { from: 71, to: 76 } },
  ]);
});

function construct(type: Value, context: Context): Value {
  const made = context.call(type, [], nowhere);
  return context.call(context.getAttribute(made, "construct", nowhere), [], nowhere);
}

test("a decorator of the host gets the function and its result takes the name", () => {
  const register = hostFunction("register_op", () =>
    hostFunction("wrap", ([fn]) => ({ kind: "tuple", items: fn === undefined ? [] : [fn.value] })),
  );
  const nnscaler: Value = {
    kind: "module",
    name: "nnscaler",
    attribute: (name) => (name === "register_op" ? register : undefined),
  };
  const source = "import nnscaler\n@nnscaler.register_op('a -> a')\ndef f(x): return x\nf[0](3)";
  const { value } = evaluate(source, {
    globals: new Map(),
    importModule: (name) => (name === "nnscaler" ? nnscaler : undefined),
  });
  expect(value).toEqual({ kind: "int", value: 3n });
});
