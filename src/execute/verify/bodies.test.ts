import { expect, test } from "vitest";
import { compile } from "#compile";
import { applyEdits } from "#core/diagnostics";
import { type BodyFinding, bodyDiagnostics } from "#language/document/graph";
import { readDocument } from "#systems";
import { checkBodies } from "./check-bodies.ts";
import { runPlan } from "./run-plan.ts";

const head = `import torch, nnscaler
import torch.nn.functional as F
mesh = Mesh(d=2)
`;

/** A registered function with its call on `x` (4, 6), `w` (6, 8), `v` (4, 6) and `b` (8,). */
function program(annotation: string, definition: string, more = ""): string {
  const given =
    "x = Tensor((4, 6))\nw = Tensor((6, 8))\nv = Tensor((4, 6))\nu = Tensor((4, 6))\nb = Tensor((8,))\n";
  return `${head}@nnscaler.register_op(${annotation})\n${definition}\n${given}${more}\n`;
}

function runOf(text: string, values: "integers" | "floats" = "integers") {
  const { plan, program: lowered } = compile(text);
  const { traceBody } = readDocument(text);
  return runPlan(plan, lowered, { seed: 3, values, traceBody });
}

function findings(text: string): readonly string[] {
  return found(text).map(({ message }) => message);
}

function found(text: string) {
  const document = readDocument(text);
  return bodyDiagnostics(document, checkBodies(document.graph, document.traceBody));
}

const matmul = "def f(x, w):\n    return torch.matmul(x, w)";
const softmax = "def f(x):\n    return F.softmax(x, dim=-1)";
const heads = "def f(x, h):\n    return x.reshape(x.size(0), h, x.size(1) // h)";
const bias = "def f(x, w, b):\n    return F.linear(x, w.t(), b)";
const inPlace = "def f(x, v):\n    x.add_(v)\n    z = x * v\n    return x, z";
const optional =
  "def f(x, v):\n    out = x * 2\n    if v is not None:\n        out += v\n    return out";
const twice = "def g(x):\n    return x * 2\ndef f(x):\n    return g(x) + torch.ones(x.shape)";

