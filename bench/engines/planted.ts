import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { examples } from "../../src/app/examples/index.ts";
import { compile } from "../../src/compile/index.ts";
import { writeCode } from "../../src/systems/code.testing.ts";
import { python } from "./asked.ts";
import { note, outcomes, saved } from "./outcomes.ts";

/** A claimed collective, in either form of names. */
type ClaimedCollective = Readonly<Record<string, unknown>>;

/** Claims with one wrong entry, by fault. */
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

/** Checks that wrong claims are detected: the first example's files with each fault must fail. */
export async function checkPlanted(target: string): Promise<void> {
  const compiled = compile(examples[0]?.program ?? "");
  const written = writeCode(compiled, target);
  if (!written.ok) return;
  const claims = JSON.parse(JSON.stringify(written.claims));
  const [one, ...more] = Object.keys(claims.slices);
  const slices = { ...claims.slices, [one ?? ""]: claims.slices[more[0] ?? ""] };
  // nnScaler's collectives are in adapters, which have no byte counts.
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

/** An edit of the first example's file that makes a number wrong by a millionth, by target. */
const plantedNumbers: Readonly<Partial<Record<string, readonly [string, string]>>> = {
  nnscaler: [
    "    planned.sync_grad()\n",
    "    planned.sync_grad()\n    next(planned.parameters()).grad.mul_(1 + 1e-6)\n",
  ],
};

/** Checks that a wrong number is detected even if all claims are right. */
export async function checkPlantedNumber(target: string): Promise<void> {
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

/** A training step of a deep net in a narrow dtype, whose rounding exceeds the injected error. */
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

/** Arguments of the interpreter that run a file, by target. */
const launched: Readonly<Partial<Record<string, (file: string) => readonly string[]>>> = {
  jax: (file) => [file],
  torch: (file) => ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=4", file],
};

/**
 * Checks that a file's own check accepts a deep net with rounding, and detects a number wrong by
 * less than that.
 */
export function checkOwnCheck(target: string): void {
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

/** Faults in the claims of a cell's own check, each with the edit of its file. */
const plantedClaims: Readonly<Record<string, (text: string) => string>> = {
  "the pieces of an operand": (text) => text.replace(/("MatMul", \[\[)(\d)/, "$19"),
  "one operator too few": (text) => text.replace(/ {4}\("MatMul", .*\n/, ""),
  "one collective too few": (text) => text.replace(/ {4}\("AllReduce", .*\n/, ""),
  "the ranks of a collective": (text) => text.replace(/("AllReduce", \[0, )\d/, "$19"),
  "the shape of a parameter": (text) => text.replace(/(PARAMETERS = \{"\w+": \()\d/, "$19"),
};

/** A product with added partial sums, whose cell has a claim of every kind. */
const claimedProduct = `mesh = Mesh(dp=2, tp=2)
x = Tensor((8, 16))
w = Parameter((16, 32))
y = matmul(x, w)
strategy(y, m="dp", k="tp")
`;

/**
 * Checks that a file's own check detects wrong claims. That it accepts right ones is shown by every
 * card.
 */
export function checkPlantedClaims(target: string): void {
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
