import type { Diagnostic, Span } from "#core/diagnostics";
import type { SpmdProgram } from "#core/program";
import { slurmScript } from "#systems/arrays";
import { dtensorWarnings, writeDtensor } from "#systems/dtensor/export";
import { writeJax } from "#systems/jax";
import { writeMindspore } from "#systems/mindspore/export";
import type { TextModel } from "#systems/nnscaler";
import { writeNnscaler, writePolicy } from "#systems/nnscaler/export";
import { writeTorch } from "#systems/torch";

/** An engine that plans are written for. */
export type CodeTarget = "jax" | "torch" | "dtensor" | "mindspore" | "nnscaler" | "nnscaler-policy";

/** Every engine, with what its file is. */
export const codeTargets: readonly {
  readonly target: CodeTarget;
  readonly name: string;
  readonly what: string;
}[] = [
  { target: "jax", name: "JAX", what: "one shard_map, a line per step" },
  { target: "torch", name: "PyTorch", what: "the program of one rank, a line per step" },
  {
    target: "dtensor",
    name: "DTensor",
    what: "whole tensors with placements, redistributed by PyTorch",
  },
  { target: "mindspore", name: "MindSpore", what: "the forward program as a cell with Layouts" },
  { target: "nnscaler", name: "nnScaler", what: "the forward program as a model with a policy" },
  {
    target: "nnscaler-policy",
    name: "nnScaler policy",
    what: "for the module of the text: where you have it, the file imports it",
  },
];

/** A file of code, by the name that the others call it by. */
export interface CodeFile {
  readonly name: string;
  readonly text: string;
}

/** A plan as code: the program first, then how it is launched; or half a sentence why it is none. */
export type WrittenCode =
  | { readonly ok: true; readonly files: readonly [CodeFile, CodeFile]; readonly claims: unknown }
  | { readonly ok: false; readonly reason: string };

/** What is written as code: the program of every device, and the module of its text. */
type CodeInput = Pick<WrittenProgram, "program" | "textModel">;

const writers: Readonly<Record<CodeTarget, (input: CodeInput) => Written>> = {
  jax: ({ program }) => writeJax(program),
  torch: ({ program }) => writeTorch(program),
  dtensor: ({ program }) => writeDtensor(program),
  mindspore: ({ program }) => writeMindspore(program),
  nnscaler: ({ program }) => writeNnscaler(program),
  "nnscaler-policy": ({ program, textModel }) => writePolicy(program, textModel),
};

/** What a writer answers. */
type Written =
  | { readonly ok: true; readonly text: string; readonly claims: unknown }
  | { readonly ok: false; readonly reason: string };

const torchrun = [
  'host=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
  "srun torchrun --nnodes $SLURM_NNODES --nproc-per-node $SLURM_GPUS_PER_NODE \\",
  '  --rdzv-id $SLURM_JOB_ID --rdzv-backend c10d --rdzv-endpoint "$host:29500" plan.py',
];

const commands: Readonly<Record<CodeTarget, readonly string[]>> = {
  jax: ["srun python plan.py"],
  torch: torchrun,
  dtensor: torchrun,
  nnscaler: torchrun,
  "nnscaler-policy": torchrun,
  mindspore: [
    'host=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
    "srun bash -c 'msrun --worker_num $((SLURM_NNODES * SLURM_GPUS_PER_NODE)) \\",
    "  --local_worker_num $SLURM_GPUS_PER_NODE --node_rank $SLURM_NODEID \\",
    `  --master_addr '"$host"' --join True plan.py'`,
  ],
};

/** A program with its text, if that is what the place of its mesh counts in. */
interface WrittenProgram {
  readonly program: SpmdProgram;
  readonly source: string;
  /** Of a LoomGraph, beside its text. */
  readonly planText?: string;
  readonly mesh: { readonly span?: Span };
  readonly textModel?: TextModel;
}

/**
 * What an engine would compute wrongly if the plan were written for it by hand, what the file does
 * about it, and the rewriting of the text that takes the warning away.
 */
export function codeWarnings(
  { program, source, planText, mesh: { span } }: WrittenProgram,
  target: CodeTarget,
): readonly Diagnostic[] {
  if (target !== "dtensor") return [];
  const isInText = span !== undefined && planText === undefined;
  return dtensorWarnings(program, isInText ? { source, mesh: span } : undefined);
}

/**
 * A plan as `plan.py` for an engine, which checks itself against the unsharded program where it is
 * run, and `launch.sh`, which runs it on all devices by Slurm.
 *
 * `claims` are what the engine must show: slices per device, and every collective with its groups
 * and bytes.
 */
export function writeCode(input: CodeInput, target: CodeTarget): WrittenCode {
  const written = writers[target](input);
  if (!written.ok) return written;
  const launch = slurmScript(input.program.devices.length, commands[target]);
  return {
    ok: true,
    files: [
      { name: "plan.py", text: written.text },
      { name: "launch.sh", text: launch },
    ],
    claims: written.claims,
  };
}