// dimops.md §3: a cut is correct exactly if the function's pieces make up the whole result.
test.each`
  annotation                    | definition                                                                                                        | call            | cut        | equal
  ${"'m k+, k+ n -> m n'"}      | ${matmul}                                                                                                         | ${"f(x, w)"}    | ${"m='d'"} | ${true}
  ${"'m k+, k+ n -> m n'"}      | ${matmul}                                                                                                         | ${"f(x, w)"}    | ${"k='d'"} | ${true}
  ${"'m k, k n -> m n'"}        | ${matmul}                                                                                                         | ${"f(x, w)"}    | ${"k='d'"} | ${false}
  ${"'m k, k n -> m n'"}        | ${matmul}                                                                                                         | ${"f(x, w)"}    | ${"n='d'"} | ${true}
  ${"'a b -> a b'"}             | ${softmax}                                                                                                        | ${"f(x)"}       | ${"a='d'"} | ${true}
  ${"'a b -> a b'"}             | ${softmax}                                                                                                        | ${"f(x)"}       | ${"b='d'"} | ${false}
  ${"'a b+ -> a'"}              | ${"def f(x):\n    return x.sum(-1)"}                                                                              | ${"f(x)"}       | ${"b='d'"} | ${true}
  ${"'a b+ -> a'"}              | ${"def f(x):\n    return x.mean(-1)"}                                                                             | ${"f(x)"}       | ${"b='d'"} | ${false}
  ${"'a b+ -> a'"}              | ${"def f(x):\n    return (x * x).sum(-1)"}                                                                        | ${"f(x)"}       | ${"b='d'"} | ${true}
  ${"'a b+ -> a'"}              | ${"def f(x):\n    return x.sum(-1) ** 2"}                                                                         | ${"f(x)"}       | ${"b='d'"} | ${false}
  ${"'a b+ -> a'"}              | ${"def f(x):\n    return x.sum(-1) + 1"}                                                                          | ${"f(x)"}       | ${"b='d'"} | ${false}
  ${"'a (h t) -> a h t'"}       | ${heads}                                                                                                          | ${"f(x, 2)"}    | ${"h='d'"} | ${true}
  ${"'a (h t) -> a h t'"}       | ${heads}                                                                                                          | ${"f(x, h=2)"}  | ${"h='d'"} | ${true}
  ${"'m k+, k+ n, n -> m n'"}   | ${bias}                                                                                                           | ${"f(x, w, b)"} | ${"n='d'"} | ${true}
  ${"'m k+, k+ n, n -> m n'"}   | ${bias}                                                                                                           | ${"f(x, w, b)"} | ${"k='d'"} | ${false}
  ${"'*, * -> *, *'"}           | ${inPlace}                                                                                                        | ${"f(x, v)[1]"} | ${"a='d'"} | ${true}
  ${"'*, ? -> *'"}              | ${optional}                                                                                                       | ${"f(x, None)"} | ${"a='d'"} | ${true}
  ${"'a b, a b -> a b'"}        | ${optional}                                                                                                       | ${"f(x, v)"}    | ${"b='d'"} | ${true}
  ${"'a b -> a b'"}             | ${"def f(x):\n    return torch.cumsum(x, 0)"}                                                                     | ${"f(x)"}       | ${"a='d'"} | ${false}
  ${"'a b -> a b'"}             | ${"def f(x):\n    return x + torch.arange(x.size(0))[:, None]"}                                                   | ${"f(x)"}       | ${"a='d'"} | ${false}
  ${"'a b -> a b'"}             | ${"def f(x):\n    return F.dropout(F.dropout(x, 0.0), p=0.5, training=False) * 2"}                                | ${"f(x)"}       | ${"a='d'"} | ${true}
  ${"'a b -> a b'"}             | ${twice}                                                                                                          | ${"f(x)"}       | ${"b='d'"} | ${true}
  ${"'a b, a b -> a b'"}        | ${"def f(x, v):\n    y = x.view(-1, 2)\n    y += 1\n    return y.view(x.shape) * v"}                              | ${"f(x, v)"}    | ${"a='d'"} | ${true}
  ${"'a b^ -> a b^'"}           | ${"def f(x):\n    m = (x != 0) & ~(x > 1)\n    return x.masked_fill(m, torch.finfo(torch.float16).min) % 3 // 2"} | ${"f(x)"}       | ${"a='d'"} | ${true}
  ${"'a b -> a'"}               | ${"def f(x):\n    v, _ = x.max(-1)\n    return v - torch.min(x, dim=-1)[0]"}                                      | ${"f(x)"}       | ${"a='d'"} | ${true}
  ${"'a b -> a'"}               | ${"def f(x):\n    return x.max(dim=-1, keepdim=True)[0].squeeze(-1)"}                                             | ${"f(x)"}       | ${"b='d'"} | ${false}
  ${"'a b -> a b'"}             | ${"def f(x):\n    return torch.maximum(x, x.new_zeros(x.shape)) + torch.max(x, -x)"}                              | ${"f(x)"}       | ${"b='d'"} | ${true}
  ${"'a b -> a b'"}             | ${"def f(x):\n    return x - x.max()"}                                                                            | ${"f(x)"}       | ${"b='d'"} | ${false}
  ${"'a b, a b, a b -> a b'"}   | ${"def f(x, y, z):\n    return x * y - z"}                                                                        | ${"f(x, v, x)"} | ${"a='d'"} | ${true}
  ${"'a b -> a b', name='own'"} | ${softmax}                                                                                                        | ${"f(x)"}       | ${"b='d'"} | ${false}
`("$annotation of [$definition] cut by $cut runs equal: $equal", (row) => {
  const text = program(row.annotation, row.definition, `y = ${row.call}\nstrategy(y, ${row.cut})`);
  for (const values of ["integers", "floats"] as const) {
    const run = runOf(text, values);
    expect(run.diagnostics.map(({ code }) => code)).not.toContain("execute/assumed-body");
    expect(run.ok && run.value.equal).toBe(row.equal);
    if (run.ok && !row.equal) expect(run.value.first?.tensor).toMatch(/^y/);
  }
});

