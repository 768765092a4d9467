import type { CodeWriter } from "#systems/arrays";
import { writeMindspore } from "./write-mindspore.ts";

/** Plans as code of MindSpore. */
export const mindsporeCode: CodeWriter = {
  target: "mindspore",
  name: "MindSpore",
  what: "the forward program as a cell with Layouts",
  compares: "compiled",
  write: ({ program }) => writeMindspore(program),
  launch: [
    'host=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
    "srun bash -c 'msrun --worker_num $((SLURM_NNODES * SLURM_GPUS_PER_NODE)) \\",
    "  --local_worker_num $SLURM_GPUS_PER_NODE --node_rank $SLURM_NODEID \\",
    `  --master_addr '"$host"' --join True plan.py'`,
  ],
};
