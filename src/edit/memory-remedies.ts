import type { CompileOptions } from "#compile";
import { contractsAxis } from "#core/cost";
import type { Operator, OperatorId } from "#core/ir";
import { deviceCount } from "#core/mesh";
import type { Document } from "#language/document";
import { readDocument } from "#systems";
import { applyMeshGesture } from "./gesture-mesh.ts";
import { plannedCosts } from "./planned-costs.ts";
import type { PlannedProgram } from "./planned-words.ts";
import { type Version, versionOf } from "./version.ts";

/** A change of a program that makes a plan fit, with the bytes of that plan. */
export type Remedy = { readonly bytes: number } & (
  | { readonly kind: "pin"; readonly operator: string }
  | { readonly kind: "zero"; readonly level: 1 | 2 | 3 }
  /** Names of operators to recompute for the backward pass. */
  | { readonly kind: "recompute"; readonly operators: readonly string[] }
  | {
      readonly kind: "axis";
      readonly axis: string;
      readonly size: number;
      readonly devices: number;
    }
);

/** A remedy in words: `zero=1 in train(…)`. */
export function remedyText(remedy: Remedy): string {
  switch (remedy.kind) {
    case "pin":
      return `releasing the pin of "${remedy.operator}"`;
    case "zero":
      return `zero=${remedy.level} in train(…)`;
    case "recompute":
      return recomputedText(remedy.operators);
    case "axis":
      return `${remedy.axis}=${remedy.size} in the mesh, ${remedy.devices} devices in all`;
  }
}

function recomputedText(operators: readonly string[]): string {
  const names = operators.length > 4 ? `${operators.length} operators` : operators.join(", ");
  return `computing ${names} again for the backward pass`;
}

/**
 * Plans a document and returns the fewest bytes of a plan that fits; `undefined` if none was found.
 */
export type FitsIn = (document: Document, released?: OperatorId) => number | undefined;

/** A document without a fitting plan, and its leanest plan. */
export interface ShortOfMemory {
  readonly document: Document;
  readonly limit: number;
  /** The bytes of the leanest plan. */
  readonly least: number;
  readonly leanest: PlannedProgram;
  /** Operators with pinned strategies. */
  readonly pins: readonly OperatorId[];
  /** The planner used for remedies that are not just compiled. */
  readonly fitsIn: FitsIn;
  /** Whether the program's own cost model is used: only there ZeRO and recomputation count. */
  readonly isOwnModel: boolean;
  /** Whether there is time for another search; searches left out are reported as untried. */
  readonly hasTime?: () => boolean;
  readonly platform?: CompileOptions["platform"];
}

/** Changes that each suffice alone, and untried changes. */
export interface Remedies {
  readonly remedies: readonly Remedy[];
  readonly untried: readonly string[];
}

/** Most searches: each may take as long as the first. */
const searchLimit = 16;

/** Most doublings of an axis. */
const doublingLimit = 6;

/** Most devices of a tried mesh, or four times the document's if that is more. */
const devicesLimit = 32;

/**
 * Single changes after which a program that does not fit has a fitting plan: releasing one pin, a
 * level of ZeRO, recomputation in the backward pass, more devices on one mesh axis. Each is planned
 * or compiled before it is listed; changes that the searches do not reach are listed as untried.
 */
export function memoryRemedies(short: ShortOfMemory): Remedies {
  const tries = new Tries(short);
  const remedies = [...tries.pins(), ...tries.zero(), ...tries.recomputed(), ...tries.axes()];
  return { remedies, untried: tries.untried };
}

/** Milliseconds after which no further remedy is searched for. */
export const remedyPatience = 3_000;

class Tries {
  readonly untried: string[] = [];
  private readonly short: ShortOfMemory;
  private left = searchLimit;
  private version: Version | undefined;

  constructor(short: ShortOfMemory) {
    this.short = short;
  }

  /** Pins whose release alone makes a plan fit. */
  pins(): readonly Remedy[] {
    const { document, pins } = this.short;
    return pins.flatMap((id): readonly Remedy[] => {
      const operator = document.graph.operators.find((each) => each.id === id)?.name ?? "";
      const bytes = this.fits(`releasing the pin of "${operator}"`, () => document, id);
      return bytes === undefined ? [] : [{ kind: "pin", operator, bytes }];
    });
  }

