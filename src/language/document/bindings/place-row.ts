import type { HostObject, HostType, Value } from "#language/python";
import type { TracedTensor } from "../trace/traced.ts";
import type { At } from "./call-place.ts";
import { hostFunction, integer, integerOf } from "./values/values.ts";

/** Positions of an expert's tokens along dims of a condition, in order. */
export interface PlaceRow extends HostObject {
  readonly data: {
    /** Condition that is true at the positions. */
    readonly condition: TracedTensor;
    /** Dims of the condition: one, or all of them for a matrix of positions. */
    readonly dims: readonly number[];
    readonly isMatrix: boolean;
    /** Whether the row comes from a mask that was used as an index itself. */
    readonly isOfMask?: true;
  };
}

const typeName = "places of tokens";

export function isPlaceRow(value: Value | undefined): value is PlaceRow {
  return value?.kind === "host" && value.type.name === typeName;
}

/** Operations on the positions of tokens. */
interface Rows {
  countOf(condition: TracedTensor): number;
  tokensOf(row: PlaceRow, choices: number, at: At): Value | undefined;
}

/** Host type of token positions: the operations that a program may apply to them. */
export function placeRowType(rows: Rows): HostType {
  const with_ = (self: PlaceRow, dims: readonly number[], isMatrix = false): Value => ({
    ...{ kind: "host", type: self.type },
    data: { ...self.data, dims, isMatrix },
  });
  return {
    name: typeName,
    attribute: (self, name) => {
      if (!isPlaceRow(self)) return undefined;
      const { dims, isMatrix } = self.data;
      const count = integer(rows.countOf(self.data.condition));
      const sizes: Value = {
        kind: "tuple",
        items: isMatrix ? [count, integer(dims.length)] : [count],
      };
      if (name === "shape") return sizes;
      if (name === "size") return hostFunction(name, ([dim]) => (dim ? count : sizes));
      if (name === "numel") return hostFunction(name, () => count);
      if (name === "T") return self;
      if (!keeping.has(name)) return undefined;
      const isFlat = flattening.has(name) && dims.length === 1;
      return hostFunction(name, () => (isFlat ? with_(self, dims) : self));
    },
    item: (self, key) => {
      if (!isPlaceRow(self)) return undefined;
      const keys = key.kind === "tuple" ? key.items : [key];
      const column = keys.at(-1);
      if (!self.data.isMatrix || column?.kind !== "int") return self;
      return with_(self, [self.data.dims[Number(column.value)] ?? 0]);
    },
    binary: (self, operator, other, reflected, context, span) => {
      const choices = integerOf(other);
      if (!isPlaceRow(self) || operator !== "//" || reflected || choices === undefined)
        return undefined;
      return rows.tokensOf(self, choices, { context, span });
    },
    iterate: (self) => (isPlaceRow(self) ? self.data.dims.map((dim) => with_(self, [dim])) : []),
    length: (self) => (isPlaceRow(self) ? rows.countOf(self.data.condition) : 0),
    truth: () => true,
    text: () => "places",
  };
}

/** Methods that change the form of positions, not their values. */
const keeping: ReadonlySet<string> = new Set([
  ...["squeeze", "flatten", "view", "reshape", "unsqueeze", "expand", "expand_as", "repeat", "t"],
  ...["long", "int", "to", "cpu", "contiguous", "clone", "detach", "tolist", "numpy"],
]);

const flattening: ReadonlySet<string> = new Set(["squeeze", "flatten", "view", "reshape"]);
