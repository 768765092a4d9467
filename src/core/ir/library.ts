/** A dim size that may not be known yet, while a program without shapes is read. */
export type KnownSize = number | undefined;

/** What an annotation function sees of a call: the shapes of tensors, `undefined` for other operands. */
export interface CallShapes {
  readonly inputs: readonly (readonly KnownSize[] | undefined)[];
  /** Keyword arguments that are integers, e.g. `dim`. */
  readonly integers: Readonly<Record<string, number>>;
}

/** One operator of the library. */
export interface LibraryEntry {
  readonly name: string;
  /** Names of the parameters, tensors first; how many of them are tensors. */
  readonly parameters: readonly string[];
  readonly tensors: number;
  /** The annotation for a call; dimops.md §2.1 for broadcasting. */
  readonly annotate: (call: CallShapes) => string;
  /** Groups of operands in which it is linear together. */
  readonly linear: readonly (readonly number[])[];
}

const letters = "abcdefghijlmopqrstuvwxyz";

/** Names for the leading dims of a tensor: `a b c …`, without the letters that contractions use. */
function leading(count: number): string {
  return letters.slice(0, Math.max(0, count)).split("").join(" ");
}

function rankOf(call: CallShapes, index: number): number {
  return call.inputs[index]?.length ?? 2;
}

/**
 * The annotation of an element-wise operator with right-aligned broadcasting: letters come from
 * the longest shape, a dim of size 1 beside a larger one writes `1` (dimops.md §2.1).
 */
export function broadcastAnnotation(call: CallShapes): string {
  const tensors = call.inputs.filter((shape) => shape !== undefined);
  const rank = Math.max(0, ...tensors.map((shape) => shape.length));
  const nameAt = (column: number) => letters[column] ?? `d${column}`;
  const stretched = (column: number) =>
    tensors.some((shape) => (shape[column - (rank - shape.length)] ?? 1) !== 1);
  const inputs = call.inputs.map((shape) => {
    if (shape === undefined) return "?";
    const dims = shape.map((size, dim) => {
      const column = dim + rank - shape.length;
      return size === 1 && stretched(column) ? "1" : nameAt(column);
    });
    return dims.join(" ");
  });
  const output = Array.from({ length: rank }, (_, column) => nameAt(column)).join(" ");
  return `${inputs.join(", ")} -> ${output}`;
}

/** `k+, k+ -> 1`, `m k+, k+ n -> m n`, and batches that stand in the first operand or in both. */
function matmulAnnotation(call: CallShapes): string {
  const [a, b] = [rankOf(call, 0), rankOf(call, 1)];
  if (a === 1 && b === 1) return "k+, k+ -> 1";
  if (a === 1) return `k+, ${leading(b - 2)} k+ n -> ${leading(b - 2)} n`;
  if (b === 1) return `${leading(a - 2)} m k+, k+ -> ${leading(a - 2)} m`;
  const batch = leading(Math.max(a, b) - 2);
  const own = (rank: number) => (rank === 2 ? "" : batch);
  return `${own(a)} m k+, ${own(b)} k+ n -> ${batch} m n`;
}

function linearAnnotation(call: CallShapes): string {
  const batch = leading(rankOf(call, 0) - 1);
  return call.inputs.length > 2
    ? `${batch} k^, n k^, n -> ${batch} n`
    : `${batch} k+, n k+ -> ${batch} n`;
}

/** Every dim free but the one that is normalised. */
function normalisedAnnotation(call: CallShapes): string {
  const rank = rankOf(call, 0);
  const asked = call.integers.dim ?? call.integers.axis ?? -1;
  const frozen = asked < 0 ? asked + rank : asked;
  const dims = Array.from(
    { length: rank },
    (_, dim) => `${letters[dim]}${dim === frozen ? "^" : ""}`,
  );
  return `${dims.join(" ")} -> ${dims.join(" ")}`;
}

function elementWise(name: string, linear: LibraryEntry["linear"] = []): LibraryEntry {
  return { name, parameters: ["x"], tensors: 1, annotate: broadcastAnnotation, linear };
}

function binary(name: string, linear: LibraryEntry["linear"] = []): LibraryEntry {
  return { name, parameters: ["x", "y"], tensors: 2, annotate: broadcastAnnotation, linear };
}

const entries: readonly LibraryEntry[] = [
  {
    name: "matmul",
    parameters: ["x", "y"],
    tensors: 2,
    annotate: matmulAnnotation,
    linear: [[0], [1]],
  },
  {
    name: "linear",
    parameters: ["x", "weight", "bias"],
    tensors: 3,
    annotate: linearAnnotation,
    linear: [[0], [1]],
  },
  binary("add", [[0, 1]]),
  binary("sub", [[0, 1]]),
  binary("mul", [[0], [1]]),
  binary("div", [[0]]),
  elementWise("neg", [[0]]),
  elementWise("relu"),
  elementWise("gelu"),
  elementWise("silu"),
  elementWise("tanh"),
  elementWise("sigmoid"),
  elementWise("exp"),
  {
    name: "softmax",
    parameters: ["x", "dim"],
    tensors: 1,
    annotate: normalisedAnnotation,
    linear: [],
  },
];

/** The operators that every program may call by name, in listed order. */
export const library: ReadonlyMap<string, LibraryEntry> = new Map(
  entries.map((entry) => [entry.name, entry]),
);
