import type { Cancel, Engine, EngineRun, EngineTask } from "#execute/engine";
import { isIntegral } from "#execute/reference";
import { ended } from "./engine-end.ts";
import { type ExecuteOptions, GpuExecutor } from "./gpu-device.ts";
import { keepTiles, keptTiles } from "./kept-tiles.ts";
import { type PlannedRun, planRun } from "./plan-run.ts";
import type { GpuLimits, Numbers } from "./program-builder.ts";
import { quadSize } from "./scope.ts";
import { tuneProducts } from "./tune-products.ts";

/**
 * Default memory limit of a run in bytes. WebGPU does not report the amount of memory: adapters
 * with large buffers usually hold a few of them. If they do not, the run continues on the CPU.
 */
function budgetOf({ limits }: GPUDevice): number {
  return Math.min(2 ** 32, Math.max(512e6, 2 * limits.maxBufferSize));
}

/** An engine on a GPU, until it is destroyed. */
export interface GpuEngine extends Engine {
  /** The adapter's own description. */
  readonly adapter: string;
  run(task: EngineTask, signal?: Cancel): Promise<EngineRun>;
  destroy(): void;
}

/** The engine on a GPU, or the reason why there is none. */
export type GpuChoice =
  | { readonly kind: "webgpu"; readonly engine: GpuEngine }
  | { readonly kind: "cpu"; readonly why: string };

/** Options of an engine on a GPU. */
export interface GpuOptions {
  /** Limit on the bytes of all values of a run; `budgetOf` the device by default. */
  readonly budgetBytes?: number;
  readonly onProgress?: ExecuteOptions["onProgress"];
  /** Limits to plan for in place of the adapter's own, for tests of lesser adapters. */
  readonly limits?: Partial<GpuLimits>;
  /** Called when the GPU is lost and the run begins again on another. */
  readonly onLost?: () => void;
}

/** Error: the GPU was lost and no other adapter is available. */
export class GpuLostError extends Error {}

/**
 * Looks for a GPU to run programs on: any adapter of the page's WebGPU. Without one it gives the
 * reason, so that the page can tell why a program runs on the CPU.
 */
export async function chooseGpu(
  gpu: GPU | undefined,
  options: GpuOptions = {},
): Promise<GpuChoice> {
  if (gpu === undefined) return { kind: "cpu", why: "this browser has no WebGPU" };
  const lent = await lend(gpu);
  if (lent === undefined) return { kind: "cpu", why: "WebGPU finds no adapter on this machine" };
  return { kind: "webgpu", engine: new LentEngine(gpu, lent, options) };
}

/** Milliseconds to wait for the report that a device was lost. */
const patience = 200;

type AdapterKind = Pick<GpuLimits, "isCpu" | "hasQuads">;

/** A device of an adapter. */
interface Lent {
  readonly device: GPUDevice;
  readonly traits: AdapterKind;
  readonly adapter: string;
  /** A key of the adapter and its drivers, so that measurements of others are not reused. */
  readonly key: string;
}

async function lend(gpu: GPU): Promise<Lent | undefined> {
  const adapter = await gpu.requestAdapter({ powerPreference: "high-performance" });
  if (adapter === null) return undefined;
  const { limits } = adapter;
  const traits = traitsOf(adapter);
  const device = await adapter.requestDevice({
    label: "shardboard",
    requiredFeatures: featuresOf(adapter, traits),
    requiredLimits: {
      maxComputeWorkgroupsPerDimension: limits.maxComputeWorkgroupsPerDimension,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
      maxComputeWorkgroupSizeX: limits.maxComputeWorkgroupSizeX,
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
    },
  });
  const { description, vendor, architecture, device: model } = adapter.info;
  const named = description === "" ? `${vendor} ${architecture}`.trim() : description;
  const key = [vendor, architecture, model, description].join(" ");
  return { device, adapter: named === "" ? "unnamed" : named, traits, key };
}

/**
 * Features of an adapter that a run uses if present: subgroups, whose threads read for each other,
 * and timestamps.
 */
function featuresOf({ features }: GPUAdapter, { hasQuads }: AdapterKind): GPUFeatureName[] {
  const clock: readonly GPUFeatureName[] = features.has("timestamp-query")
    ? ["timestamp-query"]
    : [];
  return hasQuads ? ["subgroups", ...clock] : [...clock];
}

/** The properties of an adapter on which the text of kernels depends. */
function traitsOf({ features, info }: GPUAdapter): AdapterKind {
  const { subgroupMinSize, subgroupMaxSize } = info;
  const isQuad = subgroupMinSize === quadSize && subgroupMaxSize === quadSize;
  return { isCpu: info.isFallbackAdapter === true, hasQuads: isQuad && features.has("subgroups") };
}

