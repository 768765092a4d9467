import fc from "fast-check";

/**
 * Generator of expression texts of one type; typed expressions let most programs run to their end.
 */
type Text = fc.Arbitrary<string>;

const oneOf = (row: string, separator = " "): Text => fc.constantFrom(...row.split(separator));

/** Fills a template: one generated part per `§`. */
export function filled(template: string, ...parts: readonly Text[]): Text {
  const pieces = template.split("§");
  return fc
    .tuple(...parts)
    .map((texts) => pieces.map((piece, at) => piece + (texts[at] ?? "")).join(""));
}

const integers = oneOf(
  "0 1 2 3 -1 -2 7 10 255 i j 2**31 2**53 (2**53+1) 2**64 -2**63 10**20 -10**18 True 1_000 0xff 0b1010 0o17",
);
const floats = oneOf(
  "0.0 1.0 -1.5 2.5 0.1 x y 1e16 1e-7 123456.789 -0.0 float('inf') 1/3 5. .5 1e22 2.675",
);
const texts = fc.constantFrom(
  "''",
  "'a'",
  "'abc'",
  "s",
  "t",
  "'Hello World'",
  "'a,b,,c'",
  "'  pad '",
  "'ÄöÜ ß'",
  "'tab\\tnew\\n'",
  '"it\'s"',
  "'42'",
  "'-7'",
  "'3.5'",
  "'x=1;y=2'",
  "'😀z'",
  "r'\\d'",
  "'aaa'",
);
const truths = oneOf("True False p");

const intOperators = oneOf("+ - * // % & | ^ **2+ >>1+ // % -");
const comparisons = oneOf("< <= == != > >=");
const specs = oneOf(
  "d 5d <6d ^7d +d ,d _d x #x X b #b o 08d =+9d e .2f 10.3f g % .1% c n *^9 0>5 >+8,",
);
const floatSpecs = oneOf(
  ".2f 10.3f <9.1f e .3e g .4g +.1f 08.2f , .0f % .1% _.2f ^12 n G #.3g 0=8.1f",
);
const textSpecs = oneOf("10 <6 >6 ^7 *^9 .2 5.3 s <s -^8s");
const conversions = oneOf("%d %5d %-6d| %05d %x %o %+d %e %.2f %s %r %8.3f %g %i %c %%%d");

type Expressions = {
  readonly int: string;
  readonly float: string;
  readonly str: string;
  readonly bool: string;
  readonly list: string;
  readonly dict: string;
  readonly set: string;
  readonly tuple: string;
  readonly words: string;
  readonly any: string;
};

const small = fc.constantFrom("0", "1", "2", "-1", "3", "i % 9");
const bound = fc.constantFrom("", "0", "1", "2", "-1", "-2", "5", "None", "i");
const step = fc.constantFrom("", ":", ":2", ":-1", ":3", ":-2");
const key = fc.constantFrom("'a'", "'b'", "'k'", "'z'");
const open = { depthSize: "xsmall", maxDepth: 3 } as const;
const cut = (of: Text) => filled("§[§:§§]", of, bound, bound, step);

type Ties = Readonly<Record<keyof Expressions, Text>>;

function integersOf({ int, float, str, bool, list, dict, set, tuple, words }: Ties): Text[] {
  return [
    integers,
    filled("(§ § §)", int, intOperators, int),
    filled("(§ << (§ % 70))", int, int),
    filled("len(§)", fc.oneof(str, list, dict, set, tuple, words)),
    filled("(-§)", int),
    filled("abs(§)", int),
    filled("(~§)", int),
    filled("sum(§)", list),
    filled("§(§, default=9)", oneOf("min max"), list),
    filled(
      "int(§)",
      fc.oneof(float, bool, fc.constantFrom("'12'", "' -3 '", "'0x1f', 16", "'zz', 36", "'9_9'")),
    ),
    filled("round(§)", float),
    filled("(§ if § else §)", int, bool, int),
    filled("§[§]", list, small),
    filled("§.count(§)", list, int),
    filled("§.index(§)", list, int),
    filled("§.find(§)", str, str),
    filled("§.count(§)", str, str),
    filled("§.get(§, §)", dict, key, int),
    filled("§[§]", dict, key),
    filled("ord(§[§])", str, small),
    filled("(§).bit_length()", int),
    filled("divmod(§, §)[0]", int, int),
    filled("pow(§, 3, 1000007)", int),
    filled("add(§, b=§)", int, int),
    filled("(lambda v, w=2: v * w)(§)", int),
    filled("math.§(§, §)", oneOf("gcd lcm comb perm"), int, small),
    filled("math.§(§)", oneOf("floor ceil trunc"), float),
  ];
}

