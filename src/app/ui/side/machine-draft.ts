import type { Hardware } from "#core/cost";
import {
  type ChipFigures,
  changedFigures,
  customDeviceName,
  linkWord,
  type MachineFigures,
  ownPlatform,
} from "#core/cost/machines";
import type { DeviceMesh, Link, MeshAxis } from "#core/mesh";
import {
  allFields,
  type FieldKey,
  type FigureField,
  hostFields,
  mainFields,
  peakFields,
  reachFields,
} from "./figure-fields.ts";

/** Link of an axis as typed: bandwidth in GB/s, latency in µs. */
export interface LinkDraft {
  readonly axis: string;
  readonly bandwidth: string;
  readonly latency: string;
  /** Empty if the fabric is not stated. */
  readonly fabric: NonNullable<Link["fabric"]> | "";
}

/** Figures as typed, each in its field's unit; empty or absent if not stated. */
export interface Draft extends Readonly<Partial<Record<FieldKey, string>>> {
  /** Name of the user's own device, else empty. */
  readonly name: string;
  readonly links: readonly LinkDraft[];
}

/** Parsed figures of a draft. */
export interface ReadDraft {
  readonly name: string | undefined;
  readonly chip: ChipFigures;
  /** Mesh with the typed links. */
  readonly mesh: DeviceMesh;
  /** Axes whose links were changed. */
  readonly touched: readonly string[];
}

const [giga, micro] = [1e9, 1e-6];

/** Draft with the present figures. */
export function draftOf(hardware: Hardware, { axes }: DeviceMesh): Draft {
  const figures = Object.fromEntries(
    allFields.map(({ key, of, scale }) => {
      const value = of(hardware);
      return [key, value === undefined ? "" : text(value, scale)];
    }),
  );
  return {
    ...figures,
    name: customDeviceName(hardware) ?? "",
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

/** Parsed draft, or the fault in it as text. Unchanged figures keep their exact values. */
export function readDraft(draft: Draft, hardware: Hardware, mesh: DeviceMesh): ReadDraft | string {
  const before = draftOf(hardware, mesh);
  const figures = new Map<FieldKey, number>();
  for (const field of allFields) {
    const { key } = field;
    const own = field.of(hardware);
    const typed = draft[key] ?? "";
    const value = typed === before[key] ? own : readFigure(typed, field);
    if (typeof value === "string") return value;
    if (value !== undefined) figures.set(key, value);
  }
  if (draft.f16 === before.f16 && before.f16 === before.flops) {
    figures.set("f16", figures.get("flops") ?? 0);
  }
  const axes: MeshAxis[] = [];
  for (const [at, axis] of mesh.axes.entries()) {
    const link = readLink(draft.links[at], before.links[at], axis.link ?? hardware.link);
    if (typeof link === "string") return `${link} of ${axis.name}`;
    axes.push({ ...axis, link });
  }
  const touched = draft.links.flatMap((link, at) =>
    JSON.stringify(link) === JSON.stringify(before.links[at]) ? [] : [link.axis],
  );
  const name = draft.name.trim() === "" ? undefined : draft.name.trim();
  return { name, chip: chipOf(figures), mesh: { ...mesh, axes }, touched };
}

/** Change to write into the text: unchanged links still follow from the machine. */
export function changeOf(
  { name, chip, mesh, touched }: ReadDraft,
  hardware: Hardware,
): MachineFigures {
  const { links, ...other } = changedFigures(ownPlatform(hardware), chip, mesh);
  const isMeant = (axis: string) =>
    touched.includes(axis) || hardware.given?.words.includes(linkWord(axis));
  const meant = Object.entries(links).filter(([axis]) => isMeant(axis));
  return { ...other, links: Object.fromEntries(meant), ...(name !== undefined && { name }) };
}

function chipOf(figures: ReadonlyMap<FieldKey, number>): ChipFigures {
  const part = (fields: readonly FigureField[]) =>
    Object.fromEntries(
      fields.flatMap(({ key, word }) => {
        const value = figures.get(key);
        return value === undefined ? [] : [[word, value]];
      }),
    );
  return {
    ...part([...mainFields, ...hostFields]),
    peaks: part(peakFields),
    efficiencies: part(reachFields),
  };
}

/** Typed figure in SI units; a string is the fault, `undefined` an empty optional field. */
function readFigure(typed: string, field: FigureField): number | string | undefined {
  const { isOptional, kind, scale } = field;
  if (typed.trim() === "" && isOptional) return undefined;
  const value = notNegative(typed, scale);
  const isRight =
    value !== undefined &&
    (kind === "0 or more" || value > 0) &&
    (kind !== "whole" || Number.isInteger(value)) &&
    (kind !== "percent" || value <= 1);
  return isRight ? value : faultText(field);
}

function faultText({ key, name, unit, kind }: FigureField): string {
  const begin =
    key === "flops" ? "The peak" : `The ${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  switch (kind) {
    case "above 0":
      return `${begin} is a number of ${unit} above 0`;
    case "0 or more":
      return `${begin} is a number of ${unit}, 0 or more`;
    case "whole":
      return `${begin} are a whole number, 1 or more`;
    case "percent":
      return `${begin} at most 100 ${unit}`;
  }
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
  // Rounded to the typed digits: 0.3 TB/s is 300e9, not the nearest double product.
  return Number((number * unit).toPrecision(12));
}

function positive(typed: string, unit: number): number | undefined {
  const number = notNegative(typed, unit);
  return number === 0 ? undefined : number;
}