// a body that cannot run gives its reason, and the product of its operands stands in for it
test.each`
  definition                                                                               | why
  ${"def f(x): ..."}                                                                       | ${"its body is left out"}
  ${'def f(x):\n    """Documented."""'}                                                    | ${"result 1 of it is no tensor"}
  ${"def f(x):\n    return kernel(x)"}                                                     | ${'it calls "kernel", which is not known here'}
  ${"def f(x):\n    if x.sum() > 0:\n        return x\n    return -x"}                     | ${"depends on the values of a tensor"}
  ${"def f(x):\n    while x.max() > 1:\n        x = x / 2\n    return x"}                  | ${"depends on the values of a tensor"}
  ${"def f(x):\n    y = x.clone()\n    z = y.view(-1)\n    z += 1\n    return y"}          | ${"changed in place under another name"}
  ${"def f(x):\n    y = x * 1\n    z = y[:, 0]\n    y.mul_(2)\n    return y + z[:, None]"} | ${"changed in place under another name"}
  ${"def f(x):\n    return x[x > 0]"}                                                      | ${"picks elements by their values"}
  ${"def f(x):\n    x[0].add_(1)\n    return x"}                                           | ${"changed in place under another name"}
  ${"def f(x):\n    x[0] = 1\n    return x"}                                               | ${"it sets elements of a tensor"}
  ${"def f(x):\n    return x + w"}                                                         | ${'it reads "w", which is no argument of it'}
  ${"def f(x):\n    return F.dropout(x, 0.5)"}                                             | ${"it draws random numbers"}
  ${"def f(x):\n    return x + torch.randn(x.shape)"}                                      | ${"whose numbers are not known"}
  ${"def f(x):\n    return torch.add(x, x, alpha=2)"}                                      | ${'"alpha" of add()'}
  ${"def f(x):\n    return (x > 0).int() if x.requires_grad else x"}                       | ${'"requires_grad"'}
  ${"def f(x):\n    raise ValueError('not today')"}                                        | ${"not today"}
  ${"def f(x):\n    return x ^ x"}                                                         | ${'"^"'}
  ${"def f(x):\n    while True:\n        x = x + 1\n    return x"}                         | ${"more than 1000 operators"}
  ${"def f(x, s):\n    return x * s"}                                                      | ${'its argument "s" is not passed'}
  ${"def f(x):\n    return f(x)"}                                                          | ${"recursion"}
`("[$definition] is not run: $why", ({ definition, why }) => {
  const text = program("'a b -> a b'", definition, "y = f(x)\nstrategy(y, a='d')");
  const run = runOf(text);
  const assumed = run.diagnostics.find(({ code }) => code === "execute/assumed-body");
  expect(assumed?.message).toContain(why);
  expect(assumed?.message).toContain('"f" is a function whose body cannot be run');
  expect(run.ok && run.value.equal).toBe(true);
  expect(findings(text)).toEqual([]);
});

const rule = (inputs: string, output: string, modifier = "") =>
  `transform_rules=(TransformRule([${inputs}], [${output}]${modifier}),)`;

