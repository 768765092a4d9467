import {
  type Arithmetic,
  arithmetics,
  type Hardware,
  type KernelClass,
  kernelClasses,
} from "#core/cost";
import { linkWord } from "#core/cost/machines";

/** Figures of a device that are typed as one number. */
export type FieldKey =
  | ("flops" | "memory" | "memoryBandwidth" | "launch" | "node" | "multiprocessors")
  | (Exclude<Arithmetic, "bf16"> | KernelReach);

type KernelReach = `${KernelClass} reach`;

/** A figure of a device, as a typed field. */
export interface FigureField {
  readonly key: FieldKey;
  readonly name: string;
  /** The unit behind the name; empty for a count. */
  readonly unit: string;
  /** The number of SI units in the field's unit. */
  readonly scale: number;
  readonly of: (hardware: Hardware) => number | undefined;
  /** Its keyword among the figures of a text's own device. */
  readonly word: string;
  readonly kind: "above 0" | "0 or more" | "whole" | "percent";
  /** Whether it may be empty: the model then does without the figure. */
  readonly isOptional: boolean;
}

const [tera, giga, micro] = [1e12, 1e9, 1e-6];

const peak = (kind: Exclude<Arithmetic, "bf16">): FigureField => ({
  key: kind,
  name: kind,
  unit: "TFLOP/s",
  scale: tera,
  of: ({ peaks }) => peaks[kind],
  word: kind,
  kind: "above 0",
  isOptional: true,
});

const reach = (kernels: KernelClass): FigureField => ({
  key: `${kernels} reach`,
  name: `${kernels} reaches`,
  unit: kernels === "memory" ? "% of its bandwidth" : "% of the peak",
  scale: 0.01,
  of: ({ efficiencies }) => efficiencies?.[kernels],
  word: kernels,
  kind: "percent",
  isOptional: true,
});

/** The figures that are changed most often. */
export const mainFields: readonly FigureField[] = [
  {
    ...{ key: "flops", name: "Peak, bf16", unit: "TFLOP/s", scale: tera },
    ...{ of: ({ flops }) => flops, word: "flops", kind: "above 0", isOptional: false },
  },
  {
    ...{ key: "memory", name: "Memory", unit: "GB", scale: giga, word: "memoryBytes" },
    ...{ of: ({ memoryBytes }) => memoryBytes, kind: "above 0", isOptional: false },
  },
  {
    ...{ key: "memoryBandwidth", name: "Memory bandwidth", unit: "TB/s", scale: tera },
    ...{ of: ({ memoryBandwidth }) => memoryBandwidth, word: "memoryBandwidth" },
    ...{ kind: "above 0", isOptional: false },
  },
];

/** Peak rates of the other number types. */
export const peakFields: readonly FigureField[] = arithmetics.flatMap((kind) =>
  kind === "bf16" ? [] : [peak(kind)],
);

/** Figures that decide the time of small kernels, and the number of devices of a node. */
export const hostFields: readonly FigureField[] = [
  {
    ...{ key: "launch", name: "Host, per kernel", unit: "µs", scale: micro, word: "launch" },
    ...{ of: ({ launch }) => launch, kind: "0 or more", isOptional: false },
  },
  {
    ...{ key: "node", name: "Devices of a node", unit: "", scale: 1, word: "node" },
    ...{ of: ({ node }) => node, kind: "whole", isOptional: true },
  },
  {
    ...{ key: "multiprocessors", name: "Processors", unit: "", scale: 1, word: "multiprocessors" },
    ...{ of: ({ multiprocessors }) => multiprocessors, kind: "whole", isOptional: true },
  },
];

/** The share of a peak that large kernels reach, if it is not the measured one. */
export const reachFields: readonly FigureField[] = kernelClasses.map(reach);

/** All of them, in the order of the form. */
export const allFields: readonly FigureField[] = [
  ...mainFields,
  ...peakFields,
  ...hostFields,
  ...reachFields,
];

/** The source of a figure: a word, and the sentence behind it. */
export interface FigureBasis {
  readonly word: "yours" | "sheet" | "measured" | "scaled" | "assumed" | "not said";
  readonly source: string;
}

/** The source of a figure of a device. */
export function figureBasis({ key, word, of }: FigureField, hardware: Hardware): FigureBasis {
  const { given, sources, basis, flops } = hardware;
  const isImplied = key === "f16" && given?.words.includes("flops") && of(hardware) === flops;
  if (given?.words.includes(word) || isImplied)
    return { word: "yours", source: "the text says it" };
  if (key.endsWith(" reach")) return reachBasis(basis);
  if (of(hardware) === undefined) return { word: "not said", source: "no data sheet names it" };
  if (sources === undefined) return { word: "not said", source: "costs nothing until it is given" };
  switch (key) {
    case "launch":
      return { word: wordOf(sources.launch), source: sources.launch };
    case "memory":
    case "memoryBandwidth":
      return { word: "sheet", source: sources.memory };
    case "node":
      return { word: "sheet", source: sources.within };
    default:
      return { word: "sheet", source: sources.peaks };
  }
}

/** The source of an axis' link figures: inside a node, between nodes, or both. */
export function linkBasis(axis: string, { given, sources }: Hardware): FigureBasis {
  const isOwn = given?.words.includes(linkWord(axis)) || sources === undefined;
  if (isOwn) return { word: "yours", source: "the text says it" };
  const source = `inside a node ${sources.within}; between nodes ${sources.between}`;
  return { word: "sheet", source };
}

/** A source's text begins with how the figure was obtained, where it was not printed. */
function wordOf(source: string): "measured" | "assumed" {
  return source.startsWith("measured") ? "measured" : "assumed";
}

function reachBasis(basis: Hardware["basis"]): FigureBasis {
  switch (basis) {
    case "measured":
      return { word: "measured", source: "kernels of this very device, by their sizes" };
    case "scaled":
      return { word: "scaled", source: "kernels of an H100, by peak and bandwidth" };
    case "sheet":
      return { word: "assumed", source: "70 % of the data sheet: nothing was measured" };
  }
}
