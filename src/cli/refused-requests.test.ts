import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answerTo } from "./index.ts";

/** A request with its command, and the code of the expected diagnostic. */
interface Request {
  readonly code: string;
  readonly command: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const requests: readonly Request[] = JSON.parse(
  readFileSync("src/cli/refused-requests.json", "utf8"),
);

test.each(requests)("$command says $code of $args", ({ command, args, code }) => {
  const { diagnostics } = answerTo(command, args);
  expect(diagnostics.map((each) => each.code)).toContain(code);
});

test("a text that is longer than a link may be is refused", () => {
  const { diagnostics } = answerTo("link", { program: "x".repeat(2_000_000) });
  expect(diagnostics.map(({ code }) => code)).toEqual(["share/too-large"]);
});
