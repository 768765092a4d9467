import type { TensorId } from "#core/ir";
import { NotWritten, ofModule } from "#systems/arrays";
import { type ForwardFlow, isWithin, patternOf, type Read } from "./forward-flow.ts";
import { type Leaf, saidOperator } from "./leaves.ts";
import { madePlace } from "./mesh-roles.ts";
import { collectiveBetween, type Place, placeOn, samePlace, whole } from "./place.ts";

/**
 * An argument that a module reads in another placement than it is passed in: its redistribution at
 * the call.
 */
export interface Prepared {
  readonly tensor: TensorId;
  readonly from: Place;
  readonly to: Place;
  /**
   * Whether the module's layers get the tensor as a DTensor: several layers take it, and their
   * gradients are added up once.
   */
  readonly isShared: boolean;
}

/** Placements along one mesh axis of the values that a model's modules pass to each other. */
export interface ValuePaths {
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** The placement in which the receiving module sees a tensor. */
  readonly handed: ReadonlyMap<TensorId, Place>;
  /** Arguments that modules redistribute when they are called, by module path. */
  readonly prepared: ReadonlyMap<string, readonly Prepared[]>;
  /** The placement of a tensor inside a module. */
  seenIn(id: TensorId, path: string): Place;
  /** The collectives of one forward pass along the axis, in program order. */
  readonly collectives: readonly { readonly collective: string; readonly tensor: TensorId }[];
  /** The collectives of one backward pass: autograd reverses those of the styles. */
  readonly returned: readonly string[];
}

/** Follows every value. @throws NotWritten where it would have to change between two modules */
export function valuePaths(
  flow: ForwardFlow,
  axis: string,
  leaves: ReadonlyMap<string, Leaf>,
): ValuePaths {
  const walk = new Walk(flow, axis, leaves);
  for (const id of flow.tensors.keys()) walk.follow(id);
  for (const step of flow.steps)
    ofModule(flow.pathOf(flow.operatorOf(step)), () => walk.check(step));
  return walk;
}

class Walk implements ValuePaths {
  readonly handed = new Map<TensorId, Place>();
  readonly prepared = new Map<string, Prepared[]>();
  readonly collectives: { readonly collective: string; readonly tensor: TensorId }[] = [];
  readonly returned: string[] = [];
  readonly leaves: ReadonlyMap<string, Leaf>;
  private readonly flow: ForwardFlow;
  private readonly axis: string;
  private readonly makers: ReadonlyMap<TensorId, Leaf>;

  constructor(flow: ForwardFlow, axis: string, leaves: ReadonlyMap<string, Leaf>) {
    this.flow = flow;
    this.axis = axis;
    this.leaves = leaves;
    this.makers = new Map([...leaves.values()].map((leaf) => [leaf.output, leaf]));
  }

  seenIn(id: TensorId, path: string): Place {
    let place = this.handed.get(id) ?? whole;
    for (const [around, list] of this.prepared) {
      const found = isWithin(path, around) && list.find(({ tensor }) => tensor === id);
      if (found) place = found.to;
    }
    return place;
  }

  /**
   * Follows a tensor of the model from its maker to its readers: its placement, and what each
   * reader does to it.
   */
  follow(id: TensorId): void {
    const { flow } = this;
    const { role } = flow.tensor(id);
    const reads = this.readsOf(id);
    const isOther = role !== "activation" && role !== "input";
    const isOutside = flow.producers.has(id) && flow.madeIn(id) === undefined;
    if (isOther || isOutside || (reads.length === 0 && !flow.producers.has(id))) return;
    const madePath = flow.madeIn(id);
    const maker = this.makers.get(id);
    if (maker === undefined && madePath !== undefined && this.leaves.has(madePath)) return;
    const handed = ofModule(madePath, () => this.handedBy(id, maker, reads));
    this.handed.set(id, handed);
    this.send(maker?.made ?? handed, handed, id, "plain");
    for (const read of reads)
      if (read.path !== undefined) ofModule(read.path, () => this.take(id, read, reads));
    this.share(id, reads);
  }

