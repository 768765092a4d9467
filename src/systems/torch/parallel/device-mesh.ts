import { product } from "#core/arithmetic";
import type { Span } from "#core/diagnostics";
import {
  hostFunction,
  integer,
  integerOf,
  itemsOf,
  none,
  text,
  textOf,
  tuple,
} from "#language/document/bindings/values";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import type { MeshDims, ParallelRecord, RootMesh } from "./record.ts";
import { sayNotRead } from "./said.ts";

/**
 * A `DeviceMesh` as a value. Each of its dims is one dim of its root mesh, or several flattened.
 */
export interface MeshValue {
  readonly root: RootMesh;
  readonly dims: readonly { readonly name: string; readonly of: readonly number[] }[];
  /** Whether the text names its dims. */
  readonly isNamed: boolean;
}

/** `DeviceMesh` objects of one run of a program. */
export class MeshValues {
  private readonly type: HostType;
  private readonly record: ParallelRecord;
  /** Dims that were flattened under a name, and may be asked for by it. */
  private readonly flattened = new Map<RootMesh, Map<string, readonly number[]>>();

  constructor(record: ParallelRecord) {
    this.record = record;
    this.type = {
      name: "DeviceMesh",
      attribute: (self, name, context, span) => this.attribute(self, name, context, span),
      item: (self, key, context, span) => this.item(self, key, context, span),
      length: (self) => meshOf(self).dims.length,
      equals: (self, other) =>
        other.kind === "host" &&
        other.type === this.type &&
        JSON.stringify(meshOf(self).dims) === JSON.stringify(meshOf(other).dims),
      text: (self) =>
        `DeviceMesh(${meshOf(self)
          .dims.map(({ name }) => name)
          .join(", ")})`,
    };
  }

  /** The object of a mesh. */
  object(mesh: MeshValue): HostObject {
    return { kind: "host", type: this.type, data: mesh };
  }

  /** The mesh behind a value; `undefined` of anything else. */
  of(value: Value | undefined): MeshValue | undefined {
    return value?.kind === "host" && value.type === this.type ? meshOf(value) : undefined;
  }

  /** The mesh over all devices of a root. */
  whole(root: RootMesh, isNamed: boolean): HostObject {
    const dims = root.dims.map(({ name }, at) => ({ name, of: [at] }));
    return this.object({ root, dims, isNamed });
  }

  private attribute(self: HostObject, name: string, context: Context, span: Span) {
    const mesh = meshOf(self);
    const sizes = mesh.dims.map(({ of }) => sizeOf(mesh.root, of));
    switch (name) {
      case "size":
        return hostFunction(name, ([dim], inner) => this.size(mesh, dim, inner));
      case "shape":
        return tuple(sizes.map(integer));
      case "ndim":
        return integer(sizes.length);
      case "mesh_dim_names":
        return mesh.isNamed ? tuple(mesh.dims.map((dim) => text(dim.name))) : none;
      case "device_type":
        return text("cuda");
      case "get_local_rank":
      case "get_rank":
        return hostFunction(name, (_, inner, at) => this.rankZero(inner, at));
      case "get_coordinate":
        return hostFunction(name, (_, inner, at) => {
          this.rankZero(inner, at);
          return { kind: "list", items: sizes.map(() => integer(0)) };
        });
      case "get_group":
      case "get_all_groups":
      case "_get_root_mesh":
        return hostFunction(name, () => self);
      case "numel":
        return hostFunction(name, () => integer(product(sizes)));
      case "_flatten":
        return hostFunction(name, ([given]) => this.flatten(mesh, textOf(given?.value)));
      default:
        sayNotRead(this.record, `DeviceMesh.${name}`, "what it gives is not known", context, span);
        return none;
    }
  }

  private rankZero(context: Context, span: Span): Value {
    sayRankZero(this.record, context, span);
    return integer(0);
  }

  private size(mesh: MeshValue, dim: Argument | undefined, context: Context): Value {
    const sizes = mesh.dims.map(({ of }) => sizeOf(mesh.root, of));
    const isAll = dim === undefined || dim.value.kind === "none";
    const at = isAll ? undefined : this.placeOf(mesh, dim.value);
    const size = isAll ? product(sizes) : sizes[at ?? -1];
    if (size === undefined) {
      if (dim === undefined) return none;
      return this.noDim(mesh, dim.value, context, dim.span);
    }
    if (size > 1) this.record.askedSizes.add(size);
    return integer(size);
  }

  /** The place of a dim that a value names or counts. */
  private placeOf({ dims }: MeshValue, value: Value | undefined): number | undefined {
    const name = textOf(value);
    if (name !== undefined) {
      const at = dims.findIndex((dim) => dim.name === name);
      return at < 0 ? undefined : at;
    }
    const number = integerOf(value);
    return number === undefined ? undefined : (number + dims.length) % dims.length;
  }

  private item(self: HostObject, key: Value, context: Context, span: Span): Value {
    const mesh = meshOf(self);
    const keys = itemsOf(key) ?? [key];
    const dims = keys.map((each) => {
      const name = textOf(each);
      const own = mesh.dims.find((dim) => dim.name === name);
      const flat = name === undefined ? undefined : this.flattened.get(mesh.root)?.get(name);
      if (own !== undefined) return own;
      return flat === undefined || name === undefined ? undefined : { name, of: flat };
    });
    const missing = keys[dims.indexOf(undefined)];
    if (missing !== undefined) return this.noDim(mesh, missing, context, span);
    const found = dims.flatMap((dim) => dim ?? []);
    return this.object({ root: mesh.root, dims: found, isNamed: true });
  }

  private noDim({ dims }: MeshValue, key: Value, context: Context, span: Span): never {
    const known = dims.map(({ name }) => `"${name}"`).join(", ");
    return context.raise(
      "KeyError",
      `the device mesh has no dim ${context.text(key)}: it has ${known}`,
      span,
    );
  }

  private flatten({ root, dims }: MeshValue, given: string | undefined): HostObject {
    const name = given ?? dims.map((dim) => dim.name).join("_");
    const of = dims.flatMap((dim) => dim.of);
    const known = this.flattened.get(root) ?? new Map<string, readonly number[]>();
    this.flattened.set(root, known.set(name, of));
    return this.object({ root, dims: [{ name, of }], isNamed: true });
  }
}

/** All dims of a mesh as one. */
export function asOneDim({ root, dims }: MeshValue): MeshDims {
  return { root, dims: dims.flatMap(({ of }) => of) };
}

/** The dims of a mesh, each for itself. */
export function eachDim({ root, dims }: MeshValue): readonly MeshDims[] {
  return dims.map(({ of }) => ({ root, dims: of }));
}

/** Says once that a program is read as rank 0 runs it. */
export function sayRankZero(record: ParallelRecord, context: Context, span: Span): void {
  if (!record.isNews("rank zero")) return;
  context.report({
    code: "torch/rank-zero",
    severity: "info",
    message:
      "the number of the rank is read as 0: where the text asks for it, it is read as rank 0 runs it",
    span,
  });
}

/** How many devices dims of a mesh have together. */
export function sizeOf({ dims }: RootMesh, of: readonly number[]): number {
  return product(of.map((at) => dims[at]?.size ?? 1));
}

/** Only values of the type come here. */
function meshOf(self: HostObject): MeshValue {
  return self.data as MeshValue;
}
