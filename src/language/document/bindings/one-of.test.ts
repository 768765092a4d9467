import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { readDocument } from "#systems";

const head = "mesh = Mesh(dp=2, mp=4)\nx = Tensor((8, 16))\ny = relu(x)\n";

function fixesOf(text: string): readonly string[] {
  const { diagnostics } = readDocument(head + text);
  return diagnostics.flatMap(({ fixes = [] }) =>
    fixes.map(({ edits }) => applyEdits(head + text, edits).slice(head.length)),
  );
}

test.each`
  text                                   | fixed
  ${'train(y, optimizer="adamx")'}       | ${['train(y, optimizer="adam")', 'train(y, optimizer="adamw")']}
  ${"train(y, optimizer='AdamW')"}       | ${["train(y, optimizer='adamw')"]}
  ${'train(y, optimizer="momentun")'}    | ${['train(y, optimizer="momentum")']}
  ${'train(y, optimizer="lion")'}        | ${[]}
  ${'name = "sdg"\ntrain(y, "x", name)'} | ${[]}
  ${'train(y, precision="megatrn")'}     | ${['train(y, precision="megatron")']}
  ${'train(y, optimzer="adam")'}         | ${['train(y, optimizer="adam")']}
  ${"train(y, rate=0.1)"}                | ${[]}
`("a word of train() that is a slip away from a known one: $text", ({ text, fixed }) => {
  expect(fixesOf(text)).toEqual(fixed);
});
