import { expect, test } from "vitest";
import { parseMesh } from "#core/mesh";
import { countText, logicalPage, pageLevels, physicalPage } from "./device-pages.ts";
import { coordinatesText, groupCount, groupNumber, groupOf, groupTexts } from "./mesh-groups.ts";

function mesh(text: string) {
  const parsed = parseMesh(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.value;
}

test.each`
  text                   | axis    | groups
  ${"dp=2,mp=2"}         | ${"mp"} | ${"{0, 1} {2, 3}"}
  ${"dp=2,mp=2"}         | ${"dp"} | ${"{0, 2} {1, 3}"}
  ${"dp=2,mp=2@0,2,1,3"} | ${"mp"} | ${"{0, 2} {1, 3}"}
  ${"dp=4,mp=8"}         | ${"mp"} | ${"{0…7} {8…15} {16…23} {24…31}"}
  ${"dp=8,mp=2"}         | ${"dp"} | ${"{0, 2, …, 14 (+2)} {1, 3, …, 15 (+2)}"}
  ${"dp=2"}              | ${"dp"} | ${"{0, 1}"}
`("groups of $axis in $text are $groups", ({ text, axis, groups }) => {
  expect(groupTexts(mesh(text), axis, 8).join(" ")).toBe(groups);
});

test("every device is in the group that has its number", () => {
  const cube = mesh("a=2,b=3,c=4");
  for (const { name } of cube.axes) {
    const numbers = cube.devices.map((_, index) => groupNumber(cube, name, index));
    expect(Math.max(...numbers) + 1).toBe(groupCount(cube, name));
    cube.devices.forEach((_, index) => {
      const alike = cube.devices.filter((__, other) => numbers[other] === numbers[index]);
      expect(groupOf(cube, name, index)).toEqual(alike);
    });
  }
  expect(coordinatesText(cube, 23)).toBe("a 1, b 2, c 3");
});

test.each`
  text                 | place   | page                 | levels
  ${"dp=2,mp=4"}       | ${0}    | ${"1/1 0-8"}         | ${"dp 0+2, mp 0+4"}
  ${"dp=16,sp=4,mp=8"} | ${100}  | ${"2/8 64-128"}      | ${"dp 2+2, sp 0+4, mp 0+8"}
  ${"dp=2,mp=2048"}    | ${4095} | ${"64/64 4032-4096"} | ${"mp 1984+64"}
  ${"dp=3,mp=67"}      | ${70}   | ${"2/4 64-128"}      | ${""}
  ${"dp=9,mp=9"}       | ${30}   | ${"2/3 27-54"}       | ${"dp 3+3, mp 0+9"}
`("place $place of $text is on page $page", ({ text, place, page, levels }) => {
  const { number, count, from, to } = logicalPage(mesh(text), place);
  expect(`${number + 1}/${count} ${from}-${to}`).toBe(page);
  const shown = pageLevels(mesh(text), { number, count, from, to });
  expect(shown.map((level) => `${level.axis} ${level.from}+${level.count}`).join(", ")).toBe(
    levels,
  );
});

test.each`
  count   | node         | place | page
  ${256}  | ${8}         | ${70} | ${"2/4 64-128"}
  ${144}  | ${72}        | ${40} | ${"2/4 36-72"}
  ${4096} | ${undefined} | ${0}  | ${"1/64 0-64"}
  ${100}  | ${12}        | ${99} | ${"2/2 60-100"}
`(
  "of $count devices in nodes of $node, $place is on page $page",
  ({ count, node, place, page }) => {
    const at = physicalPage(count, node, place);
    expect(`${at.number + 1}/${at.count} ${at.from}-${at.to}`).toBe(page);
  },
);

test("counts are read in threes", () => {
  expect([7, 4096, 65_536].map(countText)).toEqual(["7", "4\u202f096", "65\u202f536"]);
});