// dimops.md §3: a rule may cut frozen identifiers, share an operand by value, and change arguments
test.each`
  annotation                  | rules                                                                                                   | definition                                                      | call            | cut        | equal
  ${"'m k^, k^ n, n -> m n'"} | ${rule("DimopSplit.D(1), DimopSplit.D(0), DimopSplit.V()", "DimopSplit.V()")}                           | ${bias}                                                         | ${"f(x, w, b)"} | ${"k='d'"} | ${true}
  ${"'m k^, k^ n, n -> m n'"} | ${rule("DimopSplit(1), DimopSplit(dims=[0]), DimopSplit(v=True)", "DimopSplit(v=True)")}                | ${bias}                                                         | ${"f(x, w, b)"} | ${"k='d'"} | ${true}
  ${"'m k^, k^ n, n -> m n'"} | ${rule("DimopSplit.D(-1), DimopSplit.D((0,)), DimopSplit.R()", "DimopSplit.V()")}                       | ${bias}                                                         | ${"f(x, w, b)"} | ${"k='d'"} | ${false}
  ${"'a b^ -> a b^'"}         | ${rule("DimopSplit.D(1)", "DimopSplit.D(1)")}                                                           | ${"def f(x):\n    return x * 2"}                                | ${"f(x)"}       | ${"b='d'"} | ${true}
  ${"'a b^ -> a b^'"}         | ${rule("DimopSplit.D(1)", "DimopSplit.D(1)")}                                                           | ${softmax}                                                      | ${"f(x)"}       | ${"b='d'"} | ${false}
  ${"'a b^ -> a b^'"}         | ${rule("DimopSplit.D(1)", "DimopSplit.D(1)", ", lambda kw, i, d, n, at: {'s': kw['s'] // n + at * 3}")} | ${"def f(x, s):\n    return x + (torch.arange(x.size(1)) + s)"} | ${"f(x, s=0)"}  | ${"b='d'"} | ${true}
  ${"'a b^ -> a b^'"}         | ${rule("DimopSplit.D(1)", "DimopSplit.D(1)")}                                                           | ${"def f(x, s):\n    return x + (torch.arange(x.size(1)) + s)"} | ${"f(x, s=0)"}  | ${"b='d'"} | ${false}
`("$annotation with $rules runs equal: $equal", (row) => {
  const text = program(
    `${row.annotation}, ${row.rules}`,
    row.definition,
    `y = ${row.call}\nstrategy(y, ${row.cut})`,
  ).replace(
    "import torch,",
    "from nnscaler.graph.function.dimops import DimopSplit, TransformRule\nimport torch,",
  );
  const run = runOf(text);
  expect(run.diagnostics.map(({ code }) => code)).not.toContain("execute/assumed-body");
  expect(run.ok && run.value.equal).toBe(row.equal);
});

test("code that an emit_fn writes is not run as the body", () => {
  const emitted = program("'a b -> a b', emit_fn=lambda *a: ''", softmax, "y = f(x)");
  expect(runOf(emitted).diagnostics[0]?.message).toContain("an emit_fn writes its code");
  const source = program("'a b -> a b', code_impl_pattern='source'", softmax, "y = f(x)");
  expect(runOf(source).diagnostics).toEqual([]);
});

test("an autograd.Function runs by its forward, a compiled function by what is inside", () => {
  const autograd = `${head}class My(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        ctx.scale = 3
        return (x @ w) * ctx.scale
nnscaler.register_op('m k+, k+ n -> m n')(My)
y = My.apply(Tensor((4, 6)), Tensor((6, 8)))
strategy(y, k='d')
`;
  const compiled = `${head}@torch.compile
def f(x):
    return x.exp()
nnscaler.register_op('a b -> a b')(f)
y = f(Tensor((4, 6)))
strategy(y, a='d')
`;
  for (const text of [autograd, compiled]) {
    const run = runOf(text, "floats");
    expect(run.diagnostics).toEqual([]);
    expect(run.ok && run.value.equal).toBe(true);
  }
});

test("a body that gives another shape than its annotation cannot be run, and is warned of", () => {
  const text = program(
    "'m k+, k+ n -> m n'",
    "def f(x, w):\n    return (x @ w).t()",
    "y = f(x, w)",
  );
  expect(runOf(text)).toMatchObject({
    ok: false,
    diagnostics: [{ code: "execute/other-shape", upstream: "ValueError" }],
  });
  expect(found(text).map(({ code }) => code)).toEqual(["nnscaler/body-shape"]);
  expect(findings(text)).toEqual([
    'the body of "f" does not fit its annotation: its result is (8, 4), but its annotation says (4, 8)',
  ]);
});

