import { expect, test } from "vitest";
import { compile } from "#compile";
import { severalHosts, slurmScript } from "#systems/arrays";
import { allTargets, writeCode } from "./code.testing.ts";

function filesFor(target: string, devices: number): readonly { readonly text: string }[] {
  const text = `mesh = Mesh(d=${devices})
x = Tensor((${devices}, 4))
w = Parameter((4, 4))
y = matmul(x, w)
strategy(y, m="d")
`;
  const written = writeCode(compile(text), target);
  return written.ok ? written.files : [];
}

/** Targets whose files need a module class, which this text lacks. */
const ofModules: readonly string[] = [
  "nnscaler-policy",
  "parallelize",
  "arguments",
  "jax-rules",
  "flax-rules",
  "maxtext",
];
const launched = allTargets.filter(({ target }) => !ofModules.includes(target));

test.each(launched)(
  "$target: a task of Slurm has the processors of all devices of its host",
  ({ target }) => {
    for (const [devices, nodes, perNode] of [
      [4, 1, 4],
      [16, 2, 8],
    ] as const) {
      const script = filesFor(target, devices)[1]?.text ?? "";
      expect(script).toContain(`#SBATCH --nodes=${nodes}\n#SBATCH --ntasks-per-node=1\n`);
      expect(script).toContain(`#SBATCH --gpus-per-node=${perNode}\n`);
      expect(script).toContain(`#SBATCH --cpus-per-task=${perNode * 8}  #`);
      expect(script).toContain("export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK");
    }
  },
);

test("no host has more than eight devices, and all have as many", () => {
  for (let devices = 1; devices <= 100; devices += 1) {
    const script = slurmScript(devices, []);
    const [nodes, perNode] = [/--nodes=(\d+)/, /--gpus-per-node=(\d+)/].map((key) =>
      Number(key.exec(script)?.[1]),
    );
    const several = severalHosts(devices);
    for (const hosts of [{ nodes, perNode }, several]) {
      expect((hosts.nodes ?? 0) * (hosts.perNode ?? 0)).toBe(devices);
      expect(hosts.perNode).toBeLessThanOrEqual(8);
    }
  }
  expect(slurmScript(12, [])).toContain(
    "--nodes=2\n#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-node=6\n",
  );
});

test("a process of JAX on several hosts has all devices of its own, not the first alone", () => {
  const [plan] = filesFor("jax", 16);
  expect(plan?.text).toContain(
    'jax.distributed.initialize(local_device_ids=range(int(os.environ["SLURM_GPUS_ON_NODE"])))',
  );
});

test.each(launched)(
  "$target: what its file says of comparing the plan is what it does",
  ({ target, compares }) => {
    const [plan] = filesFor(target, 4);
    const isOfNumbers = /the plan equals the unsharded (program|model)/.test(plan?.text ?? "");
    expect(isOfNumbers).toBe(compares === "numbers");
    if (isOfNumbers) return;
    expect(plan?.text).toContain("compares no numbers.");
    expect(plan?.text).toContain("python plan.py --verify\n");
  },
);
