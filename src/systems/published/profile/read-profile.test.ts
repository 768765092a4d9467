import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { gzipSync, strToU8 } from "fflate";
import { describe, expect, test } from "vitest";
import { compile } from "#compile";
import { fileOf } from "../published.testing.ts";
import { besideMeasured, modelledSteps } from "./beside.ts";
import { workClassOf } from "./classes.ts";
import { eventsIn, selfTimes } from "./events.ts";
import { readProfile } from "./read-profile.ts";
import { unpackedWithin } from "./unpacked.ts";

function read(trace: unknown) {
  const made = readProfile(fileOf("trace.json", JSON.stringify(trace)));
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  const { measured, notes, sentence } = made.value;
  if (measured === undefined) throw new Error("nothing was measured");
  return { measured, sentence, notes: notes.map(({ message }) => message) };
}

const plan = `mesh = Mesh(tp=2)
x = Tensor((16, 64))
w1 = Parameter((64, 32))
w2 = Parameter((32, 64))
h = relu(x @ w1)
y = h @ w2
strategy(y, k="tp")
z = softmax(y, -1)
`;

function beside(measured: ReturnType<typeof read>["measured"], text = plan) {
  const { program, schedule } = compile(text);
  if (schedule === undefined) throw new Error("no schedule");
  return besideMeasured(measured, modelledSteps(program, schedule));
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "fixtures/gloo.json"), "utf8"));

describe("a packed trace", () => {
  const packed = gzipSync(strToU8(JSON.stringify(recorded)));
  const why = (bytes: Uint8Array) => {
    const made = readProfile(fileOf("trace.json.gz", bytes));
    return made.ok ? undefined : made.diagnostics.map(({ message }) => message).join();
  };

  test("says what it says unpacked", () => {
    const made = readProfile(fileOf("trace.json.gz", packed));
    expect(made.ok && made.value.measured).toEqual(read(recorded).measured);
  });

  test("is refused where its end is missing or its bytes are others", () => {
    expect(why(packed.subarray(0, packed.length >> 1))).toContain("it is no whole gzip");
    expect(why(packed.map((each, at) => (at < 20 ? each : each ^ 255)))).toMatch(/gzip|trace/u);
  });

  test("is unpacked to a bound and no further", () => {
    const bomb = gzipSync(new Uint8Array(1 << 22));
    expect(bomb.length).toBeLessThan(1 << 13);
    expect(unpackedWithin(bomb, 1 << 20)).toContain("when it is unpacked");
    expect(unpackedWithin(bomb, 1 << 22)).toHaveLength(1 << 22);
  });
});

test("what PyTorch's profiler recorded of two ranks lies beside the plan that they ran", () => {
  const { measured, notes } = read(recorded);
  expect(notes).toEqual([]);
  expect(measured.steps).toBe(3);
  const { rows, collectives, onlyOurs } = beside(measured);
  expect(
    rows.map(({ name, measured: a, modelled: b, difference }) => [
      name,
      a.count,
      b.count,
      difference,
    ]),
  ).toEqual([
    ["all-reduce", 1, 1, undefined],
    ["products", 2, 2, undefined],
    ["norms and softmax", 1, 1, undefined],
    ["everything else", 1, 1, undefined],
  ]);
  expect(rows[0]?.measured.bytes).toBe(16 * 64 * 4);
  expect(rows[0]?.modelled.bytes).toBe(16 * 64 * 4);
  expect(collectives.map(({ ours, difference }) => [ours, difference])).toEqual([
    [["y"], undefined],
  ]);
  expect(onlyOurs).toEqual([]);
});

const kernel = (name: string, ts: number, dur: number, args = {}) => ({
  ...{ ph: "X", cat: "kernel", pid: 0, tid: 7, name, ts, dur },
  args: { device: 0, stream: 7, ...args },
});

const nccl = (word: string, elements: number, args = {}) => ({
  ...{ "Collective name": word, "In msg nelems": elements, "Group size": 8, dtype: "BFloat16" },
  ...args,
});

