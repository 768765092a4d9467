/** Devices of one host in a cluster, where the plan does not say. */
const usualPerHost = 8;

/** Processor cores that feed a device: loaders of data and the process itself. */
const cpusPerDevice = 8;

/** Hosts of up to eight devices each. */
export function severalHosts(devices: number): {
  readonly nodes: number;
  readonly perNode: number;
} {
  const perNode = devices % usualPerHost === 0 ? usualPerHost : devices;
  const isOne = perNode === devices && devices % 2 === 0;
  return isOne ? { nodes: 2, perNode: devices / 2 } : { nodes: devices / perNode, perNode };
}

/**
 * A script of Slurm that runs a file of Python on all devices of a plan.
 *
 * @param command what a host runs
 */
export function slurmScript(devices: number, command: readonly string[]): string {
  const perNode = devices % usualPerHost === 0 ? usualPerHost : devices;
  return `#!/bin/bash
#SBATCH --nodes=${devices / perNode}
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=${perNode}
#SBATCH --cpus-per-task=${perNode * cpusPerDevice}  # for all devices of a host: one task is all of its processes
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK  # srun takes it from nowhere else since Slurm 22.05

${command.join("\n")}
`;
}

/** What a host runs for a file of PyTorch: its processes find each other on the first host. */
export const torchrun: readonly string[] = [
  'host=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
  "srun torchrun --nnodes $SLURM_NNODES --nproc-per-node $SLURM_GPUS_PER_NODE \\",
  '  --rdzv-id $SLURM_JOB_ID --rdzv-backend c10d --rdzv-endpoint "$host:29500" plan.py',
];
