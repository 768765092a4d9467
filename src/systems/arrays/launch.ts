/** Most devices per host, unless the plan says otherwise. */
const mostPerHost = 8;

/** Processor cores per device: data loaders and the process itself. */
const cpusPerDevice = 8;

/**
 * Split of a plan's devices for a launch on several hosts. As few hosts as `slurmScript` uses, but
 * two when one would do and the number of devices is even.
 */
export function severalHosts(devices: number): {
  readonly nodes: number;
  readonly perNode: number;
} {
  const perNode = devicesPerHost(devices);
  if (perNode === devices && devices % 2 === 0) return { nodes: 2, perNode: devices / 2 };
  return { nodes: devices / perNode, perNode };
}

/** The most devices per host, up to eight, that divide the number of devices evenly. */
function devicesPerHost(devices: number): number {
  let perHost = Math.max(1, Math.min(mostPerHost, devices));
  while (devices % perHost !== 0) perHost -= 1;
  return perHost;
}

/**
 * A Slurm script that runs a Python file on all devices of a plan, on the fewest hosts of at most
 * eight devices that share them evenly.
 *
 * @param command the command lines of a host
 */
export function slurmScript(devices: number, command: readonly string[]): string {
  const perNode = devicesPerHost(devices);
  return `#!/bin/bash
#SBATCH --nodes=${devices / perNode}
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=${perNode}
#SBATCH --cpus-per-task=${perNode * cpusPerDevice}  # for all devices of a host: one task is all of its processes
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK  # srun takes it from nowhere else since Slurm 22.05

${command.join("\n")}
`;
}

/** The command lines of a host for a PyTorch file; processes find each other on the first host. */
export const torchrun: readonly string[] = [
  'host=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
  "srun torchrun --nnodes $SLURM_NNODES --nproc-per-node $SLURM_GPUS_PER_NODE \\",
  '  --rdzv-id $SLURM_JOB_ID --rdzv-backend c10d --rdzv-endpoint "$host:29500" plan.py',
];
