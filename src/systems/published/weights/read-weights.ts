import { product } from "#core/arithmetic";
import { type Checked, passed } from "#core/diagnostics";
import { isRecord, plainJson } from "#core/records";
import type { PublishedFile, PublishedProgram } from "../format.ts";
import { oneLine, refused } from "../refused.ts";

/** Most tensors drawn on one board of weights; the largest published models have fewer. */
const mostTensors = 20_000;

/** Most bytes of an index; that of a model of 100,000 tensors has some ten million. */
const mostBytes = 64 * 1024 * 1024;

/**
 * Reads the header of a `.safetensors` file as a board of weights only: a parameter per tensor of
 * known dtype, in header order.
 */
export function readHeaderBoard(file: PublishedFile): Checked<PublishedProgram> {
  const { name, tensors = [] } = file;
  if (tensors.length > mostTensors) return refused(name, `it has ${tensors.length} tensors`);
  if (tensors.length === 0) return refused(name, "it has no tensors");
  const names = namesFor(tensors.map((each) => each.name));
  const lines = tensors.map(({ name: own, shape = [], dtype = "" }, at) => {
    const type = Object.hasOwn(dtypes, dtype) ? `, "${dtypes[dtype]}"` : "";
    const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
    return `${names[at]} = Parameter(${tuple}${type})  # ${oneLine(own)}, ${oneLine(dtype)}`;
  });
  const numbers = tensors.reduce((sum, { shape = [] }) => sum + product(shape), 0);
  const program = [
    `# The weights of ${oneLine(name)}, by its header: no operator stands in such a file.`,
    ...lines,
  ];
  return passed({
    format: "safetensors",
    title: oneLine(name),
    program: `${program.join("\n")}\n`,
    sentence: `${oneLine(name)} has ${tensors.length} tensors, and no operators.`,
    parameters: numbers,
    weights: tensors,
    notes: [],
  });
}

/**
 * Reads a `model.safetensors.index.json`: tensor names, and their total bytes. It has no shapes, so
 * no board is drawn: it is compared with the present program.
 */
export function readIndex(file: PublishedFile): Checked<PublishedProgram> {
  const { name, size } = file;
  if (size > mostBytes) return refused(name, "an index has at most 64 MiB");
  const index = jsonIn(file.decode(file.bytes));
  const map = index?.weight_map;
  if (index === undefined || !isRecord(map)) return refused(name, "it has no weight_map");
  const names = Object.keys(map);
  const metadata = isRecord(index.metadata) ? index.metadata : {};
  const { total_size: bytes, total_parameters: parameters } = metadata;
  const files = new Set(Object.values(map)).size;
  const words = [
    `${oneLine(name)} has ${names.length} tensors in ${files} ${files === 1 ? "file" : "files"}`,
    ...(isCount(bytes) ? [`${bytes} bytes`] : []),
    ...(isCount(parameters) ? [`${parameters} parameters`] : []),
  ];
  const sentence = `${words.join(", ")}; it says no shapes.`;
  return passed({
    format: "safetensors index",
    title: oneLine(name),
    sentence,
    ...(isCount(parameters) && { parameters }),
    weights: names.map((each) => ({ name: each })),
    notes: [],
  });
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function jsonIn(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const read = plainJson(text ?? "");
  return isRecord(read) ? read : undefined;
}

/** A unique variable name per tensor name: `model.layers.0.w` becomes `model_layers_0_w`. */
function namesFor(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return names.map((each) => {
    const plain = each.replaceAll(/[^A-Za-z0-9]+/gu, "_").replace(/^(?=\d)|^_*$/u, "t_");
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    return count === 1 ? plain : `${plain}__${count}`;
  });
}

/** Dtypes by the format's words; a parameter of any other dtype is written without one. */
const dtypes: Readonly<Record<string, string>> = {
  ...{ F64: "f64", F32: "f32", F16: "f16", BF16: "bf16", F8_E4M3: "f8e4m3", F8_E5M2: "f8e5m2" },
  ...{ I64: "i64", I32: "i32", I16: "i16", I8: "i8", U8: "u8", BOOL: "bool" },
};
