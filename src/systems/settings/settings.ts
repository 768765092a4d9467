import type { Diagnostic } from "#core/diagnostics";

/**
 * Parallel settings of a trainer or server as degrees: numbers of devices that share one thing. A
 * missing degree is 1.
 */
export interface ParallelSettings {
  /** The tool whose settings these are: `Megatron-LM`. */
  readonly tool: string;
  /** Total number of devices, if stated. */
  readonly devices?: number;
  /** Devices that share each layer's weights by columns and rows (tensor parallel). */
  readonly tensor: number;
  /** Whether activations between those layers are cut along the sequence, over the same devices. */
  readonly sequence: boolean;
  /**
   * Devices that share a batch, replicas and shards together; absent when the remaining devices do.
   */
  readonly data?: number;
  /** Number of pipeline stages. */
  readonly pipeline: number;
  /** Devices that share a sequence through all layers (context parallel). */
  readonly context: number;
  /** Devices that share the experts of a layer; they share the batch too. */
  readonly expert: number;
  /**
   * ZeRO stage: what is sharded over the devices that share a batch (1 optimizer state, 2 also
   * gradients, 3 also parameters).
   */
  readonly zero?: 0 | 1 | 2 | 3;
  /** Precision policy, in the words of `train(…, precision=…)`. */
  readonly precision?: "autocast" | "megatron" | "fsdp";
  /** Dtype of gradients that are also summed in 16 bits. */
  readonly gradients?: "bf16";
  /** Number of microbatches, if stated. */
  readonly microbatches?: number;
  /**
   * Sequences per step in all, and per run of one device; their quotient gives the number of
   * microbatches.
   */
  readonly globalBatch?: number;
  readonly localBatch?: number;
  /** Whether every block is recomputed for its backward pass. */
  readonly recompute?: "full" | "none";
  /** Diagnostics about settings that the plan lacks, and about unknown ones. */
  readonly notes: readonly Diagnostic[];
}
