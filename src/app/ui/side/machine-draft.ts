import type { Hardware } from "#core/cost";
import type { DeviceMesh, Link, MeshAxis } from "#core/mesh";

/** The link of an axis as it is typed: gigabytes per second, microseconds. */
export interface LinkDraft {
  readonly axis: string;
  readonly bandwidth: string;
  readonly latency: string;
  /** Empty where nobody says it. */
  readonly fabric: NonNullable<Link["fabric"]> | "";
}

/** Figures as they are typed: teraflops, gigabytes, terabytes per second. */
export interface Draft {
  readonly flops: string;
  readonly memory: string;
  readonly memoryBandwidth: string;
  readonly links: readonly LinkDraft[];
}

/** What is typed in full once it is read. */
export interface ReadDraft {
  readonly chip: Pick<Hardware, "flops" | "memoryBytes" | "memoryBandwidth">;
  /** With the links as they are wanted. */
  readonly mesh: DeviceMesh;
}

type Figures = Pick<Hardware, "flops" | "memoryBytes" | "memoryBandwidth" | "link">;

const [tera, giga, micro] = [1e12, 1e9, 1e-6];

/** The present figures, to be typed over. */
export function draftOf(hardware: Figures, { axes }: DeviceMesh): Draft {
  return {
    flops: text(hardware.flops, tera),
    memory: text(hardware.memoryBytes, giga),
    memoryBandwidth: text(hardware.memoryBandwidth, tera),
    links: axes.map(({ name, link = hardware.link }: MeshAxis): LinkDraft => {
      const { bandwidth, latency } = link;
      const fabric = "fabric" in link ? (link.fabric ?? "") : "";
      return {
        axis: name,
        bandwidth: text(bandwidth, giga),
        latency: text(latency, micro),
        fabric,
      };
    }),
  };
}

/** What was typed, or what is wrong with it. What nobody has touched stays exactly as it is. */
export function readDraft(draft: Draft, hardware: Figures, mesh: DeviceMesh): ReadDraft | string {
  const before = draftOf(hardware, mesh);
  const numberOf = (key: "flops" | "memory" | "memoryBandwidth", unit: number, own: number) =>
    draft[key] === before[key] ? own : positive(draft[key], unit);
  const flops = numberOf("flops", tera, hardware.flops);
  const memoryBytes = numberOf("memory", giga, hardware.memoryBytes);
  const memoryBandwidth = numberOf("memoryBandwidth", tera, hardware.memoryBandwidth);
  if (flops === undefined) return "The peak is a number of TFLOP/s above 0";
  if (memoryBytes === undefined) return "The memory is a number of GB above 0";
  if (memoryBandwidth === undefined) return "The memory bandwidth is a number of TB/s above 0";
  const axes: MeshAxis[] = [];
  for (const [at, axis] of mesh.axes.entries()) {
    const link = readLink(draft.links[at], before.links[at], axis.link ?? hardware.link);
    if (typeof link === "string") return `${link} of ${axis.name}`;
    axes.push({ ...axis, link });
  }
  return { chip: { flops, memoryBytes, memoryBandwidth }, mesh: { ...mesh, axes } };
}

function readLink(
  typed: LinkDraft | undefined,
  before: LinkDraft | undefined,
  own: Link,
): Link | string {
  if (typed === undefined || before === undefined) return own;
  const bandwidth =
    typed.bandwidth === before.bandwidth ? own.bandwidth : positive(typed.bandwidth, giga);
  const latency =
    typed.latency === before.latency ? own.latency : notNegative(typed.latency, micro);
  if (bandwidth === undefined) return "A number of GB/s above 0 is missing for the link";
  if (latency === undefined) return "A number of µs, 0 or more, is missing for the link";
  const { fabric } = typed;
  return { ...own, bandwidth, latency, ...(fabric !== "" && { fabric }) };
}

function text(value: number, unit: number): string {
  return String(Number((value / unit).toPrecision(12)));
}

function notNegative(typed: string, unit: number): number | undefined {
  const number = typed.trim() === "" ? Number.NaN : Number(typed.replace(",", "."));
  if (!Number.isFinite(number) || number < 0) return undefined;
  // As the digits are written: 0.3 TB/s are 300e9 and not their nearest product.
  return Number((number * unit).toPrecision(12));
}

function positive(typed: string, unit: number): number | undefined {
  const number = notNegative(typed, unit);
  return number === 0 ? undefined : number;
}
