import type { WrittenCode } from "#systems";
import { examples } from "../../src/app/examples/index.ts";
import { compile } from "../../src/compile/index.ts";
import { hasErrors } from "../../src/core/diagnostics/index.ts";
import { randomProgram } from "../../src/execute/verify/random-program.testing.ts";
import { writeCode } from "../../src/systems/code.testing.ts";
import { randomCount, wanted } from "./asked.ts";
import { type Card, compiledCard, madeCards, small } from "./cards.ts";
import { trainingTargets } from "./optimizers.ts";
import { note, saved } from "./outcomes.ts";

/** Most devices of a random program. */
const randomDevices = 8;

/** An example with a training step on its last result; empty if it has its own. */
function trained({ name, program }: Card): readonly Card[] {
  const isGraph = program.trimStart().startsWith("{");
  if (isGraph || /^train\(/m.test(program)) return [];
  const { graph, diagnostics } = compile(program);
  const loss = graph.tensors.find(({ id }) => id === graph.outputs.at(-1));
  if (loss === undefined || hasErrors(diagnostics)) return [];
  return [{ name: `${name}-trained`, program: `${program}\ntrain("${loss.name}")\n` }];
}

/**
 * An example with a deliberate error is not run: it must have exactly this error, for which the
 * command line refuses it.
 */
function noteRefused({ name, fault = "", ...card }: Card, target: string): void {
  const { diagnostics } = compiledCard(card);
  const codes = diagnostics.flatMap(({ code, severity }) => (severity === "error" ? [code] : []));
  const isRefused = codes.length === 1 && codes[0] === fault;
  const why = isRefused ? `it is wrong on purpose: ${fault}` : `refused for ${codes.join(", ")}`;
  note(isRefused ? "passed" : "failed", `${name} for ${target}: ${why}`);
}

export function savedExamples(target: string): readonly string[] {
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
    // MindSpore's compiler accepts any size, since it computes nothing.
    const compiled = target === "mindspore" ? compiledCard(card) : small(card, target);
    const written: WrittenCode =
      typeof compiled === "string" ? { ok: false, reason: compiled } : writeCode(compiled, target);
    if (written.ok) return [saved(name, target, written)];
    note("not run", `${name} for ${target}: ${written.reason}`);
    return [];
  });
}

/** Random programs that every target can express, by target; others are counted by reason. */
export function savedRandoms(targets: readonly string[]): ReadonlyMap<string, readonly string[]> {
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
