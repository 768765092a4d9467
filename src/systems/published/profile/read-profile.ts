import { receivedElements } from "#core/collective";
import { type Checked, passed } from "#core/diagnostics";
import { groupedBy, isRecord, plainJson } from "#core/records";
import type {
  CompiledCollective,
  MeasuredCollective,
  MeasuredSteps,
  PublishedFile,
  PublishedProgram,
} from "../format.ts";
import { notModelled, oneLine, refused } from "../refused.ts";
import { collectiveOf, isCommunication, type MeasuredKind, workClassOf } from "./classes.ts";
import { eventsIn, type SelfTimed, selfTimes, type TraceEvent } from "./events.ts";
import { isPacked, unpackedWithin } from "./unpacked.ts";

/** Most bytes of a trace, compressed or not. */
const mostBytes = 256 * 1024 * 1024;

/**
 * Reads a trace of a run as PyTorch's profiler, Kineto, XLA's profiler and Perfetto write it in
 * JSON: the time of one device by classes of work, and its collectives with their bytes where the
 * trace has them. No board is drawn: the figures are compared with the present plan.
 */
export function readProfile(file: PublishedFile): Checked<PublishedProgram> {
  const { name, size } = file;
  if (size > mostBytes) return refused(name, "a trace has at most 256 MiB");
  const bytes = isPacked(file.bytes) ? unpackedWithin(file.bytes, mostBytes) : file.bytes;
  if (typeof bytes === "string") return refused(name, bytes);
  const trace = traceIn(file.decode(bytes));
  if (trace === undefined) return refused(name, "it is no trace in JSON");
  const events = eventsIn(trace.events);
  if (events === undefined) return refused(name, "it has more than 2,000,000 events");
  const device = ofOneDevice(events);
  if (device.work.length === 0) return refused(name, "it has no event of a device or an operator");
  const steps = stepsIn(events, device.work);
  const measured = measuredIn(device.work, steps, trace);
  const title = oneLine(name);
  const left = [
    ...(device.others === 0 ? [] : [`other devices of the trace: ${device.others}`]),
    ...(steps.count === 0 ? ["where a step ends: the whole trace is taken for one step"] : []),
    ...measured.left,
  ];
  const words = measured.steps.steps === 1 ? "1 step" : `${measured.steps.steps} steps`;
  const sentence = `${title}: ${words} on one device, ${measured.steps.seconds.toPrecision(3)} s each.`;
  return passed({
    ...{ format: "profile", title, sentence, measured: measured.steps },
    notes: notModelled(left),
  });
}

interface Trace {
  readonly events: readonly unknown[];
  /** World size, if the trace states that there is only one process group. */
  readonly groupSize: number | undefined;
}

function traceIn(text: string | undefined): Trace | undefined {
  const read = plainJson((text ?? "").replace(/^\ufeff/u, ""));
  if (Array.isArray(read)) return { events: read, groupSize: undefined };
  if (!isRecord(read) || !Array.isArray(read.traceEvents)) return undefined;
  const { distributedInfo: info } = read;
  const isOnly = isRecord(info) && info.pg_count === 1 && typeof info.world_size === "number";
  return { events: read.traceEvents, groupSize: isOnly ? Number(info.world_size) : undefined };
}