function floatsOf({ int, float }: Ties): Text[] {
  return [
    floats,
    filled("(§ § §)", float, oneOf("+ - * / // %"), float),
    filled("(§ / §)", int, int),
    filled("float(§)", fc.oneof(int, fc.constantFrom("'1.5'", "'-inf'", "' 2e3 '"))),
    filled("round(§, §)", float, fc.constantFrom("0", "1", "2", "-1", "3")),
    filled("abs(§)", float),
    filled("sum([§, §])", float, float),
    filled("math.§(§)", oneOf("sqrt fabs exp log1p"), float),
    filled("max(§, §)", float, int),
  ];
}

function textsOf({ int, float, str, list, words, any }: Ties): Text[] {
  return [
    texts,
    filled("(§ + §)", str, str),
    filled("(§ * §)", str, fc.constantFrom("2", "0", "-1", "3")),
    filled(
      "§.§()",
      str,
      oneOf("upper lower title swapcase capitalize strip lstrip rstrip casefold"),
    ),
    filled("§.replace(§, §)", str, str, str),
    filled(
      "§.§(§, §)",
      str,
      oneOf("center ljust rjust"),
      small,
      fc.constantFrom("'*'", "' '", "'.'"),
    ),
    filled("§.zfill(§)", str, fc.constantFrom("5", "0", "8")),
    filled("§.§(§)", str, oneOf("strip lstrip rstrip removeprefix removesuffix"), str),
    filled("§.expandtabs(4)", str),
    filled("§.join(§)", str, words),
    filled("§[§]", str, small),
    cut(str),
    filled("§(§)", oneOf("str repr ascii"), any),
    filled("f'{§:§}'", fc.oneof(fc.constant("i"), fc.constant("j"), fc.constant("-12345")), specs),
    filled("f'{§:§}'", fc.constantFrom("x", "y", "-1234.5678"), floatSpecs),
    filled("f'{§!§:§}'", fc.constantFrom("s", "t", "i", "L"), oneOf("r s a"), textSpecs),
    filled("f'<{§=}> {{§}}'", fc.constantFrom("i", "s", "x + 1", "L[0]", "d"), fc.constant("lit")),
    filled("f'{s:>{i % 20 + 3}}|{x:{j % 30}.{i % 9}f}'"),
    filled("format(§, '§')", int, specs),
    filled("format(§, '§')", float, floatSpecs),
    filled("format(§, '§')", str, textSpecs),
    filled("('§' % §)", conversions, fc.oneof(int, float)),
    filled("('%s-%r-%5.1f' % (§, §, §))", any, str, float),
    filled("('%(a)s|%(b)04d' % {'a': §, 'b': §})", str, int),
    filled("'{0!r}{1:>4}{k}{0}'.format(§, §, k=§)", str, int, any),
    filled("'{} {:§}'.format(§, §)", specs, any, int),
    filled("'{0[§]} {1.real}'.format(§, §)", fc.constantFrom("0", "1"), list, int),
    filled("chr(97 + abs(§) % 26)", int),
    filled("§(§)", oneOf("hex bin oct"), int),
    filled("'§'.join(map(str, §))", oneOf(", - |"), list),
    filled("type(§).__name__", any),
  ];
}

function truthsOf({ int, float, str, bool, list, dict, set, any }: Ties): Text[] {
  return [
    truths,
    filled("(§ § §)", int, comparisons, int),
    filled("(§ § §)", float, comparisons, fc.oneof(int, float)),
    filled("(§ § §)", str, comparisons, str),
    filled("(§ § §)", list, comparisons, list),
    filled("(§ § §)", set, comparisons, set),
    filled("(§ § § § §)", int, comparisons, int, comparisons, float),
    filled("(§ § §)", fc.oneof(int, bool), oneOf("in|not in", "|"), list),
    filled("(§ in §)", str, str),
    filled("(§ in §)", key, dict),
    filled("(not §)", any),
    filled("(§ § §)", bool, oneOf("and or"), bool),
    filled("isinstance(§, §)", any, oneOf("int str (int,float) bool list object type(None)")),
    filled("§(§)", oneOf("any all bool"), list),
    filled(
      "§.§()",
      str,
      oneOf("isalpha isdigit isalnum isupper islower istitle isspace isidentifier isnumeric"),
    ),
    filled("§.§(§)", str, oneOf("startswith endswith"), fc.oneof(str, fc.constant("('a', 'H')"))),
    filled("§.§(§)", set, oneOf("issubset issuperset isdisjoint"), set),
    filled("(§ is None)", any),
  ];
}

