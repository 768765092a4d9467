import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { asked, chosen, folder, isOptimizersOnly, isRandomOnly, python, wanted } from "./asked.ts";
import {
  checkPlantedModels,
  savedModels,
  savedPublic,
  savedRules,
  savedTextModels,
} from "./models.ts";
import { checkOptimizers } from "./optimizers.ts";
import { check, note, tally } from "./outcomes.ts";
import { checkOwnCheck, checkPlanted, checkPlantedClaims, checkPlantedNumber } from "./planted.ts";
import { savedExamples, savedRandoms } from "./programs.ts";

/**
 * Runs the code written for each engine, and compares it with the plan. Usage: `main.ts PYTHON
 * FOLDER [target …] [example …] [random COUNT]`. Prints a line of counts at the end; exit status 1
 * when a check failed.
 *
 * - JAX, PyTorch and DTensor, or the named targets: every example on as many host devices as it
 *   plans for. Compared are the numbers of every copy, the slices, and the claimed collectives with
 *   groups and bytes. JAX and PyTorch also run one training step of each trainable example, and ten
 *   steps of every optimizer against `torch.optim`.
 * - `mindspore`, if named: cells that MindSpore's compiler gives the claimed strategies, slices and
 *   collectives.
 * - `nnscaler`, if named: models and policies for which nnScaler generates the claimed slices,
 *   adapters and reducers.
 * - `parallelize`: model classes as users write them, run by the code written for them.
 * - Then random programs, on JAX and PyTorch unless other targets are named, and replays of forms
 *   that an engine computes wrongly.
 *
 * With `random` only random programs are run, with `optimizers` only the optimizers. The folder
 * belongs to this run; it is removed at the end unless something failed.
 */

/** Targets whose files use the text's own model classes. */
const ofModels: readonly string[] = ["parallelize"];

/** Scripts that run steps which an engine computes wrongly, and their safe rewrites. */
const replays: Readonly<Partial<Record<string, string>>> = {
  dtensor: "replay_dtensor.py",
  mindspore: "replay_mindspore.py",
  nnscaler: "replay_nnscaler.py",
};

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