/** Events that are work of one device; without any, operators of the host. */
function ofOneDevice(events: readonly TraceEvent[]) {
  const kernels = events.filter(({ category }) =>
    /^(?:kernel|gpu_mem(?:cpy|set))$/u.test(category),
  );
  const compiled = events.filter(
    ({ args }) => typeof args.hlo_op === "string" || typeof args.hlo_module === "string",
  );
  const onDevice = kernels.length > 0 ? kernels : compiled;
  if (onDevice.length > 0) {
    const devices = groupedBy(onDevice, ({ args, process }) => String(args.device ?? process));
    const [first = []] = [...devices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
    return { work: selfTimes(first), others: devices.size - 1 };
  }
  const host = events.filter(
    ({ category, name }) =>
      category === "cpu_op" || (category === "user_annotation" && isCommunication(name)),
  );
  return { work: selfTimes(host), others: 0 };
}

interface Steps {
  /** Number of steps; 0 when the trace marks none. */
  readonly count: number;
  /** From the start of the first step to the end of the last, in microseconds. */
  readonly from: number;
  readonly to: number;
}

function stepsIn(events: readonly TraceEvent[], work: readonly SelfTimed[]): Steps {
  const marks = events.filter(({ name }) =>
    /^ProfilerStep#\d+$|^\$?(?:train_)?step(?:_num)?[ #]?\d+$/iu.test(name),
  );
  const own = marks.length > 0 ? marks : work.map(({ event }) => event);
  const from = own.reduce((least, each) => Math.min(least, each.from), Number.POSITIVE_INFINITY);
  const to = own.reduce((most, each) => Math.max(most, each.to), Number.NEGATIVE_INFINITY);
  return { count: new Set(marks.map(({ name }) => name)).size, from, to };
}

function measuredIn(work: readonly SelfTimed[], { count, from, to }: Steps, trace: Trace) {
  const steps = Math.max(1, count);
  const left = new Map<string, number>();
  const note = (words: string) => left.set(words, (left.get(words) ?? 0) + 1);
  const collectives: MeasuredCollective[] = [];
  const classes = new Map<string, { seconds: number; count: number }>();
  for (const { event, self, around } of work) {
    if (isCommunication(event.name)) {
      if (around.some(({ name }) => isCommunication(name)) || event.name.startsWith("c10d::"))
        continue;
      const kind =
        collectiveOf(event.name) ?? collectiveOf(String(event.args["Collective name"] ?? ""));
      if (kind === undefined) note(`${oneLine(event.name)}, which is no collective of ours`);
      else collectives.push(collectiveIn(event, kind, trace, note));
      continue;
    }
    const word = workClassOf([...around.map(({ name }) => name), event.name].join(" "));
    const known = classes.get(word) ?? { seconds: 0, count: 0 };
    // Operators called inside another one are not counted again.
    const count = known.count + (around.length === 0 ? 1 : 0);
    classes.set(word, { seconds: known.seconds + self / 1e6, count });
  }
  const made: MeasuredSteps = {
    ...{ steps, seconds: (to - from) / 1e6 / steps, collectives: perStep(collectives, steps) },
    classes: [...classes].map(([name, each]) => ({
      ...{ name, count: each.count / steps, seconds: each.seconds / steps },
    })),
  };
  return { steps: made, left: [...left].map(([words, times]) => `${words} (${times})`) };
}

/** Merges equal collectives, with runs and total seconds per step. */
function perStep(
  rows: readonly MeasuredCollective[],
  steps: number,
): readonly MeasuredCollective[] {
  const keyOf = ({ seconds: _, times: __, ...rest }: MeasuredCollective) => JSON.stringify(rest);
  return [...groupedBy(rows, keyOf).values()].flatMap((equal) => {
    const [first] = equal;
    if (first === undefined) return [];
    const seconds = equal.reduce((sum, each) => sum + each.seconds, 0);
    return [{ ...first, times: equal.length / steps, seconds: seconds / steps }];
  });
}

function collectiveIn(
  event: TraceEvent,
  kind: MeasuredKind,
  trace: Trace,
  note: (words: string) => void,
): MeasuredCollective {
  const seconds = (event.to - event.from) / 1e6;
  const moved = movedBy(event, kind, trace);
  if (moved === undefined) note(`sizes of ${kind}`);
  return { kind, seconds, times: 1, ...(moved !== undefined && { moved }) };
}

/** Dtype and bytes per element by the words of NCCL and PyTorch. */
const elementBytes: Readonly<Record<string, readonly [string, number]>> = {
  ...{ float: ["f32", 4], float32: ["f32", 4], bfloat16: ["bf16", 2], half: ["f16", 2] },
  ...{ float16: ["f16", 2], double: ["f64", 8], int: ["i32", 4], int32: ["i32", 4] },
  ...{
    long: ["i64", 8],
    "long int": ["i64", 8],
    int64: ["i64", 8],
    byte: ["u8", 1],
    char: ["i8", 1],
  },
  ...{ bool: ["bool", 1], "c10::bfloat16": ["bf16", 2], "c10::half": ["f16", 2] },
};

/** The data that a device receives in a collective; `undefined` when the event lacks figures. */
function movedBy(
  { args }: TraceEvent,
  kind: MeasuredKind,
  { groupSize: usual }: Trace,
): CompiledCollective | undefined {
  const size = Number(args["Group size"] ?? usual);
  const dims = Array.isArray(args["Input Dims"]) ? args["Input Dims"][0] : undefined;
  const types = args["Input type"];
  const word = args.dtype ?? (Array.isArray(types) ? types[0] : undefined);
  const type = elementBytes[String(word ?? "").toLowerCase()];
  const listed = Array.isArray(dims) ? dims.flat(2).map(Number) : undefined;
  const given = Number(
    args["In msg nelems"] ?? listed?.reduce((product, each) => product * each, 1),
  );
  if (!(size > 1) || !Number.isSafeInteger(given) || given < 1 || type === undefined)
    return undefined;
  const [dtype, bytes] = type;
  const elements = receivedElements(kind, { groupSize: size, localElements: given });
  return {
    ...{ kind, dtype, shape: listed ?? [given], groupSize: size, groups: 1, times: 1, elements },
    ...{ bytes: elements * bytes, name: "", phase: "forward" },
  };
}
