import type { Span } from "#core/diagnostics";
import type { Trace, TracedTensor, TrainPolicy } from "#language/document/trace";
import type { Argument, InstanceValue, SpanTree, Value } from "#language/python";

/** A device mesh as a text makes it: named dims outermost first. */
export interface RootMesh {
  readonly dims: readonly { readonly name: string; readonly size: number }[];
  readonly span: Span;
}

/** Dims of a mesh, by their places: several are one dim, flattened. */
export interface MeshDims {
  readonly root: RootMesh;
  readonly dims: readonly number[];
}

/** How a tensor lies along one dim of a mesh. */
export type PlacementWord =
  | { readonly kind: "shard"; readonly dim: number }
  | { readonly kind: "replicate" }
  | { readonly kind: "partial" };

/** The effect of a style on a module. */
export type StyleKind =
  | "columns"
  | "rows"
  | "sequence"
  | "inputs"
  | "outputs"
  | "inputs-and-outputs"
  | "nothing"
  | "own";

/** A style as it is read: its kind, and the layouts that it names. */
export interface Style {
  readonly kind: Exclude<StyleKind, "own">;
  /** The name of its class. */
  readonly name: string;
  /** Layouts of the module's arguments, by place and by name. */
  readonly inputs: readonly (PlacementWord | undefined)[];
  readonly desiredInputs: readonly (PlacementWord | undefined)[];
  readonly named: ReadonlyMap<string, PlacementWord>;
  readonly desiredNamed: ReadonlyMap<string, PlacementWord>;
  /** Layouts of the module's results. */
  readonly outputs: readonly (PlacementWord | undefined)[];
  readonly desiredOutputs: readonly (PlacementWord | undefined)[];
  /** Whether the module leaves plain tensors, whose layouts are unknown. */
  readonly isLocal: boolean;
  /** The dim that a sequence lies along. */
  readonly sequenceDim: number;
}

/** One style of `parallelize_module`, for one module. */
export interface StyledModule {
  readonly module: InstanceValue;
  /** Its path from the module that the call was given. */
  readonly path: string;
  readonly mesh: MeshDims;
  readonly style: Style;
  /** The entry of the plan with the module's name and the style, if the text writes it out. */
  readonly entry?: SpanTree;
  /** Where the style is made. */
  readonly span: Span;
}

/** A plan of `parallelize_module` that is written out: a dict, for the modules inside one. */
export interface WrittenPlan {
  readonly tree: SpanTree;
  readonly mesh: MeshDims;
  /** The modules inside, by what the plan would call them. */
  readonly paths: ReadonlyMap<InstanceValue, string>;
}

/** One call of a module with a style for its arguments. */
export interface ModuleCall {
  readonly module: InstanceValue;
  readonly args: readonly Argument[];
}

/** Parameters that rest in pieces: those of one `fully_shard` or `FSDP`. */
export interface ShardedParameters {
  readonly module: InstanceValue;
  /** The module, and all modules inside it. */
  readonly inside: ReadonlySet<InstanceValue>;
  readonly parameters: readonly TracedTensor[];
  /** Over which dims they are cut, and over which they are copied; all devices when absent. */
  readonly mesh: { readonly shard: MeshDims; readonly copies?: MeshDims } | undefined;
  /**
   * Whether parameters are freed after the forward pass and gathered again; if undefined, those of
   * every module but the outermost are.
   */
  readonly isGatheredAgain: boolean | undefined;
  readonly span: Span;
}

/** A data-parallel module: each rank has a copy of it and a part of the batch. */
export interface CopiedModule {
  readonly module: InstanceValue;
  readonly mesh: MeshDims | undefined;
  readonly span: Span;
}

/** A tensor whose placements the text states. */
export interface PlacedTensor {
  readonly tensor: TracedTensor;
  readonly mesh: readonly MeshDims[];
  readonly placements: readonly PlacementWord[];
  readonly span: Span;
  /** The list of placements in the text, if it is written out. */
  readonly tree?: SpanTree;
}

/** A tensor with one dim cut along a mesh; other dims may be cut too. */
export interface CutTensor {
  readonly tensor: TracedTensor;
  readonly dim: number;
  readonly mesh: MeshDims;
  readonly span: Span;
}

/** All that one run of a program says of how it runs in parallel. */
export class ParallelRecord {
  readonly meshes: RootMesh[] = [];
  readonly styles: StyledModule[] = [];
  readonly plans: WrittenPlan[] = [];
  readonly calls: ModuleCall[] = [];
  /** Modules whose calls are noted. */
  readonly watched = new Set<InstanceValue>();
  readonly sharded: ShardedParameters[] = [];
  readonly copied: CopiedModule[] = [];
  readonly placed: PlacedTensor[] = [];
  readonly cuts: CutTensor[] = [];
  /** Numbers of devices, more than one, that the text asks its meshes for. */
  readonly askedSizes = new Set<number>();
  /** How many processes the text starts, where it says so. */
  ranks: number | undefined;
  /** Tensors of ranks, which are no part of the program. */
  readonly undrawn: TracedTensor[] = [];
  /** Modules whose results are computed again. */
  readonly recomputed: InstanceValue[] = [];
  /** The data types that a step trains in, where a policy says so. */
  policy: TrainPolicy = {};
  /** Tensors that modules hold, or that a creator of numbers made: no data. */
  readonly isHeld: (tensor: TracedTensor) => boolean;
  readonly isModule: (value: Value | undefined) => boolean;
  /** The tensor behind a value. */
  readonly tensorOf: (value: Value | undefined) => TracedTensor | undefined;
  private readonly said = new Set<string>();

  constructor({
    isHeld,
    isModule,
    tensorOf,
  }: Pick<ParallelRecord, "isHeld" | "isModule" | "tensorOf">) {
    this.isModule = isModule;
    this.isHeld = isHeld;
    this.tensorOf = tensorOf;
  }

  /** Whether anything says that the program runs in parallel. */
  get isEmpty(): boolean {
    const { styles, sharded, copied, placed, cuts } = this;
    return [styles, sharded, copied, placed, cuts].every(({ length }) => length === 0);
  }

  /** Whether a report under a name is new; each name is reported once. */
  readonly isNews = (name: string): boolean => {
    const isNew = !this.said.has(name);
    this.said.add(name);
    return isNew;
  };
}

/** The key of PyTorch's record in the trace of a program. */
export const recordName = "torch";

/** The parallel settings of a program; `undefined` if it has none. */
export function parallelIn({ bySystem }: Pick<Trace, "bySystem">): ParallelRecord | undefined {
  const found = bySystem.get(recordName);
  return found instanceof ParallelRecord ? found : undefined;
}