  /** The lowest level of ZeRO under which a plan fits. */
  zero(): readonly Remedy[] {
    const { document, isOwnModel } = this.short;
    const { training } = document;
    if (training === undefined || !isOwnModel) return [];
    for (const level of [1, 2, 3] as const) {
      if (level <= training.zero) continue;
      const other = () => ({ ...document, training: { ...training, zero: level } });
      const bytes = this.fits(`zero=${level} in train(…)`, other);
      if (bytes !== undefined) return [{ kind: "zero", level, bytes }];
    }
    return [];
  }

  /** The fewest operators to recompute so that the leanest plan fits. */
  recomputed(): readonly Remedy[] {
    const { document, leanest, limit, isOwnModel } = this.short;
    const { training } = document;
    if (training === undefined || !isOwnModel) return [];
    for (const operators of recomputable(document)) {
      if (this.isOver()) {
        this.untried.push(recomputedText(operators.map(({ name }) => name)));
        return [];
      }
      const recompute = new Set(operators.map(({ id }) => id));
      const again = { ...document, training: { ...training, recompute } };
      const { bytes } = plannedCosts(again, leanest);
      if (bytes > limit) continue;
      return [{ kind: "recompute", operators: operators.map(({ name }) => name), bytes }];
    }
    return [];
  }

  /** The fewest devices that suffice, by doubling one axis of the mesh. */
  axes(): readonly Remedy[] {
    const { axes } = this.short.document.mesh.mesh;
    const found = axes.flatMap(({ name, size }) => this.axis(name, size));
    const least = Math.min(...found.map((each) => (each.kind === "axis" ? each.devices : 0)));
    return found.filter((each) => each.kind === "axis" && each.devices === least);
  }

  private axis(axis: string, first: number): readonly Remedy[] {
    const { least, limit, document } = this.short;
    const own = deviceCount(document.mesh.mesh);
    const most = Math.max(devicesLimit, 4 * own);
    let size = first;
    for (let round = 0; round < doublingLimit; round += 1) {
      size *= 2;
      // With twice the devices, each still holds at least half of the leanest plan.
      if ((least * first) / size > limit) continue;
      if ((own * size) / first > most) {
        this.untried.push(`${axis}=${size} in the mesh, or more`);
        return [];
      }
      if (this.isOver()) {
        this.untried.push(`${axis}=${size} in the mesh, or more`);
        return [];
      }
      const other = this.resized(axis, size);
      if (other === undefined) return [];
      const bytes = this.fits(`${axis}=${size} in the mesh, or more`, () => other);
      if (bytes === undefined) continue;
      return [{ kind: "axis", axis, size, devices: deviceCount(other.mesh.mesh), bytes }];
    }
    return [];
  }

  /** The text with another axis size; `undefined` if the text does not state the size. */
  private resized(axis: string, size: number): Document | undefined {
    const { document, platform } = this.short;
    this.version ??= versionOf(document);
    const outcome = applyMeshGesture(this.version, { kind: "resize-axis", axis, size });
    return outcome.ok ? readDocument(outcome.source, platform) : undefined;
  }

  /** Whether no further search may start. */
  private isOver(): boolean {
    return this.left === 0 || this.short.hasTime?.() === false;
  }

  private fits(what: string, other: () => Document, released?: OperatorId): number | undefined {
    if (this.isOver()) {
      this.untried.push(what);
      return undefined;
    }
    this.left -= 1;
    return this.short.fitsIn(other(), released);
  }
}

/**
 * Sets of operators to recompute, smallest first: all operators except products, and all except
 * every second, third, … one.
 */
function recomputable({ graph }: Document): readonly (readonly Operator[])[] {
  const { operators } = graph;
  const light = operators.filter((operator) => !contractsAxis(operator));
  const between = [2, 3, 4, 6, 8].map((step) => operators.filter((_, at) => at % step !== 0));
  return [light, ...between].filter(({ length }) => length > 0).sort((a, b) => a.length - b.length);
}