test("kernels of a GPU are counted by class and by collective, with the bytes that NCCL says", () => {
  const { measured, notes } = read({
    traceEvents: [
      { ph: "X", cat: "cpu_op", pid: 1, tid: 1, name: "aten::mm", ts: 0, dur: 5 },
      { ph: "X", cat: "user_annotation", pid: 1, tid: 1, name: "ProfilerStep#4", ts: 0, dur: 100 },
      {
        ph: "X",
        cat: "user_annotation",
        pid: 1,
        tid: 1,
        name: "ProfilerStep#5",
        ts: 100,
        dur: 100,
      },
      kernel("sm90_xmma_gemm_bf16", 10, 30),
      kernel("nvjet_tst_128x256", 110, 10),
      kernel("flash_fwd_kernel", 120, 8),
      kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 140, 20, nccl("allreduce", 1024)),
      kernel("ncclDevKernel_ReduceScatter_Sum_bf16", 40, 20, nccl("_reduce_scatter_base", 1024)),
      kernel("ncclDevKernel_AllGather_RING_LL", 60, 6),
      kernel("ncclDevKernel_Broadcast", 70, 6),
      { ...kernel("Memcpy DtoD", 80, 4), cat: "gpu_memcpy" },
      kernel("sm90_xmma_gemm_bf16", 10, 30, { device: 1 }),
    ],
  });
  expect(measured.steps).toBe(2);
  expect(measured.seconds).toBeCloseTo(1e-4, 12);
  const classes = Object.fromEntries(
    measured.classes.map(({ name, seconds }) => [name, seconds * 1e6]),
  );
  expect(classes).toEqual({
    products: expect.closeTo(20, 9),
    attention: expect.closeTo(4, 9),
    copies: expect.closeTo(2, 9),
  });
  expect(measured.collectives.map(({ kind, times, moved }) => [kind, times, moved?.bytes])).toEqual(
    [
      ["reduce-scatter", 0.5, 7 * 128 * 2],
      ["all-gather", 0.5, undefined],
      ["all-reduce", 0.5, 2 * 7 * 128 * 2],
    ],
  );
  expect(notes).toEqual([
    "not modelled: other devices of the trace: 1, sizes of all-gather (1), ncclDevKernel_Broadcast, which is no collective of ours (1)",
  ]);
});

test("of a trace without steps and of XLA's operators the whole is one step, which is said", () => {
  const event = (name: string, ts: number, dur: number) => ({
    ...{ ph: "X", pid: 3, tid: 1, name, ts, dur, args: { hlo_op: name, hlo_module: "jit_f" } },
  });
  const { measured, notes } = read({
    traceEvents: [event("while.1", 0, 100), event("dot.3", 10, 40), event("all-reduce.2", 60, 20)],
  });
  expect(measured.collectives.map(({ kind, seconds }) => [kind, seconds])).toEqual([
    ["all-reduce", 2e-5],
  ]);
  expect(measured.classes.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(8e-5, 12);
  expect(notes.join()).toContain("where a step ends");
  const { rows } = beside(measured, "x = Tensor((8, 4))\ny = relu(x)\n");
  expect(rows.map(({ name, difference }) => [name, difference])).toContainEqual([
    "all-reduce",
    "only in the run",
  ]);
});

test("own times of events add up to the time in which any of them ran", () => {
  const spans = fc.array(fc.tuple(fc.nat(50), fc.nat(20)), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(spans, (given) => {
      // Events of one lane are nested or disjoint: overlapping ones are cut off.
      const nested: (readonly [number, number])[] = [];
      for (const [from, length] of given) {
        const to = from + length + 1;
        const isCrossing = nested.some(
          ([a, b]) => (from < b && a < from && b < to) || (a < to && from < a && to < b),
        );
        if (!isCrossing) nested.push([from, to]);
      }
      const raw = nested.map(([ts, to], at) => ({
        ph: "X",
        pid: 0,
        tid: 0,
        name: `${at}`,
        ts,
        dur: to - ts,
      }));
      const timed = selfTimes(eventsIn(raw) ?? []);
      const covered = new Set(
        nested.flatMap(([a, b]) => Array.from({ length: b - a }, (_, at) => a + at)),
      );
      expect(timed.reduce((sum, { self }) => sum + self, 0)).toBe(covered.size);
    }),
    { seed: 3 },
  );
});

test.each`
  name                                    | word
  ${"aten::mm"}                           | ${"products"}
  ${"aten::addmm"}                        | ${"products"}
  ${"dot.3"}                              | ${"products"}
  ${"matmul y"}                           | ${"products"}
  ${"aten::scaled_dot_product_attention"} | ${"attention"}
  ${"triton_red_fused_native_layer_norm"} | ${"norms and softmax"}
  ${"aten::cudnn_convolution"}            | ${"convolutions"}
  ${"multi_tensor_apply_kernel<Adam>"}    | ${"optimizer"}
  ${"vectorized_elementwise_kernel"}      | ${"everything else"}
`("$name is of $word", ({ name, word }) => {
  expect(workClassOf(name)).toBe(word);
});

test.each`
  what                      | text                                         | why
  ${"no JSON"}              | ${'{"traceEvents": ['}                       | ${"no trace in JSON"}
  ${"no list"}              | ${'{"traceEvents": 3}'}                      | ${"no trace in JSON"}
  ${"no event of a device"} | ${'{"traceEvents": [{"ph": "M"}, 3, null]}'} | ${"no event of a device"}
`("$what is refused", ({ text, why }) => {
  const made = readProfile(fileOf("trace.json", text));
  expect(made.diagnostics.map(({ code }) => code)).toEqual(["published/refused"]);
  expect(made.diagnostics[0]?.message).toContain(why);
});

test("a trace of more than 256 MiB or 2,000,000 events is refused", () => {
  const large = fileOf("trace.json", "{}", 256 * 2 ** 20 + 1);
  expect(readProfile(large).diagnostics[0]?.message).toContain("256 MiB");
  const many = `[${"0,".repeat(2_000_000)}0]`;
  expect(readProfile(fileOf("trace.json", many)).diagnostics[0]?.message).toContain("2,000,000");
});
