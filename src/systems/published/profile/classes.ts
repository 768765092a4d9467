import type { Collective } from "#core/collective";

/** Classes of device work, recognised by the names of kernels and operators. */
export const workClasses = [
  "products",
  "attention",
  "convolutions",
  "norms and softmax",
  "copies",
  "optimizer",
  "everything else",
] as const;

export type WorkClass = (typeof workClasses)[number];

/**
 * Patterns for kernel names of CUDA, ROCm, Triton and XLA, and for operator names of PyTorch and of
 * this program.
 */
const patterns: readonly (readonly [WorkClass, RegExp])[] = [
  ["attention", /flash|fmha|attention|sdpa/iu],
  ["convolutions", /conv(?:olution|\dd)|implicit_gemm|winograd/iu],
  [
    "products",
    /gemm|matmul|einsum|linear|cutlass|cublas|nvjet|xmma|bmm|addmm|(?:^|[:._])mm\b|(?:^|[^a-z])dot(?:$|[^a-z])/iu,
  ],
  ["norms and softmax", /norm|softmax/iu],
  ["optimizer", /adam|sgd|optimizer|multi_tensor_apply|foreach/iu],
  ["copies", /memcpy|memset|copy|(?:^|[^a-z])cat(?:$|[^a-z])|concat|transpose|slice|gather_rows/iu],
];

/** The class of a kernel or operator by its name. */
export function workClassOf(name: string): WorkClass {
  return patterns.find(([, pattern]) => pattern.test(name))?.[0] ?? "everything else";
}

export type MeasuredKind = Exclude<Collective, "exchange" | "slice">;

/** The collective in an event's name; `undefined` for other events and unknown kinds. */
export function collectiveOf(name: string): MeasuredKind | undefined {
  const plain = name.toLowerCase().replaceAll(/[_-]/gu, "");
  if (/reducescatter/u.test(plain)) return "reduce-scatter";
  if (/allgather|allgatherinto/u.test(plain)) return "all-gather";
  if (/allreduce/u.test(plain)) return "all-reduce";
  if (/alltoall/u.test(plain)) return "all-to-all";
  if (/collectivepermute|sendrecv/u.test(plain)) return "collective-permute";
  return undefined;
}

/** Whether a name belongs to a communication library or a collective. */
export function isCommunication(name: string): boolean {
  return /^(?:nccl|rccl|gloo|mpi|ucc|c10d|xccl)/iu.test(name) || collectiveOf(name) !== undefined;
}
