import type { Span } from "#core/diagnostics";
import { assumedOf, type OpaqueOperators, type TensorBindings } from "#language/document/bindings";
import {
  bindArguments,
  hostFunction,
  integerOf,
  itemsOf,
  none,
  textOf,
} from "#language/document/bindings/values";
import { freshSize, type Recorder, type Size } from "#language/document/trace";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import type { TrainingRecord } from "./record.ts";

/** Services for reading a data set. */
export interface DatasetParts {
  readonly recorder: Recorder;
  readonly tensors: TensorBindings;
  readonly opaque: OpaqueOperators;
  readonly record: TrainingRecord;
}

/** One column of a data set; `shape` is undefined if unknown. */
interface Column {
  readonly name: string;
  readonly shape: readonly Size[] | undefined;
  readonly dtype: "f32" | "i32" | "u8";
}

interface Dataset {
  readonly title: string;
  /** Undefined if the columns are not known. */
  readonly columns: readonly Column[] | undefined;
  readonly asDictionary: boolean;
  /** Whether its one batch was already drawn. */
  isDrawn: boolean;
}

const pictures = (size: number, channels: number): readonly Column[] => [
  { name: "image", shape: [size, size, channels], dtype: "u8" },
  { name: "label", shape: [], dtype: "i32" },
];

/** Columns of the data sets whose samples all have one shape. */
const known: ReadonlyMap<string, readonly Column[]> = new Map([
  ["MnistDataset", pictures(28, 1)],
  ["FashionMnistDataset", pictures(28, 1)],
  ["KMnistDataset", pictures(28, 1)],
  ["QMnistDataset", pictures(28, 1)],
  ["Cifar10Dataset", pictures(32, 3)],
]);

/** A data set of `mindspore.dataset` by the name of its class; `undefined` for other names. */
export function datasetWord(parts: DatasetParts, name: string): Value | undefined {
  if (!/^[A-Z]\w*Dataset$/.test(name)) return undefined;
  return hostFunction(name, (args) => {
    const named = args.find((each) => each.name === "column_names")?.value ?? args[1]?.value;
    const names = (itemsOf(named) ?? []).flatMap((each) => textOf(each) ?? []);
    const said = names.map((each): Column => ({ name: each, shape: undefined, dtype: "f32" }));
    const columns = known.get(name) ?? (said.length > 0 ? said : undefined);
    return datasetOf(parts, { title: name, columns, asDictionary: false, isDrawn: false });
  });
}

/** One batch of a data set; `undefined` if the value is no data set. */
export function batchOf(
  parts: DatasetParts,
  value: Value | undefined,
  count: number,
  context: Context,
  span: Span,
): readonly Value[] | undefined {
  const dataset = value?.kind === "host" ? datasets.get(value) : undefined;
  if (dataset === undefined && value !== undefined && assumedOf(value) === undefined)
    return undefined;
  const columns = dataset?.columns ?? usualColumns(count);
  return columns.slice(0, count).map((column) => {
    const made = inputOf(parts, column, context, span);
    const tensor = parts.tensors.tensorOf(made);
    if (tensor !== undefined) tensor.name = { text: column.name, frames: [] };
    return made;
  });
}

const datasets = new WeakMap<HostObject, Dataset>();

/** Default columns of a data set without names. */
function usualColumns(count: number): readonly Column[] {
  const names =
    count === 2 ? ["data", "label"] : Array.from({ length: count }, (_, at) => `data${at}`);
  return names.map((name) => ({ name, shape: undefined, dtype: "f32" }));
}

function datasetOf(parts: DatasetParts, dataset: Dataset): Value {
  const changed = (next: Partial<Dataset>) =>
    datasetOf(parts, { ...dataset, isDrawn: false, ...next });
  const type: HostType = {
    name: dataset.title,
    iterate: (_, context, span) => oneBatch(parts, dataset, context, span),
    attribute: (_, name) => {
      if (name === "batch")
        return hostFunction(name, ([count]) =>
          changed({ columns: batched(dataset, count?.value) }),
        );
      if (name === "map")
        return hostFunction(name, (args) => changed({ columns: mapped(dataset, args) }));
      if (name === "project")
        return hostFunction(name, ([names]) =>
          changed({ columns: projected(dataset, names?.value) }),
        );
      if (name === "create_dict_iterator")
        return hostFunction(name, () => changed({ asDictionary: true }));
      return same.has(name)
        ? hostFunction(name, () => changed({}))
        : parts.opaque.assumed(`${dataset.title}.${name}`);
    },
    setAttribute: () => true,
    truth: () => true,
    text: () => dataset.title,
  };
  const made: HostObject = { kind: "host", type, data: dataset };
  datasets.set(made, dataset);
  return made;
}