test("a body that does not run on a part says where and why", () => {
  const text = program(
    "'a b -> a b'",
    "def f(x):\n    return x.view(4, 6)",
    "y = f(x)\nstrategy(y, a='d')",
  );
  const run = runOf(text);
  expect(run.ok && run.value.equal).toBe(false);
  expect(run.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
    'execute/part-fails the body of "f" does not run on the part of device 0, (2, 6): its result is (4, 6), but its annotation says (2, 6)',
  ]);
});

test("a training step says whose gradients are not those of the body", () => {
  const text = `${program("'m k+, k+ n -> m n'", matmul, "y = f(x, w)\nloss = y.sum()\ntrain(loss)").replace("w = Tensor", "w = Parameter")}`;
  const run = runOf(text);
  expect(run.ok && run.value.equal).toBe(true);
  expect(run.diagnostics.map(({ code }) => code)).toEqual(["execute/assumed-gradient"]);
});

test("a training step says whose gradients nobody knows", () => {
  const text = `${program("'a b -> a b'", "def f(x): ...", "y = f(w)\nloss = y.sum()\ntrain(loss)").replace("w = Tensor", "w = Parameter")}`;
  expect(runOf(text).diagnostics.map(({ code }) => code)).toEqual([
    "execute/assumed-body",
    "execute/assumed-gradient",
  ]);
});

test("integers that hide a fault behind stand-ins are followed by floats", () => {
  const text = program(
    "'a b+ -> a'",
    "def f(x):\n    return x.mean(-1)",
    "y = f(Tensor((4, 8)))\nstrategy(y, b='d')",
  );
  expect(runOf(text).diagnostics.map(({ code }) => code)).toEqual(["execute/found-on-floats"]);
});

// the check cuts every identifier that may be cut, whatever the plan
test.each`
  annotation                  | definition                              | call            | along               | fixed
  ${"'m k+, k+ n -> m n'"}    | ${matmul}                               | ${"f(x, w)"}    | ${[]}               | ${"'m k+, k+ n -> m n'"}
  ${"'m k, k n -> m n'"}      | ${matmul}                               | ${"f(x, w)"}    | ${["k k+"]}         | ${"'m k+, k+ n -> m n'"}
  ${"'a b -> a b'"}           | ${softmax}                              | ${"f(x)"}       | ${["b b^"]}         | ${"'a b^ -> a b^'"}
  ${"'a b+ -> a'"}            | ${"def f(x):\n    return x.mean(-1)"}   | ${"f(x)"}       | ${["b b^"]}         | ${"'a b^ -> a'"}
  ${"'m k+, k+ n, n -> m n'"} | ${bias}                                 | ${"f(x, w, b)"} | ${["k k^"]}         | ${"'m k^, k^ n, n -> m n'"}
  ${"'a (h t) -> a h t'"}     | ${heads}                                | ${"f(x, 2)"}    | ${[]}               | ${"'a (h t) -> a h t'"}
  ${"'*, ? -> *'"}            | ${optional}                             | ${"f(x, None)"} | ${[]}               | ${"'*, ? -> *'"}
  ${"'* -> *'"}               | ${"def f(x):\n    return x - x.mean()"} | ${"f(x)"}       | ${["a a^", "b b^"]} | ${"'* -> *'"}
`("check says of $annotation of [$definition]: $along", (row) => {
  const text = program(row.annotation, row.definition, `y = ${row.call}`);
  const document = readDocument(text);
  const found: readonly BodyFinding[] = checkBodies(document.graph, document.traceBody);
  const along = found.flatMap((each) =>
    each.kind === "axis" ? [`${each.axis} ${each.axis}${each.mark}`] : [],
  );
  expect(along).toEqual(row.along);
  const fixes = bodyDiagnostics(document, found).flatMap(({ fixes = [] }) => fixes);
  const edits = fixes.flatMap((fix) => fix.edits);
  const mended = applyEdits(text, edits);
  expect(mended).toBe(program(row.fixed, row.definition, `y = ${row.call}`));
  if (edits.length > 0) expect(findings(mended)).toEqual([]);
});

