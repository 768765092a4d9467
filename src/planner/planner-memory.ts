import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import type { Cases } from "./cases.ts";
import type { Choice } from "./choices.ts";
import { createEliminationMemory, type EliminationMemory } from "./elimination-memory.ts";
import { hardwareText, LoneMemory } from "./lone-memory.ts";
import type { Pricing } from "./pricing.ts";
import type { PlanRequest } from "./problem.ts";
import type { ValueTable } from "./table.ts";
import { RouteTables } from "./values.ts";

/**
 * One of the tables of a value; `places` are the indices of its unknowns among those of the value.
 */
export interface KnownTable {
  readonly places: readonly number[];
  readonly table: Omit<ValueTable, "scope">;
  /** Number of values of the hub, for a hub's table; the hub's index follows those of the value. */
  readonly hubSize?: number;
}

/** Results for one mesh, model and kind of step; keyed by the numbers of `Keys`. */
export class MeshMemory {
  readonly routes: RouteTables;
  /** Costs of operators by themselves, on this mesh and others. */
  readonly lone: LoneMemory;
  private readonly numbers = new Map<string, number>();
  readonly choices = new Map<number, readonly Choice[]>();
  /** Tables of values, by the way in which values with several readers are priced. */
  private readonly tables = new Map<string, Map<number, readonly KnownTable[]>>();
  /** Eliminations, by the price of a second and of a byte. */
  private readonly eliminations = new Map<string, EliminationMemory>();

  constructor(pricing: Pricing, lone: LoneMemory) {
    this.lone = lone;
    this.routes = new RouteTables(pricing);
  }

  /** The tables of values, for one way of pricing values with several readers. */
  tablesWithin({ whole, hubs }: Cases): Map<number, readonly KnownTable[]> {
    const name = `${whole} ${hubs}`;
    const tables = this.tables.get(name) ?? new Map<number, readonly KnownTable[]>();
    this.tables.set(name, tables);
    return tables;
  }

  /** A number for a text: equal texts get the same number. */
  numberOf(text: string): number {
    const number = this.numbers.get(text) ?? this.numbers.size + 1;
    this.numbers.set(text, number);
    return number;
  }

  eliminationsAt(perSecond: number, perByte: number): EliminationMemory {
    const name = `${perSecond} ${perByte}`;
    const known = this.eliminations.get(name);
    if (known !== undefined) return known;
    if (this.eliminated > eliminatedLimit) this.forgetPrices();
    const memory = createEliminationMemory();
    this.eliminations.set(name, memory);
    return memory;
  }

  /** The number of entries of all held tables. */
  get size(): number {
    let size = 0;
    for (const list of [...this.tables.values()].flatMap((tables) => [...tables.values()])) {
      for (const { table } of list) size += table.seconds.length;
    }
    return size + this.eliminated;
  }

  private get eliminated(): number {
    let size = 0;
    for (const { messages } of this.eliminations.values()) {
      for (const { cost } of messages.values()) size += cost.length;
    }
    return size;
  }

  /** Drops eliminations at prices of bytes, since another memory limit leads to other prices. */
  forgetPrices(): void {
    for (const name of this.eliminations.keys()) {
      if (name !== "1 0") this.eliminations.delete(name);
    }
  }
}

/** The most entries of eliminations at several prices, kept within one request. */
const eliminatedLimit = 6e6;

/** The most entries kept from one request to the next; beyond them everything is computed anew. */
const sizeLimit = 3e7;

/**
 * Results of earlier requests that later requests can use: routes, choices, tables and
 * eliminations. After an edit only the changed parts are priced and eliminated again.
 */
export class PlannerMemory {
  /** Plans redistributions on every mesh. */
  readonly planReshard: PlanReshard = createReshardPlanner();
  private key: string | undefined;
  private known: MeshMemory | undefined;
  private readonly lone = new Map<string, LoneMemory>();

  /** Results for requests with the same mesh, model, kind of step and groups of axes. */
  for(request: PlanRequest, pricing: () => Pricing, groups?: number): MeshMemory {
    const key = `${keyOf(request)} ${groups}`;
    this.known?.forgetPrices();
    if (this.known === undefined || key !== this.key || this.known.size > sizeLimit) {
      this.known = new MeshMemory(pricing(), this.loneOn(request));
      this.key = key;
    }
    return this.known;
  }

  private loneOn({ hardware, mesh }: PlanRequest): LoneMemory {
    const text = hardwareText(hardware, mesh);
    const lone = this.lone.get(text) ?? new LoneMemory();
    this.lone.set(text, lone);
    return lone;
  }
}

/**
 * The part of a request on which every price depends; program, pins and limit are in finer keys.
 */
function keyOf(request: PlanRequest): string {
  const { mesh, hardware, model, training, partials, forbid, redundant, uneven, microbatches } =
    request;
  const step = training && [
    training.optimizer,
    training.zero,
    training.overlap,
    microbatches?.count,
    training.precision,
    training.gradients,
  ];
  const rest = [request.endsInSums, partials, forbid, redundant, uneven, step];
  return JSON.stringify([mesh.axes, mesh.devices, hardware, model?.name, ...rest]);
}
