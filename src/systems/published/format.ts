import type { Collective } from "#core/collective";
import type { Checked, Diagnostic } from "#core/diagnostics";

/** A file as dropped, pasted or named on a command line. */
export interface PublishedFile {
  /** File name without its folder; for a pasted text, a descriptive word. */
  readonly name: string;
  /** The whole file; empty for a file of weights, whose numbers are not read. */
  readonly bytes: Uint8Array;
  /** For a file of weights: the tensors in its header. */
  readonly tensors?: readonly NamedTensor[];
  /** Size of the whole file, in bytes. */
  readonly size: number;
  /** Decodes UTF-8 bytes; `undefined` when they are no valid UTF-8. */
  readonly decode: (bytes: Uint8Array) => string | undefined;
}

/** Choices that a file leaves open and the user makes. */
export interface ImportChoice {
  /** Sequences, or images, per step. */
  readonly batch: number;
  /** Tokens per sequence. */
  readonly sequence: number;
  /** Whether the program is a training step: with a loss, its gradients and an update. */
  readonly isTraining: boolean;
}

/** A published file turned into a program. */
export interface PublishedProgram {
  /** The name of the format: `config.json`. */
  readonly format: string;
  /** A short title of the file's contents: `LlamaForCausalLM`. */
  readonly title: string;
  /**
   * Program text. Absent when a file has no shapes: it is then compared with the present program.
   */
  readonly program?: string;
  /** One sentence on what was read. */
  readonly sentence: string;
  /** The choices that the program was made with; other values make another program. */
  readonly choice?: Partial<ImportChoice>;
  /** Number of parameters stated by the file. */
  readonly parameters?: number;
  /** Tensors named by a file of weights. */
  readonly weights?: readonly NamedTensor[];
  /** For a compiled program: its collectives, to be compared with the present plan. */
  readonly collectives?: readonly CompiledCollective[];
  /**
   * For a trace of a run: the work of one device in a step, to be compared with the present plan.
   */
  readonly measured?: MeasuredSteps;
  /** Parts of the file that the program lacks; never an error. */
  readonly notes: readonly Diagnostic[];
}

/** Work of one device in the measured steps of a run, averaged per step. */
export interface MeasuredSteps {
  /** Number of measured steps. */
  readonly steps: number;
  /** Average time from the start of a step to the start of the next. */
  readonly seconds: number;
  readonly collectives: readonly MeasuredCollective[];
  /** Work without collectives, by classes of operators. */
  readonly classes: readonly MeasuredClass[];
}

/**
 * Equal collectives of a step: runs per step, total seconds, and the data moved by each if known.
 */
export interface MeasuredCollective {
  readonly kind: CompiledCollective["kind"];
  readonly times: number;
  readonly seconds: number;
  readonly moved?: CompiledCollective;
}

/** The kernels or operators of one class in a step. */
export interface MeasuredClass {
  readonly name: string;
  readonly count: number;
  readonly seconds: number;
}

/** A collective of a compiled program, of one tensor. */
export interface CompiledCollective {
  readonly kind: Exclude<Collective, "exchange" | "slice">;
  /** Dtype and shape of its result on one device. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly groupSize: number;
  readonly groups: number;
  /** Runs per step of the program. */
  readonly times: number;
  /** Elements and bytes that a device receives per run. */
  readonly elements: number;
  readonly bytes: number;
  /** The operator that caused the collective, by the compiler's name; empty without one. */
  readonly name: string;
  readonly phase: "forward" | "backward";
}

/** A tensor by its name in a file of weights; an index of files has no shapes. */
export interface NamedTensor {
  readonly name: string;
  readonly shape?: readonly number[];
  readonly dtype?: string;
}

/**
 * Reads files of one format; a file that it cannot read is refused with a diagnostic.
 *
 * @param tell called now and then with the number of operators written
 */
export type ReadPublished = (
  file: PublishedFile,
  choice: Partial<ImportChoice>,
  tell?: (operators: number) => void,
) => Checked<PublishedProgram>;

/** A format of published files. */
export interface PublishedFormat {
  readonly name: string;
  /** Whether a file is of this format, judged by its name and first bytes only. */
  readonly isOne: (head: FileHead) => boolean;
  /** Loads the reader. Rejects when it cannot be loaded. */
  readonly load: () => Promise<ReadPublished>;
}

/** The facts by which formats are told apart. */
export interface FileHead {
  readonly name: string;
  /** The first characters, at most `headLength`; empty when the file is no text. */
  readonly text: string;
}

/** Bytes at the start of a file that identify its format. */
export const headLength = 4096;
