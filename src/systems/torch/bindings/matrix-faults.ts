import type { CallFault } from "./call-fault.ts";

/** Functions of square matrices, each with its name in `torch.linalg`. */
const ofSquares: ReadonlyMap<string, string> = new Map([
  ...[
    "inv",
    "det",
    "slogdet",
    "cholesky",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "matrix_power",
  ].map((name) => [name, name] as const),
  ...([
    ["inverse", "inv"],
    ["solve", "solve"],
    ["matrix_exp", "matrix_exp"],
  ] as const),
]);

/** Why a function of `torch.linalg`, or one of torch that is one of those, refuses a matrix. */
export function matrixFault(
  name: string,
  shape: readonly number[] | undefined,
): CallFault | undefined {
  const of = ofSquares.get(name);
  const [rows, columns] = shape?.slice(-2) ?? [];
  if (of === undefined || rows === undefined || columns === undefined) return undefined;
  if (rows === columns) return undefined;
  const what = `they are ${rows} by ${columns} matrices`;
  return ["RuntimeError", `linalg.${of}: A must be batches of square matrices, but ${what}`];
}
