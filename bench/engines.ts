import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { WrittenCode } from "#systems";
import { examples } from "../src/app/examples/index.ts";
import { exportAnswer } from "../src/cli/commands/export.ts";
import { optimizeAnswer } from "../src/cli/commands/optimize.ts";
import { type Compiled, compile } from "../src/compile/index.ts";
import { hasErrors } from "../src/core/diagnostics/index.ts";
import { randomProgram } from "../src/execute/verify/random-program.testing.ts";
import { allTargets, writeCode } from "../src/systems/code.testing.ts";
import { planWords, textModels } from "../src/systems/nnscaler/export/text-models.testing.ts";
import { publicModels } from "./public-models.ts";

/**
 * Every example as code of JAX, PyTorch and DTensor, or of those that are named, run on as many host
 * devices as it plans for, by JAX and PyTorch also one training step of each that can train, and ten of
 * every optimizer, which must be those of `torch.optim`: numbers
 * of every copy, slices, and exactly the claimed collectives with groups and bytes; where `mindspore` is named, as cells that MindSpore's own compiler takes to the
 * claimed strategies, slices and collectives; where `nnscaler` is, as models and policies of which
 * it generates the claimed slices, adapters and reducers. Model classes as users write them run by
 * what `parallelize` writes for them. Then random programs, as JAX and PyTorch unless others
 * are named, and what an engine computes wrongly, replayed.
 * `engines PYTHON FOLDER [target …] [example …] [random COUNT]`; ends with one line of counts, and with
 * status 1 when one failed. With `random` only so many random programs are run, with `optimizers`
 * only the optimizers. The folder is this
 * run's own; it is removed at the end, but for one in which something failed.
 */
const [python = "python3", folder = "engines-out", ...named] = process.argv.slice(2);
const known = allTargets.map(({ target }) => target);
const isRandomOnly = named.includes("random");
const isOptimizersOnly = named.includes("optimizers");
const wanted = named.filter(
  (name) =>
    !known.some((target) => target === name) &&
    !["random", "optimizers"].includes(name) &&
    !/^\d+$/.test(name),
);
/** Targets whose files are run by nothing here. */
const unrun: readonly string[] = ["arguments", "maxtext"];
const chosen = known.filter((target) => named.includes(target) && !unrun.includes(target));
const compilers: readonly string[] = ["mindspore", "nnscaler", "nnscaler-policy"];
const asked =
  chosen.length > 0 ? chosen : known.filter((target) => ![...compilers, ...unrun].includes(target));

/** A plan of a model class of a user, and half of the sentence by which it is refused. */
interface ModelCase {
  readonly name: string;
  /** The file of `engines/models` with the class. */
  readonly model: string;
  readonly plan: string;
  /** What stands in place of `train(loss)`. */
  readonly train?: string;
  readonly refused?: string;
  /** The fastest plan that has words is run in its place. */
  readonly nearest?: true;
}

/** Targets whose files are for the text's own model classes. */
const ofModels: readonly string[] = ["parallelize"];
const models = join("engines", "models");

/** Random programs in a run that names none, and their greatest number of devices. */
const usualRandoms = 20;
const randomDevices = 8;
const randomCount = isRandomOnly
  ? Number(named.find((name) => /^\d+$/.test(name)) ?? usualRandoms)
  : usualRandoms;

/** What an engine computes wrongly, by a script that runs it and the rewriting that is safe. */
const replays: Readonly<Partial<Record<string, string>>> = {
  dtensor: "replay_dtensor.py",
  mindspore: "replay_mindspore.py",
  nnscaler: "replay_nnscaler.py",
};

/**
 * Limits of a host that computes an example in a few seconds: elements of the largest tensor, and
 * devices. JAX makes any number of devices on one host, and beyond 64 the ranks of PyTorch are
 * threads of one process.
 */
const mostElements = 2 ** 20;
const mostDevices = (target: string) => (target === "jax" || target === "torch" ? 512 : 16);

/**
 * A program with its large numbers divided until a host can run it. In narrow types it is a matter
 * of rounding which expert a token goes to: programs with a gate run in wider ones.
 */
