import { type CodeInput, NotWritten, type WrittenFile, writtenFile } from "#systems/arrays";
import { patternOf } from "./forward-flow.ts";
import { type ModulePlan, modulePlan } from "./module-plan.ts";

/** The arguments for one launcher; or why the plan cannot be launched so, as half a sentence. */
type Said = { readonly text: string } | { readonly why: string };

/** The launchers, by name. */
export interface LauncherClaims {
  readonly launchers: Readonly<Record<string, Said>>;
}

/**
 * A plan as the arguments by which known launchers split a model of their own with the same sizes:
 * Megatron-LM, DeepSpeed and vLLM (engine-torch.md §6). Each splits by a rule that no argument changes;
 * where the plan is another one, the file says which.
 */
export function writeArguments(input: CodeInput): WrittenFile<LauncherClaims> {
  return writtenFile(() => {
    const plan = modulePlan(input);
    const isTrained = input.program.graph.operators.some(({ phase }) => phase === "backward");
    const launchers = {
      "Megatron-LM": isTrained ? megatron(plan) : { why: "it trains, and the text does not" },
      DeepSpeed: isTrained ? deepspeed(plan) : { why: "it trains, and the text does not" },
      vLLM: isTrained ? { why: "it serves a model, and the text trains one" } : vllm(plan),
    };
    if (Object.values(launchers).every((each) => "why" in each))
      throw new NotWritten(
        Object.entries(launchers)
          .map(([name, each]) => `${name}: ${"why" in each ? each.why : ""}`)
          .join("; "),
      );
    return { text: fileText(launchers), claims: { launchers } };
  });
}

function fileText(launchers: Readonly<Record<string, Said>>): string {
  const parts = Object.entries(launchers).map(([name, said]) =>
    "text" in said ? `# ${name}\n${said.text}\n` : `# ${name} has no words for it: ${said.why}\n`,
  );
  return parts.join("\n");
}

/** The first of some reasons. */
function firstOf(...reasons: readonly (string | undefined)[]): string | undefined {
  return reasons.find((each) => each !== undefined);
}

function megatron(plan: ModulePlan): Said {
  const { sharding } = plan;
  const why = firstOf(
    innermost(plan),
    vocabulary(plan),
    everyLayer(plan),
    sequence(plan),
    hybrid(plan),
  );
  if (why !== undefined) return { why };
  const isSequence = leavesOf(plan).some(({ kind }) => kind === "sequence");
  const words = [
    `--tensor-model-parallel-size ${sizeOf(plan)}`,
    ...(isSequence ? ["--sequence-parallel"] : []),
    ...(sharding.stage === 1 ? ["--use-distributed-optimizer"] : []),
    ...(sharding.stage === 3
      ? ["--use-torch-fsdp2", "--no-gradient-accumulation-fusion", "--ckpt-format torch_dist"]
      : []),
    ...(sharding.policy?.param === "bf16" ? ["--bf16"] : []),
    ...(sharding.policy?.param === "f16" ? ["--fp16"] : []),
  ];
  if (sharding.stage === 2)
    return { why: "its distributed optimizer cuts states and leaves gradients whole" };
  return { text: words.join(" ") };
}

function deepspeed(plan: ModulePlan): Said {
  const { sharding, roles } = plan;
  const isSequence = leavesOf(plan).some(({ kind }) => kind === "sequence");
  const isPlain = !isSequence || roles.tensor === undefined;
  const why = firstOf(
    isPlain ? undefined : "its tensor parallelism keeps sequences whole",
    innermost(plan),
    everyLayer(plan),
    hybrid(plan),
    sharding.stage === 3 && roles.tensor !== undefined
      ? "its tensor parallelism goes with stages up to 2, and parameters are cut too"
      : undefined,
  );
  if (why !== undefined) return { why };
  const config = {
    zero_optimization: { stage: sharding.stage },
    ...(roles.tensor !== undefined && { tensor_parallel: { autotp_size: sizeOf(plan) } }),
    ...(sharding.policy?.param === "bf16" && { bf16: { enabled: true } }),
    ...(sharding.policy?.param === "f16" && { fp16: { enabled: true } }),
  };
  return { text: JSON.stringify(config) };
}

