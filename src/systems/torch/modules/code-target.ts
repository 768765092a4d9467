import type { Value } from "#core/program";
import { type CodeTarget, runsOnce, torchrun } from "#systems/arrays";

/** Plans as calls on the text's own modules: what one commits beside the model. */
export const parallelizeTarget: CodeTarget = {
  target: "parallelize",
  name: "PyTorch modules",
  what: "parallelize_module and fully_shard on the text's own class",
  compares: "nothing",
  file: "parallelize.py",
  launch: torchrun.map((line) => line.replace("plan.py", "train.py")),
  refuses: {
    "micro-batches": runsOnce,
    uneven: "styles cut a module's values into blocks of one size",
    "several pieces": "a placement gives a rank one block of a dim",
    windows: "a placement gives ranks blocks that do not overlap",
  },
  // fully_shard decides how parameters are stored: it pads those that it cannot cut evenly.
  asWritten: (program) => ({ ...program, values: program.values.filter(isHandedOn) }),
  load: async () => {
    const [{ writeParallelize }, { writableCuts }] = await Promise.all([
      import("./write-parallelize.ts"),
      import("./writable-cuts.ts"),
    ]);
    return { write: writeParallelize, writable: writableCuts };
  },
};

/** Plans as arguments of launchers that split models of their own. */
export const argumentsTarget: CodeTarget = {
  ...parallelizeTarget,
  target: "arguments",
  name: "Launch arguments",
  what: "for Megatron-LM, DeepSpeed and vLLM, or why not",
  file: "arguments.txt",
  load: async () => {
    const { writeArguments } = await import("./launch-arguments.ts");
    return { write: writeArguments };
  },
};

function isHandedOn({ role }: Value): boolean {
  return role === "input" || role === "activation";
}
