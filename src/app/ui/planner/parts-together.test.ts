import { expect, test } from "vitest";
import { togetherText } from "./parts-together.ts";

const us = 1e-6;
const row = (key: string) => ({
  key,
  kind: "operators" as const,
  words: "",
  count: 1,
  operators: [],
});
const weighed = (seconds: readonly (number | undefined)[], after: number, left: string[] = []) => ({
  parts: seconds.map((_, at) => row(`${at}`)),
  left: new Set(left),
  effects: new Map(
    seconds.flatMap((each, at) =>
      each === undefined
        ? []
        : [[`${at}`, { seconds: each * us, bytes: 0, sentBytes: 0 }] as const],
    ),
  ),
  mixed: { seconds: after * us },
});

test.each`
  figures             | after | left     | said
  ${[-28, -136]}      | ${75} | ${[]}    | ${"together they make −25.0 µs"}
  ${[-15, -10]}       | ${75} | ${[]}    | ${undefined}
  ${[-25]}            | ${90} | ${[]}    | ${undefined}
  ${[-28, undefined]} | ${75} | ${[]}    | ${undefined}
  ${[-15, -10, -40]}  | ${75} | ${["2"]} | ${undefined}
  ${[0, 0]}           | ${75} | ${[]}    | ${"together they make −25.0 µs"}
`("parts of $figures µs that make $after of 100 µs: $said", ({ figures, after, left, said }) => {
  const text = togetherText(weighed(figures, after, left), 100 * us);
  if (said === undefined) expect(text).toBeUndefined();
  else expect(text).toContain(said);
});
