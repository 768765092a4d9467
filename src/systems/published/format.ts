import type { Collective } from "#core/collective";
import type { Checked, Diagnostic } from "#core/diagnostics";

/** A file as it was dropped, pasted or named on a command line. */
export interface PublishedFile {
  /** Without its folder; of a pasted text a word for it. */
  readonly name: string;
  /** The whole file; empty for a file of weights, whose numbers are not read. */
  readonly bytes: Uint8Array;
  /** For a file of weights: the tensors in its header. */
  readonly tensors?: readonly NamedTensor[];
  /** Size of the whole file, in bytes. */
  readonly size: number;
  /** Bytes as text, which is UTF-8; `undefined` where they are none. */
  readonly decode: (bytes: Uint8Array) => string | undefined;
}

/** Choices that a file leaves open and its reader is asked for. */
export interface ImportChoice {
  /** Sequences, or images, of one step. */
  readonly batch: number;
  /** Tokens of a sequence. */
  readonly sequence: number;
  /** Whether the program is a step of training: with a loss, its gradients and an update. */
  readonly isTraining: boolean;
}

/** A published file as a program of our own. */
export interface PublishedProgram {
  /** The name of the format: `config.json`. */
  readonly format: string;
  /** A short title of the file's contents: `LlamaForCausalLM`. */
  readonly title: string;
  /** Absent where a file says no shapes: it is held against the program that is there. */
  readonly program?: string;
  /** What was read, as one sentence. */
  readonly sentence: string;
  /** The choices that the program was made with; other values make another program. */
  readonly choice?: Partial<ImportChoice>;
  /** How many parameters the file says that there are. */
  readonly parameters?: number;
  /** The tensors that the file names, where it is about weights. */
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

/** What one device did in the steps of a run, by a step. */
export interface MeasuredSteps {
  /** How many steps were measured. */
  readonly steps: number;
  /** From the beginning of a step to the beginning of the next, on average. */
  readonly seconds: number;
  readonly collectives: readonly MeasuredCollective[];
  /** Work without collectives, by classes of operators. */
  readonly classes: readonly MeasuredClass[];
}

/** Equal collectives of a step: how often, how long all take, and what each moves if that is known. */
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
  /** The type and the shape of its result on one device. */
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly groupSize: number;
  readonly groups: number;
  /** How often it runs in a step of the program. */
  readonly times: number;
  /** Elements and bytes that a device receives each time. */
  readonly elements: number;
  readonly bytes: number;
  /** The operator that the collective was made for, by the compiler's name; empty without one. */
  readonly name: string;
  readonly phase: "forward" | "backward";
}

/** A tensor by its name in a file of weights; an index of files says no shapes. */
export interface NamedTensor {
  readonly name: string;
  readonly shape?: readonly number[];
  readonly dtype?: string;
}

/**
 * Reads the files of a format; a file that it cannot read is refused with a diagnostic.
 *
 * @param tell hears now and then how many operators are written
 */
export type ReadPublished = (
  file: PublishedFile,
  choice: Partial<ImportChoice>,
  tell?: (operators: number) => void,
) => Checked<PublishedProgram>;

/** A format of published files. */
export interface PublishedFormat {
  readonly name: string;
  /** Whether a file is of this format, by its name and its first bytes; reads no more of it. */
  readonly isOne: (head: FileHead) => boolean;
  /** Loads what reads it. Rejects when it cannot be loaded. */
  readonly load: () => Promise<ReadPublished>;
}

/** The facts by which formats are told apart. */
export interface FileHead {
  readonly name: string;
  /** The first characters, at most `headLength`; empty where the file is no text. */
  readonly text: string;
}

/** Bytes of a file in which its format shows. */
export const headLength = 4096;
