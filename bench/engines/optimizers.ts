import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { compile } from "../../src/compile/index.ts";
import { writeCode } from "../../src/systems/code.testing.ts";
import { python } from "./asked.ts";
import { note, saved } from "./outcomes.ts";

/** Engines on which training steps are run too. */
export const trainingTargets: readonly string[] = ["jax", "torch"];

/** Training steps compared with ten steps of `torch.optim`, with the arguments of `train`. */
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

/** The net that check_optimizers.py builds. */
const optimizedNet = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 16))
w1 = Parameter((16, 32))
w2 = Parameter((32, 4))
h = relu(x @ w1)
y = h @ w2
loss = (y * y).sum()
strategy(h, a="dp", b="mp")
`;

/** Checks that ten steps of an exported file equal those of `torch.optim`. */
export function checkOptimizers(target: string): void {
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
