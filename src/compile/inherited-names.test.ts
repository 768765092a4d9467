import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compile } from "./compile.ts";

/** Names that every object inherits; a record lookup must not find them. */
const inherited = ["constructor", "toString", "__proto__"] as const;

/** Step between the words of an example that are replaced: all words in the long version. */
const stride = process.env.SOAK ? 1 : 4;

test("any word of an example may be a name that all objects inherit", () => {
  const faults = examples.flatMap((example) => {
    const text = exampleText(example);
    const words = [...new Set(text.match(/[A-Za-z_]\w*/g))];
    return words.flatMap((word, at) => {
      if (at % stride !== 0) return [];
      const name = inherited[at % inherited.length] ?? inherited[0];
      const fault = faultOf(text.replace(new RegExp(`\\b${word}\\b`, "g"), name));
      return fault === undefined ? [] : [`${example.name}, ${word} as ${name}: ${fault}`];
    });
  });
  expect(examples.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});

function faultOf(text: string): string | undefined {
  try {
    compile(text);
    return undefined;
  } catch (fault) {
    return String(fault);
  }
}