function listsOf({ int, str, bool, list, dict, set }: Ties): Text[] {
  return [
    fc.constantFrom("L", "[]", "[3, 1, 2]", "[1, 2, 3, 4, 5]", "list(range(6))", "M"),
    filled("[§, §]", int, int),
    filled("[§, *§, §]", int, list, int),
    filled("(§ + §)", list, list),
    filled("(§ * §)", list, fc.constantFrom("2", "0", "-1")),
    cut(list),
    filled(
      "sorted(§, key=lambda v: §)",
      list,
      fc.constantFrom("-v", "v % 3", "(v % 2, v)", "str(v)", "abs(v)"),
    ),
    filled("sorted(§, reverse=§)", list, bool),
    filled("list(reversed(§))", list),
    filled("[v § § for v in §]", oneOf("+ - * // %"), int, list),
    filled("[v for v in § if v § §]", list, comparisons, int),
    filled("[a * b for a in § for b in (1, 2) if a]", list),
    filled("[a if a § § else -a for a in §]", comparisons, int, list),
    filled("list(map(lambda v: § , §))", fc.constantFrom("v + 1", "-v", "v * v"), list),
    filled("list(filter(lambda v: v § §, §))", comparisons, int, list),
    filled("[a + b for a, b in zip(§, §)]", list, list),
    filled("[k * v for k, v in enumerate(§, §)]", list, small),
    filled("list(§.values())", dict),
    filled("sorted(§)", set),
    filled("[ord(c) for c in §]", str),
    filled("list(gen(§))", small),
    filled(
      "list(range(§, §, §))",
      small,
      fc.constantFrom("5", "-3", "10"),
      fc.constantFrom("1", "2", "-1", "0"),
    ),
  ];
}

function dictsOf({ int, str, list, dict }: Ties): Text[] {
  return [
    fc.constantFrom("d", "{}", "{'a': 1, 'b': 2}"),
    filled("{§: §, §: §}", key, int, key, int),
    filled("{**§, §: §}", dict, key, int),
    filled("{k: v + § for k, v in §.items()}", int, dict),
    filled("(§ | §)", dict, dict),
    filled("dict(zip('abk', §))", list),
    filled("dict(a=§, k=§)", int, int),
    filled("dict.fromkeys('ab', §)", int),
    filled(
      "dict(sorted(§.items(), key=lambda kv: §))",
      dict,
      fc.constantFrom("kv[1]", "-kv[1]", "kv[0]"),
    ),
    filled("{c: §.count(c) for c in §}", str, str),
  ];
}

function setsOf({ list, set }: Ties): Text[] {
  return [
    fc.constantFrom("{1, 2, 3}", "set()", "S", "frozenset([2, 3])"),
    filled("set(§)", list),
    filled("(§ § §)", set, oneOf("| & - ^"), set),
    filled("{v % 5 for v in §}", list),
    filled("§.§(§)", set, oneOf("union intersection difference symmetric_difference"), list),
  ];
}

function tuplesOf({ int, float, str, list, tuple, any }: Ties): Text[] {
  return [
    fc.constantFrom("()", "(1,)", "u", "(1, 'a', 2.5)"),
    filled("(§, §)", any, any),
    filled("(*§, §)", list, int),
    filled("divmod(§, §)", fc.oneof(int, float), int),
    filled("§.§(§)", str, oneOf("partition rpartition"), str),
    cut(tuple),
    filled("tuple(§)", list),
    filled("Point(§, y=§)", int, int),
  ];
}

function wordsOf({ str, dict, words }: Ties): Text[] {
  return [
    fc.constantFrom("W", "['b', 'a', 'C']"),
    filled(
      "§.split(§)",
      str,
      fc.oneof(fc.constant(""), fc.constantFrom("','", "'a'", "None, 1", "' ', 1")),
    ),
    filled("§.rsplit(§)", str, fc.constantFrom("','", "None, 1", "'b', 1")),
    filled("§.splitlines(§)", str, fc.constantFrom("", "True")),
    filled("sorted(§, key=§)", words, fc.constantFrom("len", "str.lower", "lambda w: w[::-1]")),
    filled("list(§)", str),
    filled("[w.upper() for w in §]", words),
    filled("[§, §]", str, str),
    filled("list(§)", dict),
  ];
}

/** Generators of expressions over the names that every program starts with. */
export const expressions = fc.letrec<Expressions>((tie) => {
  const ties: Ties = {
    int: tie("int"),
    float: tie("float"),
    str: tie("str"),
    bool: tie("bool"),
    list: tie("list"),
    dict: tie("dict"),
    set: tie("set"),
    tuple: tie("tuple"),
    words: tie("words"),
    any: tie("any"),
  };
  return {
    int: fc.oneof(open, ...integersOf(ties)),
    float: fc.oneof(open, ...floatsOf(ties)),
    str: fc.oneof(open, ...textsOf(ties)),
    bool: fc.oneof(open, ...truthsOf(ties)),
    list: fc.oneof(open, ...listsOf(ties)),
    dict: fc.oneof(open, ...dictsOf(ties)),
    set: fc.oneof(open, ...setsOf(ties)),
    tuple: fc.oneof(open, ...tuplesOf(ties)),
    words: fc.oneof(open, ...wordsOf(ties)),
    any: fc.oneof(
      open,
      ...[ties.int, ties.float, ties.str, ties.bool, ties.list, ties.dict, ties.tuple, ties.words],
      fc.constant("None"),
      filled("sorted(§)", ties.set),
    ),
  };
});
