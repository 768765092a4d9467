import { expect, test } from "vitest";
import { evaluate, toJson } from "#language/python";
import { programHost } from "#systems";

test("a strict program imports the systems' modules", () => {
  const text = `from mindspore import Layout
layout = Layout((2, 2), ("dp", "mp"))
layout("dp", "mp").to_dict()["tensor_map"]`;
  const { value, diagnostics } = evaluate(text, programHost(), { recover: false });
  expect(diagnostics).toEqual([]);
  expect(value && toJson(value)).toEqual([1, 0]);
});

// mindspore.md §1.2
test("a layout's to_dict() has MindSpore's keys in their order", () => {
  const text = `from mindspore.parallel import Layout
Layout((2, 2), ("dp", "mp"))("dp", ("mp", "None")).to_dict()`;
  const { value } = evaluate(text, programHost(), { recover: false });
  const entries = value?.kind === "dict" ? [...value.entries.values()] : [];
  expect(value && JSON.stringify(toJson(value))).toContain('"device_matrix"');
  expect(entries).toHaveLength(5);
});

test.each`
  before            | last                  | upstream
  ${""}             | ${"layout.to_dict()"} | ${"ValueError"}
  ${'layout("dp")'} | ${"layout.to_dict()"} | ${undefined}
`("behind [$before] a layout's $last raises $upstream", ({ before, last, upstream }) => {
  const text = `from mindspore import Layout
layout = Layout((2, 2), ("dp", "mp"))
${before}
${last}`;
  const { diagnostics } = evaluate(text, programHost(), { recover: false });
  expect(diagnostics.find(({ severity }) => severity === "error")?.upstream).toBe(upstream);
});

test.each`
  text                               | upstream
  ${"Mesh(dp=2)"}                    | ${"NameError"}
  ${"torch.neg"}                     | ${"NameError"}
  ${"import os"}                     | ${"ModuleNotFoundError"}
  ${"import unheard_of"}             | ${"ModuleNotFoundError"}
  ${"from mindspore import unheard"} | ${"ImportError"}
`("a strict program that says $text gets a $upstream", ({ text, upstream }) => {
  const { diagnostics } = evaluate(text, programHost(), { recover: false });
  expect(diagnostics).toMatchObject([{ severity: "error", upstream }]);
});
