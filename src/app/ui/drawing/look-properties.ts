import {
  canvasTexts,
  cardPadding,
  chipLook,
  glyphGap,
  headLook,
  inputPadding,
  paperEdge,
  papers,
  rangeHalo,
  stackStep,
  statusLook,
  type TextLook,
} from "#app/scene/card";
import { frameTexts } from "#app/scene/player";

const inks = { ink: "ink", ink2: "ink-2", ink3: "ink-3" } as const;

/**
 * Custom properties from the scene's tables of looks: `--text-name` and `--text-name-ink` for the
 * texts of each role, and the measures of cards.
 */
export const lookProperties: Readonly<Record<`--${string}`, string>> = {
  ...Object.assign({}, ...Object.entries(canvasTexts).map(textProperties)),
  ...Object.assign(
    {},
    ...Object.entries(frameTexts).map(([role, look]) => textProperties([`frame-${role}`, look])),
  ),
  "--card-edge": `${paperEdge}px`,
  "--card-radius": `${papers.operator.radius}px`,
  "--input-radius": `${papers.input.radius}px`,
  "--badge-radius": `${papers.redistribution.radius}px`,
  "--card-x": `${cardPadding.x}px`,
  "--card-y": `${cardPadding.y}px`,
  "--input-x": `${inputPadding.x}px`,
  "--input-gap": `${inputPadding.gap}px`,
  "--glyph-gap": `${glyphGap}px`,
  "--stack-step": `${stackStep}px`,
  "--chip-height": `${chipLook.height}px`,
  "--chip-radius": `${chipLook.radius}px`,
  "--chip-padding": `${chipLook.padding}px`,
  "--chip-gap": `${chipLook.gap}px`,
  "--status-size": `${statusLook.size}px`,
  "--status-edge": `${statusLook.edge}px`,
  "--status-gap": `${statusLook.gap}px`,
  "--head-inset": `${headLook.inset}px`,
  "--range-halo": `${rangeHalo}px`,
};

function textProperties([role, look]: readonly [string, Omit<TextLook, "letter">]) {
  const { face, size, weight, ink } = look;
  return {
    [`--text-${role}`]: `${weight} ${size}px var(--font-${face})`,
    [`--text-${role}-ink`]: `var(--${inks[ink]})`,
  };
}
