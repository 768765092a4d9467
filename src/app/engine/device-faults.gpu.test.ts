import { expect, test } from "vitest";
import { dawn, testEngine } from "../../execute/webgpu/dawn.testing.ts";
import { createRunEngines } from "./run-engines.ts";
import type { RunReport } from "./run-protocol.ts";
import { onIntegers } from "./run-report.testing.ts";
import { verdictOf } from "./run-verdict.ts";

// Sets the classes of WebGPU, and fails where there is no adapter.
await testEngine();

/** Each collective and kernel of a run, as small as they can be. */
const source = `mesh = Mesh(p=2, q=2)
x = Tensor((4, 8))
w = Parameter((8, 4))
y = matmul(x, w)
strategy(y, m="p", k="q")
z = relu(y)
`;

/** A fault at a call. */
type Harm =
  /** The device is lost; another one is there. */
  | "lost"
  /** This device is lost, and so is every later one at its first call. */
  | "lost again"
  /** The device is lost, and there is no other. */
  | "lost for good"
  /** The call throws, or its promise is rejected. */
  | "refused"
  /** The device says afterwards that the call was not valid, or that memory ran out. */
  | "invalid";

const harms: readonly Harm[] = ["lost", "lost again", "lost for good", "refused", "invalid"];

type Method = (this: object, ...given: unknown[]) => unknown;

/** The calls of a run to a device. */
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

/** Does harm at one call of a run, counted from 0; `calls` says how many there were. */
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

/** A run by a worker that has just begun. */
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

/** The calls at which a harm is done: at each call one, another at each; in a soak all. */
function placesOf(harm: Harm): readonly number[] {
  const all = Array.from({ length: calls }, (_, at) => at);
  return isSoak ? all : all.filter((at) => at % harms.length === harms.indexOf(harm));
}

/** The engines on which runs with a fault have ended. */
async function endsOf(harm: Harm): Promise<ReadonlyMap<string, number>> {
  const ends = new Map<string, number>();
  for (const at of placesOf(harm)) {
    const { state, end } = harming(at, harm);
    try {
      const { kind, engine, wasLost } = await reported();
      expect(state.isDone, `call ${at}`).toBe(true);
      expect(kind, `call ${at}`).toBe("equal");
      // A run that ended on another engine says so.
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
