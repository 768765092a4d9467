import { runFact } from "#language/document/bindings";
import { typeSaid } from "#language/document/bindings/types";
import { hostFunction, integer, numberOf, tuple } from "#language/document/bindings/values";
import type { Value } from "#language/python";

/** A number that a function of NumPy gives: it has the attributes of an array of no dims. */
export function numpyNumber(value: Value): Value {
  const isNumber = value.kind === "int" || value.kind === "float";
  return isNumber ? { ...value, ofLibrary: attributeOf } : value;
}

function attributeOf(self: Value, name: string): Value | undefined {
  switch (name) {
    case "item":
    case "tolist":
      return hostFunction(name, () => plain(self));
    case "astype":
      return hostFunction(name, ([type]) => asType(self, type?.value));
    case "shape":
      return tuple([]);
    case "ndim":
      return integer(0);
    case "size":
      return integer(1);
    default:
      return same.has(name)
        ? hostFunction(name, () => self)
        : others.has(name)
          ? runFact(`numpy.number.${name}`)
          : undefined;
  }
}

/** Methods that give a number itself, whatever dims they name. */
const same: ReadonlySet<string> = new Set(["copy", "max", "mean", "min", "squeeze", "sum"]);

/** Further methods and attributes of NumPy's scalars. */
const others: ReadonlySet<string> = new Set(
  [
    "T all any argmax argmin argsort clip conj conjugate cumprod cumsum diagonal dtype flags flat",
    "flatten itemsize nbytes nonzero prod ravel repeat reshape round sort std strides take tobytes",
    "transpose var view",
  ].flatMap((line) => line.split(" ")),
);

const added = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
const halfway = (numbers: readonly number[]) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
};
const most = (numbers: readonly number[]) => Math.max(...numbers);
const least = (numbers: readonly number[]) => Math.min(...numbers);

/** Functions of a list of numbers that give one; the others give a float. */
const ofLists: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  ...{ sum: added, max: most, amax: most, min: least, amin: least },
  argmax: (numbers) => numbers.indexOf(most(numbers)),
  argmin: (numbers) => numbers.indexOf(least(numbers)),
  mean: (numbers) => added(numbers) / numbers.length,
  average: (numbers) => added(numbers) / numbers.length,
  median: halfway,
};

/** The result of a NumPy function of a list of plain numbers, if it is one number. */
export function numberOfList(name: string, value: Value | undefined): Value | undefined {
  const run = Object.hasOwn(ofLists, name) ? ofLists[name] : undefined;
  const items = value?.kind === "list" || value?.kind === "tuple" ? value.items : [];
  const numbers = items.flatMap((each) => numberOf(each) ?? []);
  if (run === undefined || items.length === 0 || numbers.length < items.length) return undefined;
  const made = run(numbers);
  const isFloat = !name.startsWith("arg") && items.some((each) => each.kind === "float");
  const isWhole = !isFloat && !/^(?:mean|average|median)$/u.test(name);
  return numpyNumber(isWhole ? integer(made) : { kind: "float", value: made });
}

/** The number as Python has it. */
function plain(self: Value): Value {
  if (self.kind === "int") return { kind: "int", value: self.value };
  return self.kind === "float" ? { kind: "float", value: self.value } : self;
}

/** A number converted to another type; an unknown number gives an unknown one. */
function asType(self: Value, type: Value | undefined): Value {
  const number = numberOf(self) ?? Number.NaN;
  const named = type?.kind === "class" ? type.name : type?.kind === "str" ? type.value : undefined;
  const said = named ?? typeSaid(type)?.dtypeText ?? "";
  if (/^bool/u.test(said)) return { kind: "bool", value: number !== 0 };
  if (/^(?:float|double|f[248]?$)/u.test(said))
    return numpyNumber({ kind: "float", value: number });
  const isWhole = /^(?:u?int|long|[iu][1248]?$)/u.test(said) && Number.isFinite(number);
  return isWhole ? numpyNumber(integer(Math.trunc(number))) : runFact("numpy.number.astype()");
}
