import type { SystemPlans, SystemReading } from "#language/document/bindings";
import type { System } from "#systems/system";
import { netInside } from "./bindings/auto-parallel.ts";
import { DynamicLengths } from "./bindings/dynamic-lengths.ts";
import { layoutClass, mindsporeLayoutOf } from "./bindings/layouts.ts";
import { MindsporeBindings } from "./bindings/modules.ts";
import { elementCount, tensorAttribute } from "./bindings/tensor-attributes.ts";
import { mindSporeModel } from "./cost-model.ts";
import { emittedProgram } from "./emitted/emitted.ts";
import { mindsporeExplains } from "./explain/explain.ts";
import { mindsporeTarget } from "./export/code-target.ts";
import { dynamicNames } from "./graph-syntax/dynamic-names.ts";
import { graphSyntax } from "./graph-syntax/graph-syntax.ts";
import { mindsporeWords } from "./own-words/own-words.ts";
import { backwardNotes } from "./plans/backward-notes.ts";
import { constantNets } from "./plans/compiler-ends.ts";
import { dynamicShapes } from "./plans/dynamic-shapes.ts";
import { loadedData } from "./plans/loaded-data.ts";
import { lateAccesses, writtenLikes } from "./plans/memory-order.ts";
import {
  drawnOtherwise,
  leftWhole,
  misfittingPieces,
  splitRegardless,
  unreadSettings,
  withoutRule,
} from "./plans/no-rule.ts";
import { fedBatch, missingAutoParallel, parallelSetting } from "./plans/parallel-mode.ts";
import { unusedStages } from "./plans/pipeline-stages.ts";
import { readTuples } from "./plans/read-tuples.ts";
import { refusedDefaults } from "./plans/refused-defaults.ts";
import { refusedTypes } from "./plans/refused-types.ts";
import { searchNotes } from "./plans/search-notes.ts";
import { mindsporePlans } from "./plans/shard-plans.ts";
import { unverifiedGradients } from "./plans/unverified-gradients.ts";
import { mindsporeRules } from "./rules.ts";
import { mindsporeRuns } from "./run/run.ts";
import { mindsporeReshards } from "./run/steps.ts";
import { mindsporeVerdict } from "./verdict.ts";

/**
 * Matches texts that import MindSpore, or use its usual names without an import, as its
 * documentation does.
 */
const ownTexts =
  /^[ \t]*(?:import|from)\b[^#\n]*\bmindspore\b|\b(?:mindspore|ms|mint)\.\w|\bops\.[A-Z]|\bnn\.Cell\b/m;

/** MindSpore: `ops`, `nn`, `mint`, `Layout`, `shard` and `AutoParallel`. */
export const mindspore: System = {
  name: "mindspore",
  title: "MindSpore",
  reshards: mindsporeReshards,
  usualNames: {
    mindspore: { module: "mindspore" },
    ms: { module: "mindspore" },
    ops: { module: "mindspore.ops" },
    mint: { module: "mindspore.mint" },
    Layout: { module: "mindspore", name: "Layout" },
    AutoParallel: { module: "mindspore.parallel.auto_parallel", name: "AutoParallel" },
    nn: { module: "mindspore.nn", where: /\bmindspore\b|\bnn\.Cell\b/ },
  },
  isTextOf: (source) => ownTexts.test(source),
  moduleClass: "Cell",
  tensorAttribute,
  guesses: { paths: /^(mindspore|ops)\./, code: "mindspore/unknown-operator" },
  bind: (parts) => {
    parts.tensors.types.areCheckedElsewhere = true;
    const words = new MindsporeBindings({
      ...parts,
      layout: layoutClass(parts.recorder),
      lengths: new DynamicLengths(),
    });
    return {
      module: (name) => words.module(name),
      tensorAttribute: (access, context) => {
        words.asked(access);
        return elementCount(access) ?? words.functions.method(access, context);
      },
      tensorItem: (...asked) => words.functions.item(...asked),
      tensorSetItem: (...asked) => words.functions.setItem(...asked),
      tensorBesideList: (...asked) => words.functions.besideList(...asked),
      tensorUpdate: (...asked) => words.functions.updated(...asked),
      tensorParts: (...asked) => words.unpacked(...asked),
      layoutOf: (value) => {
        const layout = mindsporeLayoutOf(value);
        if (layout === undefined) return undefined;
        const { spec, called, isResult = false } = layout;
        return { spec, isResult, ...(called !== undefined && { written: called.written }) };
      },
      inside: netInside,
      release: (source) => words.release(source),
    };
  },
  plans: plansOfShard,
  verdict: mindsporeVerdict,
  runs: mindsporeRuns,
  costModel: { name: "mindspore", make: mindSporeModel },
  rules: mindsporeRules,
  says: mindsporeWords,
  explains: mindsporeExplains,
  emits: emittedProgram,
  writes: [mindsporeTarget],
};

function plansOfShard({ trace, built, source, boundNames }: SystemReading): SystemPlans {
  const { cuts, diagnostics } = readTuples(built, trace);
  const { devices, span } = parallelSetting(trace) ?? {};
  const said =
    devices === undefined || span === undefined ? [] : [{ matrix: [devices], strategy: { span } }];
  return {
    matrices: [...cuts, ...said],
    diagnostics,
    on: (mesh) => {
      const placed = mindsporePlans(built, cuts, mesh, trace);
      return {
        plans: placed.plans,
        placements: placed.placements,
        diagnostics: [...placed.diagnostics, ...searchNotes(trace, built, mesh)],
        trainingNotes: [
          ...unverifiedGradients(built, placed.plans),
          ...backwardNotes({ trace, built }, mesh),
        ],
        closingNotes: [
          ...missingAutoParallel(trace, built, source, boundNames),
          ...fedBatch(trace, built, mesh.devices.length),
          ...withoutRule(trace, built),
          ...splitRegardless(trace, built, mesh.devices.length),
          ...leftWhole(trace, mesh.devices.length),
          ...misfittingPieces(trace, mesh.devices.length),
          ...graphSyntax(trace, source),
          ...unusedStages(trace),
          ...constantNets(trace, source),
          ...refusedDefaults(trace, mesh.devices.length),
          ...refusedTypes(trace, mesh.devices.length),
          ...lateAccesses(trace, mesh.devices.length),
          ...writtenLikes(trace),
          ...(parallelSetting(trace)?.devices === undefined ? [] : drawnOtherwise(built)),
          ...unreadSettings(trace),
          ...(parallelSetting(trace)?.devices === undefined ? [] : loadedData(built)),
          ...dynamicNames({ trace, source, boundNames }),
          ...dynamicShapes(built, mesh.devices.length),
        ],
      };
    },
  };
}
