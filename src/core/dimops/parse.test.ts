import { expect, test } from "vitest";
import { parseAnnotation, parseFragment } from "./parse.ts";
import { printAnnotation } from "./print.ts";
import { transformSpace } from "./transform-space.ts";

// Each row: the text, its canonical text ("same" when equal), its space as `input,dim` pairs.
test.each`
  text                                  | canonical                                   | space
  ${"a b, b c -> a c"}                  | ${"same"}                                   | ${"0,0 0,1 1,1"}
  ${"a^ b, b c -> a^ c"}                | ${"same"}                                   | ${"0,1 1,1"}
  ${"m k+, k+ n -> m n"}                | ${"same"}                                   | ${"0,0 0,1 1,1"}
  ${"a+ b+ -> 1"}                       | ${"a+ b+ -> 1^"}                            | ${"0,0 0,1"}
  ${"a -> 4"}                           | ${"a -> 4^"}                                | ${"0,0"}
  ${"->"}                               | ${" -> "}                                   | ${""}
  ${" -> "}                             | ${" -> "}                                   | ${""}
  ${"a ->"}                             | ${"a -> "}                                  | ${"0,0"}
  ${"-> a"}                             | ${" -> a"}                                  | ${""}
  ${" -> 1 2 3"}                        | ${" -> 1^ 2^ 3^"}                           | ${""}
  ${"a, -> a"}                          | ${"a,  -> a"}                               | ${"0,0"}
  ${"a,,b -> a"}                        | ${"a, , b -> a"}                            | ${"0,0 2,0"}
  ${"a -> a,"}                          | ${"a -> a, "}                               | ${"0,0"}
  ${"(h t) k -> h t k"}                 | ${"(h t^) k -> h t^ k"}                     | ${"0,0 0,1"}
  ${"(a b) -> (b a)"}                   | ${"(a^ b^) -> (b^ a^)"}                     | ${""}
  ${"(a b) -> (a b)"}                   | ${"(a b^) -> (a b^)"}                       | ${"0,0"}
  ${"a b -> (a b)"}                     | ${"a b^ -> (a b^)"}                         | ${"0,0"}
  ${"(a b), b -> a b"}                  | ${"(a b^), b^ -> a b^"}                     | ${"0,0"}
  ${"(a+ b) -> b"}                      | ${"(a+ b^) -> b^"}                          | ${"0,0"}
  ${"(a b+) -> a"}                      | ${"(a b^) -> a"}                            | ${"0,0"}
  ${"(m k+), k+ -> m"}                  | ${"(m k^), k^ -> m"}                        | ${"0,0"}
  ${"(a a) b -> a b"}                   | ${"(a^ a^) b -> a^ b"}                      | ${"0,1"}
  ${"(a 4) -> a"}                       | ${"(a 4^) -> a"}                            | ${"0,0"}
  ${"(4 a) -> a"}                       | ${"(4^ a^) -> a^"}                          | ${""}
  ${"(1 a) -> a"}                       | ${"(1^ a) -> a"}                            | ${"0,0"}
  ${"(1 1 a b) -> b"}                   | ${"(1^ 1^ a b^) -> b^"}                     | ${"0,0"}
  ${"(01 a) -> a"}                      | ${"(01^ a^) -> a^"}                         | ${""}
  ${"(1 a), a b -> b"}                  | ${"(1^ a), a b -> b"}                       | ${"0,0 1,1"}
  ${"a b, (b n) c -> a (n c)"}          | ${"a b, (b n^) c^ -> a (n^ c^)"}            | ${"0,0 0,1"}
  ${"a b, (b n) c -> a (n b c)"}        | ${"a b^, (b^ n^) c^ -> a (n^ b^ c^)"}       | ${"0,0"}
  ${"a b, (b n) c -> a (1 1 1 b c) n"}  | ${"a b, (b n^) c^ -> a (1^ 1^ 1^ b c^) n^"} | ${"0,0 0,1"}
  ${"a b, (d^ n) c -> a (c n) d^"}      | ${"a b, (d^ n^) c -> a (c n^) d^"}          | ${"0,0 0,1 1,1"}
  ${"* k+, n k+ -> * n"}                | ${"same"}                                   | ${"0,0 0,1 1,0"}
  ${"* a, * b -> * a b"}                | ${"same"}                                   | ${"0,0 0,1 1,1"}
  ${"a * b -> a * b"}                   | ${"same"}                                   | ${"0,0 0,1 0,2"}
  ${"* * -> * *"}                       | ${"same"}                                   | ${"0,0"}
  ${"*+ -> 1"}                          | ${"*+ -> 1^"}                               | ${"0,0"}
  ${"*^ -> *^"}                         | ${"same"}                                   | ${""}
  ${"a -> *"}                           | ${"same"}                                   | ${"0,0"}
  ${"a -> a b"}                         | ${"same"}                                   | ${"0,0"}
  ${"? a -> a"}                         | ${"?^ a -> a"}                              | ${"0,1"}
  ${"a ? -> a"}                         | ${"a ?^ -> a"}                              | ${"0,0"}
  ${"? ? -> ?"}                         | ${"?^ ?^ -> ?^"}                            | ${""}
  ${"a, ? -> a, ?"}                     | ${"a, ?^ -> a, ?^"}                         | ${"0,0"}
  ${"?+ -> ?"}                          | ${"?^ -> ?^"}                               | ${""}
  ${"? ->"}                             | ${"?^ -> "}                                 | ${""}
  ${"-> ?"}                             | ${" -> ?^"}                                 | ${""}
  ${"a a -> a"}                         | ${"same"}                                   | ${"0,0"}
  ${"7, 007 -> 7"}                      | ${"7^, 007^ -> 7^"}                         | ${""}
  ${"0 -> 0"}                           | ${"0^ -> 0^"}                               | ${""}
  ${"64+ -> 64"}                        | ${"64^ -> 64^"}                             | ${""}
  ${"(2 h^ 2 w^) C^ -> (h^ w^) (4 C^)"} | ${"(2^ h^ 2^ w^) C^ -> (h^ w^) (4^ C^)"}    | ${""}
  ${"for if -> if"}                     | ${"same"}                                   | ${"0,0 0,1"}
  ${"é -> é"}                           | ${"same"}                                   | ${"0,0"}
  ${"A a -> A a"}                       | ${"same"}                                   | ${"0,0 0,1"}
  ${"a(b c)d -> a"}                     | ${"a (b c^) d -> a"}                        | ${"0,0 0,1 0,2"}
  ${"(ab)c -> c"}                       | ${"ab c -> c"}                              | ${"0,0 0,1"}
  ${"a () b -> a b"}                    | ${"a b -> a b"}                             | ${"0,0 0,1"}
  ${"(*) -> *"}                         | ${"* -> *"}                                 | ${"0,0"}
  ${"(?) a -> a"}                       | ${"?^ a -> a"}                              | ${"0,1"}
  ${"(a^) -> a^"}                       | ${"a^ -> a^"}                               | ${""}
  ${"a,b->a b"}                         | ${"a, b -> a b"}                            | ${"0,0 1,0"}
  ${" \u00a0a , b ->a\u0085\u001c"}     | ${"a, b -> a"}                              | ${"0,0 1,0"}
  ${"٣ -> １２"}                        | ${"٣^ -> １２^"}                            | ${""}
  ${"(a *^) -> a"}                      | ${"(a *^) -> a"}                            | ${"0,0"}
`("[1.1] '$text' reads as '$canonical'", ({ text, canonical, space }) => {
  const parsed = parseAnnotation(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  expect(printAnnotation(parsed.value)).toBe(canonical === "same" ? text : canonical);
  expect(transformSpace(parsed.value).join(" ")).toBe(space);
});

// Each row: the text, and what is marked in it as `code@marked text`.
test.each`
  text                   | upstream            | faults
  ${"a b"}               | ${"ValueError"}     | ${["missing-arrow@a b"]}
  ${"a b - > a"}         | ${"ValueError"}     | ${["missing-arrow@- >"]}
  ${"a => a"}            | ${"ValueError"}     | ${["missing-arrow@=>"]}
  ${"a -> b -> c"}       | ${"ValueError"}     | ${["second-arrow@->"]}
  ${"->->"}              | ${"ValueError"}     | ${["second-arrow@->"]}
  ${"a\tb -> a"}         | ${"AssertionError"} | ${["foreign-space@a\tb"]}
  ${"a b,\tc -> a"}      | ${"AssertionError"} | ${["foreign-space@\tc"]}
  ${"a\u00a0b -> a"}     | ${"AssertionError"} | ${["foreign-space@a\u00a0b"]}
  ${"\ufeffa -> a"}      | ${"AssertionError"} | ${["not-an-identifier@\ufeffa"]}
  ${"a ^ -> a"}          | ${"AssertionError"} | ${["lonely-reduction@^"]}
  ${"a + b -> a"}        | ${"AssertionError"} | ${["lonely-reduction@+"]}
  ${"()^ -> a"}          | ${"AssertionError"} | ${["lonely-reduction@^"]}
  ${"a^+ -> 1"}          | ${"AssertionError"} | ${["not-an-identifier@a^+"]}
  ${"a++ -> 1"}          | ${"AssertionError"} | ${["not-an-identifier@a++"]}
  ${"** -> 1"}           | ${"AssertionError"} | ${["not-an-identifier@**"]}
  ${"?a a? -> 1"}        | ${"AssertionError"} | ${["not-an-identifier@?a", "not-an-identifier@a?"]}
  ${"2a -> 2a"}          | ${"AssertionError"} | ${["not-an-identifier@2a", "not-an-identifier@2a"]}
  ${"-1 -> 1.5"}         | ${"AssertionError"} | ${["not-an-identifier@-1", "not-an-identifier@1.5"]}
  ${"² -> ..."}          | ${"AssertionError"} | ${["not-an-identifier@²", "not-an-identifier@..."]}
  ${"[a b] -> {a}"}      | ${"AssertionError"} | ${["not-an-identifier@[a", "not-an-identifier@b]", "not-an-identifier@{a}"]}
  ${"(a b)^ -> a b"}     | ${"AssertionError"} | ${["lonely-reduction@^"]}
  ${"((a b) c) -> a"}    | ${"AssertionError"} | ${["nested-bracket@("]}
  ${"a b) -> a"}         | ${"AssertionError"} | ${["unopened-bracket@)"]}
  ${"a)(b -> a"}         | ${"AssertionError"} | ${["unopened-bracket@)", "unclosed-bracket@("]}
  ${"(a b -> a"}         | ${"AssertionError"} | ${["unclosed-bracket@("]}
  ${"(a b, c) -> a"}     | ${"AssertionError"} | ${["unclosed-bracket@(", "unopened-bracket@)"]}
  ${"(a *) -> a"}        | ${"ValueError"}     | ${["special-in-bracket@*"]}
  ${"(a ?) -> a"}        | ${"ValueError"}     | ${["special-in-bracket@?"]}
  ${"n * c -> n (* c)"}  | ${"ValueError"}     | ${["special-in-bracket@*"]}
  ${"a+ b -> a b"}       | ${"ValueError"}     | ${["inconsistent-reduction@a"]}
  ${"a^ b -> a b"}       | ${"ValueError"}     | ${["inconsistent-reduction@a"]}
  ${"a b^, b c -> a c^"} | ${"ValueError"}     | ${["inconsistent-reduction@b", "inconsistent-reduction@c^"]}
  ${"*+ -> *"}           | ${"ValueError"}     | ${["inconsistent-reduction@*"]}
`("[1.2] '$text' is refused with $upstream", ({ text, upstream, faults }) => {
  const { ok, diagnostics } = parseAnnotation(text);
  expect(ok).toBe(false);
  expect(diagnostics[0]?.upstream).toBe(upstream);
  const marked = diagnostics.map(({ code, span = { from: 0, to: 0 } }) => {
    return `${code.slice("dimops/".length)}@${text.slice(span.from, span.to)}`;
  });
  expect(marked).toEqual(faults);
});

test("every identifier, dim and tensor knows where it stands", () => {
  const text = " m (k+ n^) ,  𝒳 , 4 -> m";
  const parsed = parseAnnotation(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  const marked = ({ span }: { span: { from: number; to: number } }) =>
    text.slice(span.from, span.to);
  const [first, second, third] = parsed.value.inputs;
  expect(first?.dims.map(marked)).toEqual(["m", "(k+ n^)"]);
  expect(first?.dims[1]?.identifiers.map(marked)).toEqual(["k+", "n^"]);
  expect([first, second, third].map((shape) => shape && marked(shape))).toEqual([
    "m (k+ n^)",
    "𝒳",
    "4",
  ]);
  expect(parsed.value.outputs.map(marked)).toEqual(["m"]);
});

test("messages quote the names of the text", () => {
  const { diagnostics } = parseAnnotation("kd-1 b+ -> b");
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'identifier can only be an integer, a Python identifier, "*" or "?", but got "kd-1"',
    'reduce type of identifier "b" is not consistent: no reduction here, "+" before',
  ]);
});

test("a tensor and a dim are read alone", () => {
  expect(parseFragment("a (c+ d) e", "shape").ok).toBe(true);
  expect(parseFragment("a, b", "shape").diagnostics[0]?.code).toBe("dimops/more-than-one-tensor");
  expect(parseFragment("a b", "dimension").diagnostics[0]?.code).toBe("dimops/not-one-dim");
});
