/** A program, and the recorded answer of the real system. */
export interface KnownProgram {
  readonly name: string;
  readonly program: string;
  /**
   * Present if the real system refuses it: `refused` in MindSpore's record, `error` in PyTorch's.
   */
  readonly refused?: unknown;
  readonly expect?: string;
  /** MindSpore's strategies by operator; null if it has none. */
  readonly operators?: readonly { readonly op: string; readonly strategy: unknown }[];
  /** MindSpore's collectives on rank 0; `from` names the pass that inserts one. */
  readonly collectives?: readonly {
    readonly op: string;
    readonly ranks: string | readonly number[] | null;
    readonly from?: string | null;
  }[];
  /** PyTorch's shapes by name, and parameter counts of modules as `params:net`. */
  readonly truth?: Readonly<Record<string, readonly unknown[]>>;
}

/** The real system's answer to a program compiled alone, if it differs from the record. */
export interface AskedAlone extends Pick<KnownProgram, "name" | "operators" | "collectives"> {
  /** The fault of the record. */
  readonly why: string;
}

/**
 * A program with the real system's answer to it alone. In a record of many programs compiled in one
 * process, an earlier one may have affected a later one.
 */
export function asAlone(known: KnownProgram, alone: readonly AskedAlone[]): KnownProgram {
  const found = alone.find(({ name }) => name === known.name);
  if (found === undefined) return known;
  const { name, program } = known;
  const { operators = [], collectives = [] } = found;
  return { name, program, operators, collectives };
}

/** The command line's answer of `plan` to the same program (commands.md). */
export interface GivenAnswer {
  readonly diagnostics: readonly { readonly severity: string; readonly code: string }[];
  readonly emitted?: {
    readonly operators: readonly { readonly op: string; readonly in_strategy: unknown }[];
    readonly collectives: readonly { readonly op: string; readonly ranks: readonly number[] }[];
  };
  readonly tensors?: readonly {
    readonly name: string;
    readonly shape: readonly number[] | null;
  }[];
  readonly modules?: Readonly<Record<string, { readonly parameters: number | null }>>;
}

/**
 * A difference between an answer and the real system without a warning or error; `undefined` if
 * both agree, or if the answer marks something as unknown.
 */
export function silentDifference(known: KnownProgram, given: GivenAnswer): string | undefined {
  const isSaid = given.diagnostics.some(({ severity }) => severity !== "info");
  if (isSaid) return undefined;
  if (known.refused !== undefined || known.expect === "refused")
    return "the real system refuses it";
  if (known.operators !== undefined) return differenceOfNet(known, given);
  return differenceOfShapes(known.truth ?? {}, given);
}

/** Operators without a strategy that only pass on or rename values. */
const carrying = /^(reshape|load|depend|maketuple|tuplegetitem|updatestate|return)$/i;

/** Origins of collectives of the backward pass and of parameters, which `plan` does not list. */
const ofGradients = /^(grad|mirror|broadcast)/;

const sending = /AllReduce|AllGather|ReduceScatter|AllToAll|AlltoAll|NeighborExchange|Send|Receive/;

function differenceOfNet(
  { operators = [], collectives = [] }: KnownProgram,
  { emitted }: GivenAnswer,
): string | undefined {
  if (emitted === undefined) return "no operators are told";
  const wanted = operators.flatMap(({ op, strategy }) =>
    strategy === null || carrying.test(op) ? [] : [`${op.toLowerCase()} ${strategyText(strategy)}`],
  );
  const have = emitted.operators.map(
    ({ op, in_strategy }) => `${op.toLowerCase()} ${strategyText(in_strategy)}`,
  );
  const missing = without(wanted, have)[0];
  if (missing !== undefined) return `no operator ${missing}`;
  const sent = collectives
    .filter(({ from }) => !ofGradients.test(from ?? ""))
    .map(({ op, ranks }) => `${kindOf(op)} ${ranksText(ranks)}`);
  const ours = emitted.collectives.map(({ op, ranks }) => `${kindOf(op)} ${ranksText(ranks)}`);
  const [lost] = without(sent, ours);
  const [extra] = without(ours, sent);
  if (lost !== undefined) return `no collective ${lost}`;
  return extra === undefined ? undefined : `a collective ${extra}`;
}

/** Multiset difference: texts of one list that another does not have as often. */
function without(texts: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return texts.filter((text) => {
    const at = rest.indexOf(text);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
}

/**
 * Numbers of a strategy in order. Operands without dims have none, and MindSpore's record writes
 * operands of one dim without brackets.
 */
function strategyText(strategy: unknown): string {
  return JSON.stringify([strategy].flat(Number.POSITIVE_INFINITY));
}

function kindOf(op: string): string {
  return (sending.exec(op)?.[0] ?? op).toLowerCase();
}

function ranksText(ranks: string | readonly number[] | null): string {
  return typeof ranks === "string"
    ? (ranks.match(/\d+/g) ?? []).join(" ")
    : (ranks ?? []).join(" ");
}

function differenceOfShapes(
  truth: NonNullable<KnownProgram["truth"]>,
  { tensors = [], modules = {} }: GivenAnswer,
): string | undefined {
  const shapes = new Map(tensors.map(({ name, shape }) => [name, shape]));
  for (const [name, wanted] of Object.entries(truth)) {
    const [, module] = /^params:(.*)/.exec(name) ?? [];
    const have = module === undefined ? shapes.get(name) : modules[module]?.parameters;
    // A name bound to several tensors cannot be compared with one.
    if (have === undefined || have === null || Array.isArray(wanted[0])) continue;
    if (JSON.stringify([have].flat()) !== JSON.stringify(wanted))
      return `${name} is ${JSON.stringify(have)}, not ${JSON.stringify(wanted)}`;
  }
  return undefined;
}