/** Methods that keep the columns of a data set. */
const same: ReadonlySet<string> = new Set([
  ...["shuffle", "repeat", "skip", "take", "filter", "concat", "create_tuple_iterator"],
]);

/** The iterations of a loop over a data set: a single batch, since all steps are alike. */
function oneBatch(
  parts: DatasetParts,
  dataset: Dataset,
  context: Context,
  span: Span,
): readonly Value[] {
  if (dataset.isDrawn) return [];
  dataset.isDrawn = true;
  parts.record.say({
    code: "mindspore/one-batch",
    severity: "info",
    message: `one batch of ${dataset.title} is drawn${dataset.columns === undefined ? "" : `: ${shown(dataset.columns)}`}`,
    span,
  });
  return [rowOf(parts, dataset, context, span)];
}

function shown(columns: readonly Column[]): string {
  return columns
    .map(({ name, shape }) =>
      shape === undefined
        ? `${name} of a shape that is not known`
        : `${name} (${shape.map((size) => (typeof size === "number" ? size : "?")).join(", ")})`,
    )
    .join(", ");
}

/** One batch: its columns are inputs of the program, created when they are accessed. */
function rowOf(parts: DatasetParts, dataset: Dataset, context: Context, span: Span): Value {
  const { columns } = dataset;
  const input = (column: Column) => inputOf(parts, column, context, span);
  const byName = new Map<string, Value>();
  const named = (name: string) => {
    const column = columns?.find((each) => each.name === name);
    const value = byName.get(name) ?? input(column ?? { name, shape: undefined, dtype: "f32" });
    byName.set(name, value);
    return value;
  };
  const type: HostType = {
    name: dataset.asDictionary ? "dict" : "tuple",
    unpack: (_, count) => (columns ?? usualColumns(count)).slice(0, count).map(input),
    iterate: () => (columns ?? usualColumns(2)).map(input),
    item: (_, key) => {
      const name = textOf(key);
      const column = (columns ?? usualColumns(2)).at(integerOf(key) ?? 0);
      return named(name ?? column?.name ?? "data");
    },
    text: () => "batch",
  };
  return { kind: "host", type, data: dataset };
}

function inputOf(
  { recorder, tensors }: DatasetParts,
  { shape, dtype }: Column,
  context: Context,
  span: Span,
): Value {
  const isKnown = shape?.every((size) => typeof size === "number") === true;
  const spec = {
    role: "input",
    shape,
    shapeStatus: isKnown ? "set" : "assumed",
    dtype,
    dtypeText: dtype,
    isTypeAssumed: shape === undefined,
    span,
  } as const;
  return tensors.object(recorder.leaf(spec, context));
}

function batched({ columns }: Dataset, count: Value | undefined): Dataset["columns"] {
  const rows = integerOf(count) ?? freshSize();
  return columns?.map((each) => ({ ...each, shape: each.shape && [rows, ...each.shape] }));
}

function projected({ columns }: Dataset, names: Value | undefined): Dataset["columns"] {
  const wanted = [names, ...(itemsOf(names) ?? [])].map(textOf);
  return columns?.filter(({ name }) => wanted.includes(name));
}

/**
 * Operations of `mindspore.dataset` that keep a column's shape and make it float32, by the end of
 * their paths.
 */
const likeBefore =
  /\b(Rescale|Normalize|RandomHorizontalFlip|RandomVerticalFlip|RandomColorAdjust|ToTensor)\(\)$/;

function mapped({ columns }: Dataset, args: readonly Argument[]): Dataset["columns"] {
  const { bound } = bindArguments(["operations", "input_columns"], args);
  const given = bound.get("input_columns")?.value ?? none;
  const names = [given, ...(itemsOf(given) ?? [])].map(textOf);
  const operations = bound.get("operations")?.value ?? none;
  const all = itemsOf(operations) ?? [operations];
  return columns?.map((column, at) =>
    names.includes(column.name) || (given.kind === "none" && at === 0)
      ? all.reduce(changedBy, column)
      : column,
  );
}

function changedBy(column: Column, operation: Value): Column {
  const path = assumedOf(operation)?.name ?? "";
  const { shape } = column;
  if (/\bTypeCast\(\)$/.test(path)) return column;
  if (/\b(HWC2CHW|ToTensor)\(\)$/.test(path)) {
    const [height, width, channels] = shape ?? [];
    const isPicture = height !== undefined && width !== undefined && channels !== undefined;
    return { ...column, shape: isPicture ? [channels, height, width] : undefined, dtype: "f32" };
  }
  if (likeBefore.test(path)) return { ...column, dtype: "f32" };
  return { ...column, shape: undefined, dtype: "f32" };
}
