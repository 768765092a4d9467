import { bindArguments, integerOf, itemsOf, none, text } from "#language/document/bindings/values";
import { type ClassValue, hostClass, type InstanceValue, type Value } from "#language/python";
import type { PlacementWord } from "./record.ts";

/** The classes `Shard`, `Replicate` and `Partial` of DTensor. */
export class PlacementClasses {
  readonly placement = hostClass("Placement", {});
  private readonly shard = this.placementClass("Shard", ["dim"]);
  private readonly replicate = this.placementClass("Replicate", []);
  private readonly partial = this.placementClass("Partial", ["reduce_op"]);
  readonly names: ReadonlyMap<string, ClassValue> = new Map([
    ["Placement", this.placement],
    ["Shard", this.shard],
    ["Replicate", this.replicate],
    ["Partial", this.partial],
    ["_Partial", this.partial],
  ]);

  /** A placement along one dim of a mesh. */
  of(value: Value | undefined): PlacementWord | undefined {
    if (value?.kind !== "instance") return undefined;
    if (isOf(value, this.replicate)) return { kind: "replicate" };
    if (isOf(value, this.partial)) return { kind: "partial" };
    const dim = integerOf(value.attributes.get("dim"));
    return isOf(value, this.shard) && dim !== undefined ? { kind: "shard", dim } : undefined;
  }

  /** One placement for each dim of a mesh. */
  listOf(value: Value | undefined): readonly PlacementWord[] | undefined {
    const items = itemsOf(value) ?? (value === undefined ? [] : [value]);
    const found = items.flatMap((each) => this.of(each) ?? []);
    return found.length === items.length ? found : undefined;
  }

  private placementClass(name: string, parameters: readonly string[]): ClassValue {
    const is = (wanted: string) => ({ kind: "bool", value: wanted === name }) as const;
    return hostClass(
      name,
      {
        __init__: ([self, ...args]) => {
          const { bound } = bindArguments(parameters, args);
          if (self?.value.kind !== "instance") return none;
          for (const [key, { value }] of bound) self.value.attributes.set(key, value);
          if (name === "Partial" && !bound.has("reduce_op"))
            self.value.attributes.set("reduce_op", text("sum"));
          return none;
        },
        is_shard: ([self, dim]) => {
          const own =
            self?.value.kind === "instance" ? self.value.attributes.get("dim") : undefined;
          const [asked, is] = [integerOf(dim?.value), integerOf(own)];
          return { kind: "bool", value: name === "Shard" && (asked === undefined || asked === is) };
        },
        is_replicate: () => is("Replicate"),
        is_partial: () => is("Partial"),
      },
      [this.placement],
    );
  }
}

function isOf({ type }: InstanceValue, wanted: ClassValue): boolean {
  return type.mro.includes(wanted);
}