function small({ program: given, plan }: Card, target: string): Compiled | string {
  const program = given.includes("gate(") ? given.replaceAll('"bf16"', '"f32"') : given;
  let reason = "it does not compile";
  for (const divisor of [1, 4, 16, 64]) {
    const text = program.replaceAll(/\b\d{3,}\b/g, (digits) =>
      String(Math.max(8, Math.floor(Number(digits) / divisor))),
    );
    const compiled = compiledCard({ program: text, ...(plan !== undefined && { plan }) });
    if (hasErrors(compiled.diagnostics)) continue;
    const { graph, devices } = compiled.program;
    if (devices.length > mostDevices(target))
      return `${devices.length} devices are more than a host runs`;
    const elements = graph.tensors.map(({ shape }) => shape.reduce((n, size) => n * size, 1));
    if (Math.max(...elements) <= mostElements) return compiled;
    reason = "its tensors are too large for a host";
  }
  return reason;
}

/** A program with the plan that stands beside it. */
function compiledCard({ program, plan }: Pick<Card, "program" | "plan">): Compiled {
  return compile(program, plan === undefined ? {} : { planText: plan });
}

const tally = { passed: 0, failed: 0, "not run": 0 };

function note(what: keyof typeof tally, line: string): void {
  tally[what] += 1;
  console.log(`${what}: ${line}`);
}

type Saved = Pick<WrittenCode & { ok: true }, "files" | "claims">;

/** Puts the files of a plan into a folder of their own, and returns it. */
function saved(name: string, target: string, written: Saved): string {
  const place = join(folder, target, name);
  mkdirSync(place, { recursive: true });
  const [plan, launcher] = written.files;
  writeFileSync(join(place, "plan.py"), plan.text);
  writeFileSync(join(place, launcher.name), launcher.text);
  writeFileSync(join(place, "claims.json"), JSON.stringify(written.claims));
  return place;
}

/** The outcome of one check, as check_many.py prints it. */
interface Outcome {
  readonly folder: string;
  readonly status: number;
  readonly said: string;
  readonly faults: readonly string[];
}

