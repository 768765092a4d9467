import { product } from "#core/arithmetic";
import {
  hostFunction,
  integer,
  integerOf,
  integersOf,
  itemsOf,
} from "#language/document/bindings/values";
import type { Argument, Context, HostObject, HostType, Value } from "#language/python";
import { numpyNumber } from "./numpy-numbers.ts";

/** An array of whole numbers that a policy counts with: its shape, and its elements row by row. */
interface NumberArray {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

/**
 * Functions of numpy on whole numbers, as policies lay out their devices with them; `undefined` for
 * other functions, and other arguments. Arrays of the program itself are tensors.
 */
export function numberArrayCall(name: string, args: readonly Argument[]): Value | undefined {
  const [first, second] = args;
  switch (name) {
    case "arange": {
      const count = args.length === 1 ? integerOf(first?.value) : undefined;
      return count === undefined || count > limit
        ? undefined
        : made(
            [count],
            Array.from({ length: count }, (_, at) => at),
          );
    }
    case "array":
      return args.length === 1 ? fromData(first?.value) : undefined;
    case "prod": {
      const values = args.length === 1 ? arrayOf(first?.value)?.values : undefined;
      return values && numpyNumber(integer(product(values)));
    }
    case "transpose": {
      const array = arrayOf(first?.value);
      return array && transposed(array, integersOf(second?.value));
    }
    default:
      return undefined;
  }
}

/** Whether a NumPy function has a form that computes plain numbers. */
export function isOfNumbers(name: string): boolean {
  return ["arange", "array", "prod", "transpose"].includes(name);
}

/** More elements than any mesh of devices has. */
const limit = 65536;

function made(shape: readonly number[], values: readonly number[]): HostObject {
  return { kind: "host", type: arrayType, data: { shape, values } satisfies NumberArray };
}

function arrayOf(value: Value | undefined): NumberArray | undefined {
  if (value?.kind === "host" && value.type === arrayType) return value.data as NumberArray;
  const numbers = integersOf(value);
  return numbers && { shape: [numbers.length], values: numbers };
}

/** Nested lists of whole numbers, all of one length. */
function fromData(value: Value | undefined): Value | undefined {
  const numbers = integersOf(value);
  if (numbers !== undefined) return made([numbers.length], numbers);
  const rows = (itemsOf(value) ?? []).map((each) => integersOf(each));
  const [row] = rows;
  const isTable = row !== undefined && rows.every((each) => each?.length === row.length);
  return isTable
    ? made(
        [rows.length, row.length],
        rows.flatMap((each) => each ?? []),
      )
    : undefined;
}

function transposed({ shape, values }: NumberArray, given: readonly number[] | undefined) {
  const order = given ?? shape.map((_, dim) => shape.length - 1 - dim);
  if (order.toSorted((a, b) => a - b).some((dim, at) => dim !== at)) return undefined;
  const strides = shape.map((_, dim) => product(shape.slice(dim + 1)));
  const sizes = order.map((dim) => shape[dim] ?? 1);
  const places = order.reduce<readonly number[]>(
    (starts, dim) =>
      starts.flatMap((start) =>
        Array.from({ length: shape[dim] ?? 1 }, (_, at) => start + at * (strides[dim] ?? 1)),
      ),
    [0],
  );
  return made(
    sizes,
    places.map((place) => values[place] ?? 0),
  );
}

const arrayType: HostType = {
  name: "ndarray",
  text: () => "array",
  attribute: (self, name) => attributeOf(self.data as NumberArray, name),
  iterate: (self) => itemsOf(listOf(self.data as NumberArray)) ?? [],
  length: (self) => (self.data as NumberArray).shape[0] ?? 0,
};

function attributeOf(array: NumberArray, name: string): Value | undefined {
  const { shape, values } = array;
  switch (name) {
    case "shape":
      return { kind: "tuple", items: shape.map(integer) };
    case "size":
      return integer(values.length);
    case "ndim":
      return integer(shape.length);
    case "T":
      return transposed(array, undefined);
    case "tolist":
      return hostFunction(name, () => listOf(array));
    case "reshape":
      return hostFunction(name, (args, context, span) => {
        const sizes = args.length === 1 ? integersOf(args[0]?.value) : undefined;
        const given = sizes ?? args.map(({ value }) => integerOf(value) ?? 0);
        return reshaped(array, given) ?? refused(array, given, context, span);
      });
    case "transpose":
      return hostFunction(name, ([order]) => {
        return transposed(array, integersOf(order?.value)) ?? { kind: "none" };
      });
    default:
      return undefined;
  }
}

function refused(
  { values }: NumberArray,
  sizes: readonly number[],
  context: Context,
  span: Argument["span"],
) {
  const message = `cannot reshape array of size ${values.length} into shape (${sizes.join(",")})`;
  return context.raise("ValueError", message, span);
}

/** With one size of -1 worked out of the others. */
function reshaped({ values }: NumberArray, sizes: readonly number[]): Value | undefined {
  const rest = product(sizes.filter((size) => size !== -1));
  const full = sizes.map((size) => (size === -1 ? values.length / rest : size));
  return product(full) === values.length ? made(full, values) : undefined;
}

function listOf({ shape: [size = 0, ...rest], values }: NumberArray): Value {
  if (rest.length === 0) return { kind: "list", items: values.map(integer) };
  const each = product(rest);
  const items = Array.from({ length: size }, (_, at) =>
    listOf({ shape: rest, values: values.slice(at * each, (at + 1) * each) }),
  );
  return { kind: "list", items };
}
