import type { Diagnostic } from "#core/diagnostics";

/**
 * How a trainer or a server is told to split a model, in its own degrees: how many devices share one
 * thing. A degree that is not said is 1.
 */
export interface ParallelSettings {
  /** Whose settings these are: `Megatron-LM`. */
  readonly tool: string;
  /** Devices in all, where that is said. */
  readonly devices?: number;
  /** Devices that share each layer's weights by columns and rows. */
  readonly tensor: number;
  /** Whether what lies between those layers is cut along the sequence, over the same devices. */
  readonly sequence: boolean;
  /** Devices that share a batch, replicas and shards together; absent where the rest of them do. */
  readonly data?: number;
  /** Devices of one stage after the other. */
  readonly pipeline: number;
  /** Devices that share a sequence from the first layer to the last. */
  readonly context: number;
  /** Devices that share the experts of a layer; they share the batch too. */
  readonly expert: number;
  /** What is split over the devices that share a batch: states, gradients, parameters. */
  readonly zero?: 0 | 1 | 2 | 3;
  /** What is held beside values of narrow types, in the words of `train(…, precision=…)`. */
  readonly precision?: "autocast" | "megatron" | "fsdp";
  /** Of gradients that are summed in narrow types too. */
  readonly gradients?: "bf16";
  /** Parts of the batch that run one after the other, where a number says so. */
  readonly microbatches?: number;
  /** Sequences of a step in all, and in one run of one device, of which their number follows. */
  readonly globalBatch?: number;
  readonly localBatch?: number;
  /** Whether every block is computed again for its backward pass. */
  readonly recompute?: "full" | "none";
  /** What of the settings the plan lacks, and what nobody knows. */
  readonly notes: readonly Diagnostic[];
}