/** What becomes of the files in some folders. */
async function* outcomes(target: string, places: readonly string[]): AsyncGenerator<Outcome> {
  if (places.length === 0) return;
  const args = [join("engines", "check_many.py"), target, ...places];
  const child = spawn(python, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
}

async function check(target: string, places: readonly string[]): Promise<void> {
  let count = 0;
  for await (const outcome of outcomes(target, places)) {
    const name = outcome.folder.slice(join(folder, target).length + 1);
    note(outcome.status === 0 ? "passed" : "failed", `${name} for ${target}: ${outcome.said}`);
    for (const fault of outcome.faults) console.log(`  ${fault.slice(0, 300)}`);
    count += 1;
  }
  if (count < places.length) note("failed", `${target}: only ${count} of ${places.length} ran`);
}

/** A claimed collective, by the names of either form. */
type ClaimedCollective = Readonly<Record<string, unknown>>;

/** Claims with one thing in them wrong, by what is wrong. */
const planted: Readonly<
  Record<string, (all: readonly ClaimedCollective[]) => readonly ClaimedCollective[]>
> = {
  "one collective too few": (all) => all.slice(1),
  "one collective too many": (all) => [...all, ...all.slice(0, 1)],
  "bytes of a collective": ([first = {}, ...others]) => {
    const bytes = "bytes" in first ? "bytes" : "bytesPerDevice";
    return [{ ...first, [bytes]: Number(first[bytes]) + 4 }, ...others];
  },
  "groups of a collective": ([first, ...others]) => [{ ...first, groups: [[0], [1]] }, ...others],
};

/** Whether a check notices wrong claims: the files of the first example with each, all to fail. */
async function checkPlanted(target: string): Promise<void> {
  const compiled = compile(examples[0]?.program ?? "");
  const written = writeCode(compiled, target);
  if (!written.ok) return;
  const claims = JSON.parse(JSON.stringify(written.claims));
  const [one, ...more] = Object.keys(claims.slices);
  const slices = { ...claims.slices, [one ?? ""]: claims.slices[more[0] ?? ""] };
  // nnScaler's collectives stand in adapters, whose bytes it says nowhere.
  const list = "adapters" in claims ? "adapters" : "collectives";
  const faults = Object.entries(planted)
    .filter(([fault]) => list === "collectives" || fault.startsWith("one collective"))
    .map(([fault, plant]) => ({ fault, claims: { ...claims, [list]: plant(claims[list]) } }));
  const all = [...faults, { fault: "slices of a tensor", claims: { ...claims, slices } }];
  const places = all.map((each) =>
    saved(`planted-${each.fault.replaceAll(" ", "-")}`, target, { ...written, ...each }),
  );
  for await (const { folder: place, status } of outcomes(target, places)) {
    const fault = all[places.indexOf(place)]?.fault;
    note(status === 0 ? "failed" : "passed", `a check for ${target} notices wrong ${fault}`);
  }
}

/** A number that is wrong by a millionth, by target: a line of the first example's file, and another in its place. */
const plantedNumbers: Readonly<Partial<Record<string, readonly [string, string]>>> = {
  nnscaler: [
    "    planned.sync_grad()\n",
    "    planned.sync_grad()\n    next(planned.parameters()).grad.mul_(1 + 1e-6)\n",
  ],
};

/** Whether a check notices a wrong number, beside claims that are right. */
async function checkPlantedNumber(target: string): Promise<void> {
  const [line, wrong] = plantedNumbers[target] ?? [];
  const written = writeCode(compile(examples[0]?.program ?? ""), target);
  if (line === undefined || wrong === undefined || !written.ok) return;
  const [plan, launcher] = written.files;
  const faulty = { ...plan, text: plan.text.replace(line, wrong) };
  const place = saved("planted-number", target, { ...written, files: [faulty, launcher] });
  for await (const { status, faults } of outcomes(target, [place])) {
    const isNoticed = status !== 0 && faults.some((fault) => fault.includes(" is off by "));
    note(isNoticed ? "passed" : "failed", `a check for ${target} notices a wrong number`);
  }
}

/** A deep net in a narrow type, as a training step: what it rounds is more than a wrong number would be. */
const deepLayers = 24;
const deepNet = `mesh = Mesh(dp=2, tp=2)
h0 = Tensor((8, 32), "bf16")
${Array.from(
  { length: deepLayers },
  (_, at) => `w${at} = Parameter((32, 32), "bf16")
m${at} = matmul(h${at}, w${at})
h${at + 1} = relu(m${at})
strategy(m${at}, m="dp", ${at % 2 === 0 ? "n" : "k"}="tp")`,
).join("\n")}
loss = h${deepLayers}.sum()
train(loss)
`;

/** Engines that also run training steps. */
const trainingTargets: readonly string[] = ["jax", "torch"];

/** A training step that ten steps of `torch.optim` are held against, by what `train` is told. */
const optimized: Readonly<Record<string, { readonly train: string; readonly claims: object }>> = {
  sgd: { train: '"sgd"', claims: { optimizer: "SGD", options: {} } },
  "sgd-decayed": {
    train: '"sgd", momentum=0.8, weight_decay=0.1',
    claims: { optimizer: "SGD", options: { momentum: 0.8, weight_decay: 0.1 } },
  },
  momentum: { train: '"momentum"', claims: { optimizer: "SGD", options: { momentum: 0.9 } } },
  adam: { train: '"adam", zero=1', claims: { optimizer: "Adam", options: {} } },
  "adam-decayed": {
    train: '"adam", betas=(0.8, 0.95), eps=1e-6, weight_decay=0.1',
    claims: { optimizer: "Adam", options: { betas: [0.8, 0.95], eps: 1e-6, weight_decay: 0.1 } },
  },
  adamw: { train: '"adamw"', claims: { optimizer: "AdamW", options: {} } },
  "adamw-decayed": {
    train: '"adamw", weight_decay=0.3, betas=(0.5, 0.9), zero=3',
    claims: { optimizer: "AdamW", options: { betas: [0.5, 0.9], weight_decay: 0.3 } },
  },
};

/** The net that check_optimizers.py knows. */
const optimizedNet = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 4))
h = relu(x @ w1)
y = h @ w2
loss = (y * y).sum()
strategy(h, a="dp", b="mp")
`;

/** Whether ten steps of an exported file are those of `torch.optim`. */
function checkOptimizers(target: string): void {
  if (!trainingTargets.includes(target)) return;
  for (const [name, { train, claims }] of Object.entries(optimized)) {
    const written = writeCode(compile(`${optimizedNet}train(loss, ${train})\n`), target);
    if (!written.ok) {
      note("failed", `ten steps of ${name} for ${target}: ${written.reason}`);
      continue;
    }
    const place = saved(`optimizer-${name}`, target, { ...written, claims });
    const args = [join("engines", "check_optimizers.py"), target, place];
    const { status, stdout, stderr } = spawnSync(python, args, { encoding: "utf8" });
    const said = stdout.trim() || (stderr.trim().split("\n").at(-1) ?? "");
    note(status === 0 ? "passed" : "failed", `ten steps of ${name} for ${target}: ${said}`);
  }
}

/** What runs a file by itself, by target. */
const launched: Readonly<Partial<Record<string, (file: string) => readonly string[]>>> = {
  jax: (file) => [file],
  torch: (file) => ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=4", file],
};

/** Whether the file's own check passes a deep net that rounds, and notices a number that is wrong by less. */
function checkOwnCheck(target: string): void {
  const argumentsOf = launched[target];
  const written = writeCode(compile(deepNet), target);
  if (argumentsOf === undefined || !written.ok) return;
  const [plan, launcher] = written.files;
  const at = plan.text.lastIndexOf(" = h3 @ w3") + " = h3 @ w3".length;
  const faulty = `${plan.text.slice(0, at)} * 1.0001${plan.text.slice(at)}`;
  for (const [name, text] of Object.entries({ right: plan.text, wrong: faulty })) {
    const place = saved(`own-check-${name}`, target, {
      ...written,
      files: [{ ...plan, text }, launcher],
    });
    const env = { ...process.env, XLA_FLAGS: "--xla_force_host_platform_device_count=4" };
    const args = argumentsOf(join(place, "plan.py"));
    const { status, stdout, stderr } = spawnSync(python, args, { encoding: "utf8", env });
    const isOff = status !== 0 && stderr.includes(" is off by ");
    const isRight = name === "right" ? status === 0 && stdout.includes("64 bits") : isOff;
    note(
      isRight ? "passed" : "failed",
      `the own check of a deep net that is ${name}, for ${target}`,
    );
  }
}

/** What is wrong in the claims of a cell's own check, and the edit of its file that makes it so. */
const plantedClaims: Readonly<Record<string, (text: string) => string>> = {
  "the pieces of an operand": (text) => text.replace(/("MatMul", \[\[)(\d)/, "$19"),
  "one operator too few": (text) => text.replace(/ {4}\("MatMul", .*\n/, ""),
  "one collective too few": (text) => text.replace(/ {4}\("AllReduce", .*\n/, ""),
  "the ranks of a collective": (text) => text.replace(/("AllReduce", \[0, )\d/, "$19"),
  "the shape of a parameter": (text) => text.replace(/(PARAMETERS = \{"\w+": \()\d/, "$19"),
};

/** A product of which partial sums are added, whose cell has a claim of every kind. */
const claimedProduct = `mesh = Mesh(dp=2, tp=2)
x = Tensor((8, 16))
w = Parameter((16, 32))
y = matmul(x, w)
strategy(y, m="dp", k="tp")
`;

/** Whether the file's own check notices claims that are wrong; that it passes right ones, every card's check shows. */
function checkPlantedClaims(target: string): void {
  const written = writeCode(compile(claimedProduct), target);
  if (target !== "mindspore" || !written.ok) return;
  const [plan, launcher] = written.files;
  for (const [fault, plant] of Object.entries(plantedClaims)) {
    const faulty = { ...plan, text: plant(plan.text) };
    const place = saved(`own-check-${fault.replaceAll(" ", "-")}`, target, {
      ...written,
      files: [faulty, launcher],
    });
    const args = [join(place, "plan.py"), "--verify"];
    const { status, stderr } = spawnSync(python, args, { encoding: "utf8" });
    const isNoticed =
      faulty.text !== plan.text && status !== 0 && stderr.includes("the plan claims");
    note(isNoticed ? "passed" : "failed", `the own check of a cell notices ${fault}`);
  }
}

/** Own models under the policies of their plans; each beside the text, as the module that it imports. */
function savedTextModels(): readonly string[] {
  const target = "nnscaler-policy";
  return textModels.flatMap(({ name, program }) => {
    const written = writeCode(compile(program), target);
    if (!written.ok) {
      note("failed", `${name} for ${target}: ${written.reason}`);
      return [];
    }
    const place = saved(name, target, written);
    writeFileSync(join(place, "model.py"), `${planWords}\n\n${program}`);
    return [place];
  });
}

interface Card {
  readonly name: string;
  readonly program: string;
  /** The error that it has on purpose. */
  readonly fault?: string;
  /** The plan, where it stands beside the program. */
  readonly plan?: string;
}

/** An example with a training step whose loss is its last result; none of one that has its own. */
function trained({ name, program }: Card): readonly Card[] {
  const isGraph = program.trimStart().startsWith("{");
  if (isGraph || /^train\(/m.test(program)) return [];
  const { graph, diagnostics } = compile(program);
  const loss = graph.tensors.find(({ id }) => id === graph.outputs.at(-1));
  if (loss === undefined || hasErrors(diagnostics)) return [];
  return [{ name: `${name}-trained`, program: `${program}\ntrain("${loss.name}")\n` }];
}

/** An example that is wrong on purpose is no program: it must have its error, which the command line refuses it for. */
function noteRefused({ name, fault = "", ...card }: Card, target: string): void {
  const { diagnostics } = compiledCard(card);
  const codes = diagnostics.flatMap(({ code, severity }) => (severity === "error" ? [code] : []));
  const isRefused = codes.length === 1 && codes[0] === fault;
  const why = isRefused ? `it is wrong on purpose: ${fault}` : `refused for ${codes.join(", ")}`;
  note(isRefused ? "passed" : "failed", `${name} for ${target}: ${why}`);
}

/** Linear layers and a table, which no example has in the form that an engine has layers for. */
const layerCard: Card = {
  name: "layers",
  program: `mesh = Mesh(tp=4)
