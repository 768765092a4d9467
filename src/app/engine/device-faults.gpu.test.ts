import { expect, test } from "vitest";
import { dawn, testEngine } from "../../execute/webgpu/dawn.testing.ts";
import { createRunEngines } from "./run-engines.ts";
import type { RunReport } from "./run-protocol.ts";
import { onIntegers } from "./run-report.testing.ts";
import { verdictOf } from "./run-verdict.ts";

// Defines the WebGPU classes globally; fails without an adapter.
await testEngine();

/** Minimal program that runs each kind of collective and kernel. */
const source = `mesh = Mesh(p=2, q=2)
x = Tensor((4, 8))
w = Parameter((8, 4))
y = matmul(x, w)
strategy(y, m="p", k="q")
z = relu(y)
`;

/** Fault injected at one call to the device. */
type Harm =
  /** The device is lost; a new device works. */
  | "lost"
  /** The device is lost, and each later device is lost at its first call. */
  | "lost again"
  /** The device is lost and no adapter gives another. */
  | "lost for good"
  /** The call throws or its promise rejects. */
  | "refused"
  /** The device reports a validation or out-of-memory error after the call. */
  | "invalid";

const harms: readonly Harm[] = ["lost", "lost again", "lost for good", "refused", "invalid"];

type Method = (this: object, ...given: unknown[]) => unknown;

/** Device methods that a run calls. */
const methods: readonly (readonly [{ readonly prototype: object }, readonly string[]])[] = [
  [GPUAdapter, ["requestDevice"]],
  [
    GPUDevice,
    [
      ...["createBuffer", "createShaderModule", "createComputePipelineAsync", "createBindGroup"],
      ...["createCommandEncoder", "popErrorScope"],
    ],
  ],
  [GPUQueue, ["submit", "writeBuffer", "onSubmittedWorkDone"]],
  [GPUCommandEncoder, ["beginComputePass", "copyBufferToBuffer", "finish"]],
  [GPUComputePassEncoder, ["setBindGroup", "dispatchWorkgroups", "end"]],
  [GPUBuffer, ["mapAsync", "getMappedRange", "unmap"]],
];

const promising: ReadonlySet<string> = new Set([
  ...["requestDevice", "createComputePipelineAsync", "popErrorScope"],
  ...["onSubmittedWorkDone", "mapAsync"],
]);

/** Injects a fault at call `at` of a run, counted from 0 (−1: none), and counts the calls. */
function harming(at: number, harm: Harm | undefined) {
  const kept: (() => void)[] = [];
  const state = { calls: 0, isDone: false };
  let device: GPUDevice | undefined;
  const replace = (prototype: object, name: string, made: (own: Method) => Method) => {
    const own = Reflect.get(prototype, name) as Method;
    Reflect.set(prototype, name, made(own));
    kept.push(() => Reflect.set(prototype, name, own));
  };
  for (const [{ prototype }, names] of methods) {
    for (const name of names) {
      replace(prototype, name, (own) => {
        return function (...given) {
          const isNow = state.calls === at || (harm === "lost again" && state.isDone);
          state.calls += 1;
          const made = () => {
            const result = own.apply(this, given);
            if (name !== "requestDevice") return result;
            return (result as Promise<GPUDevice>).then((lent) => {
              device = lent;
              return lent;
            });
          };
          if (!isNow || harm === undefined) return made();
          state.isDone = true;
          return harmed(harm, name, made, device);
        };
      });
    }
  }
  if (harm === "lost for good") {
    replace(Object.getPrototypeOf(dawn()), "requestAdapter", (own) => {
      return function (...given) {
        return state.isDone ? Promise.resolve(null) : own.apply(this, given);
      };
    });
  }
  const end = () => {
    for (const restore of kept) restore();
  };
  return { state, end };
}

function harmed(
  harm: Harm,
  name: string,
  made: () => unknown,
  device: GPUDevice | undefined,
): unknown {
  switch (harm) {
    case "lost":
    case "lost again":
    case "lost for good":
      device?.destroy();
      return made();
    case "refused": {
      const fault = new Error(`out of memory in ${name}`);
      if (promising.has(name)) return Promise.reject(fault);
      throw fault;
    }
    case "invalid":
      return name === "popErrorScope" ? Promise.resolve({ message: "validation failed" }) : made();
  }
}

/** Report of a run in a newly started worker. */
async function reported(): Promise<RunReport> {
  const engines = createRunEngines({ gpu: dawn(), isSecure: true, clock: () => 0 });
  const settings = { ...onIntegers, engine: "webgpu" } as const;
  const { verdict } = await verdictOf({ source, settings }, engines, () => {});
  if (verdict.kind === "refused") throw new Error(verdict.sentence);
  return verdict;
}

/** The number of calls of an undisturbed run. */
async function callsOfRun(): Promise<number> {
  const { state, end } = harming(-1, undefined);
  try {
    const { kind, engine } = await reported();
    expect([kind, engine.name]).toEqual(["equal", "webgpu"]);
    return state.calls;
  } finally {
    end();
  }
}

const calls = await callsOfRun();
const isSoak = process.env.SOAK !== undefined;

/**
 * Calls at which a kind of fault is injected: all in a soak, else every n-th, so that n kinds share
 * the calls.
 */
function placesOf(harm: Harm): readonly number[] {
  const all = Array.from({ length: calls }, (_, at) => at);
  return isSoak ? all : all.filter((at) => at % harms.length === harms.indexOf(harm));
}

/** Engines on which runs with the fault ended, with counts. */
async function endsOf(harm: Harm): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>();
  for (const at of placesOf(harm)) {
    const { state, end } = harming(at, harm);
    try {
      const { kind, engine, wasLost } = await reported();
      expect(state.isDone, `call ${at}`).toBe(true);
      expect(kind, `call ${at}`).toBe("equal");
      // If the run ended on another engine, the report gives the reason.
      if (engine.name === "cpu") expect(engine.why, `call ${at}`).toMatch(/GPU|adapter/);
      const where = wasLost ? "another device" : engine.name;
      ends.set(where, (ends.get(where) ?? 0) + 1);
    } finally {
      end();
    }
  }
  return ends;
}

test.each`
  harm               | elsewhere
  ${"lost"}          | ${"another device"}
  ${"lost again"}    | ${"cpu"}
  ${"lost for good"} | ${"cpu"}
  ${"refused"}       | ${"cpu"}
  ${"invalid"}       | ${"cpu"}
`("a device that is $harm at any call of a run: it goes on elsewhere", async (row) => {
  const { harm, elsewhere } = row;
  const ends = await endsOf(harm);
  expect(ends.get(elsewhere), JSON.stringify([...ends])).toBeGreaterThan(0);
});

test("a run speaks to its device often enough that its calls are worth breaking one by one", () => {
  expect(calls).toBeGreaterThan(40);
});
