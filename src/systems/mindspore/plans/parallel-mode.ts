import type { Diagnostic, Fix } from "#core/diagnostics";
import type { BuiltGraph } from "#language/document/graph";
import { shapeOf, type Trace, type TracedOperator } from "#language/document/trace";

type ParallelSetting = Trace["parallel"][number];

/**
 * Whether operators without a strategy get MindSpore's batch-parallel default: under `semi_auto`,
 * and in a text that has strategies but sets no mode.
 */
export function isSemiAuto(trace: Trace): boolean {
  if (trace.operators.some(isReshard)) return false;
  const last = parallelSetting(trace);
  if (last !== undefined) return last.mode === "semi_auto" || !isSearching(last.mode);
  return trace.operators.some(({ strategy }) => strategy !== undefined);
}

/** The last parallel setting of the program; `undefined` if its mode splits no operators. */
export function parallelSetting({
  parallel,
}: Pick<Trace, "parallel">): ParallelSetting | undefined {
  const last = parallel.at(-1);
  return last === undefined || splitsNothing.has(last.mode) ? undefined : last;
}

/** Modes in which every device runs whole operators. */
const splitsNothing: ReadonlySet<string> = new Set([
  "stand_alone",
  "data_parallel",
  "hybrid_parallel",
]);

/** The search by which MindSpore chooses strategies, and the operators for which it does. */
export interface Searching extends ParallelSetting {
  readonly isSearched: (traced: TracedOperator) => boolean;
  /** The `reshard` that triggers a search under a mode without one. */
  readonly reshard?: TracedOperator;
}

/**
 * The search of a program: by its mode for every operator, or under `semi_auto` sharding
 * propagation for the nets that call `reshard`. `undefined` if no mode splits operators, or nothing
 * is searched.
 */
export function searching(trace: Trace): Searching | undefined {
  const last = parallelSetting(trace);
  if (last === undefined || isSearching(last.mode)) {
    return last && { ...last, isSearched: () => true };
  }
  const netOf = (traced: TracedOperator) => trace.moduleOf?.(traced)?.called;
  const reshards = trace.operators.filter(isReshard);
  const [reshard] = reshards;
  if (last.mode !== "semi_auto" || reshard === undefined) return undefined;
  const nets = new Set(reshards.map(netOf));
  const isSearched = (traced: TracedOperator) => nets.has(netOf(traced));
  return { ...last, mode: "sharding_propagation", isSearched, reshard };
}

function isReshard({ op }: TracedOperator): boolean {
  return op === "Reshard";
}

function isSearching(mode: string): boolean {
  return mode === "sharding_propagation" || mode === "recursive_programming";
}

/**
 * Warns of strategies outside of `AutoParallel`, which MindSpore ignores, with a fix that adds it.
 */
export function missingAutoParallel(
  trace: Trace,
  built: BuiltGraph,
  source: string,
  boundNames: ReadonlySet<string>,
): readonly Diagnostic[] {
  if (parallelSetting(trace) !== undefined) return [];
  const said = trace.parallel.at(-1);
  const asked = [...built.operatorOf.keys()].find(({ strategy }) => strategy !== undefined);
  const span = asked?.strategy?.span;
  if (span === undefined) return [];
  const net = netIn(source, boundNames);
  return [
    {
      code: "mindspore/no-auto-parallel",
      severity: "warning",
      message: `${said === undefined ? "no AutoParallel" : `parallel_mode='${said.mode}'`}: MindSpore ignores these strategies; read as if under parallel_mode='semi_auto'`,
      span,
      ...(net !== undefined && { fixes: [wrapping(net, source, boundNames)] }),
    },
  ];
}

const fedOtherwise = {
  share:
    "what is fed is read as the whole batch; without dataset_strategy='full_batch' MindSpore takes it as the part of one device and all of dim 0 to be as many times larger",
  layout: "dataset_strategy is not read: what is fed lies as its first operator wants it",
};

/**
 * Reports how fed tensors are read: as the context or `AutoParallel` says, or whole if that could
 * not be read.
 */
export function fedBatch(
  trace: Pick<Trace, "parallel" | "tensors">,
  { tracedBy }: Pick<BuiltGraph, "tracedBy">,
  devices: number,
): readonly Diagnostic[] {
  const setting = parallelSetting(trace);
  if (setting?.fed === undefined || (setting.devices ?? devices) === 1) return [];
  const { span } = setting;
  const fed = trace.tensors.filter((tensor) => tensor.fed?.some((pieces) => pieces > 1));
  if (fed.length === 0) {
    const isRead = trace.tensors.some((tensor) => tensor.fed !== undefined);
    const message = fedOtherwise[setting.fed];
    return isRead ? [] : [{ code: "mindspore/fed-whole", severity: "warning", message, span }];
  }
  const names = [...tracedBy].flatMap(([name, tensor]) =>
    fed.includes(tensor) ? [`"${name}" (${shapeOf(tensor).join(", ")})`] : [],
  );
  const message = `a net is called with one device's part of what it is fed: the whole is ${names.join(", ")}; dataset_strategy='full_batch' feeds it as it is written`;
  return names.length === 0
    ? []
    : [{ code: "mindspore/fed-part", severity: "info", message, span }];
}

/** The last variable of the text that likely holds a net. */
function netIn(source: string, boundNames: ReadonlySet<string>): string | undefined {
  const found = [...source.matchAll(/^([A-Za-z_]\w*)[ \t]*=[ \t]*[A-Z]\w*\(/gm)];
  const names = found.flatMap(([, name]) => (name === undefined ? [] : [name]));
  const usual = names.filter((name) => /net|model|cell/i.test(name) && boundNames.has(name));
  return usual.at(-1);
}

function wrapping(net: string, source: string, boundNames: ReadonlySet<string>): Fix {
  const line = "from mindspore.parallel.auto_parallel import AutoParallel";
  const lead = source.endsWith("\n") ? "" : "\n";
  const call = `parallel_net = AutoParallel(${net}, parallel_mode='semi_auto')`;
  const end = { from: source.length, to: source.length, text: `${lead}${call}\n` };
  const start = { from: 0, to: 0, text: `${line}\n` };
  const edits = boundNames.has("AutoParallel") ? [end] : [start, end];
  return { title: `Write ${call}`, edits };
}
