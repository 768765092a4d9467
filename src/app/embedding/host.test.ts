import { expect, test } from "vitest";
import { hostOrigin, readMessage } from "./host.ts";

test.each`
  ancestors                             | referrer                    | named                  | origin
  ${["https://a.example"]}              | ${""}                       | ${undefined}           | ${"https://a.example"}
  ${["https://a.example", "https://b"]} | ${""}                       | ${undefined}           | ${"https://a.example"}
  ${[]}                                 | ${"https://a.example/page"} | ${undefined}           | ${"https://a.example"}
  ${["null"]}                           | ${"https://a.example/page"} | ${undefined}           | ${undefined}
  ${["file://"]}                        | ${""}                       | ${undefined}           | ${undefined}
  ${[]}                                 | ${""}                       | ${undefined}           | ${undefined}
  ${["null"]}                           | ${""}                       | ${"*"}                 | ${"*"}
  ${["https://a.example"]}              | ${""}                       | ${"https://b.example"} | ${"https://b.example"}
`("inside $ancestors, named $named: $origin", ({ ancestors, referrer, named, origin }) => {
  expect(hostOrigin({ ancestorOrigins: ancestors, referrer }, named)).toBe(origin);
});

const target = "shardboard";

test.each`
  data                                                   | heard
  ${{ target, kind: "goto", step: 2, hop: 3 }}           | ${{ kind: "goto", step: 2, hop: 3 }}
  ${{ target, kind: "goto", step: 2 }}                   | ${{ kind: "goto", step: 2 }}
  ${{ target, kind: "text", text: "x = 1" }}             | ${{ kind: "text", text: "x = 1" }}
  ${{ kind: "goto", step: 2 }}                           | ${undefined}
  ${{ target, kind: "goto", step: 0 }}                   | ${undefined}
  ${{ target, kind: "goto", step: "2" }}                 | ${undefined}
  ${{ target, kind: "goto", step: 1.5 }}                 | ${undefined}
  ${{ target, kind: "text", text: 4 }}                   | ${undefined}
  ${{ target, kind: "text", text: "x".repeat(2 ** 19) }} | ${undefined}
  ${"goto"}                                              | ${undefined}
  ${null}                                                | ${undefined}
`("of a message only what is documented is heard", ({ data, heard }) => {
  expect(readMessage(data)).toEqual(heard);
});
