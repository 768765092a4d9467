import { type CardPiece, pieceText } from "../card/card.ts";
import { canvasTexts, chipLook, statusLook, type TextRole } from "../card/card-look.ts";
import { monoFont, uiFont } from "../fonts.ts";
import type { SvgColours } from "./svg-colours.ts";

/** Distance (px) from the middle of a row down to its baseline. */
export const toBaseline = 4;

/** SVG attributes of the text of a role. */
export function textAttributes(
  role: TextRole,
  colours: SvgColours,
): Readonly<Record<string, string | number | undefined>> {
  const { face, size, weight, ink } = canvasTexts[role];
  return {
    "font-family": face === "mono" ? monoFont : uiFont,
    "font-size": size,
    "font-weight": weight === 400 ? undefined : weight,
    fill: colours[ink],
  };
}

/** The approximate width of words of a role. */
export function textWidth(text: string, role: TextRole): number {
  return text.length * canvasTexts[role].letter;
}

/** The width of a chip's text including its padding. */
export function chipTextWidth(text: string): number {
  return textWidth(text, "chip") + 2 * chipLook.padding;
}

/** Total width of chips or pieces side by side. */
function inRow(widths: readonly number[], gap: number): number {
  return widths.reduce((sum, width) => sum + width + gap, widths.length === 0 ? 0 : -gap);
}

/** The approximate width of a piece. */
export function widthOf(piece: CardPiece): number {
  switch (piece.kind) {
    case "words":
      return textWidth(piece.text, piece.role) + (piece.role === "tag" ? 2 * (tagPadding + 1) : 0);
    case "label":
    case "annotation":
      return textWidth(pieceText(piece), piece.kind);
    case "status":
      return statusLook.size + statusLook.gap + textWidth(piece.status, "status");
    case "chips":
      return inRow(piece.chips.map(chipWidth), chipLook.gap);
    case "step": {
      const axes = piece.axes.map(({ text }) => chipTextWidth(text));
      return inRow([textWidth(piece.collective, "step"), ...axes], stepGap);
    }
  }
}

/** The width of a strategy chip: its identifier followed by its axes. */
export function chipWidth({
  identifier,
  axes,
}: Extract<CardPiece, { kind: "chips" }>["chips"][number]): number {
  return inRow([identifier, ...axes.map(({ text }) => text)].map(chipTextWidth), 0);
}

/** Padding (px) between the frame of a tag and its word. */
export const tagPadding = 4;
/** Gap (px) between a collective and its axes. */
export const stepGap = 5;
