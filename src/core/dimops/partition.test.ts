import { expect, test } from "vitest";
import type { Argument, Kwargs } from "./argument.ts";
import { type Bound, bindAnnotation } from "./bind.ts";
import { parseAnnotation } from "./parse.ts";
import { type Partition, partition, partitionPiece } from "./partition.ts";
import type { PieceOperand } from "./piece.ts";
import { type CutConfig, parseSplit, printSplit, type Split, type TransformRule } from "./split.ts";

/** `(2,3) 5` is a tensor of shape 2×3 and the number 5. */
function boundOf(text: string, inputs: string, kwargs: Kwargs = {}): Bound {
  const parsed = parseAnnotation(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  const given = inputs.split(" ").map((word): Argument => {
    if (!word.startsWith("(")) return { kind: "plain", value: Number(word) };
    return { kind: "tensor", shape: word.slice(1, -1).split(",").map(Number) };
  });
  const bound = bindAnnotation(parsed.value, given, kwargs);
  if (!bound.ok) throw new Error(JSON.stringify(bound.diagnostics));
  return bound.value;
}

/** `0,-1,2` or `2,v,2`. */
function configOf(text: string): CutConfig {
  const [operand = "", dim = "", count = ""] = text.split(",");
  return { operand: Number(operand), dim: dim === "v" ? "v" : Number(dim), count: Number(count) };
}

/** `D1 D0 V -> V` for an operator of three inputs and one output. */
function ruleOf(text: string): TransformRule {
  const [inputs = [], outputs = []] = text.split("->").map((side) => {
    return side
      .trim()
      .split(" ")
      .map(parseSplit)
      .filter((split) => split !== undefined);
  });
  return { inputs, outputs };
}

function printedRule({ inputs, outputs }: TransformRule): string {
  const print = (splits: readonly Split[]) => splits.map(printSplit).join(" ");
  return `${print(inputs)} -> ${print(outputs)}`;
}

/** The rule of a cut, `declined code`, or the error kind with the code. */
function outcome(parts: Partition): string {
  if (parts.ok) return printedRule(parts.rule);
  const { upstream, code } = parts.diagnostics[0] ?? { code: "" };
  return `${parts.refused ? "declined" : upstream} ${code.slice("dimops/".length)}`;
}

/** `0:2,0:6` is a range of rows and columns; `1/2` behind it the share of a value. */
function printedTensor(operand: PieceOperand | undefined): string {
  if (operand?.kind !== "tensor") return operand === undefined ? "?" : String(operand.value);
  const { ranges, value } = operand;
  const share = value.count === 1 ? "" : ` ${value.index}/${value.count}`;
  return ranges.map(({ start, stop }) => `${start}:${stop}`).join(",") + share;
}

test.each`
  annotation                           | inputs                 | kwargs             | config            | result
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,0,2"}        | ${"D0 R -> D0"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,1,2"}        | ${"D1 D0 -> V"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"1,0,2"}        | ${"D1 D0 -> V"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"1,1,2"}        | ${"R D1 -> D1"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"2,1,2"}        | ${"R D1 -> D1"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,1,4"}        | ${"declined indivisible-cut"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,-1,2"}       | ${"D1 D0 -> V"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,-3,2"}       | ${"IndexError no-such-dim"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,2,2"}        | ${"AssertionError no-such-dim"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"2,2,2"}        | ${"IndexError no-such-dim"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"5,0,2"}        | ${"IndexError no-such-operand"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"-1,0,2"}       | ${"AssertionError operand-not-tensor"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"-4,0,2"}       | ${"IndexError no-such-operand"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,0,0"}        | ${"ZeroDivisionError zero-pieces"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,0,-2"}       | ${"declined no-pieces"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,0,1.5"}      | ${"AssertionError cut-not-integer"}
  ${"m k+, k+ n -> m n"}               | ${"(4,6) (6,8)"}       | ${{}}              | ${"0,v,2"}        | ${"declined no-value-rule"}
  ${"m -> m"}                          | ${"(0)"}               | ${{}}              | ${"0,0,3"}        | ${"D0 -> D0"}
  ${"m -> m"}                          | ${"(0)"}               | ${{}}              | ${"0,0,99999999"} | ${"declined too-many-pieces"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}          | ${{ h: 8 }}        | ${"0,0,2"}        | ${"D0 -> D0"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}          | ${{ h: 8 }}        | ${"1,0,2"}        | ${"D0 -> D0"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}          | ${{ t: 128 }}      | ${"0,0,2"}        | ${"D0 -> D0"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}          | ${{ h: 8 }}        | ${"1,1,2"}        | ${"declined frozen"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}          | ${{ h: 8 }}        | ${"0,0,16"}       | ${"declined indivisible-cut"}
  ${"(h t) k -> h t k"}                | ${"(1024,8)"}          | ${{ h: 1 }}        | ${"0,0,2"}        | ${"declined frozen"}
  ${"(1 h) l^ -> (1 h) l^"}            | ${"(8,4)"}             | ${{}}              | ${"0,0,2"}        | ${"D0 -> D0"}
  ${"(1 h) l^ -> (1 h) l^"}            | ${"(8,4)"}             | ${{}}              | ${"0,0,1"}        | ${"declined frozen"}
  ${"(2 h) l -> l"}                    | ${"(8,4)"}             | ${{}}              | ${"0,0,2"}        | ${"declined frozen"}
  ${"(a number), (b number) -> (a b)"} | ${"(1024) (2048)"}     | ${{ number: 128 }} | ${"0,0,2"}        | ${"D0 R -> D0"}
  ${"(a number), (b number) -> (a b)"} | ${"(1024) (2048)"}     | ${{ number: 128 }} | ${"1,0,2"}        | ${"declined frozen"}
  ${"a b -> (a b)"}                    | ${"(4,6)"}             | ${{}}              | ${"0,0,2"}        | ${"D0 -> D0"}
  ${"a b -> (a b)"}                    | ${"(4,6)"}             | ${{}}              | ${"0,1,2"}        | ${"declined frozen"}
  ${"a+ b -> a+ b, b"}                 | ${"(4,6)"}             | ${{}}              | ${"0,0,2"}        | ${"D0 -> D0 V"}
  ${"a b, a -> b"}                     | ${"(4,6) (4)"}         | ${{}}              | ${"0,0,2"}        | ${"D0 D0 -> R"}
  ${"a -> 4"}                          | ${"(8)"}               | ${{}}              | ${"0,0,2"}        | ${"D0 -> R"}
  ${"* k+, n k+ -> * n"}               | ${"(2,3,4) (8,4)"}     | ${{}}              | ${"0,1,3"}        | ${"D1 R -> D1"}
  ${"* k^, n k^, n -> * n"}            | ${"(2,3,4) (8,4) (8)"} | ${{}}              | ${"1,0,2"}        | ${"R D0 D0 -> D2"}
  ${"* k^, n k^, n -> * n"}            | ${"(2,3,4) (8,4) (8)"} | ${{}}              | ${"2,0,2"}        | ${"R D0 D0 -> D2"}
  ${"* k^, n k^, n -> * n"}            | ${"(2,3,4) (8,4) (8)"} | ${{}}              | ${"0,2,2"}        | ${"declined frozen"}
  ${"a b, ? -> a b"}                   | ${"(4,6) (7,8)"}       | ${{}}              | ${"0,0,2"}        | ${"D0 R -> D0"}
  ${"a b, ? -> a b"}                   | ${"(4,6) (7,8)"}       | ${{}}              | ${"1,0,2"}        | ${"declined frozen"}
  ${"a b, ? -> a b"}                   | ${"(4,6) (7,8)"}       | ${{}}              | ${"1,1,2"}        | ${"IndexError no-such-dim"}
  ${"a b, ? -> a b"}                   | ${"(4,6) (7,8)"}       | ${{}}              | ${"1,2,2"}        | ${"AssertionError no-such-dim"}
  ${"a b, ? -> a b"}                   | ${"(4,6) 5"}           | ${{}}              | ${"1,0,2"}        | ${"AssertionError operand-not-tensor"}
  ${"a a -> a"}                        | ${"(4,4)"}             | ${{}}              | ${"0,1,2"}        | ${"D0,1 -> D0"}
  ${"n c -> n c"}                      | ${"(4,6)"}             | ${{ c: 6 }}        | ${"0,1,2"}        | ${"D1 -> D1"}
  ${"n c -> n c"}                      | ${"(4,6)"}             | ${{ c: 5 }}        | ${"0,1,2"}        | ${"AssertionError keyword-not-divisible"}
  ${"n c -> n c"}                      | ${"(4,6)"}             | ${{ c: 0.5 }}      | ${"0,1,2"}        | ${"AssertionError keyword-not-divisible"}
  ${"n c -> n c"}                      | ${"(4,6)"}             | ${{ c: "x" }}      | ${"0,1,2"}        | ${"TypeError keyword-not-divisible"}
  ${"n c -> n c"}                      | ${"(4,6)"}             | ${{ c: null }}     | ${"0,1,2"}        | ${"TypeError keyword-not-divisible"}
  ${"n c -> n c"}                      | ${"(4,6)"}             | ${{ c: [6] }}      | ${"0,1,2"}        | ${"TypeError keyword-not-divisible"}
  ${"n c -> n c"}                      | ${"(4,6)"}             | ${{ c: 5 }}        | ${"0,0,2"}        | ${"D0 -> D0"}
`(
  "[3] '$annotation' on $inputs, $kwargs, cut $config: $result",
  ({ annotation, inputs, kwargs, config, result }) => {
    expect(outcome(partition(boundOf(annotation, inputs, kwargs), configOf(config)))).toBe(result);
  },
);

test.each`
  annotation             | inputs           | kwargs                 | config     | pieces
  ${"m k+, k+ n -> m n"} | ${"(4,6) (6,8)"} | ${{}}                  | ${"0,1,2"} | ${["0:4,0:3 & 0:3,0:8 -> 0:4,0:8 0/2 {}", "0:4,3:6 & 3:6,0:8 -> 0:4,0:8 1/2 {}"]}
  ${"(h t) k -> h t k"}  | ${"(1024,8)"}    | ${{ h: 8 }}            | ${"0,0,2"} | ${['0:512,0:8 -> 0:4,0:128,0:8 {"h":4}', '512:1024,0:8 -> 4:8,0:128,0:8 {"h":4}']}
  ${"(h t) k -> h t k"}  | ${"(1024,8)"}    | ${{ t: 128 }}          | ${"0,0,2"} | ${['0:512,0:8 -> 0:4,0:128,0:8 {"t":128}', '512:1024,0:8 -> 4:8,0:128,0:8 {"t":128}']}
  ${"a b -> (a b)"}      | ${"(4,6)"}       | ${{}}                  | ${"0,0,2"} | ${["0:2,0:6 -> 0:12 {}", "2:4,0:6 -> 12:24 {}"]}
  ${"a -> (a 4)"}        | ${"(8)"}         | ${{}}                  | ${"0,0,2"} | ${["0:4 -> 0:16 {}", "4:8 -> 16:32 {}"]}
  ${"a a -> a, ?"}       | ${"(4,4)"}       | ${{}}                  | ${"0,0,2"} | ${["0:2,0:2 -> 0:2 & ? {}", "2:4,2:4 -> 2:4 & ? {}"]}
  ${"a, ? -> a"}         | ${"(2) 5"}       | ${{ a: { float: 4 } }} | ${"0,0,2"} | ${['0:1 & 5 -> 0:1 {"a":{"float":2}}', '1:2 & 5 -> 1:2 {"a":{"float":2}}']}
`(
  "[3] '$annotation' on $inputs, cut $config, gives $pieces",
  ({ annotation, inputs, kwargs, config, pieces }) => {
    const parts = partition(boundOf(annotation, inputs, kwargs), configOf(config));
    const printed = parts.ok
      ? parts.pieces.map((piece) => {
          const sides = [piece.inputs, piece.outputs].map((each) =>
            each.map(printedTensor).join(" & "),
          );
          return `${sides.join(" -> ")} ${JSON.stringify(piece.kwargs)}`;
        })
      : parts.diagnostics;
    expect(printed).toEqual(pieces);
  },
);

test("[3] cuts of cuts compose their ranges and their shares of a value", () => {
  const first = partition(boundOf("m k+, k+ n -> m n", "(4,6) (6,8)"), configOf("0,1,3"));
  const third = first.ok ? first.pieces[2] : undefined;
  const second = third && partitionPiece(third, configOf("0,1,2"));
  const last = second?.ok ? second.pieces[1] : undefined;
  const deepest = last && partitionPiece(last, configOf("1,1,4"));
  const piece = deepest?.ok ? deepest.pieces[3] : undefined;
  expect(piece?.inputs.map(printedTensor)).toEqual(["0:4,5:6", "5:6,6:8"]);
  expect(piece?.outputs.map(printedTensor)).toEqual(["0:4,6:8 5/6"]);
});

// Linear operator whose bias is divided among the devices if the contracted axis is cut, by
// nnScaler's rules.
test.each`
  rule               | config      | result
  ${"D1 D0 V -> V"}  | ${"0,1,2"}  | ${"D1 D0 V -> V"}
  ${"D1 D0 V -> V"}  | ${"1,0,2"}  | ${"D1 D0 V -> V"}
  ${"D1 D0 V -> V"}  | ${"2,v,2"}  | ${"D1 D0 V -> V"}
  ${"D1 D0 V -> V"}  | ${"3,v,2"}  | ${"D1 D0 V -> V"}
  ${"D1 D0 V -> V"}  | ${"0,0,2"}  | ${"D0 R R -> D0"}
  ${"D1 D0 V -> V"}  | ${"0,1,4"}  | ${"declined indivisible-cut"}
  ${"D1 D0 V -> V"}  | ${"0,-1,2"} | ${"AttributeError negative-ruled-dim"}
  ${"D-1 D0 V -> V"} | ${"0,1,2"}  | ${"declined frozen"}
  ${"D-2 R R -> D0"} | ${"0,0,2"}  | ${"D-2 R R -> D0"}
  ${"D1 D0 V -> D0"} | ${"3,0,2"}  | ${"IndexError ruled-output"}
  ${"D0 R R -> R"}   | ${"0,0,2"}  | ${"ValueError output-shape-mismatch"}
  ${"D0 R -> R"}     | ${"0,0,2"}  | ${"IndexError rule-length"}
  ${"D7 R R -> R"}   | ${"0,0,2"}  | ${"AssertionError rule-dim-out-of-range"}
`("[3] with the rule '$rule' the cut $config gives '$result'", ({ rule, config, result }) => {
  const bound = boundOf("m k^, k^ n, n -> m n", "(4,6) (6,8) (8)");
  expect(outcome(partition(bound, configOf(config), [ruleOf(rule)]))).toBe(result);
});

test("[3] a rule's own function gives the keyword arguments of each piece", () => {
  const bound = boundOf("E+ h^ -> h^", "(64,8)", { start: 0, end: 64 });
  const modify: TransformRule["modify"] = (_kwargs, { count }, piece) => {
    return { start: (64 / count) * piece, end: (64 / count) * (piece + 1) };
  };
  const parts = partition(bound, configOf("0,0,2"), [{ ...ruleOf("D0 -> V"), modify }]);
  const second = parts.ok ? parts.pieces[1] : undefined;
  expect(second?.kwargs).toEqual({ start: 32, end: 64 });
  expect(second?.outputs.map(printedTensor)).toEqual(["0:8 1/2"]);
});

test.each`
  annotation         | inputs         | config     | warned
  ${"a a -> a"}      | ${"(4,4)"}     | ${"0,0,2"} | ${['"a" stands on dims 0 and 1 of input 0: the pieces are its diagonal blocks, all other values are lost']}
  ${"a b, a -> b"}   | ${"(4,6) (4)"} | ${"0,0,2"} | ${['"a" is cut, but output 0 lacks it and "a" has no reduction: every piece would hold another value where one is expected; write "a+" if it is summed']}
  ${"a b, a -> b"}   | ${"(4,6) (4)"} | ${"0,0,1"} | ${[]}
  ${"a+ b, a+ -> b"} | ${"(4,6) (4)"} | ${"0,0,2"} | ${[]}
`(
  "[3] '$annotation' cut $config is warned of: $warned",
  ({ annotation, inputs, config, warned }) => {
    const parts = partition(boundOf(annotation, inputs), configOf(config));
    expect(parts.ok).toBe(true);
    expect(parts.diagnostics.map(({ message }) => message)).toEqual(warned);
  },
);
