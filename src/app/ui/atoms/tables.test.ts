import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { orderOf, SortHead } from "./SortHead.tsx";
import { TableHead } from "./TableHead.tsx";

// Icons are SVG drawings: a placeholder keeps the comparison to the texts.
const drawn = (element: Parameters<typeof renderToStaticMarkup>[0]) =>
  renderToStaticMarkup(element).replace(/<svg.*?<\/svg>/g, "↕");

test.each`
  isSorted | isDown   | isFigures | heading
  ${false} | ${false} | ${false}  | ${'<th scope="col" aria-sort="none"><button type="button" class="sort">time</button></th>'}
  ${false} | ${true}  | ${true}   | ${'<th scope="col" class="n" aria-sort="none"><button type="button" class="sort">time</button></th>'}
  ${true}  | ${true}  | ${true}   | ${'<th scope="col" class="n" aria-sort="descending"><button type="button" class="sort">time↕</button></th>'}
  ${true}  | ${false} | ${false}  | ${'<th scope="col" aria-sort="ascending"><button type="button" class="sort">time↕</button></th>'}
`("a heading, sorted: $isSorted, down: $isDown", ({ isSorted, isDown, isFigures, heading }) => {
  const order = orderOf(isSorted, isDown);
  const head = createElement(SortHead, { name: "time", order, isFigures, onPress: () => {} });
  expect(drawn(head).replaceAll(/<span[^>]*>↕<\/span>/g, "↕")).toBe(heading);
});

test("two headings of one name, figures behind the first, and one for who listens alone", () => {
  const names = ["plan", "bytes", "bytes", "Take"];
  expect(drawn(createElement(TableHead, { names, figuresFrom: 1, hides: "Take" }))).toBe(
    '<thead><tr><th scope="col">plan</th><th scope="col" class="n">bytes</th>' +
      '<th scope="col" class="n">bytes</th><th scope="col" class="n"><span class="vh">Take</span></th></tr></thead>',
  );
});
