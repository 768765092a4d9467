import { runsOnce, torchrun } from "#systems/arrays";
import type { System } from "#systems/system";
import { keywordsOf } from "./bindings/accepted-keywords.ts";
import { BoundTorch } from "./bindings/bound-torch.ts";
import { callFault } from "./bindings/call-faults.ts";
import { asEntryTakesThem, unreadArgument } from "./bindings/entry-arguments.ts";
import { torchLayerParameters } from "./bindings/layer-table.ts";
import { named } from "./bindings/result-fields.ts";
import { usualNames } from "./bindings/signatures.ts";
import { tensorAttribute } from "./bindings/tensor-attributes.ts";
import { unread } from "./bindings/unread.ts";
import { argumentsTarget, parallelizeTarget } from "./modules/code-target.ts";
import { parallelWords } from "./parallel/own-words/parallel-words.ts";
import { parallelPlaces } from "./parallel/own-words/place-words.ts";
import { otherLayouts } from "./parallel/plans/other-layouts.ts";
import { parallelPlans } from "./parallel/plans/parallel-plans.ts";
import { viewFaults } from "./view-faults.ts";

/** PyTorch, with the packages that its programs import; plans leave as the program of one rank. */
export const torch: System = {
  name: "torch",
  title: "PyTorch",
  isEager: true,
  usualNames: {
    torch: { module: "torch" },
    nn: { module: "torch.nn" },
    F: { module: "torch.nn.functional" },
    np: { module: "numpy" },
    numpy: { module: "numpy" },
    job_config: { module: "torchtitan.config", name: "job_config", where: /\btorchtitan\b/u },
  },
  packages:
    /^(?:torch|torchtitan|numpy|einops|packaging|timm|mingpt|yacs|torchvision|transformers|peft|pydantic|pydantic_settings|hydra|omegaconf|accelerate|deepspeed|lightning|pytorch_lightning)(?:\.|$)|^(?:megatron|fairscale|\.)/,
  standsIn: /^(?:timm|torchtitan|transformers|torchvision|megatron|fairscale|mingpt|\.)/,
  tensorClass: "torch.Tensor",
  parameterClass: "torch.nn.Parameter",
  moduleClass: "Module",
  holdsNothing:
    /^torch\.(?:(?:optim|utils\.data|profiler)\.|(?:cuda\.|xpu\.|mps\.)?(?:Generator|Stream|Event)\b|(?:cuda\.)?(?:amp\.)?GradScaler\b|cuda\.CUDAGraph\b)/,
  tensorAttribute,
  argumentForms: { keywordsOf, usualNames, asEntryTakesThem, unreadArgument, named },
  refusesMethod: (name, ...asked) => callFault(name, "method", ...asked),
  unread,
  bind: (parts) => new BoundTorch(parts),
  plans: parallelPlans,
  findings: (document, planned) => [...otherLayouts(document, planned), ...viewFaults(document)],
  says: parallelWords,
  places: parallelPlaces,
  explains: { hovers: [], signatures: new Map(), layers: torchLayerParameters },
  writes: [
    {
      target: "torch",
      name: "PyTorch",
      what: "the program of one rank, a line per step",
      compares: "numbers",
      launch: torchrun,
      refuses: { "micro-batches": runsOnce },
      load: async () => {
        const { writeTorch } = await import("./write-torch.ts");
        return { write: ({ program }) => writeTorch(program) };
      },
    },
    parallelizeTarget,
    argumentsTarget,
  ],
};
