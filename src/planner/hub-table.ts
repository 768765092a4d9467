import type { HubCosts, HubShape } from "./hub.ts";
import type { Table } from "./table.ts";
import { TooWide } from "./too-wide.ts";

/**
 * The most entries of a hub's table when it is written out, to eliminate a variable other than its
 * reader.
 */
const denseLimit = 2e7;

/**
 * The table of one reader beside a hub: its scope ends with the hub and the reader. It is written
 * out only when necessary.
 */
export class HubTable implements Table {
  readonly scope: readonly number[];
  readonly maps: readonly Int32Array[];
  readonly dims: readonly number[];
  readonly key: number;
  readonly shape: HubShape;
  readonly costs: HubCosts;
  private dense: Float64Array | undefined;

  constructor(table: Omit<Table, "cost">, shape: HubShape, costs: HubCosts) {
    this.scope = table.scope;
    this.maps = table.maps;
    this.dims = table.dims;
    this.key = table.key;
    this.shape = shape;
    this.costs = costs;
  }

  get cost(): Float64Array {
    this.dense ??= this.written();
    return this.dense;
  }

  /**
   * Cost of a use next to a value of the hub: the minimum over the layouts that the two can share.
   */
  costAt(source: number, hub: number, use: number): number {
    const { costs, shape } = this;
    const place = source * shape.reads.length + use;
    const isRead = shape.hub.reads[hub] === shape.reads[use];
    const gradient = shape.gradients[use] as number;
    const isMade = gradient >= 0 && shape.hub.gradients[hub] === gradient;
    let least = costs.own[place] as number;
    if (isRead) least = Math.min(least, costs.readShared[place] as number);
    if (isMade) least = Math.min(least, costs.gradientShared[place] as number);
    if (isRead && isMade) least = Math.min(least, costs.shared[use] as number);
    return least;
  }

  private written(): Float64Array {
    const [hubs, uses] = [this.shape.hub.reads.length, this.shape.reads.length];
    const sources = this.costs.own.length / uses;
    if (sources * hubs * uses > denseLimit) {
      throw new TooWide();
    }
    const dense = new Float64Array(sources * hubs * uses);
    let at = 0;
    for (let source = 0; source < sources; source += 1)
      for (let hub = 0; hub < hubs; hub += 1)
        for (let use = 0; use < uses; use += 1) {
          dense[at] = this.costAt(source, hub, use);
          at += 1;
        }
    return dense;
  }
}
