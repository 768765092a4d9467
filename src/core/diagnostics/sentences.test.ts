import { expect, test } from "vitest";
import { sentencesOf } from "./index.ts";

test.each`
  messages                                   | text
  ${[]}                                      | ${""}
  ${["no axis cuts it"]}                     | ${"No axis cuts it."}
  ${['"a.onnx" is not read', "too long"]}    | ${'"a.onnx" is not read. Too long.'}
  ${["model.norm, head stay whole: uneven"]} | ${"model.norm, head stay whole: uneven."}
`("$messages are said as $text", ({ messages, text }) => {
  expect(sentencesOf(messages.map((message: string) => ({ message })))).toBe(text);
});
