import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { zipped } from "./zip.ts";

test("what is packed is there again, and the same files give the same bytes", () => {
  const files = [
    { name: "01-h.svg", text: "<svg>Σ</svg>" },
    { name: "02-y.svg", text: "" },
  ];
  const bytes = zipped(files);
  expect(zipped(files)).toEqual(bytes);
  const texts = Object.entries(unzipSync(bytes)).map(([name, content]) => ({
    name,
    text: new TextDecoder().decode(content),
  }));
  expect(texts).toEqual(files);
});
