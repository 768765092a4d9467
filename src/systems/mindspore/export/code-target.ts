import type { CodeTarget } from "#systems/arrays";

const wholeStrategies = "its strategies cut a dim into equal blocks, one on each device";

/** Target that writes plans as MindSpore code. */
export const mindsporeTarget: CodeTarget = {
  target: "mindspore",
  name: "MindSpore",
  what: "the forward program as a cell with Layouts",
  compares: "compiled",
  launch: [
    'host=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
    "srun bash -c 'msrun --worker_num $((SLURM_NNODES * SLURM_GPUS_PER_NODE)) \\",
    "  --local_worker_num $SLURM_GPUS_PER_NODE --node_rank $SLURM_NODEID \\",
    `  --master_addr '"$host"' --join True plan.py'`,
  ],
  refuses: {
    "micro-batches": "its cell is the forward program of one batch",
    uneven: wholeStrategies,
    "several pieces":
      "MindSpore's pass interleaves copies of operators, of which a strategy says nothing",
    windows: wholeStrategies,
  },
  load: async () => {
    const { writeMindspore } = await import("./write-mindspore.ts");
    return { write: ({ program }) => writeMindspore(program) };
  },
};