  private readsOf(id: TensorId): readonly Read[] {
    return this.flow.reads.get(id) ?? [];
  }

  private wantedBy(id: TensorId, { layout }: Read): Place {
    return placeOn(layout, this.axis, this.flow.tensor(id).name);
  }

  /**
   * The layout in which a layer hands on its result, for readers that do not redistribute by
   * themselves.
   */
  private handedBy(id: TensorId, maker: Leaf | undefined, reads: readonly Read[]): Place {
    const made = madePlace(this.flow, id, this.axis);
    if (maker === undefined || maker.kind === "sequence") {
      if (made.kind === "partial") {
        const { name } = this.flow.tensor(id);
        throw new NotWritten(
          `${name} is a part of a sum along ${this.axis}, and what makes it is no layer that adds it up`,
        );
      }
      return made;
    }
    const isLayer = ({ path }: Read) => path !== undefined && this.leaves.has(path);
    const [first] = [...reads.filter((read) => !isLayer(read)), ...reads];
    const wanted = first === undefined ? made : this.wantedBy(id, first);
    return wanted.kind === "partial" ? whole : wanted;
  }

  /** Sees to it that a reader has a tensor as it wants it. */
  private take(id: TensorId, read: Read, reads: readonly Read[]): void {
    const { path = "" } = read;
    const wanted = this.wantedBy(id, read);
    const seen = this.seenIn(id, path);
    if (samePlace(seen, wanted)) {
      this.add(id, path, seen);
      return;
    }
    const inner = this.modulesGiven(id, path);
    const around = inner.find((each) =>
      reads.every(
        (other) => !this.isIn(other, each) || samePlace(this.wantedBy(id, other), wanted),
      ),
    );
    const leaf = this.leaves.get(path);
    const isOwn = leaf !== undefined && leaf.kind !== "sequence";
    if (around === undefined || (around === path && leaf !== undefined)) {
      if (!isOwn)
        throw new NotWritten(this.noPlace(id, read, seen, wanted), [path, this.flow.madeIn(id)]);
      this.send(seen, wanted, id, "layer");
      return;
    }
    const inside = reads.filter((other) => this.isIn(other, around));
    const isOne = inside.length === 1 && isOwn && !this.isAsked(id, around);
    if (!isOne)
      this.prepare(around, {
        tensor: id,
        from: seen,
        to: wanted,
        isShared: this.areColumns(inside),
      });
    this.send(seen, wanted, id, isOne || this.areColumns(inside) ? "layer" : "plain");
  }

  /** A layer by columns that is given the whole leaves parts of its gradient, which are added up. */
  private add(id: TensorId, path: string, { kind }: Place): void {
    const isColumns = this.leaves.get(path)?.kind === "columns";
    const isPrepared = [...this.prepared].some(
      ([around, list]) => isWithin(path, around) && list.some(({ tensor }) => tensor === id),
    );
    const isAdded = isColumns && kind === "whole" && !isPrepared;
    if (isAdded && this.flow.trained.has(id)) this.returned.push("all-reduce");
  }

  /** Several layers by columns that one module feeds with the same tensor take it as a DTensor. */
  private share(id: TensorId, reads: readonly Read[]): void {
    for (const read of reads) {
      const { path } = read;
      if (path === undefined || this.leaves.get(path)?.kind !== "columns") continue;
      const around = this.modulesGiven(id, path)
        .filter((each) => each !== path)
        .at(-1);
      if (around === undefined) continue;
      const inside = reads.filter((other) => this.isIn(other, around));
      const known = this.prepared.get(around)?.some(({ tensor }) => tensor === id) === true;
      const seen = this.seenIn(id, path);
      if (known || inside.length < 2 || !this.areColumns(inside) || seen.kind !== "whole") continue;
      this.prepare(around, { tensor: id, from: seen, to: seen, isShared: true });
      if (this.flow.trained.has(id)) this.mergeInto(inside.length);
    }
  }

  private areColumns(reads: readonly Read[]): boolean {
    return reads.every(({ path = "" }) => this.leaves.get(path)?.kind === "columns");
  }

