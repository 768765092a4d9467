import { printAnnotation } from "#core/dimops";
import type { Operator, Tensor } from "#core/ir";
import type { LocalStep } from "#core/program";
import { type Dialect, indented, type MeshAtoms, NotWritten, operatorLines } from "#systems/arrays";
import { PythonNames } from "#systems/arrays/python";
import { elementFunction, torchDialect } from "#systems/torch";

/** The function by which the model calls an operator. */
export interface ModelFunction {
  /** Expression that calls it in the file. */
  readonly call: string;
  /** Sizes that no operand determines, by argument name. */
  readonly sizes: Readonly<Record<string, number>>;
  /** The name of its nodes in nnScaler's graph. */
  readonly node: string;
}

/** The facts from which an operator's function is written. */
interface FunctionInput {
  readonly operator: Operator;
  readonly step: LocalStep;
  /** The local shape of every operand. */
  readonly local: readonly (readonly number[])[];
}

/** Operators for which nnScaler has its own function, since their pieces must know their offset. */
const ownOperators: Readonly<Record<string, ModelFunction>> = {
  embedding: { call: "F.embedding", node: "embedding", sizes: {} },
};

/** The registered functions of a file, without duplicates. */
export class ModelFunctions {
  private readonly tensors: ReadonlyMap<string, Tensor>;
  private readonly mesh: MeshAtoms;
  private readonly names: PythonNames;
  private readonly known = new Map<string, ModelFunction>();
  private readonly texts: string[] = [];
  /** Whether the file imports `torch.nn.functional`. */
  usesFunctional = false;
  private needsElement = false;

  constructor(tensors: ReadonlyMap<string, Tensor>, mesh: MeshAtoms, names: PythonNames) {
    this.tensors = tensors;
    this.mesh = mesh;
    this.names = names;
  }

  /** @throws NotWritten if its pieces cannot run the same code */
  functionOf(input: FunctionInput): ModelFunction {
    const { operator } = input;
    const own = operator.entry === undefined ? undefined : ownOperators[operator.entry];
    if (own !== undefined) {
      this.usesFunctional = true;
      return own;
    }
    const annotation = printAnnotation(operator.annotation);
    const plain = operator.inputs.map((_, at) => `x${at}`);
    const sizes = hiddenSizes(operator);
    const shown = `${annotation}: ${Object.keys(sizes).join()}`;
    const key = `${operator.op}: ${shown}: ${this.bodyOf(input, plain).join("\n")}`;
    const known = this.known.get(key);
    if (known !== undefined) return { ...known, sizes };
    const name = this.names.fresh(operator.op.replace(/^.*[.:]/, ""));
    const made = { call: name, node: name, sizes };
    this.known.set(key, made);
    const own_ = new PythonNames(reserved);
    const formal = operator.inputs.map(({ tensor }) => own_.fresh(this.lastName(tensor)));
    const body = this.bodyOf(input, formal);
    const takes = [...formal, ...Object.keys(sizes)].join(", ");
    this.texts.push(
      `@nnscaler.register_op("${annotation}")\ndef ${name}(${takes}):\n${indented(body, 1)}\n`,
    );
    return made;
  }

  /** The definitions of the functions, with the helper that they call. */
  definitions(): readonly string[] {
    return [...(this.needsElement ? [elementFunction] : []), ...this.texts];
  }

  private lastName(tensor: string): string {
    const name = this.tensors.get(tensor)?.name ?? tensor;
    return name.match(/[A-Za-z_]\w*/g)?.at(-1) ?? "x";
  }

