/** Functions of NumPy on each element of one array: how PyTorch calls them, where otherwise. */
const one: Readonly<Record<string, string>> = {
  ...named("exp log sqrt tanh sin cos tan sinh cosh log2 log10 log1p expm1 exp2", "float"),
  ...named("arcsin arccos arctan arcsinh arccosh arctanh rad2deg deg2rad sinc", "float"),
  ...named(
    "abs square reciprocal sign floor ceil trunc isnan isfinite isinf logical_not positive",
    "",
  ),
  ...{ absolute: "abs", fabs: "abs", rint: "round", negative: "neg", degrees: "float rad2deg" },
  ...{ radians: "float deg2rad", cbrt: "float cbrt", bitwise_not: "bitwise_not" },
  ...{ invert: "bitwise_not", fix: "trunc" },
};

/** Functions of NumPy on the elements of two arrays, as Python's operators or PyTorch's functions. */
const two: Readonly<Record<string, string>> = {
  ...{ add: "x + y", subtract: "x - y", multiply: "x * y", divide: "x / y", true_divide: "x / y" },
  ...{ power: "x ** y", pow: "x ** y", mod: "x % y", remainder: "x % y", floor_divide: "x // y" },
  ...{ equal: "x == y", not_equal: "x != y", less: "x < y", less_equal: "x <= y" },
  ...{ greater: "x > y", greater_equal: "x >= y", float_power: "x ** y" },
  ...{ bitwise_and: "x & y", bitwise_or: "x | y", bitwise_xor: "x ^ y" },
  ...{ left_shift: "x << y", right_shift: "x >> y", arctan2: "torch.atan2(*_meeting(x, y, True))" },
  ...Object.fromEntries(
    ["maximum", "minimum", "fmax", "fmin", "logical_and", "logical_or", "logical_xor"].map(
      (name) => [name, `torch.${name}(*_meeting(x, y))`],
    ),
  ),
  ...Object.fromEntries(
    ["hypot", "copysign", "nextafter", "logaddexp"].map((name) => [
      name,
      `torch.${name}(*_meeting(x, y, True))`,
    ]),
  ),
  fmod: "torch.fmod(*_meeting(x, y))",
};

function named(names: string, kind: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, `${kind} ${name}`.trim()]));
}

/** Comparisons and logical functions take any Python object: then their result is unknown. */
function looseOf(name: string): string {
  if (!/^(?:not_)?equal$|^logical_/u.test(name)) return "";
  return `if _is_object(x1) or _is_object(x2):\n            return unknown("numpy.${name}", x1, x2)\n        `;
}

const rest =
  'out=None, *, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None';

/** The class of those functions as Python has it. */
export const ufuncsText = [
  "class ufuncs:",
  '    """Functions of elements."""',
  ...Object.entries(one).map(([name, called]) => {
    const words = called.split(" ");
    const isReal = words.length > 1 ? "True" : "False";
    return `    def ${name}(x, /, ${rest}):\n        return _one("${words.at(-1)}", x, out, dtype, ${isReal})\n`;
  }),
  ...Object.entries(two).map(
    ([name, made]) =>
      `    def ${name}(x1, x2, /, ${rest}):\n        ${looseOf(name)}x, y = _both(x1, x2)\n        return _out(_typed(${made}, dtype), out)\n`,
  ),
].join("\n");