  private isIn({ path }: Read, around: string): boolean {
    return path !== undefined && isWithin(path, around);
  }

  /** The modules around a reader that are given a tensor from outside, outermost first. */
  private modulesGiven(id: TensorId, path: string): readonly string[] {
    const made = this.flow.madeIn(id);
    const parts = path.split(".");
    const around = parts.map((_, at) => parts.slice(0, at + 1).join("."));
    const isGiven = (each: string) =>
      this.flow.modules.runs.some(
        (run) => run.path === each && run.args.some(({ tensor }) => tensor === id),
      );
    return around.filter((each) => isGiven(each) && (made === undefined || !isWithin(made, each)));
  }

  /** Whether a module reads the sizes of a tensor. */
  private isAsked(id: TensorId, around: string): boolean {
    const { numbers } = this.flow.modules;
    return [...numbers.values()].some((given) =>
      [...given.values()].some((list) =>
        list.some(
          (each) => each.kind === "size" && each.tensor === id && isWithin(each.path ?? "", around),
        ),
      ),
    );
  }

  private prepare(path: string, prepared: Prepared): void {
    if (this.leaves.has(path))
      throw new NotWritten(`${patternOf(path)} would need a style for its input beside its own`);
    this.prepared.set(path, [...(this.prepared.get(path) ?? []), prepared]);
  }

  /** The gradients of several layers are added up once, where they were to be one by one. */
  private mergeInto(count: number): void {
    for (let at = 1; at < count; at += 1)
      this.returned.splice(this.returned.lastIndexOf("all-reduce"), 1);
  }

  /**
   * Redistributes a tensor for its receiver. A `plain` receiver returns the gradient in the placement of
   * the tensor; a `layer` that reads the whole tensor returns a partial sum of it per rank.
   */
  private send(from: Place, to: Place, tensor: TensorId, taker: "plain" | "layer"): void {
    const collective = collectiveBetween(from, to);
    if (collective !== undefined) this.collectives.push({ collective, tensor });
    const isPart = taker === "layer" && to.kind === "whole";
    const given: Place = isPart ? { kind: "partial" } : to;
    const back = collectiveBetween(given, from.kind === "partial" ? whole : from);
    if (back !== undefined && this.flow.trained.has(tensor)) this.returned.push(back);
  }

  private noPlace(id: TensorId, { operator, path = "" }: Read, seen: Place, wanted: Place): string {
    const { name } = this.flow.tensor(id);
    const said = (place: Place) => (place.kind === "cut" ? `cut along dim ${place.dim}` : "whole");
    return `${name} is ${said(seen)} over ${this.axis}, and ${saidOperator(this.flow, operator, path)} reads it ${said(wanted)}: no module is given it in between`;
  }

  /**
   * An operator without a style runs on the rank's own block: then its operands' gradients must not
   * be partial sums.
   */
  check(step: Parameters<ForwardFlow["operatorOf"]>[0]): void {
    const { flow, axis } = this;
    const operator = flow.operatorOf(step);
    const path = flow.pathOf(operator);
    if (path === undefined || this.leaves.has(path)) return;
    if (flow.isStage(operator))
      throw new NotWritten(
        `${saidOperator(flow, operator, path)} is cut over ${axis} along what it combines, and sends something inside`,
      );
    const isCut = operator.outputs.some(
      ({ tensor }) => madePlace(flow, tensor, axis).kind !== "whole",
    );
    if (!isCut) return;
    for (const id of flow.inputsOf(operator)) {
      const { name, role } = flow.tensor(id);
      const read = flow.reads.get(id)?.find((each) => each.operator === operator);
      const place = read && placeOn(read.layout, axis, name);
      const isTrained = role === "parameter" || flow.trained.has(id);
      if (place?.kind === "whole" && isTrained)
        throw new NotWritten(
          `${saidOperator(flow, operator, path)} is cut over ${axis} and reads ${name} whole: each rank would have a part of its gradient, which nobody adds up`,
        );
    }
  }
}