function vllm(plan: ModulePlan): Said {
  const { sharding, roles, mesh } = plan;
  const isSequence = leavesOf(plan).some(({ kind }) => kind === "sequence");
  const why = firstOf(
    isSequence ? "it keeps sequences whole between layers" : undefined,
    sharding.stage === 3
      ? "every rank of it holds its parameters, and the plan cuts them"
      : undefined,
    innermost(plan),
    vocabulary(plan),
    everyLayer(plan),
  );
  if (why !== undefined) return { why };
  const copies = mesh.axes.filter(({ name }) => roles.data.includes(name));
  const count = copies.reduce((n, { size }) => n * size, 1);
  const words = [
    `--tensor-parallel-size ${sizeOf(plan)}`,
    ...(count > 1 ? [`--data-parallel-size ${count}`] : []),
  ];
  return { text: words.join(" ") };
}

function leavesOf({ paths }: ModulePlan) {
  return [...(paths?.leaves.values() ?? [])];
}

/** How many ranks share a layer. */
function sizeOf({ mesh, roles }: ModulePlan): number {
  return mesh.axes.find(({ name }) => name === roles.tensor)?.size ?? 1;
}

/** Ranks that share a layer are next to each other. */
function innermost({ mesh, roles }: ModulePlan): string | undefined {
  const inner = mesh.axes.findLast(({ size }) => size > 1);
  if (roles.tensor === undefined || inner?.name === roles.tensor) return undefined;
  return `ranks that share a layer count up one by one, and ${roles.tensor} is not the innermost axis`;
}

/**
 * Why torchtitan's arguments do not fit: they cut every linear layer inside a block and pass its
 * result on as it is made.
 */
function everyLayer({ flow, roles, paths }: ModulePlan): string | undefined {
  if (roles.tensor === undefined) return undefined;
  for (const [path, [own]] of flow.modules.classesOf) {
    if (own !== "nn.Linear" || !/(?:^|\.)\d+\./u.test(path)) continue;
    const leaf = paths?.leaves.get(path);
    if (leaf === undefined || leaf.kind === "sequence")
      return `it cuts every linear layer of a block, and the plan keeps ${patternOf(path)} whole`;
    if (leaf.kind === "columns" && paths?.handed.get(leaf.output)?.kind !== "cut")
      return `it goes on with the parts of each layer, and the plan gathers what ${patternOf(path)} makes`;
  }
  return undefined;
}

/** The table of words is cut by words, and so is the last layer. */
function vocabulary({ flow, roles, paths }: ModulePlan): string | undefined {
  if (roles.tensor === undefined) return undefined;
  const tables = [...flow.modules.classesOf].filter(([, [own]]) => own === "nn.Embedding");
  const isCut = tables.some(([path]) => paths?.leaves.get(path)?.kind === "rows");
  if (!isCut) return "it cuts the table of words by words, and the plan does not";
  const last = flow.modules.runs.findLast(
    ({ path }) => flow.modules.classesOf.get(path)?.[0] === "nn.Linear",
  );
  const kind = last && paths?.leaves.get(last.path)?.kind;
  return kind === "columns" ? undefined : "it cuts the last layer by words, and the plan does not";
}

/** Norms are all cut along a sequence, or none, beginning behind the table. */
function sequence({ flow, paths, roles }: ModulePlan): string | undefined {
  if (roles.tensor === undefined) return undefined;
  const norms = [...flow.modules.classesOf].filter(([, [own = ""]]) => /Norm$/u.test(own));
  const cut = norms.filter(([path]) => paths?.leaves.get(path)?.kind === "sequence");
  if (cut.length === 0) return undefined;
  const whole = norms.find(([path]) => paths?.leaves.get(path)?.kind !== "sequence");
  if (whole !== undefined)
    return `it cuts sequences in every norm, and the plan keeps ${patternOf(whole[0])} whole`;
  const table = [...(paths?.leaves.values() ?? [])].find(
    ({ isEmbedding, kind }) => isEmbedding && kind === "rows",
  );
  const handed = table && paths?.handed.get(table.output);
  return handed?.kind === "cut" ? undefined : "its sequences are cut from the table of words on";
}

function hybrid({ sharding }: ModulePlan): string | undefined {
  const { cut, copied } = sharding;
  if (cut === undefined || copied === undefined) return undefined;
  return `the plan cuts over ${cut.join(" and ")} and copies over ${copied.join(" and ")}, and one argument would do both`;
}