/**
 * Opens a GPU to run planned programs one by one, for benchmarks; `undefined` without an adapter.
 */
export async function openExecutor(
  gpu: GPU,
  budgetBytes: number,
): Promise<{ readonly executor: GpuExecutor; readonly adapter: string } | undefined> {
  const lent = await lend(gpu);
  if (lent === undefined) return undefined;
  const { device, traits, adapter } = lent;
  return { executor: new GpuExecutor(device, budgetBytes, traits), adapter };
}

class LentEngine implements GpuEngine {
  readonly name = "webgpu";
  readonly isSingle = true;
  readonly adapter: string;
  readonly mostBytes: number;
  private readonly gpu: GPU;
  private readonly options: GpuOptions;
  private lent: Lent;
  private isClosed = false;
  private executor: GpuExecutor;

  constructor(gpu: GPU, lent: Lent, options: GpuOptions) {
    this.gpu = gpu;
    this.lent = lent;
    this.adapter = lent.adapter;
    this.options = options;
    this.mostBytes = options.budgetBytes ?? budgetOf(lent.device);
    this.executor = this.createExecutor(lent);
  }

  /**
   * Runs a task. If its device is lost meanwhile, runs it once more from the beginning on a new
   * one.
   */
  async run(task: EngineTask, signal?: Cancel): Promise<EngineRun> {
    try {
      return await this.runOnce(task, signal);
    } catch (fault) {
      signal?.throwIfAborted();
      if (this.isClosed || !(await this.isLost())) throw fault;
      const again = await lend(this.gpu);
      if (again === undefined)
        throw new GpuLostError("the GPU was lost, and there is no other", { cause: fault });
      this.options.onLost?.();
      this.lent = again;
      this.executor = this.createExecutor(again);
      return { ...(await this.runOnce(task, signal)), wasLost: true };
    }
  }

  destroy(): void {
    this.isClosed = true;
    this.lent.device.destroy();
  }

  private createExecutor({ device, traits }: Lent): GpuExecutor {
    return new GpuExecutor(device, this.mostBytes, { ...traits, ...this.options.limits });
  }

  /** Whether the device is lost; the message may come a moment after the failure that it causes. */
  private isLost(): Promise<boolean> {
    const { lost } = this.lent.device;
    const moment = new Promise<false>((resolve) => setTimeout(() => resolve(false), patience));
    return Promise.race([lost.then(() => true), moment]);
  }

  /** Plans a task, with the best tiles on this adapter if they are known. */
  private async planned(task: EngineTask, numbers: Numbers): Promise<PlannedRun> {
    const { executor } = this;
    const first = planRun(task, numbers, executor.limits);
    const work = first.gpu.commands.reduce((sum, command) => sum + command.work, 0);
    const isBetter = await chooseTiles(executor, this.lent.key, work);
    return isBetter ? planRun(task, numbers, executor.limits) : first;
  }

  private async runOnce(task: EngineTask, signal: Cancel | undefined): Promise<EngineRun> {
    const { values } = task.settings;
    const numbers: Numbers = {
      type: values === "words" ? "i32" : "f32",
      isExact: isIntegral(values),
    };
    const planned = await this.planned(task, numbers);
    signal?.throwIfAborted();
    const { onProgress } = this.options;
    const run = await this.executor.execute(planned.gpu, {
      starts: planned.starts,
      ...(signal !== undefined && { signal }),
      ...(onProgress !== undefined && { onProgress }),
    });
    try {
      return await ended(run, planned.holdings, task, numbers, this.executor.limits);
    } catch (fault) {
      run.release();
      throw fault;
    }
  }
}

/**
 * The best tiles of products on an adapter, measured once per adapter: for a run that is long
 * enough to be worth some seconds of measuring, or from an earlier measurement.
 */
async function chooseTiles(executor: GpuExecutor, adapter: string, work: number): Promise<boolean> {
  const { isCpu, tiles } = executor.limits;
  if (isCpu || tiles !== undefined) return false;
  const kept = await keptTiles(adapter);
  if (kept === undefined && work < worthMeasuring) return false;
  const choices = kept ?? (await tuneProducts(executor));
  if (kept === undefined) await keepTiles(adapter, choices);
  executor.takeTiles(choices);
  return true;
}

/** Operations of a run from which tiles are measured: a tenth of a second on a fast GPU. */
const worthMeasuring = 2 ** 40;
