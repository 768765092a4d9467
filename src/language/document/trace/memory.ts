import type { Checked } from "#core/diagnostics";
import {
  type Argument,
  type Bound,
  bindFirst,
  type Kwargs,
  type OpAnno,
  parseAnnotation,
} from "#core/dimops";
import type { Status } from "#core/ir";
import { fieldOf } from "#core/records";
import { createParser } from "#language/python";
import { createSpaces, type SpaceOf, shapeOf } from "./bind-traced.ts";
import { isDefault, knownSize, settle, settleFactor } from "./size.ts";
import type { Trace } from "./trace.ts";
import type { AssumedDims, TracedOperator, TracedTensor } from "./traced.ts";

/**
 * Sizes settled by one reading of a text for the next: shapes of inputs and parameters in creation
 * order, and hidden sizes per operator.
 */
export interface Memory {
  readonly leaves: readonly KnownLeaf[];
  readonly hidden: readonly Readonly<Record<string, number>>[];
  /** Per operator, which sizes of its operands are defaults. */
  readonly assumed: readonly (AssumedDims | undefined)[];
  /** Lengths of token rows that a model's settings give, by input position. */
  readonly rows?: ReadonlyMap<number, number>;
}

export interface KnownLeaf {
  readonly role: TracedTensor["role"];
  readonly shape: readonly number[];
  readonly shapeStatus: Status;
  readonly isRankGuessed: boolean;
  /** Per dim, whether its size is a default that nothing in the text determines. */
  readonly defaults: readonly boolean[];
}

export const nothingKnown: Memory = { leaves: [], hidden: [], assumed: [] };

/** Whether a reading left sizes open, so that another one would know more. */
export function isOpen(trace: Trace): boolean {
  const leaves = trace.tensors.some((tensor) => tensor.isOpen === true);
  return leaves || trace.operators.some(({ hidden }) => hidden !== undefined);
}

/** Inputs and parameters of a trace, in creation order. */
export function leavesOf({ tensors }: Trace): readonly TracedTensor[] {
  return tensors.filter(({ producer }) => producer === undefined);
}

/**
 * Settles every size that a reading left open.
 *
 * @param leaves all inputs and parameters of the reading, including hidden ones
 */
export function remember(trace: Trace, leaves: readonly TracedTensor[]): Memory {
  for (const operator of trace.operators) settleBrackets(operator);
  return {
    leaves: leaves.map((tensor) => ({
      role: tensor.role,
      shape: shapeOf(tensor),
      shapeStatus: tensor.shapeStatus,
      isRankGuessed: tensor.isRankGuessed === true,
      defaults: (tensor.shape ?? []).map(isDefault),
    })),
    hidden: trace.operators.map(({ hidden = {} }) =>
      Object.fromEntries(Object.entries(hidden).map(([name, size]) => [name, settle(size)])),
    ),
    assumed: trace.operators.map(({ inputs }) => {
      const dims = inputs.map((input) =>
        input.kind === "tensor" ? (input.shape ?? []).map(isDefault) : [],
      );
      return dims.some((each) => each.includes(true)) ? dims : undefined;
    }),
  };
}

/** Splits a bracketed dim of known size among its open identifiers. */
function settleBrackets({ annotations, inputs, hidden }: TracedOperator): void {
  if (hidden === undefined) return;
  const parsed = parseAnnotation(annotations[0]?.text ?? "");
  if (!parsed.ok) return;
  for (const [index, { dims }] of parsed.value.inputs.entries()) {
    const input = inputs[index];
    for (const [dim, { identifiers }] of dims.entries()) {
      const size = input?.kind === "tensor" ? input.shape?.[dim] : undefined;
      const whole = size === undefined ? undefined : knownSize(size);
      if (identifiers.length < 2 || whole === undefined) continue;
      let rest = whole;
      for (const { name } of identifiers) {
        const open = fieldOf(hidden, name);
        if (open === undefined) continue;
        settleFactor(open, rest);
        rest /= settle(open);
      }
    }
  }
}

/** Caches shared by the readings of an edited text. */
export interface Shared {
  readonly parse: ReturnType<typeof createParser>;
  readonly signatures: Signatures;
  readonly spaceOf: SpaceOf;
}

/** Empty caches. */
export function createShared(): Shared {
  return {
    parse: createParser(),
    signatures: new Signatures(),
    spaceOf: createSpaces(),
  };
}

/** Size limits of the caches for annotations and bindings; a full cache is cleared. */
const mostParsed = 5_000;
const mostBound = 20_000;

/**
 * Cache of parsed and bound annotations. The layers of a model call the same operators on the same
 * shapes, and equal calls share one `Bound`, also from one reading of an edited text to the next.
 */
export class Signatures {
  private readonly parsed = new Map<string, Checked<OpAnno>>();
  private readonly bound = new Map<string, Bound | undefined>();

  parse(text: string): Checked<OpAnno> {
    const known = this.parsed.get(text);
    if (known !== undefined) return known;
    if (this.parsed.size >= mostParsed) this.parsed.clear();
    const parsed = parseAnnotation(text);
    this.parsed.set(text, parsed);
    return parsed;
  }

  /** The first candidate that fits, bound; `undefined` when none does. */
  bind(texts: readonly string[], inputs: readonly Argument[], kwargs: Kwargs): Bound | undefined {
    const key = keyOf(texts, inputs, kwargs);
    const known = this.bound.get(key);
    if (known !== undefined || this.bound.has(key)) return known;
    const candidates: OpAnno[] = [];
    for (const text of texts) {
      const read = this.parse(text);
      if (read.ok) candidates.push(read.value);
    }
    const binding = bindFirst(candidates, inputs, kwargs);
    const bound = binding.ok ? binding.value : undefined;
    if (this.bound.size >= mostBound) this.bound.clear();
    this.bound.set(key, bound);
    return bound;
  }
}

/** Cache key of a call: annotations, shapes and keyword arguments. */
function keyOf(texts: readonly string[], inputs: readonly Argument[], kwargs: Kwargs): string {
  let key = "";
  for (const text of texts) key += `${text};`;
  for (const input of inputs)
    key += input.kind === "tensor" ? `${input.shape.join()};` : `${JSON.stringify([input.value])};`;
  return key + JSON.stringify(kwargs);
}
