import { expect, test } from "vitest";
import { examples, exampleText } from "#app/examples";
import { compile } from "./compile.ts";

/** Names that every object inherits: a record that is asked for one must not find it. */
const inherited = ["constructor", "toString", "__proto__"];

test.each(inherited)("any word of an example may be %s", (name) => {
  const faults = examples.flatMap((example) => {
    const text = exampleText(example);
    const words = [...new Set(text.match(/[A-Za-z_]\w*/g))];
    return words.flatMap((word) => {
      const renamed = text.replace(new RegExp(`\\b${word}\\b`, "g"), name);
      const fault = faultOf(renamed);
      return fault === undefined ? [] : [`${example.name}, ${word}: ${fault}`];
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