ids = Tensor((16,), "int32")
table = Parameter((32, 16))
w1 = Parameter((64, 16))
w2 = Parameter((16, 64))
x = embedding(ids, table)
h = linear(x, w1)
a = relu(h)
y = linear(a, w2)
z = relu(y)
strategy(x, k="tp")
strategy(h, n="tp")
strategy(y, k="tp")
`,
};

/** The same and a norm on a mesh of two axes: tables cut by rows, a sequence that is cut, and a weight that is whole. */
const layersOnTwoAxes: Card = {
  name: "layers-on-two-axes",
  program: `mesh = Mesh(dp=2, tp=2)
ids = Tensor((8, 4), "int32")
table = Parameter((32, 16))
g = Parameter((16,))
w1 = Parameter((16, 32))
w2 = Parameter((16, 32))
w3 = Parameter((16, 8))
x = embedding(ids, table)
n = layer_norm(x, g)
h = matmul(n, w1)
a = gelu(h)
y = linear(a, w2)
z = matmul(y, w3)
strategy(x, a="dp", n="tp")
strategy(n, a="dp", b="tp")
strategy(h, a="dp", n="tp")
strategy(y, a="dp", k="tp")
`,
};

/** The second half of a transformer's block as models have it: linear layers of rows, on batches of sequences. */
const blockCard: Card = {
  name: "block",
  program: `mesh = Mesh(dp=2, tp=4)
