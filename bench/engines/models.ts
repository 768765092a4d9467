import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examples } from "../../src/app/examples/index.ts";
import { exportAnswer } from "../../src/cli/commands/export.ts";
import { optimizeAnswer } from "../../src/cli/commands/optimize.ts";
import { compile } from "../../src/compile/index.ts";
import { hasErrors } from "../../src/core/diagnostics/index.ts";
import { writeCode } from "../../src/systems/code.testing.ts";
import { planWords, textModels } from "../../src/systems/nnscaler/export/text-models.testing.ts";
import { publicModels } from "../public-models.ts";
import { python, wanted } from "./asked.ts";
import { madeCards, small } from "./cards.ts";
import { note, outcomes, type Saved, saved } from "./outcomes.ts";

/** A plan of a user's model class; a refused one has the expected reason. */
interface ModelCase {
  readonly name: string;
  /** File in `engines/models` with the class. */
  readonly model: string;
  readonly plan: string;
  /** Text that replaces `train(loss)`. */
  readonly train?: string;
  readonly refused?: string;
  /** Whether the fastest plan that can be written is run instead. */
  readonly nearest?: true;
}

const models = join("engines", "models");

/**
 * The repository's own models under the policies of their plans; each is saved beside the text, as
 * the module that it imports.
 */
export function savedTextModels(): readonly string[] {
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

/**
 * Model classes as users write them, each under some plans; a plan that cannot be written must be
 * refused with the expected cause.
 */
export function savedModels(target: string): readonly string[] {
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

/**
 * Public models under their fastest plans, or the fastest that can be written, on the classes of
 * their package.
 */
export function savedPublic(target: string): readonly string[] {
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

/** Rules of examples and models, saved beside the program whose parameters they place. */
export function savedRules(target: string): readonly string[] {
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

/** Checks that the check of models detects a missing style, and faulty claims. */
export async function checkPlantedModels(target: string): Promise<void> {
  const text = readFileSync(join(models, "gpt.py"), "utf8");
  const cases: readonly ModelCase[] = JSON.parse(readFileSync(join(models, "plans.json"), "utf8"));
  const sequence = cases.find(({ name }) => name === "gpt-sequence-zero3");
  const written = writeCode(compile(text + sequence?.plan), target);
  if (!written.ok) return;
  const [plan, launcher] = written.files;
  // Without its style a norm runs, but each rank has only a part of its gradient.
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