test("a text cannot make the bodies of its functions take long", () => {
  const endless = (name: string) =>
    `@nnscaler.register_op("a b -> a b")\ndef ${name}(x):\n    for i in range(999):\n        x = x + i\n    return x\ny = ${name}(x)\n`;
  const names = Array.from({ length: 16 }, (_, at) => `f${at}`);
  const text = `${head}x = Tensor((2, 2))\n${names.map(endless).join("")}`;
  const { graph, traceBody } = readDocument(text);
  const outcomes = graph.operators.map(({ id }) =>
    traceBody({ operator: id, shapes: [[2, 2]], lengths: {}, pieces: [] }),
  );
  const refused = outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]));
  expect(outcomes.length - refused.length).toBe(13);
  expect(new Set(refused)).toEqual(new Set(["the functions of this text take too long"]));
});

test("calls of one function are checked once, and nothing runs while a text is read", () => {
  const calls = "y = f(x)\nz = f(y)\nq = f(z)";
  expect(findings(program("'a b -> a b'", softmax, calls))).toHaveLength(1);
  const failing = program("'a b -> a b'", "def f(x):\n    raise ValueError('no')", calls);
  expect(readDocument(failing).diagnostics).toEqual([]);
});

const windows = `import torch, nnscaler
import torch.nn.functional as F
mesh = Mesh(dp=2, tp=2)
@nnscaler.register_op('B N^ C^, (h+ dh^ 3) C^, (h+ dh^ 3), (wh^ ww^) (wh^ ww^), t^ h+, C^ (h+ dh^), ? -> B N^ C^')
def attention(x, qkv_w, qkv_b, index, table, dense_w, mask, h, scale, wh, ww):
    B_, N, C = x.shape
    qkv = F.linear(x, qkv_w, qkv_b).view(B_, N, h, -1, 3).permute(4, 0, 2, 1, 3)
    q, k, v = qkv[0], qkv[1], qkv[2]
    attn = (q * scale) @ k.transpose(-2, -1)
    bias = table[index.view(-1)].view(wh * ww, wh * ww, -1)
    attn = attn + bias.permute(2, 0, 1).contiguous().unsqueeze(0)
    if mask is not None:
        nw = mask.shape[0]
        attn = attn.view(B_ // nw, nw, h, N, N) + mask.unsqueeze(1).unsqueeze(0)
        attn = attn.view(-1, h, N, N)
    attn = F.softmax(attn, dim=-1)
    return F.linear((attn @ v).transpose(1, 2).reshape(B_, N, -1), dense_w)
weights = Parameter((48, 16)), Parameter((48,)), Tensor((4, 4), "int64"), Parameter((9, 4)), Parameter((16, 16))
`;

// The annotation of nnScaler's own Swin example.
test.each(["None", "Tensor((4, 4, 4))"])(
  "window attention with the mask %s agrees with its annotation, and runs by heads and windows",
  (mask) => {
    const call = `y = attention(Tensor((8, 4, 16)), *weights, ${mask}, h=4, scale=0.5, wh=2, ww=2)\n`;
    const text = `${windows}${call}strategy(y, h="tp", B="dp")\n`;
    const run = runOf(text);
    expect(run.diagnostics).toEqual([]);
    expect(run.ok && run.value.equal).toBe(true);
    expect(findings(text)).toEqual([]);
    expect(findings(text.replace("* scale)", "* scale).softmax(1)"))).toHaveLength(1);
  },
);