x = Tensor((8, 16, 64))
g = Parameter((64,))
w1 = Parameter((256, 64))
b1 = Parameter((256,))
w2 = Parameter((64, 256))
n = layer_norm(x, g)
h = linear(n, w1)
hb = add(h, b1)
a = relu(hb)
y = linear(a, w2)
z = add(x, y)
strategy(n, a="dp")
strategy(h, a="dp", n="tp")
strategy(hb, a="dp", c="tp")
strategy(y, a="dp", k="tp")
strategy(z, a="dp")
`,
};

/** Products of stacks, as attention has them, over heads that are cut. */
const stacksCard: Card = {
  name: "stacks",
  program: `mesh = Mesh(dp=2, tp=4)
q = Tensor((4, 8, 16, 32))
k = Tensor((4, 8, 16, 32))
v = Tensor((4, 8, 16, 32))
kt = transpose(k, 2, 3)
s = matmul(q, kt)
p = softmax(s)
o = matmul(p, v)
strategy(kt, a="dp", b="tp")
strategy(s, a="dp", b="tp")
`,
};

/** What no example has in the form that an engine has words for. */
const madeCards = [layerCard, layersOnTwoAxes, blockCard, stacksCard];

/** Model classes as users write them, each by some plans; what has no words must be refused by its cause. */
function savedModels(target: string): readonly string[] {
  const cases: readonly ModelCase[] = JSON.parse(readFileSync(join(models, "plans.json"), "utf8"));
  return cases.flatMap(({ name, model, plan, train, refused, nearest }) => {
    if (wanted.length > 0 && !wanted.includes(name)) return [];
    const whole = readFileSync(join(models, `${model}.py`), "utf8");
    const text = train === undefined ? whole : whole.replace("train(loss)\n", train);
    const compiled = compile(text + plan);
    const written = writeCode(compiled, target);
    if (hasErrors(compiled.diagnostics) || written.ok !== (refused === undefined)) {
      const why = written.ok ? "it is written" : written.reason;
      note("failed", `${name} for ${target}: ${why}`);
      return [];
    }
    if (!written.ok) {
      const isNamed = written.reason.includes(refused ?? "");
      note(isNamed ? "passed" : "failed", `${name} for ${target} is refused: ${written.reason}`);
      const other = nearest && exportAnswer({ program: text + plan, to: target, nearest });
      if (other === undefined) return [];
      if (other.ok) return [savedModel(`${name}-nearest`, other as typeof other & Saved)];
      note("failed", `${name}: no other plan was found that has words`);
      return [];
    }
    return [savedModel(name, written)];

    function savedModel(folder: string, code: Saved): string {
      const place = saved(folder, target, code);
      writeFileSync(join(place, "model.py"), text);
      return place;
    }
  });
}

/** Public models by their fastest plans, or the fastest that have words, on the classes of their package. */
function savedPublic(target: string): readonly string[] {
  const all = publicModels(python);
  if (typeof all === "string") {
    note("not run", `public models for ${target}: ${all}`);
    return [];
  }
  return all.flatMap(({ name, program, text }) => {
    if (wanted.length > 0 && !wanted.includes(name)) return [];
    const plan = optimizeAnswer({ program });
    const planned = typeof plan.program === "string" ? plan.program : program;
    const written = exportAnswer({ program: planned, to: target, nearest: true });
    if (!written.ok) {
      const [why = ""] = written.diagnostics.map(({ message }) => message).slice(-1);
      note("failed", `${name} for ${target}: ${why}`);
      return [];
    }
    const place = saved(name, target, written as typeof written & Saved);
    writeFileSync(join(place, "model.py"), text);
    return [place];
  });
}

/** Rules of examples and of models, beside the program whose parameters lie by them. */
function savedRules(target: string): readonly string[] {
  const cases: readonly ModelCase[] = JSON.parse(readFileSync(join(models, "plans.json"), "utf8"));
  const texts = cases.map(({ name, model, plan }) => {
    const text = readFileSync(join(models, `${model}.py`), "utf8");
    return { name, program: text + plan };
  });
  return [...examples, ...madeCards, ...texts].flatMap((card) => {
    const isAsked = wanted.length === 0 || wanted.includes(card.name);
    if (!isAsked || ("fault" in card && card.fault !== undefined)) return [];
    const compiled = small(card, target);
    if (typeof compiled === "string") return [];
    const [written, beside] = [writeCode(compiled, target), writeCode(compiled, "jax")];
    if (!written.ok || !beside.ok) {
      const why = written.ok
        ? beside.ok
          ? ""
          : `no program beside it: ${beside.reason}`
        : written.reason;
      note("not run", `${card.name} for ${target}: ${why}`);
      return [];
    }
    const place = saved(card.name, target, written);
    writeFileSync(join(place, "reference.py"), beside.files[0].text);
    return [place];
  });
}

/** Whether a check of models notices a style that is left out, and claims with a fault. */
async function checkPlantedModels(target: string): Promise<void> {
  const text = readFileSync(join(models, "gpt.py"), "utf8");
  const cases: readonly ModelCase[] = JSON.parse(readFileSync(join(models, "plans.json"), "utf8"));
  const sequence = cases.find(({ name }) => name === "gpt-sequence-zero3");
  const written = writeCode(compile(text + sequence?.plan), target);
  if (!written.ok) return;
  const [plan, launcher] = written.files;
  // Without its style a norm runs, and each rank has a part of its gradient.
  const without = plan.text.replace(/^.*"blocks\.\*\.norm1".*\n/mu, "");
  const claims = JSON.parse(JSON.stringify(written.claims));
  const faults = {
    "style that is left out": {
      ...written,
      files: [{ ...plan, text: without }, launcher] as const,
    },
    "number of collectives": {
      ...written,
      claims: { ...claims, forward: { ...claims.forward, "all-gather": 4 } },
    },
    "cut of a parameter": {
      ...written,
      claims: { ...claims, cut: { ...claims.cut, "head.weight": 1 } },
    },
  };
  for (const [fault, each] of Object.entries(faults)) {
    const place = saved(`planted-${fault.replaceAll(" ", "-")}`, target, each);
    writeFileSync(join(place, "model.py"), text);
    for await (const { faults: found } of outcomes(target, [place])) {
      const isNoticed = found.some((line) => line.startsWith("FAIL"));
      note(isNoticed ? "passed" : "failed", `a check for ${target} notices a wrong ${fault}`);
    }
  }
}

function savedExamples(target: string): readonly string[] {
  const cards = [...examples, ...madeCards].flatMap((card): readonly Card[] => {
    if (wanted.length > 0 && !wanted.includes(card.name)) return [];
    return trainingTargets.includes(target) ? [card, ...trained(card)] : [card];
  });
  return cards.flatMap((card) => {
    const { name, fault } = card;
    if (fault !== undefined) {
      noteRefused(card, target);
      return [];
    }
    // A compiler takes any size, for it computes nothing; nnScaler runs a model once.
    const compiled = target === "mindspore" ? compiledCard(card) : small(card, target);
    const written: WrittenCode =
      typeof compiled === "string" ? { ok: false, reason: compiled } : writeCode(compiled, target);
    if (written.ok) return [saved(name, target, written)];
    note("not run", `${name} for ${target}: ${written.reason}`);
    return [];
  });
}

/** Random programs that every target has a form for, by target; the others are counted by cause. */
function savedRandoms(targets: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const places = new Map(targets.map((target) => [target, [] as string[]]));
  const refused = new Map<string, number>();
  let count = 0;
  for (let seed = 1; count < randomCount; seed += 1) {
    const program = randomProgram(seed);
    if (program.devices.length > randomDevices) continue;
    const codes = targets.map((target) => ({ target, written: writeCode({ program }, target) }));
    const refusal = codes.map(({ written }) => written).find((written) => !written.ok);
    if (refusal !== undefined && !refusal.ok) {
      const why = refusal.reason.replaceAll(/\b[a-z]\d+\b/g, "…");
      refused.set(why, (refused.get(why) ?? 0) + 1);
      continue;
    }
    for (const { target, written } of codes)
      if (written.ok) places.get(target)?.push(saved(`random-${seed}`, target, written));
    count += 1;
  }
  for (const [why, times] of refused)
    console.log(`random programs without a form: ${times}, ${why}`);
  return places;
}

function replay(target: string): void {
  const script = replays[target];
  if (script === undefined) return;
  const { status, stdout } = spawnSync(python, [join("engines", script)], { encoding: "utf8" });
  const counted = stdout.trim().split("\n").at(-1) ?? "";
  note(status === 0 ? "passed" : "failed", `what ${target} computes wrongly, replayed: ${counted}`);
}

const isWhole = wanted.length === 0;
if (isOptimizersOnly) for (const target of asked) checkOptimizers(target);
else if (!isRandomOnly)
  for (const target of asked) {
    if (ofModels.includes(target)) {
      await check(target, [...savedModels(target), ...savedPublic(target)]);
      if (isWhole) await checkPlantedModels(target);
      continue;
    }
    if (target === "jax-rules" || target === "flax-rules") {
      await check(target, savedRules(target));
      continue;
    }
    await check(target, savedExamples(target));
    if (isWhole && target === "nnscaler") await check("nnscaler-policy", savedTextModels());
    if (isWhole) await checkPlanted(target);
    if (isWhole) await checkPlantedNumber(target);
    if (isWhole) checkOwnCheck(target);
    if (isWhole) checkPlantedClaims(target);
    if (isWhole) checkOptimizers(target);
  }
if (isWhole && !isOptimizersOnly && (isRandomOnly || chosen.length === 0)) {
  const targets = chosen.length > 0 ? chosen : (["jax", "torch"] as const);
  for (const [target, places] of savedRandoms(targets)) await check(target, places);
}
if (isWhole && !isRandomOnly && !isOptimizersOnly) for (const target of asked) replay(target);
if (tally.failed > 0) console.log(`the code that ran is in ${folder}`);
else rmSync(folder, { recursive: true, force: true });
console.log(
  Object.entries(tally)
    .map(([what, count]) => `${count} ${what}`)
    .join(", "),
);
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;
