import { expect, test } from "vitest";
import { evaluate, plainOf } from "#language/python";
import { programHost } from "./program-host.ts";

test("a strict program imports the systems' modules", () => {
  const text = `from mindspore import Layout
layout = Layout((2, 2), ("dp", "mp"))
layout("dp", "mp").to_dict()["tensor_map"]`;
  const { value, diagnostics } = evaluate(text, programHost(), { recover: false });
  expect(diagnostics).toEqual([]);
  expect(value && plainOf(value)).toEqual([1, 0]);
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