  /**
   * The lines that compute the results on any piece; sizes that differ between pieces are read from
   * operands.
   */
  private bodyOf({ operator, step, local }: FunctionInput, operands: readonly string[]) {
    const whole = operator.inputs.map(({ tensor }) => this.tensors.get(tensor)?.shape ?? []);
    const results = operator.outputs.map((_, at) =>
      operator.outputs.length > 1 ? `out${at}` : "out",
    );
    const written = (shapes: readonly (readonly number[])[], strategy?: LocalStep["strategy"]) =>
      operatorLines(
        operator,
        { inputs: operands, outputs: results, shapes, ...(strategy && { strategy }) },
        {
          dialect: dialectOn(operands[0] ?? ""),
          names: new PythonNames([...reserved, ...operands, ...results]),
          mesh: this.mesh,
          tensors: this.tensors,
        },
      );
    const [all, piece] = [written(whole), written(local, step.strategy)];
    this.needsElement ||= all.needsElement;
    const lines = sizesAsked(all.lines, piece.lines, { operands, whole, local });
    if (lines === undefined)
      throw new NotWritten(
        `${operator.name} (${operator.op}) has to know which piece it is, which a registered function of nnScaler does not`,
      );
    return returned(lines, results);
  }
}

/**
 * Sizes nnScaler cannot infer in a bracketed dim: its identifiers that are no dim of their own
 * elsewhere, except the first.
 */
function hiddenSizes({ annotation, axes }: Operator): Readonly<Record<string, number>> {
  const dims = annotation.inputs.flatMap((shape) => shape.dims);
  const named = dims.map(({ identifiers }) =>
    identifiers.filter(({ kind }) => kind === "name").map(({ name }) => name),
  );
  const alone = new Set(named.flatMap((names) => (names.length === 1 ? names : [])));
  const hidden = named.flatMap((names) => names.filter((name) => !alone.has(name)).slice(1));
  const sizeOf = (name: string) => axes.find((axis) => axis.name === name)?.size ?? 1;
  return Object.fromEntries(hidden.map((name) => [name, sizeOf(name)]));
}

const reserved = [..."math torch F nnscaler element abs float".split(" ")];

/** PyTorch's dialect, with new arrays created on the device of an operand. */
function dialectOn(operand: string): Dialect {
  const on = operand === "" ? "" : `, device=${operand}.device`;
  return {
    ...torchDialect,
    indices: (length) => `torch.arange(${length}${on})`,
    filled: (value, shape) =>
      torchDialect.filled(value, shape).replace(/^(torch\.full\(.*)\)$/, `$1${on})`),
  };
}

/**
 * Lines that hold for the whole and for a piece: numbers that differ between them are replaced by
 * sizes of operands. `undefined` if the lines differ otherwise.
 */
function sizesAsked(
  whole: readonly string[],
  piece: readonly string[],
  shapes: {
    readonly operands: readonly string[];
    readonly whole: readonly (readonly number[])[];
    readonly local: readonly (readonly number[])[];
  },
): readonly string[] | undefined {
  const number = /\b(\d+)\b/;
  const lines = whole.map((line, at) => {
    const [one, other] = [line.split(number), (piece[at] ?? "").split(number)];
    const tokens = one.map((token, place) =>
      token === other[place] ? token : sizeOf(Number(token), Number(other[place]), shapes),
    );
    return one.length === other.length && tokens.every((token) => token !== undefined)
      ? tokens.join("")
      : undefined;
  });
  const known = lines.filter((line) => line !== undefined);
  return known.length === lines.length && whole.length === piece.length ? known : undefined;
}

/**
 * The operand size with one value in the whole and the other in a piece, as an expression; else
 * `undefined`.
 */
function sizeOf(
  inWhole: number,
  inPiece: number,
  { operands, whole, local }: Parameters<typeof sizesAsked>[2],
): string | undefined {
  for (const [at, name] of operands.entries()) {
    const dim = (whole[at] ?? []).findIndex(
      (size, place) => size === inWhole && local[at]?.[place] === inPiece,
    );
    if (dim >= 0) return `${name}.shape[${dim}]`;
  }
  return undefined;
}

/** The lines with a return statement; a single result is returned by the last line directly. */
function returned(lines: readonly string[], results: readonly string[]): readonly string[] {
  const [only] = results;
  const last = lines.at(-1) ?? "";
  const isPlain = results.length === 1 && last.startsWith(`${only} = `);
  if (!isPlain) return [...lines, `return ${results.join(", ")}`];
  return [...lines.slice(0, -1), `return ${last.slice(`${only} = `.length)}`];
}
